#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "linear/block_pass.hpp"
#include "linear/multipliers.hpp"
#include "linear/passes.hpp"
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

/// What helps to read rows less often; all of it may be left out.
struct LinearReading {
  /// Of rows that are not scaled: w is wanted in terms of scaled ones, which then need not be
  /// copied. Only for dense rows.
  const Scaling* scaling = nullptr;

  /// Every sample_step()th row, before the map, if there are so many rows that some are trained on
  /// first.
  const Rows* sample = nullptr;

  /// Called before a pass that may be the last one, with the point that training then ends at.
  /// What it returns is called for every block of rows of that pass, by several threads.
  std::function<LocalPasses::BlockUse(const LinearPoint&)> last_pass = {};
};

/// Every so manieth row is trained on before all of them; 0: none is. `columns`: of features.
[[nodiscard]] std::size_t sample_step(std::size_t rows, std::size_t columns);

/// Trains a linear surface: minimises ½‖w‖² + Σ loss over w and the offsets. The point of the
/// result is in terms of the rows as they are, or of scaled ones. Same bits for any number of
/// threads.
///
/// Many rows of few columns are trained on a sample first, which gives a good start. A training
/// that goes on from its checkpoint ends at the same bits; the file is removed at the end. Throws
/// InputError for a file that is not a checkpoint of this training.
[[nodiscard]] LinearResult train_linear_surface(const BlockRows& rows, const HingeForm& loss,
                                                const LinearStart& start, LinearOptions options,
                                                unsigned threads,
                                                const CheckpointFile& checkpoint = {},
                                                const LinearReading& reading = {});

}  // namespace rampart
