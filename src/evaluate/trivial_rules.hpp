#pragma once

#include <cstdint>
#include <span>

#include "rampart/options.hpp"

namespace rampart {

/// The risk of rules that use no feature.
struct TrivialRules {
  double reject_all = 0;
  double always_negative = 0;
  double always_positive = 0;

  /// Whether + is the cheaper answer on these rows; also if both cost the same.
  [[nodiscard]] bool majority_is_positive() const { return always_positive <= always_negative; }
  [[nodiscard]] double majority() const {
    return majority_is_positive() ? always_positive : always_negative;
  }
};

[[nodiscard]] TrivialRules trivial_rules(std::span<const std::int8_t> y, const Costs& costs);

}  // namespace rampart
