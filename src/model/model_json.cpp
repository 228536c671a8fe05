#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/byte_source.hpp"
#include "rampart/errors.hpp"
#include "rampart/io.hpp"
#include "rampart/model.hpp"

namespace rampart {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_name = "rampart-model";
constexpr int format_version = 1;
constexpr std::size_t most_features = 16'777'216;  // as in the readers

// ------------------------------------------------------------------ writing

/// JSON has no NaN or infinity: a model that holds one is refused rather than written as null.
void require_finite(const Json& json) {
  if (json.is_number_float() && !std::isfinite(json.get<double>())) {
    throw ModelError("the model holds a number that is not finite; it was not written");
  }
  if (json.is_structured()) {
    for (const Json& item : json) require_finite(item);
  }
}

Json kernel_json(const Kernel& kernel) {
  Json json{{"type", to_string(type_of(kernel))}};
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

Json vectors_json(const Rows& vectors) {
  Json json = Json::array();
  for (std::size_t n = 0; n < vectors.size(); ++n) {
    if (vectors.is_dense()) {
      json.push_back(vectors.dense_row(n));
    } else {
      const auto row = vectors.sparse_row(n);
      json.push_back(Json{{"indices", row.indices}, {"values", row.values}});
    }
  }
  return json;
}

/// All weights, or only those that are not zero where these are few.
Json weights_json(const std::vector<double>& weights) {
  std::vector<std::size_t> indices;
  std::vector<double> values;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (weights[j] == 0) continue;
    indices.push_back(j);
    values.push_back(weights[j]);
  }
  if (10 * indices.size() >= weights.size()) return weights;
  return Json{{"indices", indices}, {"values", values}};
}

/// One line per key, one per support vector: readable, and fit for diff.
std::string lay_out(const Json& model) {
  std::string text;
  for (const auto& [key, value] : model.items()) {
    text += fmt::format("{} \"{}\": ", text.empty() ? "{\n" : ",\n", key);
    if (key == "vectors" && !value.empty()) {
      const char* before = "[\n  ";
      for (const Json& row : value) {
        text += before;
        text += row.dump();
        before = ",\n  ";
      }
      text += "]";
    } else {
      text += value.dump();
    }
  }
  text += "\n}\n";
  return text;
}

// ------------------------------------------------------------------ reading

/// A value of the file together with where it stands, so that errors can say so.
class Node {
 public:
  Node(const Json& json, std::string file, std::string path)
      : json_(json), file_(std::move(file)), path_(std::move(path)) {}

  [[noreturn]] void fail(const std::string& rule) const {
    throw ModelError(path_.empty() ? fmt::format("{}: {}", file_, rule)
                                   : fmt::format("{}: '{}' {}", file_, path_, rule));
  }

  [[nodiscard]] bool has(const char* key) const { return json_.is_object() && json_.contains(key); }

  [[nodiscard]] Node operator[](const char* key) const {
    if (!json_.is_object()) fail("must be an object");
    const auto found = json_.find(key);
    Node child(found == json_.end() ? json_ : *found, file_,
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
    for (std::size_t i = 0; i < json_.size(); ++i) {
      nodes.emplace_back(json_[i], file_, fmt::format("{}[{}]", path_, i));
    }
    return nodes;
  }
  /// An array of finite numbers, of this length if one is given.
  [[nodiscard]] std::vector<double> numbers(std::size_t length = any) const {
    if (!json_.is_array()) fail("must be an array");
    if (length != any && json_.size() != length) {
      fail(fmt::format("has {} entries, must have {}", json_.size(), length));
    }
    std::vector<double> values;
    values.reserve(json_.size());
    for (const Json& item : json_) {
      if (!item.is_number() || !std::isfinite(item.get<double>())) {
        fail("must hold finite numbers only");
      }
      values.push_back(item.get<double>());
    }
    return values;
  }
  [[nodiscard]] std::vector<std::string> texts() const {
    std::vector<std::string> values;
    for (const Node& item : items()) values.push_back(item.text());
    return values;
  }
  /// Strictly increasing whole numbers below `end`.
  template <class Integer>
  [[nodiscard]] std::vector<Integer> increasing(std::size_t end) const {
    if (!json_.is_array()) fail("must be an array");
    std::vector<Integer> values;
    values.reserve(json_.size());
    for (const Json& item : json_) {
      const bool good = item.is_number_unsigned() && item.get<std::uint64_t>() < end &&
                        (values.empty() || item.get<std::uint64_t>() > values.back());
      if (!good) fail(fmt::format("must hold increasing whole numbers below {}", end));
      values.push_back(item.get<Integer>());
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
  const Json& json_;
  std::string file_;
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
  Scaling scaling{.kind = node["type"].one_of({none, minmax, standard})};
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
  if (rows.empty() || !rows.front().has("indices")) {
    for (const Node& row : rows) {
      const std::vector<double> numbers = row.numbers(features);
      values.insert(values.end(), numbers.begin(), numbers.end());
    }
    return Rows::dense(features, std::move(values), count);
  }
  std::vector<std::size_t> starts{0};
  std::vector<std::uint32_t> indices;
  for (const Node& row : rows) {
    const auto columns = row["indices"].increasing<std::uint32_t>(features);
    const std::vector<double> numbers = row["values"].numbers(columns.size());
    indices.insert(indices.end(), columns.begin(), columns.end());
    values.insert(values.end(), numbers.begin(), numbers.end());
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
      .gap = node["gap"].number(),
      .violation = node["violation"].number(),
      .rounds = node["rounds"].whole(std::numeric_limits<std::int64_t>::max()),
      .status = node["status"].one_of({converged, stalled, round_limit, step_limit, cancelled})};
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
  if (classes.size() != 2 || classes[0] == classes[1]) {
    root["classes"].fail("must hold two different labels, the negative one first");
  }
  model.classes = {classes[0], classes[1]};
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

}  // namespace

std::string to_json(const Model& model) {
  Json json;
  json["format"] = format_name;
  json["version"] = format_version;
  json["loss"] = to_string(model.loss);
  json["reject_cost"] =
      model.costs.is_symmetric() ? Json(model.costs.reject_positive) : Json(nullptr);
  json["costs"] = Json{{"false_positive", model.costs.false_positive},
                       {"false_negative", model.costs.false_negative},
                       {"reject_positive", model.costs.reject_positive},
                       {"reject_negative", model.costs.reject_negative}};
  json["mu"] = model.mu;
  json["C"] = model.C;
  json["kernel"] = kernel_json(model.kernel);
  json["classes"] = {model.classes.negative, model.classes.positive};
  json["b"] = model.b;
  json["rho"] = model.rho;
  json["training"] =
      Json{{"rows", model.training.rows},     {"objective", model.training.objective},
           {"gap", model.training.gap},       {"violation", model.training.violation},
           {"rounds", model.training.rounds}, {"status", to_string(model.training.status)}};
  if (!model.training.history.empty()) json["training"]["history"] = model.training.history;
  if (model.training.own_band) {
    json["training"]["b"] = model.training.own_band->b;
    json["training"]["rho"] = model.training.own_band->rho;
  }
  if (model.training.reject_cost) json["training"]["reject_cost"] = *model.training.reject_cost;
  json["feature_count"] = model.features.count;
  json["features"] = model.features.names;
  json["label"] = model.features.label;
  json["scaling"] = Json{{"type", to_string(model.scaling.kind)}};
  if (model.scaling.kind != ScalingKind::none) {
    json["scaling"]["offset"] = model.scaling.offset;
    json["scaling"]["factor"] = model.scaling.factor;
  }
  if (std::holds_alternative<LinearKernel>(model.kernel)) {
    json["weights"] = weights_json(model.weights);
  } else {
    json["coefficients"] = model.coefficients;
    if (std::holds_alternative<PrecomputedKernel>(model.kernel)) {
      json["support"] = model.support;
    } else {
      json["vectors"] = vectors_json(model.vectors);
    }
  }
  require_finite(json);
  return lay_out(json);
}

Model model_from_json(std::string_view text, const std::string& name) {
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
  return model_from(Node(json, name, ""));
}

Model load_model(const std::string& path) {
  ByteSource source = ByteSource::file(path);
  std::string text;
  std::vector<char> buffer(std::size_t{1} << 16);
  while (const std::size_t count = source.read(buffer)) text.append(buffer.data(), count);
  return model_from_json(text, source.name());
}

void save_model(const Model& model, const std::string& path) {
  const std::string text = to_json(model);
  OutputFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace rampart
