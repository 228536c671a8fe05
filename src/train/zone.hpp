#pragma once

#include <span>
#include <string_view>

#include "rampart/names.hpp"

namespace rampart {

/// Where a training row ended up.  [table:behav_gamma]
enum class Zone {
  safe,       ///< t > ρ + μ: no part in the model
  margin,     ///< ρ − μ² ≤ t ≤ ρ + μ: holds the accepting surface of its class
  rejected,   ///< between the two ramps, on the plateau: no part in the model
  near_miss,  ///< −ρ − μ² ≤ t ≤ −ρ + μ: holds the surface it is on the wrong side of
  ignored_outlier,  ///< t < −ρ − μ²: wrong beyond repair, no part in the model
};
/// `slack` is how far from t = ±ρ + μ a row may still count as holding the surface there: training
/// places such rows only to its tolerance.
[[nodiscard]] Zone zone_of(double t, double rho, double mu, double slack = 0);
[[nodiscard]] std::span<const Named<Zone>> names_of(Zone);

}  // namespace rampart
