#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "rampart/rows.hpp"

namespace rampart {

/// Calls visit(k, value) with the value of row n in columns[k], for every k in turn. The columns
/// increase. Takes no time for columns that a sparse row leaves out.
template <class Visit>
void visit_columns(RowsView x, std::size_t n, std::span<const std::uint32_t> columns,
                   const Visit& visit) {
  if (x.is_dense()) {
    x.with_dense_row(n, [&](auto values) {
      for (std::size_t k = 0; k < columns.size(); ++k) {
        visit(k, columns[k] < values.size() ? static_cast<double>(values[columns[k]]) : 0.0);
      }
    });
    return;
  }
  std::size_t k = 0;
  x.for_each(n, [&](std::size_t j, double value) {
    for (; k < columns.size() && columns[k] < j; ++k) visit(k, 0.0);
    if (k < columns.size() && columns[k] == j) visit(k++, value);
  });
  for (; k < columns.size(); ++k) visit(k, 0.0);
}

}  // namespace rampart
