#include "model/familiarity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rampart {

Familiarity::Familiarity(const Familiar& familiar, std::size_t columns) {
  if (!familiar.is_on()) return;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  least_.assign(columns, -infinity);
  most_.assign(columns, infinity);
  middle_.assign(columns, 0.0);
  for (const Familiar::Column& column : familiar.columns) {
    least_[column.column] = column.least;
    most_[column.column] = column.most;
    middle_[column.column] = column.low / 2 + column.high / 2;
    if (column.least > 0 || column.most < 0) never_zero_.push_back(column.column);
  }
  for (const Familiar::Relation& relation : familiar.relations) {
    std::vector<double> weights(columns, 0.0);
    for (std::size_t k = 0; k < relation.columns.size(); ++k) {
      weights[relation.columns[k]] = relation.weights[k];
    }
    relations_.push_back({relation.columns, std::move(weights), relation.least, relation.most});
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
      for (std::size_t j = 0; j < values.size(); ++j) {
        const auto value = static_cast<double>(values[j]);
        strange |= static_cast<int>(value < least_[j]) | static_cast<int>(value > most_[j]);
      }
      for (std::size_t j = values.size(); j < least_.size(); ++j) {
        strange |= static_cast<int>(least_[j] > 0) | static_cast<int>(most_[j] < 0);
      }
    });
    return strange != 0;
  }
  bool strange = false;
  auto absent = never_zero_.begin();
  x.for_each(n, [&](std::size_t j, double value) {
    strange |= value < least_[j] || value > most_[j];
    while (absent != never_zero_.end() && *absent < j) {
      strange = true;
      ++absent;
    }
    if (absent != never_zero_.end() && *absent == j) ++absent;
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
    if (here > largest) {
      largest = here;
      found = static_cast<std::uint32_t>(column);
    }
  };
  std::size_t next = 0;  // column that was not considered yet
  auto absent = never_zero_.begin();
  const auto consider_absent_until = [&](std::size_t end) {
    for (; absent != never_zero_.end() && *absent < end; ++absent) {
      if (*absent >= next) consider(*absent, 0.0);
    }
  };
  x.for_each(n, [&](std::size_t j, double value) {
    consider_absent_until(j);
    consider(j, value);
    next = j + 1;
  });
  consider_absent_until(least_.size());
  return found;
}

// In the order of the columns, so that dense and sparse rows have the same sum.
double Familiarity::Relation::sum(RowsView x, std::size_t n) const {
  double total = 0;
  if (x.is_dense()) {
    x.with_dense_row(n, [&](auto values) {
      for (const std::uint32_t j : columns) {
        if (j < values.size()) total += weights[j] * static_cast<double>(values[j]);
      }
    });
  } else {
    x.for_each(n, [&](std::size_t j, double value) {
      if (weights[j] != 0) total += weights[j] * value;
    });
  }
  return total;
}

std::optional<std::uint32_t> Familiarity::breaks_relation(RowsView x, std::size_t n) const {
  for (const Relation& relation : relations_) {
    const double sum = relation.sum(x, n);
    if (!(sum < relation.least) && !(sum > relation.most)) continue;
    // The column that contributes most to the sum, seen from the middle of the training rows.
    double largest = -1;
    std::uint32_t found = 0;
    std::size_t next = 0;
    const auto consider = [&](std::size_t column, double value) {
      const double part = std::abs(relation.weights[column] * (value - middle_[column]));
      if (!(part > largest) || relation.weights[column] == 0) return;
      largest = part;
      found = static_cast<std::uint32_t>(column);
    };
    const auto consider_absent_until = [&](std::size_t end) {
      for (; next < end; ++next) consider(next, 0.0);
    };
    x.for_each(n, [&](std::size_t j, double value) {
      consider_absent_until(j);
      consider(j, value);
      next = j + 1;
    });
    consider_absent_until(least_.size());
    return found;
  }
  return std::nullopt;
}

}  // namespace rampart
