#pragma once

#include <span>
#include <string_view>

#include "rampart/names.hpp"

namespace rampart {

/// The part of the double ramp loss that a training row lies on.  [table:behav_gamma]
enum class Zone {
  safe,       ///< t > ρ + μ: no support vector
  margin,     ///< ρ − μ² ≤ t ≤ ρ + μ: support vector of its class's surface
  plateau,    ///< between the two ramps, on the plateau: no support vector
  near_miss,  ///< −ρ − μ² ≤ t ≤ −ρ + μ: support vector of the other class's surface
  ignored_outlier,  ///< t < −ρ − μ²: on the flat part, no support vector
};
/// Rows within `slack` of t = ±ρ + μ count as support vectors there: training determines t only to
/// its tolerance.
[[nodiscard]] Zone zone_of(double t, double rho, double mu, double slack = 0);
[[nodiscard]] std::span<const Named<Zone>> names_of(Zone);

}  // namespace rampart
