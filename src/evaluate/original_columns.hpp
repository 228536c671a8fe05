#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rampart/model.hpp"
#include "rampart/rows.hpp"

namespace rampart {

/// A column of the user's table, and the features of the model that were made of it.
struct OriginalColumn {
  std::string name;
  std::vector<std::uint32_t> features;  ///< increasing
};

/// The columns in which some of these rows are not zero, by their first feature. A precomputed
/// kernel has none.
[[nodiscard]] std::vector<OriginalColumn> original_columns(const Model& model, const Rows& x);

/// Feature j of row n; 0 where sparse rows store nothing.
[[nodiscard]] double value_of(const Rows& x, std::size_t n, std::uint32_t j);

}  // namespace rampart
