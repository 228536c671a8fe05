#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "data/extremes.hpp"
#include "data/occurring.hpp"
#include "rampart/rows.hpp"

namespace rampart {

/// Sums over rows are those of blocks of so many rows, added in their order: the same bits on any
/// number of threads, and those of one loop up to this number.
inline constexpr std::size_t rows_per_sum = 1 << 17;

/// What one pass over rows says of every column, in the order of Occurring. Takes memory by the
/// column, none by the row.
struct Survey {
  struct Column {
    Extremes extremes;         ///< the zeros that sparse rows leave out included
    std::uint32_t stored = 0;  ///< rows that store a value, also if it is missing (NaN)
  };
  struct Place {
    std::size_t row, column;
    double value;
  };

  std::size_t rows;
  Occurring occurring;
  std::vector<Column> columns;
  std::vector<std::uint32_t> missing;   ///< dense rows: how many values are; otherwise empty
  std::vector<double> sum;              ///< dense rows: of a column that misses none
  std::optional<Place> first_infinite;  ///< of sparse rows also a missing value

  /// Called with every row once, some neighbours begin … end−1 at a time, by several threads: what
  /// else is wanted of rows that are read anyway.
  using Beside = std::function<void(std::size_t begin, std::size_t end)>;

  /// Fewer than 2³² rows. Those of a file are checked: see RowsView::ensure_readable().
  explicit Survey(RowsView x, unsigned threads = 1, const Beside& beside = {});

  /// Whether a value is missing.
  [[nodiscard]] bool misses() const;

 private:
  void look_at_dense(RowsView x, unsigned threads, const Beside& beside);
  void look_at_sparse(RowsView x);
  void add_zeros(RowsView x);
};

}  // namespace rampart
