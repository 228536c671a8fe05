#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "linear/block_pass.hpp"
#include "linear/multipliers.hpp"
#include "rampart/dataset.hpp"

namespace rampart {

/// Up to so many rows every convex problem is solved before the flat sets change: that costs little
/// time, and the minimum that it leads to depends on no rounding.
inline constexpr std::size_t few_rows = 2048;

/// Where the rounds begin.
struct LinearStart {
  /// With the flat sets that these scores have: one per row; empty: no flat sets
  std::span<const double> scores = {};
  std::vector<double> offsets = {};

  /// Or at this point, in terms of the rows as they are: the solution of a similar problem.
  std::optional<LinearPoint> point = {};
};

/// A file that a long training is kept in from time to time, and begins from if it is there.
struct CheckpointFile {
  std::string path;     ///< empty: none
  double seconds = 60;  ///< between two writings
};

/// Trains a linear surface: minimises ½‖w‖² + Σ loss over w and the offsets. The point of the
/// result is in terms of the rows as they are, or of rows that are scaled, which then need not be
/// copied: only for dense rows. Same bits for any number of threads.
///
/// Many rows of few columns are trained on a sample first, which gives a good start. A training
/// that goes on from its checkpoint ends at the same bits; the file is removed at the end. Throws
/// InputError for a file that is not a checkpoint of this training.
[[nodiscard]] LinearResult train_linear_surface(const BlockRows& rows, const HingeForm& loss,
                                                const LinearStart& start, LinearOptions options,
                                                unsigned threads,
                                                const CheckpointFile& checkpoint = {},
                                                const Scaling* scaling = nullptr);

}  // namespace rampart
