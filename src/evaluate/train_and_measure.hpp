#pragma once

#include "evaluate/cross_validation.hpp"
#include "rampart/dataset.hpp"
#include "rampart/train.hpp"

namespace rampart {

/// Trains, and measures on other rows. The caller adds which fold it was.
[[nodiscard]] FoldResult train_and_measure(Trainer& trainer, const TrainOptions& method,
                                           const Problem& test, const TrainObserver& observe = {});

}  // namespace rampart
