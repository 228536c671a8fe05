#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rampart/dataset.hpp"

namespace rampart {

/// The columns in which some row is not zero, increasing. There may be millions of others.
[[nodiscard]] std::vector<std::uint32_t> columns_with_values(const Rows& x);

/// The columns in which some row is not zero, renumbered from 0.
class UsedColumns {
 public:
  /// If fewer than two of the `features` columns are used, adds the first, since a plane needs two.
  UsedColumns(const Rows& x, std::size_t features);

  [[nodiscard]] std::size_t size() const { return columns_.size(); }
  [[nodiscard]] std::uint32_t operator[](std::size_t k) const { return columns_[k]; }

  /// The rows with the new column numbers. Sparse rows stay sparse.
  [[nodiscard]] Rows renumber(const Rows& x) const;

 private:
  std::vector<std::uint32_t> columns_;  // increasing
};

}  // namespace rampart
