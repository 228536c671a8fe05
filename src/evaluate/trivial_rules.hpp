#pragma once

#include <array>
#include <cstddef>
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

/// The same of so many rows of each class, the negative one first.
[[nodiscard]] TrivialRules trivial_rules(const std::array<std::size_t, 2>& rows,
                                         const Costs& costs);

}  // namespace rampart
