#include "journal/problem.hpp"

#include <fmt/format.h>

#define XXH_INLINE_ALL  // no library at run time
#include <xxhash.h>

#include <cstddef>
#include <string>

#include "rampart/version.hpp"

namespace rampart::tool {
namespace {

/// A hash of the data: other data make another problem.
std::string fingerprint(const Problem& data) {
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  const auto add = [&](const void* bytes, std::size_t count) {
    XXH3_64bits_update(&state, bytes, count);
  };
  const std::size_t columns = data.x.columns();  // count in gamma even where all are zero
  const bool dense = data.x.is_dense();          // decides how kernel values are rounded
  add(&columns, sizeof columns);
  add(&dense, sizeof dense);
  for (std::size_t n = 0; n < data.size(); ++n) {
    add(&data.y[n], 1);
    if (!data.weights.empty()) add(&data.weights[n], sizeof(double));
    if (!data.groups.empty()) add(data.groups[n].c_str(), data.groups[n].size() + 1);
    data.x.for_each(n, [&](std::size_t column, double value) {
      if (value == 0) return;
      add(&column, sizeof column);
      add(&value, sizeof value);
    });
  }
  return fmt::format("{:016x}", XXH3_64bits_digest(&state));
}

}  // namespace

Json tuning_problem(const Problem& data, const std::vector<TrainOptions>& points,
                    const FoldOptions& folds, bool nested) {
  Json json{{"rampart", version},
            {"rows", data.size()},
            {"data", fingerprint(data)},
            {"classes", to_json(data.classes)}};
  json.update(to_json(folds));
  json["nested"] = nested;
  json["points"] = Json::array();
  for (const TrainOptions& point : points) json["points"].push_back(to_json(point));
  return json;
}

JournalPlan journal_plan(const Problem& data, const std::vector<TrainOptions>& points,
                         const FoldOptions& options, bool nested, TuningFolds& folds) {
  return {.problem = tuning_problem(data, points, options, nested),
          .parts = nested ? 1 + options.folds : 1,
          .points = points.size(),
          .repeats = options.repeats,
          .folds = options.folds,
          .max_rounds = points.front().exactness.max_rounds,
          .rows_of = [&folds](std::size_t part, std::size_t repeat, std::size_t fold) {
            return folds.at(part, repeat, fold);
          }};
}

}  // namespace rampart::tool
