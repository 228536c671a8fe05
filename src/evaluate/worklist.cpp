#include "evaluate/worklist.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>

#include "train/scored_rows.hpp"

namespace rampart {
namespace {

struct Usual {
  double mean = 0;
  double sd = 0;  ///< 0: nothing is known, or nothing varies
};

/// Mean and standard deviation of each feature that some row stores.
std::unordered_map<std::size_t, Usual> usual_of(const Rows& x) {
  const auto count = static_cast<double>(x.size());
  std::unordered_map<std::size_t, Usual> usual;
  for (std::size_t n = 0; n < x.size(); ++n) {
    x.for_each(n, [&](std::size_t j, double value) { usual[j].mean += value / count; });
  }
  std::unordered_map<std::size_t, double> stored;
  for (std::size_t n = 0; n < x.size(); ++n) {
    x.for_each(n, [&](std::size_t j, double value) {
      Usual& of = usual[j];
      of.sd += (value - of.mean) * (value - of.mean) / count;
      stored[j] += 1;
    });
  }
  for (auto& [j, of] : usual) {
    of.sd = std::sqrt(of.sd + of.mean * of.mean * (count - stored[j]) / count);
  }
  return usual;
}

}  // namespace

Worklist worklist(const Model& model, const Dataset& data, std::span<const double> scores,
                  std::span<const OriginalColumn> columns, const WorklistOptions& options) {
  require_scored_rows(scores, data.y);
  const double rho = model.surface().band.rho;
  Worklist list;
  for (std::size_t n = 0; n < scores.size(); ++n) {
    if (decide(scores[n], rho) == Decision::reject) list.rows.push_back({n, scores[n], {}});
  }
  list.total = list.rows.size();
  std::ranges::stable_sort(list.rows, std::less{},
                           [](const WorklistRow& row) { return std::abs(row.score); });
  if (list.rows.size() > options.most_rows) list.rows.resize(options.most_rows);

  list.usual_of_training = model.scaling.kind == ScalingKind::standard;
  std::unordered_map<std::size_t, std::size_t> column_of;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (const std::uint32_t j : columns[c].features) column_of[j] = c;
  }
  std::unordered_map<std::size_t, Usual> measured;
  if (!list.usual_of_training && !columns.empty()) measured = usual_of(data.x);
  const auto usual = [&](std::size_t j) -> Usual {
    if (!list.usual_of_training) return measured[j];
    const double factor = model.scaling.factor[j];
    return {model.scaling.offset[j], factor == 0 ? 0 : 1 / factor};
  };
  for (WorklistRow& row : list.rows) {
    data.x.for_each(row.row, [&](std::size_t j, double value) {
      const auto column = column_of.find(j);
      if (column == column_of.end()) return;
      const auto [mean, sd] = usual(j);
      const double distance = sd > 0 ? (value - mean) / sd : 0;
      if (!(std::abs(distance) >= 1)) return;
      row.stands_out.push_back({column->second, value, mean, distance});
    });
    std::ranges::stable_sort(row.stands_out, std::greater{},
                             [](const StandOut& of) { return std::abs(of.distance); });
    if (row.stands_out.size() > options.most_stand_outs) {
      row.stands_out.resize(options.most_stand_outs);
    }
  }
  return list;
}

}  // namespace rampart
