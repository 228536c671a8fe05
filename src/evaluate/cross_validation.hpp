#pragma once

#include "rampart/cross_validation.hpp"
#include "rampart/dataset.hpp"
#include "rampart/train.hpp"

namespace rampart {

/// Trains a method and measures it on `test`. The caller sets method, repetition and fold.
[[nodiscard]] FoldResult train_and_measure(Trainer& trainer, const TrainOptions& method,
                                           const Problem& test, const TrainObserver& observe = {});

}  // namespace rampart
