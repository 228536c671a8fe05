#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "train/linear_task.hpp"

namespace rampart {

/// An R that is not below this times another is not visibly less.
inline constexpr double not_visibly_less = 1 - 1e-3;

/// The cheapest Θ with w = 0. Its offsets lie at kinks of the ramps.
struct PointAtZero {
  std::array<double, most_layers> offsets{};
  double value = std::numeric_limits<double>::infinity();  ///< R
};
[[nodiscard]] PointAtZero cheapest_at_zero(const HingeForm& loss, std::span<const std::int8_t> y,
                                           std::span<const double> weights);

/// Whether so high an R tells that most rows are rejected, and that the rounds should begin once
/// more. Of many rows they do so earlier, because that costs them less.
[[nodiscard]] bool is_near_zero(double value, const PointAtZero& zero, std::size_t rows);

/// Where rounds that ended near w = 0 can begin again: the support vector machine with the caps of
/// the errors, at the length and with the band at which R is lowest. Among noisy rows its own w is
/// too short for the ramps.
///
/// Of 40 000 rows and more, every so manieth trains that machine, and then from each of several
/// lengths. Returns the best of these Θ; nothing if all lead back to w = 0, as all rows then would
/// in much more time. For two offsets.
[[nodiscard]] std::optional<LinearPoint> start_away_from_zero(const LinearTask& task,
                                                              const HingeForm& loss);

}  // namespace rampart
