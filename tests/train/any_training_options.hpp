#pragma once

#include <rapidcheck.h>

#include "rampart/options.hpp"

namespace rampart::testing_support {

/// Every loss, the linear and the RBF kernel, scaled or not.
inline TrainOptions any_training_options() {
  TrainOptions options{
      .objective = {.costs = Costs::symmetric(*rc::gen::element(0.13, 0.21, 0.33, 0.43)),
                    .C = *rc::gen::element(0.5, 4.0)},
      .exactness = {.tolerance = 1e-9}};
  options.objective.loss =
      *rc::gen::element(LossKind::double_ramp, LossKind::double_ramp, LossKind::double_hinge,
                        LossKind::generalized_hinge, LossKind::hinge);
  options.representation.kernel.type = *rc::gen::element(KernelType::linear, KernelType::rbf);
  options.representation.scaling =
      *rc::gen::element(ScalingKind::none, ScalingKind::minmax, ScalingKind::standard);
  return options;
}

}  // namespace rampart::testing_support
