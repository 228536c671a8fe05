#pragma once

#include <vector>

#include "rampart/dataset.hpp"
#include "rampart/options.hpp"
#include "render/json.hpp"
#include "train/folds.hpp"

namespace rampart::tool {

/// All that decides the results of a tuning: the version of the library, the data, the folds and
/// every option of every point. A journal belongs to one such problem.
[[nodiscard]] Json tuning_problem(const Dataset& data, const std::vector<TrainOptions>& points,
                                  const FoldOptions& folds, bool nested);

}  // namespace rampart::tool
