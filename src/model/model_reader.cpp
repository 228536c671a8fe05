#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <span>
#include <string_view>
#include <system_error>

#include "data/classes.hpp"
#include "model/json_node.hpp"
#include "rampart/errors.hpp"
#include "rampart/model.hpp"

namespace rampart {
namespace {

constexpr std::size_t newest_version = 3;
constexpr std::size_t any_count = std::numeric_limits<std::int64_t>::max();

// ------------------------------------------------------------------ what all versions have

Kernel kernel_from(const Node& node) {
  using enum KernelType;
  switch (node["type"].named<KernelType>()) {
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
    case fourier:
      return FourierKernel{node["gamma"].positive()};
    case precomputed:
      break;
  }
  return PrecomputedKernel{};
}

void require_possible(const Costs& costs, const Node& node) {
  try {
    costs.validate();
  } catch (const OptionError& e) {
    node.fail(fmt::format("is impossible: {}", e.what()));
  }
}

Costs costs_from(const Node& node) {
  const Costs costs{node["false_positive"].positive(), node["false_negative"].positive(),
                    node["reject_positive"].positive(), node["reject_negative"].positive()};
  require_possible(costs, node);
  return costs;
}

Scaling scaling_from(const Node& node, std::size_t features) {
  Scaling scaling{.kind = node["type"].named<ScalingKind>()};
  if (scaling.kind != ScalingKind::none) {
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

std::vector<std::string> names_from(const Node& node, std::size_t features) {
  std::vector<std::string> names = node.texts();
  if (!names.empty() && names.size() != features) {
    node.fail(fmt::format("has {} entries, but there are {} features", names.size(), features));
  }
  if (std::set<std::string_view>(names.begin(), names.end()).size() != names.size()) {
    node.fail("has the same name twice");
  }
  return names;
}

std::vector<std::string> classes_from(const Node& node) {
  std::vector<std::string> classes = node.texts();
  if (classes.size() > 2) {
    node.fail("are more than two: models of more than two classes are not supported yet");
  }
  if (classes.size() != 2 || fault_of(ClassNames{classes[0], classes[1]})) {
    node.fail("must hold two different labels, the negative one first");
  }
  return classes;
}

/// What stands under `costs`, `loss`, `mu` and `C`.
Objective objective_from(const Node& node) {
  Objective objective{.loss = node["loss"].named<LossKind>(),
                      .costs = costs_from(node["costs"]),
                      .mu = node["mu"].positive(),
                      .C = node["C"].positive()};
  if (objective.mu > 1) node["mu"].fail("must be at most 1");
  const LossTraits& loss = traits_of(objective.loss);
  if (!loss.has_ramps && loss.uses_costs && !objective.costs.is_symmetric()) {
    node["costs"].fail("must be those of a reject cost, since only the double ramp has others");
  }
  return objective;
}

Band band_from(const Node& node) {
  const Band band{node["b"].number(), node["rho"].number()};
  if (band.rho < 0) node["rho"].fail("must not be negative");
  return band;
}

Certificate certificate_from(const Node& node) {
  Certificate certificate{.rows = node["rows"].whole(any_count),
                          .objective = node["objective"].number(),
                          .gap = node["gap"].number_or_null(),
                          .violation = node["violation"].number(),
                          .rounds = node["rounds"].whole(any_count),
                          .status = node["status"].named<TrainStatus>()};
  if (!certificate.gap && certificate.status == TrainStatus::converged) {
    node["gap"].fail("must be a number, since the training converged");
  }
  if (node.has("landmarks")) certificate.landmarks = node["landmarks"].whole(any_count);
  if (!node.has("history")) return certificate;
  certificate.history = node["history"].numbers();
  if (!certificate.history.empty() && certificate.history.size() != certificate.rounds) {
    node["history"].fail(fmt::format("has {} entries, but there were {} rounds",
                                     certificate.history.size(), certificate.rounds));
  }
  return certificate;
}

/// The weights or the coefficients of a surface, and what belongs to the latter. In version 1
/// `surface` and `root` are one object.
void read_function(Model& model, const Node& surface, const Node& root) {
  const std::size_t features = model.encoding.features(model.features.count);
  if (std::holds_alternative<LinearKernel>(model.kernel)) {
    model.surface().weights = weights_from(surface["weights"], features);
    return;
  }
  std::vector<double>& coefficients = model.surface().coefficients;
  coefficients = surface["coefficients"].numbers();
  if (!std::holds_alternative<PrecomputedKernel>(model.kernel)) {
    model.vectors = vectors_from(root["vectors"], coefficients.size(), features);
    return;
  }
  if (model.scaling.kind != ScalingKind::none) {
    root["scaling"].fail("must be none, since a precomputed kernel cannot be scaled");
  }
  model.support = root["support"].increasing<std::size_t>(model.features.count);
  if (model.support.size() != coefficients.size()) {
    root["support"].fail(fmt::format("has {} entries, but there are {} coefficients",
                                     model.support.size(), coefficients.size()));
  }
}

// ------------------------------------------------------------------ version 1

Model model_from_version_1(const Node& root) {
  Model model{.classes = classes_from(root["classes"]), .kernel = kernel_from(root["kernel"])};
  model.features.count = root["feature_count"].whole(most_features);
  model.features.names = names_from(root["features"], model.features.count);
  model.features.label = root["label"].text();
  model.scaling = scaling_from(root["scaling"], model.features.count);

  Surface& surface = model.surface();
  surface.objective = objective_from(root);
  surface.band = band_from(root);
  const Node training = root["training"];
  surface.certificate = certificate_from(training);
  if (training.has("rho")) surface.trained_band = band_from(training);
  if (training.has("reject_cost")) {  // d of training; `costs` are those of decisions
    surface.decide_for = surface.objective.costs;
    surface.objective.costs = Costs::symmetric(training["reject_cost"].positive());
    require_possible(surface.objective.costs, training["reject_cost"]);
  }
  read_function(model, root, root);
  return model;
}

// ------------------------------------------------------------------ version 2

Surface surface_from(const Node& node, const std::vector<std::string>& classes) {
  Surface surface{.band = band_from(node["band"]),
                  .objective = objective_from(node["objective"]),
                  .certificate = certificate_from(node["certificate"])};
  for (const auto& [label, weight] : node["objective"]["class_weights"].members()) {
    surface.objective.class_weights[label] = weight.positive();
    const bool known = std::ranges::any_of(
        classes, [&](const std::string& name) { return class_name(name) == class_name(label); });
    if (!known) weight.fail("belongs to no class of the model");
  }
  if (node.has("trained_band")) surface.trained_band = band_from(node["trained_band"]);
  if (node.has("decide_for")) surface.decide_for = costs_from(node["decide_for"]);
  return surface;
}

/// The layout of version 2.
FeatureLayout columns_from(const Node& node) {
  FeatureLayout columns{.count = node["count"].whole(most_features)};
  columns.names = names_from(node["names"], columns.count);
  columns.label = node["label"].text();
  return columns;
}

/// What version 3 added.
void read_table(Model& model, const Node& root);

Model model_from_version_2(const Node& root, bool with_tables) {
  Model model{.features = columns_from(root["features"]),
              .classes = classes_from(root["classes"]),
              .kernel = kernel_from(root["kernel"])};
  if (with_tables) read_table(model, root);
  model.scaling = scaling_from(root["scaling"], model.encoding.features(model.features.count));

  const std::vector<Node> surfaces = root["surfaces"].items();
  if (surfaces.size() != 1) {
    root["surfaces"].fail(fmt::format("has {} entries, but two classes have one", surfaces.size()));
  }
  model.surface() = surface_from(surfaces.front(), model.classes);
  read_function(model, surfaces.front(), root);
  return model;
}

// ------------------------------------------------------------------ version 3

std::size_t column_from(const Node& node, std::size_t columns) {
  if (columns == 0) node.fail("is a column, but there is none");
  return node.whole(columns - 1);
}

Categories categories_from(const Node& node, std::size_t columns) {
  Categories categories(columns);
  for (const Node& entry : node.items()) {
    const std::size_t column = column_from(entry["column"], columns);
    if (!categories[column].empty()) entry["column"].fail("was there before");
    categories[column] = entry["names"].texts();
    const std::set<std::string_view> names(categories[column].begin(), categories[column].end());
    if (names.empty() || names.size() != categories[column].size()) {
      entry["names"].fail("must hold different names, at least one");
    }
  }
  return categories;
}

Encoding encoding_from(const Node& node, const FeatureLayout& layout,
                       std::span<const double> fill) {
  Encoding encoding;
  encoding.columns.resize(layout.count);
  for (std::size_t j = 0; j < layout.count; ++j) {
    encoding.columns[j].fill = fill[j];
    if (!layout.categories.empty()) {
      encoding.columns[j].seen.resize(layout.categories[j].size(), true);
    }
  }
  for (const std::size_t j : node["misses"].increasing<std::size_t>(layout.count)) {
    encoding.columns[j].misses = true;
  }
  for (const std::size_t j : node["indicators"].increasing<std::size_t>(layout.count)) {
    if (!encoding.columns[j].misses) node["indicators"].fail("must be columns that miss values");
    encoding.columns[j].indicator = true;
  }
  for (const Node& entry : node["unseen"].items()) {
    std::vector<bool>& seen = encoding.columns[column_from(entry["column"], layout.count)].seen;
    for (const std::size_t code : entry["codes"].increasing<std::size_t>(seen.size())) {
      seen[code] = false;
    }
  }
  return encoding;
}

Fingerprint fingerprint_from(const Node& node) {
  constexpr std::size_t digits = 16;
  Fingerprint fingerprint{.rows = node["rows"].whole(any_count)};
  const std::string text = node["hashes"].text();
  for (std::size_t at = 0; at < text.size(); at += digits) {
    std::uint64_t hash = 0;
    const char* const end = text.data() + std::min(at + digits, text.size());
    const auto [last, fault] = std::from_chars(text.data() + at, end, hash, 16);
    const bool whole = fault == std::errc() && last == end && at + digits <= text.size();
    if (!whole || (!fingerprint.hashes.empty() && hash <= fingerprint.hashes.back())) {
      node["hashes"].fail("must hold increasing numbers of 16 hexadecimal digits");
    }
    fingerprint.hashes.push_back(hash);
  }
  return fingerprint;
}

Familiar familiar_from(const Node& node, std::size_t columns) {
  Familiar familiar{.share = node["share"].number(), .rows = node["rows"].whole(any_count)};
  const auto judged = node["columns"].increasing<std::uint32_t>(columns);
  const std::vector<double> low = node["low"].numbers(judged.size());
  const std::vector<double> high = node["high"].numbers(judged.size());
  const std::vector<double> least = node["least"].numbers(judged.size());
  const std::vector<double> most = node["most"].numbers(judged.size());
  for (std::size_t k = 0; k < judged.size(); ++k) {
    familiar.columns.push_back({judged[k], low[k], high[k], least[k], most[k]});
  }
  if (node.has("zeros")) {
    const Node zeros = node["zeros"];
    familiar.zeros = {.most = zeros["most"].number(),
                      .except = zeros["except"].increasing<std::uint32_t>(columns)};
  }
  for (const Node& entry : node["relations"].items()) {
    familiar.relations.push_back({.columns = entry["columns"].increasing<std::uint32_t>(columns),
                                  .weights = entry["weights"].numbers(),
                                  .least = entry["least"].number(),
                                  .most = entry["most"].number()});
    // Each is judged with one weight per column.
    if (familiar.relations.size() > Familiar::most_relations) {
      node["relations"].fail(fmt::format("has more than {} entries", Familiar::most_relations));
    }
  }
  if (const char* const fault = fault_of(familiar, columns))
    node.fail(fmt::format("does not fit: {}", fault));
  return familiar;
}

void read_table(Model& model, const Node& root) {
  const Node node = root["features"];
  FeatureLayout& columns = model.features;
  if (node.has("id")) columns.id = node["id"].text();
  if (node.has("missing_values")) columns.missing_values = node["missing_values"].texts();
  if (node.has("file_columns")) {
    columns.file_columns = node["file_columns"].whole(most_features);
    columns.fields = node["fields"].increasing<std::uint32_t>(columns.file_columns + 1);
    if (columns.fields.size() != columns.count) {
      node["fields"].fail(fmt::format("has {} entries, but there are {} columns",
                                      columns.fields.size(), columns.count));
    }
  }
  if (root.has("encoding")) {
    // First, so that no memory is set aside for a count that the file does not fill.
    const std::vector<double> fill = root["encoding"]["fill"].numbers(columns.count);
    if (node.has("categories")) {
      columns.categories = categories_from(node["categories"], columns.count);
    }
    model.encoding = encoding_from(root["encoding"], columns, fill);
  } else if (node.has("categories")) {
    root.fail("has categories but no 'encoding'");
  }
  if (root.has("familiar")) model.familiar = familiar_from(root["familiar"], columns.count);
  if (root.has("fingerprint")) model.fingerprint = fingerprint_from(root["fingerprint"]);
}

// ------------------------------------------------------------------ any version

Model model_from(const Node& root) {
  if (!root.has("format") || root["format"].text() != "rampart-model") {
    root.fail("is not a Rampart model (no \"format\": \"rampart-model\")");
  }
  switch (const std::size_t version = root["version"].whole(any_count)) {
    case 1:
      return model_from_version_1(root);
    case 2:
      return model_from_version_2(root, false);
    case newest_version:
      return model_from_version_2(root, true);
    default:
      root.fail(fmt::format("is a model of format version {}; this program reads versions 1 to {}",
                            version, newest_version));
  }
}

}  // namespace

Model model_from_json(std::string_view text, const std::string& name) {
  if (const auto taken = take_numbers(text)) {
    try {
      return model_from(Node(Json::parse(taken->rest), &*taken, name, ""));
    } catch (const ModelError&) {
    } catch (const Json::exception&) {
    }
    // Parses the original text, so that the error message refers to the file as it is.
  }
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& e) {
    // Only the position of the error: the library's message would quote raw bytes.
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

}  // namespace rampart
