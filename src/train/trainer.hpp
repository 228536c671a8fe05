#pragma once

#include "train/kernel_solver.hpp"

namespace rampart {

/// What a Trainer may be told by the library itself.
struct TrainerSetup {
  SharedMatrix shared;

  /// Whether Trained::scores are needed where a band was chosen after training. They are those of
  /// the model then, which costs a prediction of all rows.
  bool scores_of_chosen_bands = true;
};

}  // namespace rampart
