#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "evaluate/tune.hpp"
#include "faces/training_settings.hpp"
#include "rampart/dataset.hpp"
#include "rampart/train.hpp"

namespace rampart {

/// A search for good options and the training with them, as the command does it.
struct TunedAsSet {
  TuneReport search;
  std::vector<FoldResult> results;  ///< of every point of the search, in order; method: which point
  std::vector<FoldResult> outer;    ///< of a nested estimate; empty: there was none
  std::vector<TrainOptions> chosen;  ///< in each outer fold
  Trained trained;                   ///< with the best, on all rows
};

/// `progress` is as in CvHooks: returning false throws Cancelled.
[[nodiscard]] TunedAsSet tune_as_set(
    const Problem& data, const TrainingSettings& settings,
    const std::function<bool(std::size_t done, std::size_t of)>& progress = {});

}  // namespace rampart
