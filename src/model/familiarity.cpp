#include "model/familiarity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "data/visit_columns.hpp"

namespace rampart {

Familiarity::Familiarity(const Familiar& familiar, std::size_t columns) {
  if (!familiar.is_on()) return;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double most = familiar.zeros ? familiar.zeros->most : infinity;
  if (!familiar.zeros) columns = familiar.columns.back().column + std::size_t{1};
  least_.assign(columns, -most);
  most_.assign(columns, most);
  if (familiar.zeros) {
    for (const std::uint32_t column : familiar.zeros->except) {
      least_[column] = -infinity;
      most_[column] = infinity;
    }
  }
  for (const Familiar::Column& column : familiar.columns) {
    least_[column.column] = column.least;
    most_[column.column] = column.most;
    if (column.least > 0 || column.most < 0) never_zero_.push_back(column.column);
  }
  for (const Familiar::Relation& relation : familiar.relations) {
    std::vector<double> middles;
    for (const std::uint32_t column : relation.columns) {
      const auto judged =
          std::ranges::lower_bound(familiar.columns, column, {}, &Familiar::Column::column);
      middles.push_back(judged->low / 2 + judged->high / 2);
    }
    relations_.push_back(
        {relation.columns, relation.weights, std::move(middles), relation.least, relation.most});
  }
}

std::optional<std::uint32_t> Familiarity::stands_out(RowsView x, std::size_t n) const {
  if (!is_on()) return std::nullopt;
  if (has_strange_value(x, n)) return strangest_value(x, n);
  return breaks_relation(x, n);
}

// Comparisons with NaN, a missing value, are false: it is not judged.
bool Familiarity::has_strange_value(RowsView x, std::size_t n) const {
  if (x.is_dense()) {
    // Without branches, so that it is done several values at a time.
    int strange = 0;
    x.with_dense_row(n, [&](auto values) {
      const std::size_t stored = std::min(values.size(), least_.size());
      for (std::size_t j = 0; j < stored; ++j) {
        const auto value = static_cast<double>(values[j]);
        strange |= static_cast<int>(value < least_[j]) | static_cast<int>(value > most_[j]);
      }
      for (std::size_t j = stored; j < least_.size(); ++j) {
        strange |= static_cast<int>(least_[j] > 0) | static_cast<int>(most_[j] < 0);
      }
    });
    return strange != 0;
  }
  bool strange = false;
  auto absent = never_zero_.begin();
  x.for_each(n, [&](std::size_t j, double value) {
    if (j >= least_.size()) return;
    strange |= value < least_[j] || value > most_[j];
    if (absent == never_zero_.end() || *absent > j) return;
    strange |= *absent < j;
    while (absent != never_zero_.end() && *absent <= j) ++absent;
  });
  return strange || absent != never_zero_.end();
}

/// How far a value lies outside, in widths of what is familiar; 0 inside.
double Familiarity::excess(std::size_t column, double value) const {
  const double beyond = std::max(value - most_[column], least_[column] - value);
  if (!(beyond > 0)) return 0;
  const double width = most_[column] / 2 - least_[column] / 2;
  return std::min(beyond / std::max(width, std::numeric_limits<double>::min()),
                  std::numeric_limits<double>::max());
}

std::uint32_t Familiarity::strangest_value(RowsView x, std::size_t n) const {
  double largest = 0;
  std::uint32_t found = 0;
  const auto consider = [&](std::size_t column, double value) {
    const double here = excess(column, value);
    if (here <= largest) return;
    largest = here;
    found = static_cast<std::uint32_t>(column);
  };
  auto absent = never_zero_.begin();
  const auto consider_absent_until = [&](std::size_t end) {
    for (; absent != never_zero_.end() && *absent < end; ++absent) consider(*absent, 0.0);
  };
  x.for_each(n, [&](std::size_t j, double value) {
    if (j >= least_.size()) return;
    consider_absent_until(j);
    consider(j, value);
    if (absent != never_zero_.end() && *absent == j) ++absent;
  });
  consider_absent_until(least_.size());
  return found;
}

std::optional<std::uint32_t> Familiarity::breaks_relation(RowsView x, std::size_t n) const {
  for (const Relation& relation : relations_) {
    // As in training: in the order of the columns, and never infinite.
    double sum = 0;
    visit_columns(x, n, relation.columns,
                  [&](std::size_t k, double value) { sum += relation.weights[k] * value; });
    constexpr double largest_sum = std::numeric_limits<double>::max();
    sum = std::clamp(sum, -largest_sum, largest_sum);
    if (!(sum < relation.least) && !(sum > relation.most)) continue;
    // The column that contributes most to the sum, seen from the middle of the training rows.
    double largest = -1;
    std::uint32_t found = 0;
    visit_columns(x, n, relation.columns, [&](std::size_t k, double value) {
      const double part = std::abs(relation.weights[k] * (value - relation.middles[k]));
      if (part <= largest) return;
      largest = part;
      found = relation.columns[k];
    });
    return found;
  }
  return std::nullopt;
}

}  // namespace rampart
