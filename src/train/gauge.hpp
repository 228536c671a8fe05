#pragma once

#include <cstddef>
#include <vector>

#include "data/occurring.hpp"
#include "rampart/rows.hpp"

namespace rampart {

/// The scale on which values of a column are compared: φ(x) = asinh((x − middle)/unit).
///
/// Linear near the middle, logarithmic in the tails: a column with a few huge values is stretched
/// as much as one without.
struct Gauge {
  double middle = 0;
  double unit = 1;

  /// φ(x), which is finite if x is, and does not decrease.
  [[nodiscard]] double stretch(double x) const;

  /// x with φ(x) = y, or the largest number there is.
  [[nodiscard]] double unstretch(double y) const;
};

/// The gauge of some values: their median, and the mean distance of those that differ from it.
struct Spread {
  Gauge gauge;
  std::size_t values = 0;  ///< how many there are
  std::size_t differ = 0;  ///< from the median
};

/// The spread of these values and so many zeros. Reorders them and drops zeros.
[[nodiscard]] Spread spread_of(std::vector<double>& values, std::size_t zeros);

/// The gauges of columns.
struct Spreads {
  std::vector<Spread> columns;  ///< in the order of Occurring; values 0 where a column has none
  double typical = 1;           ///< unit of most columns: that of a column of zeros
};

/// The gauges of the columns of a sample. Values that differ from the median in fewer than a few
/// rows say little about a unit: such a column has at least the unit that is typical of the others.
[[nodiscard]] Spreads spreads_of(RowsView sample, const Occurring& occurring);

}  // namespace rampart
