#pragma once

#include <string>
#include <vector>

#include "rampart/dataset.hpp"
#include "rampart/errors.hpp"

namespace rampart {

/// What may be wrong with the columns of a data set although it can be trained on, and the setting
/// that mends it.
struct ColumnWarning {
  std::string message;
  Setting setting = Setting::none;
};

/// Columns that look like ids, are constant, separate the classes alone, or hold few texts among
/// numbers; groups of one row each. At most one warning of a kind. Sparse rows have no warnings
/// about columns. Takes O(n p log n).
[[nodiscard]] std::vector<ColumnWarning> column_warnings(const Problem& data);

}  // namespace rampart
