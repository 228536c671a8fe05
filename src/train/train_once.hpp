#pragma once

#include "rampart/dataset.hpp"
#include "rampart/model.hpp"
#include "rampart/options.hpp"
#include "rampart/train.hpp"
#include "train/kernel_solver.hpp"
#include "train/training_rows.hpp"

namespace rampart {

/// One training, without the choice of a band: `rows` were prepared from `data`, and `solver`
/// belongs to `rows`. The same bits from every solver that keeps kernel rows in the same precision.
[[nodiscard]] Trained train_once(const Problem& data, const TrainingRows& rows, AnySolver& solver,
                                 const TrainOptions& options, const TrainObserver& observe = {},
                                 const Model* start = nullptr);

}  // namespace rampart
