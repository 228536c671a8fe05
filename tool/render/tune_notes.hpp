#pragma once

#include <string>
#include <vector>

#include "render/tune_output.hpp"

namespace rampart::tool {

/// "C = 2, gamma = 0.125"
[[nodiscard]] std::string point_in_words(const TrainOptions& point);

/// What the user should know of a tuning, a line each: edges of the grid, rules that do better.
[[nodiscard]] std::vector<std::string> tune_notes(const std::vector<Tuned>& all);

}  // namespace rampart::tool
