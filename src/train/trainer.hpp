#pragma once

#include "train/first_reading.hpp"
#include "train/kernel_solver.hpp"

namespace rampart {

/// Settings of a Trainer that only the library uses.
struct TrainerSetup {
  SharedMatrix shared;

  /// Whether the model is only measured on other rows. Then it needs no fingerprint, and no
  /// Trained::scores if a band is chosen after training, which cost a prediction of all rows.
  bool for_measuring = false;

  /// Of the rows, if somebody has read them already; must outlive the trainer. It has a fingerprint
  /// unless the model is only measured.
  const FirstReading* reading = nullptr;
};

}  // namespace rampart
