#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rampart/rows.hpp"

namespace rampart {

/// Up to so many rows medians are exact. Of more rows they are those of `rows_for_medians` rows,
/// taken at equal distances: the rank of such a median is off by a hundredth at most, but for bad
/// luck.
inline constexpr std::size_t most_rows_for_medians = 1 << 15;
inline constexpr std::size_t rows_for_medians = 1 << 14;

/// The median of each of these columns of dense rows, in passes from the first row to the last: the
/// middle one of the values that are there; the mean of the two middle ones of an even number,
/// which cannot overflow; 0 of none. `weights`: how often each row counts, > 0; empty: once.
[[nodiscard]] std::vector<double> medians_of(RowsView x, std::span<const std::uint32_t> columns,
                                             unsigned threads = 1,
                                             std::span<const double> weights = {});

}  // namespace rampart
