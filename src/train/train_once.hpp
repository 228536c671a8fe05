#pragma once

#include "rampart/dataset.hpp"
#include "rampart/model.hpp"
#include "rampart/options.hpp"
#include "rampart/train.hpp"
#include "train/kernel_solver.hpp"
#include "train/training_rows.hpp"

namespace rampart {

/// One training without choosing a band. `rows` are those of `data`, and `solver` was chosen for
/// `rows`. Solvers of the same precision give the same bits.
[[nodiscard]] Trained train_once(const Problem& data, const TrainingRows& rows, AnySolver& solver,
                                 const TrainOptions& given, const TrainObserver& observe = {},
                                 const Model* start = nullptr);

}  // namespace rampart
