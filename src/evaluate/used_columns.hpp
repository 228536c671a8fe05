#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rampart/dataset.hpp"

namespace rampart {

/// The columns in which some row is not zero, numbered anew from 0: what rows are about, however
/// many columns they are said to have.
class UsedColumns {
 public:
  /// Of both sets of rows, and the first two of the `features` columns besides where fewer are
  /// used: a plane needs two.
  UsedColumns(const Rows& a, const Rows& b, std::size_t features);

  [[nodiscard]] std::size_t size() const { return columns_.size(); }
  [[nodiscard]] std::uint32_t operator[](std::size_t k) const { return columns_[k]; }

  /// Rows whose used columns are among these, with the new numbers; sparse ones stay sparse.
  [[nodiscard]] Rows renumber(const Rows& x) const;

 private:
  std::vector<std::uint32_t> columns_;  // increasing
};

}  // namespace rampart
