#pragma once

#include "rampart/train.hpp"
#include "train/mapped_rows.hpp"
#include "train/training_rows.hpp"

namespace rampart {

/// Whether the linear solver makes features of these rows as it reads them: dense rows of numbers,
/// which it scales itself, and rows of files, which it encodes block by block. Others must be
/// materialised.
[[nodiscard]] bool makes_features_as_it_reads(const TrainingRows& rows);

/// One training of a linear model by the linear solver, without choosing a band. `rows` are those
/// of `data`; `mapped`: the same behind a feature map, null if the kernel has none. `with_scores`:
/// whether Trained::scores is wanted, which costs a prediction of all rows.
[[nodiscard]] Trained train_by_linear_solver(const Problem& data, const TrainingRows& rows,
                                             const MappedRows* mapped, const TrainOptions& given,
                                             const TrainObserver& observe, const Model* start,
                                             bool with_scores);

}  // namespace rampart
