#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "rampart/model.hpp"
#include "rampart/options.hpp"

namespace rampart {

/// Two models on the same rows.
struct PairedCosts {
  std::size_t different_answers = 0;  ///< rows to which they answer differently
  double difference = 0;              ///< mean cost of the second minus that of the first
  double standard_error = 0;          ///< of the difference, from the differences row by row
};

/// Throws InputError unless there are as many answers of both as labels, and at least one.
[[nodiscard]] PairedCosts paired_costs(std::span<const Decision> first,
                                       std::span<const Decision> second,
                                       std::span<const std::int8_t> y, const Costs& costs);

}  // namespace rampart
