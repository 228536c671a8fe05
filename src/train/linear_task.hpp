#pragma once

#include "linear/linear_solver.hpp"

namespace rampart {

/// What the linear solver trains on, and how.
struct LinearTask {
  BlockRows rows;
  LinearReading reading;
  LinearOptions options;
  unsigned threads;

  [[nodiscard]] LinearResult solve(const HingeForm& loss, const LinearStart& start,
                                   const CheckpointFile& checkpoint = {}) const {
    return train_linear_surface(rows, loss, start, options, threads, checkpoint, reading);
  }
};

}  // namespace rampart
