#include "evaluate/original_columns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "evaluate/used_columns.hpp"

namespace rampart {

std::vector<OriginalColumn> original_columns(const Model& model, const Rows& x) {
  std::vector<OriginalColumn> columns;
  if (std::holds_alternative<PrecomputedKernel>(model.kernel)) return columns;
  for (const std::uint32_t j : columns_with_values(x)) {
    if (j >= model.features.count) break;
    columns.push_back(
        {model.features.names.empty() ? fmt::format("feature {}", j + 1) : model.features.names[j],
         {j}});
  }
  return columns;
}

double value_of(const Rows& x, std::size_t n, std::uint32_t j) {
  if (x.is_dense()) return j < x.columns() ? x.dense_row(n)[j] : 0.0;
  const Rows::Sparse row = x.sparse_row(n);
  const auto found = std::ranges::lower_bound(row.indices, j);
  if (found == row.indices.end() || *found != j) return 0;
  return row.values[static_cast<std::size_t>(found - row.indices.begin())];
}

}  // namespace rampart
