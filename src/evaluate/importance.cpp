#include "evaluate/importance.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "rampart/metrics.hpp"
#include "train/scored_rows.hpp"
#include "util/random.hpp"

namespace rampart {
namespace {

constexpr std::size_t fewest_rows = 200;    // however expensive the model is
constexpr std::size_t fewest_columns = 10;  // likewise
constexpr double per_value = 300;           // multiplications that encoding and packing one take

using Places = std::vector<std::size_t>;

Places first_numbers(std::size_t count) {
  Places numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

Change change_of(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, values.size() < 2 ? 0 : std::sqrt(squares / (count - 1))};
}

/// How many of these fit into the budget if each costs so much, within the limits.
std::size_t affordable(std::size_t wanted, std::size_t fewest, double each, double budget) {
  const double fit = budget / each;
  if (fit >= static_cast<double>(wanted)) return wanted;
  return std::max(std::min(wanted, fewest), static_cast<std::size_t>(fit));
}

/// The columns whose features, as the model sees them, vary most; at most so many.
Places most_varied(const Model& model, const std::vector<OriginalColumn>& columns, const Rows& x,
                   std::size_t most) {
  Places chosen = first_numbers(columns.size());
  if (chosen.size() <= most) return chosen;
  std::vector<std::pair<std::uint32_t, std::size_t>> column_of;  // feature, column
  const auto features = features_of(model, columns);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (const NamedFeature& feature : features[c]) column_of.emplace_back(feature.index, c);
  }
  std::ranges::sort(column_of);
  std::vector<double> sums(column_of.size(), 0);
  std::vector<double> squares(column_of.size(), 0);
  const Rows scaled = model.scaling.apply(model.encoding.apply(x));
  for (std::size_t n = 0; n < scaled.size(); ++n) {
    scaled.for_each(n, [&](std::size_t j, double value) {
      const auto found = std::ranges::lower_bound(
          column_of, j, {}, [](const auto& entry) { return std::size_t{entry.first}; });
      if (found == column_of.end() || found->first != j || std::isnan(value)) return;
      const auto place = static_cast<std::size_t>(found - column_of.begin());
      sums[place] += value;
      squares[place] += value * value;
    });
  }
  std::vector<double> variation(columns.size(), 0);
  for (std::size_t k = 0; k < column_of.size(); ++k) {
    variation[column_of[k].second] +=
        squares[k] - sums[k] * sums[k] / static_cast<double>(scaled.size());
  }
  std::ranges::stable_sort(chosen, std::greater{}, [&](std::size_t c) { return variation[c]; });
  chosen.resize(most);
  std::ranges::sort(chosen);
  return chosen;
}

/// Missing values are equal to each other.
bool differ(double a, double b) { return a != b && !(std::isnan(a) && std::isnan(b)); }

/// These rows, but with the values of a column taken from others: row n has that of from[n].
Rows with_values_from(const Rows& x, std::uint32_t column, const Places& rows, const Places& from) {
  std::vector<double> values;
  if (x.is_dense()) {
    values.reserve(rows.size() * x.columns());
    for (const std::size_t n : rows) {
      const auto row = x.dense_row(n);
      values.insert(values.end(), row.begin(), row.end());
      values[values.size() - x.columns() + column] = x.dense_row(from[n])[column];
    }
    return Rows::dense(x.columns(), std::move(values), rows.size());
  }
  std::vector<std::size_t> starts = {0};
  std::vector<std::uint32_t> indices;
  for (const std::size_t n : rows) {
    const double other = value_of(x, from[n], column);
    bool placed = other == 0;
    const auto place = [&] {
      if (placed) return;
      indices.push_back(column);
      values.push_back(other);
      placed = true;
    };
    x.for_each(n, [&](std::size_t j, double value) {
      if (j >= column) place();
      if (j == column) return;
      indices.push_back(static_cast<std::uint32_t>(j));
      values.push_back(value);
    });
    place();
    starts.push_back(values.size());
  }
  return Rows::sparse(x.columns(), std::move(starts), std::move(indices), std::move(values));
}

}  // namespace

Importance permutation_importance(const Model& model, const Dataset& data,
                                  std::span<const Answer> answers, const Costs& costs,
                                  const std::vector<OriginalColumn>& columns,
                                  const ImportanceOptions& options) {
  const std::vector<double> scores = certainties(answers);
  require_scored_rows(scores, data.y);
  const double rho = model.surface().band.rho;
  Random random(options.seed);

  const double per_row = (static_cast<double>(model.vectors.size()) + per_value) *
                         static_cast<double>(std::max<std::size_t>(1, data.x.stored_values())) /
                         static_cast<double>(data.size());
  const double per_shuffle = per_row * static_cast<double>(options.repeats);
  std::size_t most_columns = std::min(columns.size(), options.most_columns);
  const std::size_t most_rows =
      affordable(std::min(data.size(), options.most_rows), fewest_rows,
                 per_shuffle * static_cast<double>(std::max<std::size_t>(1, most_columns)),
                 options.most_products);
  most_columns = affordable(most_columns, fewest_columns,
                            per_shuffle * static_cast<double>(most_rows), options.most_products);

  Places sample = first_numbers(data.size());
  shuffle(std::span(sample), random, most_rows);
  sample.resize(most_rows);
  std::ranges::sort(sample);
  const Rows x = data.x.subset(sample);
  std::vector<double> own;
  std::vector<std::int8_t> y;
  for (const std::size_t n : sample) {
    own.push_back(scores[n]);
    y.push_back(data.y[n]);
  }
  const Metrics before = measure(own, y, rho, costs);

  const Predictor predictor(model, options.threads);
  Importance importance{.rows = sample.size(), .repeats = options.repeats};
  const Places chosen = most_varied(model, columns, x, most_columns);
  std::vector<std::vector<double>> risks(chosen.size());
  std::vector<std::vector<double>> rejections(chosen.size());
  for (std::size_t repeat = 0; repeat < options.repeats; ++repeat) {
    Places from = first_numbers(sample.size());
    shuffle(std::span(from), random, from.size());
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      const std::uint32_t column = columns[chosen[k]].index;
      Places changed;
      for (std::size_t n = 0; n < from.size(); ++n) {
        if (differ(value_of(x, n, column), value_of(x, from[n], column))) changed.push_back(n);
      }
      std::vector<double> shuffled = own;
      if (!changed.empty()) {
        const std::vector<double> anew =
            certainties(predictor.answers(with_values_from(x, column, changed, from)));
        for (std::size_t i = 0; i < changed.size(); ++i) shuffled[changed[i]] = anew[i];
      }
      const Metrics after = measure(shuffled, y, rho, costs);
      risks[k].push_back(after.risk() - before.risk());
      rejections[k].push_back(after.rejection_rate() - before.rejection_rate());
    }
  }
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    importance.columns.push_back({chosen[k], change_of(risks[k]), change_of(rejections[k])});
  }
  std::ranges::stable_sort(importance.columns, std::greater{},
                           [](const ColumnImportance& column) { return column.risk.mean; });
  return importance;
}

}  // namespace rampart
