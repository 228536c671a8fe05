#pragma once

#include <string>
#include <vector>

#include "rampart/model.hpp"

namespace rampart::tool {

/// The columns of the table that a model was trained on, in a few lines: how many are numeric,
/// which are categorical, which names the rows, which miss values and what becomes of these. Empty
/// if the model comes from no table.
[[nodiscard]] std::vector<std::string> columns_in_words(const Model& model);

}  // namespace rampart::tool
