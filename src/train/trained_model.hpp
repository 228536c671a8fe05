#pragma once

#include "rampart/dataset.hpp"
#include "rampart/model.hpp"
#include "rampart/train.hpp"
#include "train/training_rows.hpp"

namespace rampart {

/// A model of these rows, but for its surface.
[[nodiscard]] Model model_of_rows(const Problem& data, const TrainingRows& rows);

/// What a report certifies of a model that was trained on so many rows.
[[nodiscard]] Certificate certificate_of(const TrainReport& report, std::size_t rows);

}  // namespace rampart
