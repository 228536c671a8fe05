#include "faces/settle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "rampart/errors.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

bool misses(const Problem& data, std::size_t n) {
  bool found = false;
  data.x.for_each(n, [&](std::size_t, double value) { found |= std::isnan(value); });
  return found;
}

bool has_weight(const Problem& rows, std::size_t n) {
  return rows.weights.empty() || rows.weights[n] != 0;
}

/// All cells of rows that have any weight.
std::size_t cells_with_weight(const Problem& rows) {
  const auto without = static_cast<std::size_t>(std::ranges::count(rows.weights, 0.0));
  return (rows.size() - without) * rows.x.columns();
}

template <class Value>
std::vector<Value> part_of(std::span<const Value> all, const std::vector<std::size_t>& which) {
  std::vector<Value> part;
  if (all.empty()) return part;
  for (const std::size_t n : which) part.push_back(all[n]);
  return part;
}

}  // namespace

Cells count_cells(const Problem& rows) {
  Cells cells{.all = cells_with_weight(rows),
              .missing = std::vector<std::size_t>(rows.x.columns(), 0)};
  for (std::size_t n = 0; n < rows.size(); ++n) {
    rows.x.for_each(n, [&](std::size_t j, double value) {
      const bool categorical = !rows.categories.empty() && !rows.categories[j].empty();
      cells.filled += has_weight(rows, n) && (value != 0 || categorical) ? 1 : 0;
      cells.missing[j] += std::isnan(value) ? 1 : 0;
    });
  }
  return cells;
}

Cells cells_of(const Problem& rows, const FirstReading& reading) {
  if (!rows.x.is_dense()) return count_cells(rows);
  return {.all = cells_with_weight(rows),
          .filled = reading.filled,
          .missing = {reading.survey.missing.begin(), reading.survey.missing.end()}};
}

std::optional<ScalingKind> settle(TrainOptions& options, bool scaling_is_automatic,
                                  MissingChoice missing, const Cells& cells) {
  Representation& representation = options.representation;
  representation.missing =
      missing == MissingChoice::median ? MissingKind::median : MissingKind::indicator;
  if (!scaling_is_automatic || representation.kernel.type == KernelType::precomputed) return {};
  const bool dense = 2 * cells.filled >= cells.all;  // however the rows are stored
  representation.scaling = dense ? ScalingKind::standard : ScalingKind::none;
  return representation.scaling;
}

std::vector<std::size_t> complete_rows(const Problem& data) {
  std::vector<std::size_t> complete;
  for (std::size_t n = 0; n < data.size(); ++n) {
    if (!misses(data, n)) complete.push_back(n);
  }
  return complete;
}

std::string missing_by_column(const Problem& rows, const std::vector<std::size_t>& count) {
  constexpr std::size_t most_listed = 5;
  std::vector<std::size_t> columns;
  for (std::size_t j = 0; j < count.size(); ++j) {
    if (count[j] > 0) columns.push_back(j);
  }
  if (columns.empty()) return "";
  std::ranges::stable_sort(columns, std::greater(), [&](std::size_t j) { return count[j]; });
  std::string list;
  for (std::size_t k = 0; k < std::min(columns.size(), most_listed); ++k) {
    const std::size_t j = columns[k];
    const std::string name = !rows.features.empty() ? quoted(rows.features[j])
                             : !rows.fields.empty() ? fmt::format("column {}", rows.fields[j])
                                                    : fmt::format("column {}", j + 1);
    list += fmt::format("{}{} in {}", list.empty() ? "" : ", ", count[j], name);
  }
  if (columns.size() > most_listed) {
    list += fmt::format(" and more in {} other columns", columns.size() - most_listed);
  }
  return list;
}

RowsToTrainOn::RowsToTrainOn(const Problem& data, MissingChoice missing)
    : problem_(data), all_(data.size()) {
  if (missing == MissingChoice::refuse) {
    const std::string words = missing_by_column(data, count_cells(data).missing);
    if (!words.empty()) {
      throw InputError(fmt::format("missing values: {}; fill or remove them", words),
                       Setting::missing);
    }
  }
  if (missing != MissingChoice::drop || !data.x.is_dense()) return;
  kept_ = complete_rows(data);
  if (kept_.size() == data.size()) {
    kept_.clear();
    return;
  }
  if (kept_.empty()) throw InputError("every row misses a value", Setting::missing);
  places_ = data.x.places_of(kept_);
  y_ = part_of(data.y, kept_);
  weights_ = part_of(data.weights, kept_);
  groups_ = part_of(data.groups, kept_);
  problem_.x = data.x.at_places(places_);
  problem_.y = y_;
  problem_.weights = weights_;
  problem_.groups = groups_;
  problem_.ids = {};
}

std::vector<double> RowsToTrainOn::spread(std::vector<double> values) const {
  if (are_all()) return values;
  std::vector<double> all(all_, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t k = 0; k < kept_.size() && k < values.size(); ++k) all[kept_[k]] = values[k];
  return all;
}

std::vector<std::size_t> RowsToTrainOn::numbers(std::vector<std::size_t> rows) const {
  if (are_all()) return rows;
  for (std::size_t& row : rows) row = kept_[row];
  return rows;
}

Trained train_as_set(const Problem& data, const TrainingSettings& settings,
                     const TrainObserver& observe, const Model* start) {
  TrainOptions options = settings.method();
  require_trainable(data);
  const RowsToTrainOn rows(data, settings.missing);
  const Problem& problem = rows.problem();
  std::optional<FirstReading> reading;
  if (options.representation.kernel.type != KernelType::precomputed) {
    require_trainable(problem);
    reading = read_first(problem,
                         {.fingerprint = true,
                          .sample = may_want_sample(options),
                          .filled = !settings.scaling.has_value()},
                         options.resources.threads);
    settle(options, !settings.scaling, settings.missing, cells_of(problem, *reading));
  }
  Trainer trainer = trainer_after(reading ? &*reading : nullptr, problem, options);
  Trained trained = trainer.train(options, observe, start);
  trained.scores = rows.spread(std::move(trained.scores));
  trained.support = rows.numbers(std::move(trained.support));
  return trained;
}

}  // namespace rampart
