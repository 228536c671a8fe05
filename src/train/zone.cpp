#include <array>

#include "rampart/train.hpp"
#include "train/zone.hpp"

namespace rampart {

/// The table's intervals from the top down. For ρ < (μ + μ²)/2 the ramps overlap and the plateau is
/// empty; a row on both ramps then belongs to the upper one.
Zone zone_of(double t, double rho, double mu, double slack) {
  if (t > rho + mu + slack) return Zone::safe;
  if (t >= rho - mu * mu) return Zone::margin;
  if (t > -rho + mu + slack) return Zone::plateau;
  if (t >= -rho - mu * mu) return Zone::near_miss;
  return Zone::ignored_outlier;
}

std::span<const Named<Zone>> names_of(Zone) {
  using enum Zone;
  static constexpr auto table = std::to_array<Named<Zone>>({{safe, "safe"},
                                                            {margin, "margin"},
                                                            {plateau, "plateau"},
                                                            {near_miss, "near miss"},
                                                            {ignored_outlier, "ignored outlier"}});
  return table;
}

}  // namespace rampart
