#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "linear/block_pass.hpp"

namespace rampart {

/// w and the offsets, in the frame of the solver.
struct LinearPoint {
  std::vector<double> w;
  std::array<double, most_layers> offsets{};
};

/// How the linear solver stands, at every visit of rows.
struct LinearProgress {
  std::size_t round = 0;
  std::uint64_t passes = 0;
  double objective = 0;  ///< best R so far; infinite before the first round has ended
  double gap = 0;        ///< estimated
};

enum class LinearStatus { converged, stalled, round_limit, pass_limit, cancelled };

struct LinearRound {
  double objective = 0;      ///< R after it
  std::uint64_t passes = 0;  ///< over the rows
  double violation = 0;
  std::size_t flat = 0;
  bool swapped = false;
};

struct LinearResult {
  LinearPoint point;
  double objective = std::numeric_limits<double>::infinity();  ///< R
  double bound = -std::numeric_limits<double>::infinity();     ///< see Certificate::gap
  double violation = 0;
  std::size_t support = 0;  ///< rows with a dual variable other than 0
  std::uint64_t passes = 0;
  std::vector<LinearRound> history;
  LinearStatus status = LinearStatus::stalled;
};

/// Everything that the solver knows between outer steps, but for the centres of the rows.
struct LinearState {
  LinearPoint now;
  LinearPoint best;  ///< whose flat sets are those of the rows; empty: none yet
  LinearResult result;
  double width = 0;        ///< h
  double accuracy = 0.02;  ///< decrement at which Newton's method ends, in units of the tolerance
  double damping = 0;      ///< of Newton's steps, after short ones
  bool settled = false;    ///< whether few flat sets still change
  double reach = 0;        ///< within which rows count as near a kink, in units of s
  double most_reach = std::numeric_limits<double>::infinity();  ///< with more, too many are near
  bool near = false;  ///< whether visits look at these rows only
  std::uint64_t near_visits = 0;
  std::uint64_t pause = 0;   ///< outer steps without near rows after a gathering of little use
  std::uint64_t paused = 0;  ///< how many of them are over
  std::uint64_t outer_steps = 0;
  std::uint64_t passes_of_rounds = 0;
};

struct LinearOptions {
  double gap = 5e-5;             ///< relative, certified
  std::size_t max_rounds = 100;  ///< changes of the flat sets
  std::uint64_t max_passes = 3000;
  bool exact_rounds = false;  ///< whether every convex problem is solved before the sets change
  bool started = false;       ///< whether the start's flat sets are where the rounds begin
  double caps = 0;            ///< sum of all caps: the size of what is summed
  double most_near = 0;       ///< share of the rows that may be copied as near a kink; 0: none are
  double rows_for_near = 4096;                         ///< with fewer rows none are copied
  std::function<bool(const LinearProgress&)> observe;  ///< false: stop
  std::function<void(const LinearState&)> checkpoint;  ///< called between outer steps

  /// Called before a pass that may be the last one, with the point that training then ends at.
  std::function<void(const LinearPoint&)> certifying;
};

}  // namespace rampart
