#pragma once

#include "rampart/train.hpp"
#include "train/training_rows.hpp"

namespace rampart {

/// train() with the rows and their kernel already at hand: `rows` was prepared from `data` with the
/// same scaling and kernel options, `kernel` belongs to `rows`. The same bits from every kernel
/// that keeps its rows in the same precision. Defined for OwnKernel and SharedKernel.
template <class Source>
[[nodiscard]] Trained train_on(const Dataset& data, const TrainingRows& rows, Source& kernel,
                               const TrainOptions& options, const TrainObserver& observe = {},
                               const Model* start = nullptr);

extern template Trained train_on(const Dataset&, const TrainingRows&, OwnKernel<float>&,
                                 const TrainOptions&, const TrainObserver&, const Model*);
extern template Trained train_on(const Dataset&, const TrainingRows&, OwnKernel<double>&,
                                 const TrainOptions&, const TrainObserver&, const Model*);
extern template Trained train_on(const Dataset&, const TrainingRows&, SharedKernel&,
                                 const TrainOptions&, const TrainObserver&, const Model*);

}  // namespace rampart
