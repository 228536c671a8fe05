#pragma once

#include <cstddef>
#include <span>

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

/// Throws OptionError if these differ in anything that kernel rows, or what is kept of them, depend
/// on: loss, costs, C and μ have no part in that.
void require_same_kernel_rows(std::span<const TrainOptions> options);

/// Tells `observe`, which has to outlive it, that this is training n.
[[nodiscard]] TrainObserver nth_of_several(const TrainObserver& observe, std::size_t n);

}  // namespace rampart
