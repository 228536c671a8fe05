#include "render/people_json.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "evaluate/importance.hpp"
#include "evaluate/worklist.hpp"

namespace rampart::tool {
namespace {

constexpr std::size_t most_weights = 200;

Json change_json(const Change& change) { return {{"mean", change.mean}, {"sd", change.sd}}; }

}  // namespace

Json worklist_json(const Model& model, const Dataset& data, const std::vector<double>& scores,
                   std::span<const OriginalColumn> columns) {
  const Worklist list = worklist(model, data, scores, columns);
  const ClassNames classes = model.class_names();
  const auto name = [&](bool positive) { return positive ? classes.positive : classes.negative; };
  Json rows = Json::array();
  for (const WorklistRow& row : list.rows) {
    Json stands_out = Json::array();
    for (const StandOut& of : row.stands_out) {
      stands_out.push_back({{"column", columns[of.column].name},
                            {"value", of.value},
                            {"usual", of.usual},
                            {"distance", of.distance}});
    }
    rows.push_back({{"case", std::to_string(row.row + 1)},
                    {"leans_to", row.score == 0 ? Json(nullptr) : Json(name(row.score > 0))},
                    {"score", row.score},
                    {"reason", "ambiguous"},
                    {"truly", name(data.y[row.row] > 0)},
                    {"stands_out", std::move(stands_out)}});
  }
  return {{"total", list.total},
          {"reasons", {{"ambiguous", list.total}}},
          {"case", "row"},
          {"usual_of", list.usual_of_training ? "training" : "these rows"},
          {"rows", std::move(rows)}};
}

Json importance_json(const Model& model, const Dataset& data, const std::vector<double>& scores,
                     const Costs& costs, std::span<const OriginalColumn> columns,
                     unsigned threads) {
  const Importance importance =
      permutation_importance(model, data, scores, costs, columns, {.threads = threads});
  Json list = Json::array();
  for (const ColumnImportance& column : importance.columns) {
    list.push_back({{"column", columns[column.column].name},
                    {"risk", change_json(column.risk)},
                    {"rejection_rate", change_json(column.rejection_rate)}});
  }
  return {{"rows", importance.rows},
          {"repeats", importance.repeats},
          {"columns_total", columns.size()},
          {"columns", std::move(list)}};
}

Json weights_json(const Model& model, std::span<const OriginalColumn> columns) {
  const std::vector<double>& weights = model.surface().weights;
  if (weights.empty()) return nullptr;
  std::vector<std::pair<double, std::string>> named;
  for (const OriginalColumn& column : columns) {
    for (const std::uint32_t j : column.features) named.emplace_back(weights[j], column.name);
  }
  std::ranges::stable_sort(named, std::greater{},
                           [](const auto& entry) { return std::abs(entry.first); });
  if (named.size() > most_weights) named.resize(most_weights);
  Json json = Json::array();
  for (const auto& [weight, name] : named) json.push_back({{"column", name}, {"weight", weight}});
  return json;
}

}  // namespace rampart::tool
