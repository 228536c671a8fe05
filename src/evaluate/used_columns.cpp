#include "evaluate/used_columns.hpp"

#include <algorithm>
#include <utility>

#include "util/assert.hpp"

namespace rampart {
namespace {

void make_unique(std::vector<std::uint32_t>& columns) {
  std::ranges::sort(columns);
  columns.erase(std::ranges::unique(columns).begin(), columns.end());
}

}  // namespace

std::vector<std::uint32_t> columns_with_values(const Rows& x) {
  std::vector<std::uint32_t> columns;
  if (x.is_dense()) {
    std::vector<bool> used(x.columns(), false);
    for (std::size_t n = 0; n < x.size(); ++n) {
      x.for_each(n, [&](std::size_t j, double value) { used[j] = used[j] || value != 0; });
    }
    for (std::size_t j = 0; j < used.size(); ++j) {
      if (used[j]) columns.push_back(static_cast<std::uint32_t>(j));
    }
    return columns;
  }
  for (std::size_t n = 0; n < x.size(); ++n) {
    x.for_each(n, [&](std::size_t j, double value) {
      if (value != 0) columns.push_back(static_cast<std::uint32_t>(j));
    });
  }
  make_unique(columns);
  columns.shrink_to_fit();
  return columns;
}

UsedColumns::UsedColumns(const Rows& x, std::size_t features) : columns_(columns_with_values(x)) {
  for (std::uint32_t j = 0; j < features && columns_.size() < 2; ++j) {
    columns_.push_back(j);
    make_unique(columns_);
  }
}

Rows UsedColumns::renumber(const Rows& x) const {
  std::vector<double> values;
  if (x.is_dense()) {
    values.reserve(x.size() * size());
    for (std::size_t n = 0; n < x.size(); ++n) {
      const auto row = x.dense_row(n);
      for (const std::uint32_t j : columns_) values.push_back(j < row.size() ? row[j] : 0.0);
    }
    return Rows::dense(size(), std::move(values), x.size());
  }
  std::vector<std::size_t> starts = {0};
  std::vector<std::uint32_t> indices;
  for (std::size_t n = 0; n < x.size(); ++n) {
    x.for_each(n, [&](std::size_t j, double value) {
      if (value == 0) return;
      const auto found = std::ranges::lower_bound(columns_, static_cast<std::uint32_t>(j));
      RAMPART_ASSERT(found != columns_.end() && *found == j, "a column that was not counted");
      indices.push_back(static_cast<std::uint32_t>(found - columns_.begin()));
      values.push_back(value);
    });
    starts.push_back(values.size());
  }
  return Rows::sparse(size(), std::move(starts), std::move(indices), std::move(values));
}

}  // namespace rampart
