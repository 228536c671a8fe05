#pragma once

#include <cstddef>

namespace rampart {

struct Interval {
  double low = 0;
  double high = 1;

  friend bool operator==(const Interval&, const Interval&) = default;
};

/// The exact interval of Clopper and Pearson for the probability p of a success: all p at which
/// neither this many successes or more, nor this many or fewer, have a probability below (1 −
/// confidence)/2. It is [0, 1] for no trials. Throws OptionError unless 0 < confidence < 1 and
/// successes ≤ trials.
[[nodiscard]] Interval clopper_pearson(std::size_t successes, std::size_t trials,
                                       double confidence = 0.95);

/// The point below which a standard normal number lies with this probability. Throws OptionError
/// unless 0 < probability < 1.
[[nodiscard]] double normal_quantile(double probability);

}  // namespace rampart
