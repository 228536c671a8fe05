#pragma once

#include "train/kernel_solver.hpp"

namespace rampart {

/// Settings of a Trainer that only the library uses.
struct TrainerSetup {
  SharedMatrix shared;

  /// Whether Trained::scores are needed if a band is chosen after training. They cost a prediction
  /// of all rows then.
  bool scores_of_chosen_bands = true;
};

}  // namespace rampart
