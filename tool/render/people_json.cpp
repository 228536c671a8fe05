#include "render/people_json.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "evaluate/importance.hpp"
#include "evaluate/worklist.hpp"
#include "faces/reasons.hpp"

namespace rampart::tool {
namespace {

constexpr std::size_t most_weights = 200;

Json change_json(const Change& change) { return {{"mean", change.mean}, {"sd", change.sd}}; }

Json stand_out_json(const StandOut& of, const Model& model, const OriginalColumn& column) {
  Json json = {{"column", column.name}};
  if (of.share) {
    json["value"] = categories_of(model, column)[static_cast<std::size_t>(of.value)];
    json["share"] = *of.share;
    return json;
  }
  json["value"] = of.value;
  json["usual"] = of.usual;
  json["distance"] = of.distance;
  return json;
}

}  // namespace

Json worklist_json(const Model& model, const Dataset& data, const std::vector<Answer>& answers,
                   const std::vector<OriginalColumn>& columns) {
  const Worklist list = worklist(model, data, answers, columns);
  const ClassNames classes = model.class_names();
  const auto name = [&](bool positive) { return positive ? classes.positive : classes.negative; };
  Json rows = Json::array();
  for (const WorklistRow& row : list.rows) {
    const Answer& answer = answers[row.row];
    const bool leans = !std::isnan(answer.score) && answer.score != 0;
    Json stands_out = Json::array();
    for (const StandOut& of : row.stands_out) {
      stands_out.push_back(stand_out_json(of, model, columns[of.column]));
    }
    rows.push_back(
        {{"case", data.ids.empty() ? std::to_string(row.row + 1) : data.ids[row.row]},
         {"leans_to", leans ? Json(name(answer.score > 0)) : Json(nullptr)},
         {"score", std::isnan(answer.score) ? Json(nullptr) : Json(answer.score)},
         {"reason", to_string(answer.reason)},
         {"detail", detail_of(answer, model, value_of(data.x, row.row, answer.column), "", "")},
         {"truly", name(data.y[row.row] > 0)},
         {"stands_out", std::move(stands_out)}});
  }
  Json reasons = Json::object();
  for (const Answer& answer : answers) {
    if (answer.decision != Decision::reject) continue;
    Json& count = reasons[std::string(to_string(answer.reason))];
    count = count.is_null() ? 1 : count.get<std::size_t>() + 1;
  }
  return {{"total", list.total},
          {"reasons", std::move(reasons)},
          {"case", data.ids.empty() ? "row" : data.id},
          {"usual_of", list.usual_of_training ? "training" : "these rows"},
          {"rows", std::move(rows)}};
}

Json importance_json(const Model& model, const Dataset& data, const std::vector<Answer>& answers,
                     const Costs& costs, const std::vector<OriginalColumn>& columns,
                     unsigned threads) {
  const Importance importance =
      permutation_importance(model, data, answers, costs, columns, {.threads = threads});
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

Json weights_json(const Model& model, const std::vector<OriginalColumn>& columns) {
  const std::vector<double>& weights = model.surface().weights;
  if (weights.empty()) return nullptr;
  std::vector<std::pair<double, std::string>> named;
  for (const std::vector<NamedFeature>& features : features_of(model, columns)) {
    for (const NamedFeature& feature : features) {
      named.emplace_back(weights[feature.index], feature.name);
    }
  }
  std::ranges::stable_sort(named, std::greater{},
                           [](const auto& entry) { return std::abs(entry.first); });
  if (named.size() > most_weights) named.resize(most_weights);
  Json json = Json::array();
  for (const auto& [weight, name] : named) json.push_back({{"column", name}, {"weight", weight}});
  return json;
}

}  // namespace rampart::tool
