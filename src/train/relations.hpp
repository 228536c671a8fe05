#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rampart/rows.hpp"

namespace rampart {

/// A sum Σ weight·value of columns that hardly differs between rows.
struct LinearRelation {
  std::vector<std::uint32_t> columns;  ///< increasing
  std::vector<double> weights;
  double rounding = 0;  ///< sums may differ by this because values are rounded

  /// The sum of row n, at most the largest number there is; NaN if the row misses a value.
  [[nodiscard]] double sum(RowsView x, std::size_t n) const;
};

/// The relations that hold between these columns in a sample: directions in which the standardised
/// rows have nearly no variance, at most four. Rows that miss a value are left out. None if there
/// are too few rows to tell, or more than 128 columns.
[[nodiscard]] std::vector<LinearRelation> relations_in(RowsView sample,
                                                       std::span<const std::uint32_t> columns);

}  // namespace rampart
