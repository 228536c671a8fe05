#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/byte_source.hpp"
#include "data/classes.hpp"
#include "data/limits.hpp"
#include "model/json_numbers.hpp"
#include "rampart/errors.hpp"
#include "rampart/io.hpp"
#include "rampart/model.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

using OrderedJson = nlohmann::ordered_json;  // written in the order of a reader's interest
using Json = nlohmann::json;                 // read: finds a key among many fast

constexpr const char* format_name = "rampart-model";
constexpr int format_version = 1;
constexpr std::size_t most_features = most_columns;  // as in the readers of data

// ------------------------------------------------------------------ writing

/// JSON has no NaN or infinity: a model that holds one is refused rather than written as null.
void require_finite(const OrderedJson& json) {
  if (json.is_number_float() && !std::isfinite(json.get<double>())) {
    throw ModelError("the model holds a number that is not finite; it was not written");
  }
  if (json.is_structured()) {
    for (const OrderedJson& item : json) require_finite(item);
  }
}

OrderedJson kernel_json(const Kernel& kernel) {
  OrderedJson json{{"type", to_string(type_of(kernel))}};
  if (const auto* rbf = std::get_if<RbfKernel>(&kernel)) {
    json["gamma"] = rbf->gamma;
  } else if (const auto* polynomial = std::get_if<PolynomialKernel>(&kernel)) {
    json["gamma"] = polynomial->gamma;
    json["coef0"] = polynomial->coef0;
    json["degree"] = polynomial->degree;
  } else if (const auto* sigmoid = std::get_if<SigmoidKernel>(&kernel)) {
    json["gamma"] = sigmoid->gamma;
    json["coef0"] = sigmoid->coef0;
  }
  return json;
}

// `text` is an object that has begun, and gets another line.
void append_key(std::string& text, std::string_view key) {
  text += fmt::format("{} \"{}\": ", text.empty() ? "{\n" : ",\n", key);
}

// `json` is an object: one line per key.
void append_keys(std::string& text, const OrderedJson& json) {
  require_finite(json);
  for (const auto& [key, value] : json.items()) {
    append_key(text, key);
    text += value.dump();
  }
}

void append_texts(std::string& text, const std::vector<std::string>& texts) {
  text += '[';
  for (const std::string& one : texts) {
    if (&one != &texts.front()) text += ',';
    text += OrderedJson(one).dump();
  }
  text += ']';
}

void append_scaling(std::string& text, const Scaling& scaling) {
  text += fmt::format("{{\"type\":\"{}\"", to_string(scaling.kind));
  if (scaling.kind != ScalingKind::none) {
    text += ",\"offset\":";
    append_json_array(text, scaling.offset);
    text += ",\"factor\":";
    append_json_array(text, scaling.factor);
  }
  text += '}';
}

template <class Index>
void append_sparse(std::string& text, std::span<const Index> indices,
                   std::span<const double> values) {
  text += "{\"indices\":";
  append_json_array(text, indices);
  text += ",\"values\":";
  append_json_array(text, values);
  text += '}';
}

/// One line per support vector: readable, and fit for diff.
void append_vectors(std::string& text, const Rows& vectors) {
  constexpr std::size_t characters = 22;  // of a number, most often
  text.reserve(text.size() + characters * vectors.stored_values());
  text += '[';
  for (std::size_t n = 0; n < vectors.size(); ++n) {
    text += n == 0 ? "\n  " : ",\n  ";
    if (vectors.is_dense()) {
      append_json_array(text, vectors.dense_row(n));
    } else {
      const auto row = vectors.sparse_row(n);
      append_sparse(text, row.indices, row.values);
    }
  }
  text += ']';
}

/// All weights, or only those that are not zero where these are few.
void append_weights(std::string& text, std::span<const double> weights) {
  std::vector<std::size_t> indices;
  std::vector<double> values;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (weights[j] == 0) continue;
    indices.push_back(j);
    values.push_back(weights[j]);
  }
  if (10 * indices.size() >= weights.size()) {
    append_json_array(text, weights);
  } else {
    append_sparse<std::size_t>(text, indices, values);
  }
}

// ------------------------------------------------------------------ reading

/// A value of the file together with where it stands, so that errors can say so. `taken`: where
/// its numbers are, if they were taken out.
class Node {
 public:
  Node(const Json& json, const TakenNumbers* taken, const std::string& file, std::string path)
      : json_(json), taken_(taken), file_(file), path_(std::move(path)) {}

  [[noreturn]] void fail(const std::string& rule) const {
    throw ModelError(path_.empty() ? fmt::format("{}: {}", file_, rule)
                                   : fmt::format("{}: '{}' {}", file_, path_, rule));
  }

  [[nodiscard]] bool has(const char* key) const { return json_.is_object() && json_.contains(key); }

  [[nodiscard]] Node operator[](const char* key) const {
    if (!json_.is_object()) fail("must be an object");
    const auto found = json_.find(key);
    Node child(found == json_.end() ? json_ : *found, taken_, file_,
               path_.empty() ? key : path_ + "." + key);
    if (found == json_.end()) child.fail("is missing");
    return child;
  }

  [[nodiscard]] double number() const {
    if (!json_.is_number()) fail("must be a number");
    const double value = json_.get<double>();
    if (!std::isfinite(value)) fail("must be finite");
    return value;
  }
  [[nodiscard]] std::optional<double> number_or_null() const {
    return json_.is_null() ? std::nullopt : std::optional(number());
  }
  [[nodiscard]] double positive() const {
    const double value = number();
    if (!(value > 0)) fail(fmt::format("is {}, must be > 0", value));
    return value;
  }
  [[nodiscard]] std::size_t whole(std::size_t most) const {
    if (!json_.is_number_integer()) fail("must be a whole number");
    if (json_.is_number_unsigned()) {
      const auto value = json_.get<std::uint64_t>();
      if (value <= most) return value;
    }
    fail(fmt::format("is {}, must be between 0 and {}", json_.dump(), most));
  }
  [[nodiscard]] std::string text() const {
    if (!json_.is_string()) fail("must be a string");
    return json_.get<std::string>();
  }
  [[nodiscard]] std::vector<Node> items() const {
    if (!json_.is_array()) fail("must be an array");
    std::vector<Node> nodes;
    nodes.reserve(json_.size());
    for (std::size_t i = 0; i < json_.size(); ++i) nodes.push_back(item(i));
    return nodes;
  }
  [[nodiscard]] Node item(std::size_t i) const {
    return {json_[i], taken_, file_, fmt::format("{}[{}]", path_, i)};
  }
  /// Appends an array of finite numbers, of this length if one is given.
  void append_to(std::vector<double>& values, std::size_t length = any) const {
    const TakenNumbers::Array* const taken = taken_array();
    if (!json_.is_array() && taken == nullptr) fail("must be an array");
    const std::size_t size = taken != nullptr ? taken->count : json_.size();
    if (length != any && size != length) {
      fail(fmt::format("has {} entries, must have {}", size, length));
    }
    if (taken != nullptr) {
      const auto numbers = taken_->numbers(*taken);
      values.insert(values.end(), numbers.begin(), numbers.end());
      return;
    }
    for (const Json& item : json_) {
      if (!item.is_number() || !std::isfinite(item.get<double>())) {
        fail("must hold finite numbers only");
      }
      values.push_back(item.get<double>());
    }
  }
  [[nodiscard]] std::vector<double> numbers(std::size_t length = any) const {
    std::vector<double> values;
    append_to(values, length);
    return values;
  }
  /// As many as there can be in the whole file, if that is known.
  [[nodiscard]] std::size_t most_numbers() const {
    return taken_ != nullptr ? taken_->values.size() : 0;
  }
  [[nodiscard]] std::vector<std::string> texts() const {
    if (!json_.is_array()) fail("must be an array");
    std::vector<std::string> values;
    values.reserve(json_.size());
    for (std::size_t i = 0; i < json_.size(); ++i) {
      if (!json_[i].is_string()) static_cast<void>(item(i).text());  // fails
      values.push_back(json_[i].get<std::string>());
    }
    return values;
  }
  /// Strictly increasing whole numbers below `end`.
  template <class Integer>
  [[nodiscard]] std::vector<Integer> increasing(std::size_t end) const {
    std::vector<Integer> values;
    const auto append = [&](bool whole, std::uint64_t value) {
      const bool good = whole && value < end && (values.empty() || value > values.back());
      if (!good) fail(fmt::format("must hold increasing whole numbers below {}", end));
      values.push_back(static_cast<Integer>(value));
    };
    if (const auto* const taken = taken_array()) {
      for (const double value : taken_->numbers(*taken)) {
        const bool whole = taken->whole && value <= most_features;
        append(whole, whole ? static_cast<std::uint64_t>(value) : 0);
      }
      return values;
    }
    if (!json_.is_array()) fail("must be an array");
    for (const Json& item : json_) {
      const bool whole = item.is_number_unsigned();
      append(whole, whole ? item.get<std::uint64_t>() : 0);
    }
    return values;
  }
  /// The enumerator with this name.
  template <class Enum>
  [[nodiscard]] Enum one_of(std::initializer_list<Enum> choices) const {
    const std::string name = text();
    for (const Enum choice : choices) {
      if (to_string(choice) == name) return choice;
    }
    fail(fmt::format("is '{:.40}', which this version does not know", name));
  }

  static constexpr std::size_t any = std::numeric_limits<std::size_t>::max();

 private:
  /// The array of numbers that stood here and was taken out; nothing if there was none.
  [[nodiscard]] const TakenNumbers::Array* taken_array() const {
    if (taken_ == nullptr || !has(TakenNumbers::key)) return nullptr;
    return &taken_->arrays[json_[TakenNumbers::key].get<std::size_t>()];
  }

  const Json& json_;
  const TakenNumbers* taken_;
  const std::string& file_;
  std::string path_;
};

Kernel kernel_from(const Node& node) {
  using enum KernelType;
  switch (node["type"].one_of({linear, rbf, polynomial, sigmoid, precomputed})) {
    case linear:
      return LinearKernel{};
    case rbf:
      return RbfKernel{node["gamma"].positive()};
    case polynomial: {
      const std::size_t degree = node["degree"].whole(100);
      if (degree < 1) node["degree"].fail("must be at least 1");
      return PolynomialKernel{node["gamma"].positive(), node["coef0"].number(),
                              static_cast<int>(degree)};
    }
    case sigmoid:
      return SigmoidKernel{node["gamma"].positive(), node["coef0"].number()};
    case precomputed:
      break;
  }
  return PrecomputedKernel{};
}

Costs costs_from(const Node& node) {
  const Costs costs{node["false_positive"].positive(), node["false_negative"].positive(),
                    node["reject_positive"].positive(), node["reject_negative"].positive()};
  try {
    costs.validate();
  } catch (const OptionError& e) {
    node.fail(fmt::format("is impossible: {}", e.what()));
  }
  return costs;
}

Scaling scaling_from(const Node& node, std::size_t features) {
  using enum ScalingKind;
  Scaling scaling{.kind = node["type"].one_of({none, minmax, standard, centre})};
  if (scaling.kind != none) {
    scaling.offset = node["offset"].numbers(features);
    scaling.factor = node["factor"].numbers(features);
  }
  return scaling;
}

Rows vectors_from(const Node& node, std::size_t count, std::size_t features) {
  const std::vector<Node> rows = node.items();
  if (rows.size() != count) {
    node.fail(fmt::format("has {} entries, but there are {} coefficients", rows.size(), count));
  }
  std::vector<double> values;
  values.reserve(node.most_numbers());
  if (rows.empty() || !rows.front().has("indices")) {
    for (const Node& row : rows) row.append_to(values, features);
    return Rows::dense(features, std::move(values), count);
  }
  std::vector<std::size_t> starts{0};
  std::vector<std::uint32_t> indices;
  for (const Node& row : rows) {
    const auto columns = row["indices"].increasing<std::uint32_t>(features);
    row["values"].append_to(values, columns.size());
    indices.insert(indices.end(), columns.begin(), columns.end());
    starts.push_back(values.size());
  }
  return Rows::sparse(features, std::move(starts), std::move(indices), std::move(values));
}

std::vector<double> weights_from(const Node& node, std::size_t features) {
  if (!node.has("indices")) return node.numbers(features);
  const auto indices = node["indices"].increasing<std::size_t>(features);
  const std::vector<double> values = node["values"].numbers(indices.size());
  std::vector<double> weights(features, 0.0);
  for (std::size_t k = 0; k < indices.size(); ++k) weights[indices[k]] = values[k];
  return weights;
}

TrainingSummary training_from(const Node& node) {
  using enum TrainStatus;
  TrainingSummary training{
      .rows = node["rows"].whole(std::numeric_limits<std::int64_t>::max()),
      .objective = node["objective"].number(),
      .gap = node["gap"].number_or_null(),
      .violation = node["violation"].number(),
      .rounds = node["rounds"].whole(std::numeric_limits<std::int64_t>::max()),
      .status = node["status"].one_of(
          {converged, stationary, stalled, round_limit, step_limit, time_limit, cancelled})};
  if (!training.gap && training.status == converged) {
    node["gap"].fail("must be a number, since the training converged");
  }
  if (node.has("rho")) training.own_band = {node["b"].number(), node["rho"].number()};
  if (node.has("reject_cost")) training.reject_cost = node["reject_cost"].positive();
  if (!node.has("history")) return training;  // files written before it was kept
  training.history = node["history"].numbers();
  if (!training.history.empty() && training.history.size() != training.rounds) {
    node["history"].fail(fmt::format("has {} entries, but there were {} rounds",
                                     training.history.size(), training.rounds));
  }
  return training;
}

Model model_from(const Node& root) {
  if (!root.has("format") || root["format"].text() != format_name) {
    root.fail("is not a Rampart model (no \"format\": \"rampart-model\")");
  }
  const std::size_t version = root["version"].whole(std::numeric_limits<std::int64_t>::max());
  if (version != format_version) {
    root.fail(fmt::format("is a model of format version {}; this program reads version {}", version,
                          format_version));
  }
  Model model;
  using enum LossKind;
  model.loss = root["loss"].one_of({double_ramp, double_hinge, generalized_hinge, hinge});
  model.costs = costs_from(root["costs"]);
  model.mu = root["mu"].positive();
  if (model.mu > 1) root["mu"].fail("must be at most 1");
  model.C = root["C"].positive();
  model.kernel = kernel_from(root["kernel"]);
  const std::vector<std::string> classes = root["classes"].texts();
  if (classes.size() == 2) model.classes = {classes[0], classes[1]};
  if (classes.size() != 2 || fault_of(model.classes)) {
    root["classes"].fail("must hold two different labels, the negative one first");
  }
  model.b = root["b"].number();
  model.rho = root["rho"].number();
  if (model.rho < 0) root["rho"].fail("must not be negative");

  model.features.count = root["feature_count"].whole(most_features);
  model.features.names = root["features"].texts();
  const std::size_t names = model.features.names.size();
  if (names != 0 && names != model.features.count) {
    root["features"].fail(
        fmt::format("has {} entries, but feature_count is {}", names, model.features.count));
  }
  model.features.label = root["label"].text();
  model.scaling = scaling_from(root["scaling"], model.features.count);
  if (std::holds_alternative<LinearKernel>(model.kernel)) {
    model.weights = weights_from(root["weights"], model.features.count);
  } else {
    model.coefficients = root["coefficients"].numbers();
    if (std::holds_alternative<PrecomputedKernel>(model.kernel)) {
      model.support = root["support"].increasing<std::size_t>(model.features.count);
      if (model.support.size() != model.coefficients.size()) {
        root["support"].fail(fmt::format("has {} entries, but there are {} coefficients",
                                         model.support.size(), model.coefficients.size()));
      }
    } else {
      model.vectors =
          vectors_from(root["vectors"], model.coefficients.size(), model.features.count);
    }
  }
  model.training = training_from(root["training"]);
  return model;
}

/// An object, perhaps behind white space or a byte order mark.
bool may_begin_a_model(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin != text.npos && (text[begin] == '{' || text[begin] == '\xef');
}

}  // namespace

std::string to_json(const Model& model) {
  if (const auto fault = fault_of(model.classes)) throw ModelError(*fault);
  if (!is_utf8(model.features.label) || !std::ranges::all_of(model.features.names, is_utf8)) {
    throw ModelError("the name of a column is not UTF-8; the model was not written");
  }
  OrderedJson json;
  json["format"] = format_name;
  json["version"] = format_version;
  json["loss"] = to_string(model.loss);
  json["reject_cost"] =
      model.costs.is_symmetric() ? OrderedJson(model.costs.reject_positive) : OrderedJson(nullptr);
  json["costs"] = OrderedJson{{"false_positive", model.costs.false_positive},
                              {"false_negative", model.costs.false_negative},
                              {"reject_positive", model.costs.reject_positive},
                              {"reject_negative", model.costs.reject_negative}};
  json["mu"] = model.mu;
  json["C"] = model.C;
  json["kernel"] = kernel_json(model.kernel);
  json["classes"] = {model.classes.negative, model.classes.positive};
  json["b"] = model.b;
  json["rho"] = model.rho;
  json["training"] = OrderedJson{
      {"rows", model.training.rows},
      {"objective", model.training.objective},
      {"gap", model.training.gap ? OrderedJson(*model.training.gap) : OrderedJson(nullptr)},
      {"violation", model.training.violation},
      {"rounds", model.training.rounds},
      {"status", to_string(model.training.status)}};
  if (!model.training.history.empty()) json["training"]["history"] = model.training.history;
  if (model.training.own_band) {
    json["training"]["b"] = model.training.own_band->b;
    json["training"]["rho"] = model.training.own_band->rho;
  }
  if (model.training.reject_cost) json["training"]["reject_cost"] = *model.training.reject_cost;
  json["feature_count"] = model.features.count;

  // What grows with the data is written as it is, without an object for every number or name.
  std::string text;
  append_keys(text, json);
  append_key(text, "features");
  append_texts(text, model.features.names);
  append_keys(text, OrderedJson{{"label", model.features.label}});
  append_key(text, "scaling");
  append_scaling(text, model.scaling);
  if (std::holds_alternative<LinearKernel>(model.kernel)) {
    append_key(text, "weights");
    append_weights(text, model.weights);
  } else {
    append_key(text, "coefficients");
    append_json_array(text, model.coefficients);
    if (std::holds_alternative<PrecomputedKernel>(model.kernel)) {
      append_key(text, "support");
      append_json_array(text, model.support);
    } else {
      append_key(text, "vectors");
      append_vectors(text, model.vectors);
    }
  }
  text += "\n}\n";
  return text;
}

Model model_from_json(std::string_view text, const std::string& name) {
  if (const auto taken = take_numbers(text)) {
    try {
      return model_from(Node(Json::parse(taken->rest), &*taken, name, ""));
    } catch (const ModelError&) {
    } catch (const Json::exception&) {
    }
    // What is wrong is found again, and told, in the text as it stands in the file.
  }
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& e) {
    // Where it stopped being JSON; the library's own words quote raw bytes.
    const std::string_view before = text.substr(0, e.byte > 0 ? e.byte - 1 : 0);
    const auto line = 1 + std::ranges::count(before, '\n');
    const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;
    throw ModelError(fmt::format("{}: is not a model: no valid JSON from line {}, column {} on",
                                 name, line, column));
  } catch (const Json::exception&) {
    throw ModelError(fmt::format("{}: is not a model: a number in it is too large", name));
  }
  return model_from(Node(json, nullptr, name, ""));
}

Model load_model(const std::string& path, const ReadLimits& limits) {
  ByteSource source = ByteSource::file(path, limits);
  const auto refuse_more = [&](std::uint64_t bytes) {
    if (bytes <= limits.model_bytes) return;
    throw ModelError(fmt::format("{}: more than {}; a larger limit reads it", source.name(),
                                 size_in_words(limits.model_bytes)),
                     Setting::model_limit);
  };
  refuse_more(source.size_hint());
  std::string text;
  text.reserve(source.size_hint());
  std::vector<char> buffer(std::size_t{1} << 16);
  while (const std::size_t count = source.read(buffer)) {
    const bool first = text.empty();
    text.append(buffer.data(), count);
    refuse_more(text.size());
    if (first && !may_begin_a_model(text)) break;  // whatever follows
  }
  return model_from_json(text, source.name());
}

void save_model(const Model& model, const std::string& path) {
  const std::string text = to_json(model);
  OutputFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace rampart
