#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/classes.hpp"
#include "model/consistent.hpp"
#include "model/json_numbers.hpp"
#include "rampart/errors.hpp"
#include "rampart/model.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

using OrderedJson = nlohmann::ordered_json;  // keeps the order of insertion

constexpr const char* format_name = "rampart-model";
constexpr int format_version = 3;

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
  } else if (const auto* fourier = std::get_if<FourierKernel>(&kernel)) {
    json["gamma"] = fourier->gamma;
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

/// `text` ends inside an object. Appends a line to it.
void append_key(std::string& text, std::string_view key, std::string_view indent = " ") {
  text += fmt::format("{}\n{}\"{}\": ", text.ends_with('{') ? "" : ",", indent, key);
}

/// One line for each key of `json`, an object.
void append_keys(std::string& text, const OrderedJson& json, std::string_view indent = " ") {
  require_finite(json);
  for (const auto& [key, value] : json.items()) {
    append_key(text, key, indent);
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

void append_features(std::string& text, const FeatureLayout& features) {
  text += fmt::format("{{\"count\":{},\"names\":", features.count);
  append_texts(text, features.names);
  text += fmt::format(",\"label\":{}", OrderedJson(features.label).dump());
  if (!features.id.empty()) text += fmt::format(",\"id\":{}", OrderedJson(features.id).dump());
  if (features.file_columns > 0) {
    text += fmt::format(",\"file_columns\":{},\"fields\":", features.file_columns);
    append_json_array(text, features.fields);
  }
  if (!features.missing_values.empty()) {
    text += ",\"missing_values\":";
    append_texts(text, features.missing_values);
  }
  bool any = false;
  for (std::size_t j = 0; j < features.categories.size(); ++j) {
    if (features.categories[j].empty()) continue;
    text += std::exchange(any, true) ? "," : ",\"categories\":[";
    text += fmt::format("{{\"column\":{},\"names\":", j);
    append_texts(text, features.categories[j]);
    text += '}';
  }
  text += any ? "]}" : "}";
}

/// The numbers of the columns of which something holds.
template <class Holds>
std::vector<std::size_t> columns_where(const Encoding& encoding, const Holds& holds) {
  std::vector<std::size_t> found;
  for (std::size_t j = 0; j < encoding.columns.size(); ++j) {
    if (holds(encoding.columns[j])) found.push_back(j);
  }
  return found;
}

void append_encoding(std::string& text, const Encoding& encoding) {
  std::vector<double> fill;
  for (const Encoding::Column& column : encoding.columns) fill.push_back(column.fill);
  text += "{\"fill\":";
  append_json_array(text, fill);
  text += ",\"misses\":";
  append_json_array(
      text, columns_where(encoding, [](const Encoding::Column& column) { return column.misses; }));
  text += ",\"indicators\":";
  append_json_array(text, columns_where(encoding, [](const Encoding::Column& column) {
                      return column.indicator;
                    }));
  text += ",\"unseen\":[";
  bool any = false;
  for (std::size_t j = 0; j < encoding.columns.size(); ++j) {
    const std::vector<bool>& seen = encoding.columns[j].seen;
    std::vector<std::size_t> codes;
    for (std::size_t code = 0; code < seen.size(); ++code) {
      if (!seen[code]) codes.push_back(code);
    }
    if (codes.empty()) continue;
    text += fmt::format("{}{{\"column\":{},\"codes\":", std::exchange(any, true) ? "," : "", j);
    append_json_array(text, codes);
    text += '}';
  }
  text += "]}";
}

void append_familiar(std::string& text, const Familiar& familiar) {
  std::vector<std::uint32_t> judged;
  for (const Familiar::Column& column : familiar.columns) judged.push_back(column.column);
  const auto append = [&](const char* key, double Familiar::Column::*member) {
    std::vector<double> values;
    for (const Familiar::Column& column : familiar.columns) values.push_back(column.*member);
    text += fmt::format(",\"{}\":", key);
    append_json_array(text, values);
  };
  text += fmt::format("{{\"share\":{},\"rows\":{},\"columns\":", OrderedJson(familiar.share).dump(),
                      familiar.rows);
  append_json_array(text, judged);
  append("low", &Familiar::Column::low);
  append("high", &Familiar::Column::high);
  append("least", &Familiar::Column::least);
  append("most", &Familiar::Column::most);
  if (familiar.zeros) {
    const OrderedJson zeros = {{"most", familiar.zeros->most}, {"except", familiar.zeros->except}};
    require_finite(zeros);
    text += fmt::format(",\"zeros\":{}", zeros.dump());
  }
  OrderedJson relations = OrderedJson::array();
  for (const Familiar::Relation& relation : familiar.relations) {
    relations.push_back({{"columns", relation.columns},
                         {"weights", relation.weights},
                         {"least", relation.least},
                         {"most", relation.most}});
  }
  require_finite(relations);
  text += fmt::format(",\"relations\":{}}}", relations.dump());
}

/// Hashes as one text of hexadecimal digits: JSON numbers hold 53 bits.
void append_fingerprint(std::string& text, const Fingerprint& fingerprint) {
  text += fmt::format("{{\"rows\":{},\"hashes\":\"", fingerprint.rows);
  for (const std::uint64_t hash : fingerprint.hashes) text += fmt::format("{:016x}", hash);
  text += "\"}";
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

OrderedJson costs_json(const Costs& costs) {
  return {{"false_positive", costs.false_positive},
          {"false_negative", costs.false_negative},
          {"reject_positive", costs.reject_positive},
          {"reject_negative", costs.reject_negative}};
}

OrderedJson band_json(const Band& band) { return {{"b", band.b}, {"rho", band.rho}}; }

OrderedJson objective_json(const Objective& objective) {
  return {{"loss", to_string(objective.loss)},
          {"costs", costs_json(objective.costs)},
          {"mu", objective.mu},
          {"C", objective.C},
          {"class_weights", OrderedJson(objective.class_weights)}};
}

OrderedJson certificate_json(const Certificate& certificate) {
  OrderedJson json{{"rows", certificate.rows},
                   {"objective", certificate.objective},
                   {"gap", certificate.gap ? OrderedJson(*certificate.gap) : OrderedJson(nullptr)},
                   {"violation", certificate.violation},
                   {"rounds", certificate.rounds},
                   {"status", to_string(certificate.status)}};
  if (!certificate.history.empty()) json["history"] = certificate.history;
  if (certificate.landmarks > 0) json["landmarks"] = certificate.landmarks;
  return json;
}

void append_surface(std::string& text, const Surface& surface, bool linear, std::size_t features) {
  // No weights are weights of 0.
  const std::vector<double> weights =
      surface.weights.empty() ? std::vector<double>(linear ? features : 0) : surface.weights;
  constexpr const char* indent = "  ";
  OrderedJson json{{"band", band_json(surface.band)}};
  if (surface.trained_band) json["trained_band"] = band_json(*surface.trained_band);
  json["objective"] = objective_json(surface.objective);
  if (surface.decide_for) json["decide_for"] = costs_json(*surface.decide_for);
  json["certificate"] = certificate_json(surface.certificate);
  text += '{';
  append_keys(text, json, indent);
  append_key(text, linear ? "weights" : "coefficients", indent);
  linear ? append_weights(text, weights) : append_json_array(text, surface.coefficients);
  text += "\n }";
}

void require_utf8(const Model& model) {
  const auto is_label_utf8 = [](const auto& entry) { return is_utf8(entry.first); };
  if (!is_utf8(model.features.label) || !is_utf8(model.features.id) ||
      !std::ranges::all_of(model.features.names, is_utf8)) {
    throw ModelError("the name of a column is not UTF-8; the model was not written");
  }
  for (const std::vector<std::string>& names : model.features.categories) {
    if (!std::ranges::all_of(names, is_utf8)) {
      throw ModelError("a category is not UTF-8; the model was not written");
    }
  }
  if (!std::ranges::all_of(model.features.missing_values, is_utf8)) {
    throw ModelError("a spelling of missing values is not UTF-8; the model was not written");
  }
  if (!std::ranges::all_of(model.surface().objective.class_weights, is_label_utf8)) {
    throw ModelError("the label of a class weight is not UTF-8; the model was not written");
  }
}

}  // namespace

std::string to_json(const Model& model) {
  if (const auto fault = fault_of(model.class_names())) throw ModelError(*fault);
  require_utf8(model);
  require_consistent(model);
  const bool linear = std::holds_alternative<LinearKernel>(model.kernel);
  const bool precomputed = std::holds_alternative<PrecomputedKernel>(model.kernel);

  // Arrays that grow with the data are written directly, without a JSON object for every number or
  // name.
  std::string text = "{";
  append_keys(text, {{"format", format_name},
                     {"version", format_version},
                     {"classes", model.classes},
                     {"kernel", kernel_json(model.kernel)}});
  append_key(text, "surfaces");
  text += '[';
  append_surface(text, model.surface(), linear, model.encoding.features(model.features.count));
  text += ']';
  append_key(text, "features");
  append_features(text, model.features);
  if (!model.encoding.columns.empty()) {
    append_key(text, "encoding");
    append_encoding(text, model.encoding);
  }
  append_key(text, "scaling");
  append_scaling(text, model.scaling);
  if (precomputed) {
    append_key(text, "support");
    append_json_array(text, model.support);
  } else if (!linear) {
    append_key(text, "vectors");
    append_vectors(text, model.vectors);
  }
  if (model.familiar.is_on()) {
    append_key(text, "familiar");
    append_familiar(text, model.familiar);
  }
  if (model.fingerprint.rows > 0) {
    append_key(text, "fingerprint");
    append_fingerprint(text, model.fingerprint);
  }
  text += "\n}\n";
  return text;
}

}  // namespace rampart
