#pragma once

#include <cstdint>
#include <span>

#include "rampart/options.hpp"

namespace rampart {

/// Decide − below `low`, + above `high`, reject between.
struct Thresholds {
  double low;
  double high;
};

/// The thresholds of least mean cost for these scores: Chow's rule on ranks instead of
/// probabilities.
///
/// As in training, the cost splits into one part for each surface, so that one scan of the sorted
/// scores finds the global optimum. A threshold lies midway between two scores, or far beyond all
/// scores. Ties go to the smallest `high`, then the largest `low`. `weights`: how often each row
/// counts; empty: once.
[[nodiscard]] Thresholds best_thresholds(std::span<const double> scores,
                                         std::span<const std::int8_t> y, const Costs& costs,
                                         std::span<const double> weights = {});

}  // namespace rampart
