#pragma once

#include <cstdint>
#include <span>

#include "rampart/options.hpp"

namespace rampart {

/// The risk of rules that look at no feature.
struct TrivialRules {
  double reject_all = 0;
  double always_negative = 0;
  double always_positive = 0;

  /// The cheaper of the two answers, as if it were known from these rows; + where both cost the
  /// same.
  [[nodiscard]] bool majority_is_positive() const { return always_positive <= always_negative; }
  [[nodiscard]] double majority() const {
    return majority_is_positive() ? always_positive : always_negative;
  }
};

[[nodiscard]] TrivialRules trivial_rules(std::span<const std::int8_t> y, const Costs& costs);

}  // namespace rampart
