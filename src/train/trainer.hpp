#pragma once

#include "train/kernel_solver.hpp"

namespace rampart {

/// Settings of a Trainer that only the library uses.
struct TrainerSetup {
  SharedMatrix shared;

  /// Whether the model is only measured on other rows. Then it needs no fingerprint, and no
  /// Trained::scores if a band is chosen after training, which cost a prediction of all rows.
  bool for_measuring = false;
};

}  // namespace rampart
