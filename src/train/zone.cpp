#include "rampart/train.hpp"

namespace rampart {

/// The table's intervals from the top down. For ρ < (μ + μ²)/2 the ramps overlap and the plateau is
/// empty; a row on both ramps is then counted to the upper one.
Zone zone_of(double t, double rho, double mu, double slack) {
  if (t > rho + mu + slack) return Zone::safe;
  if (t >= rho - mu * mu) return Zone::margin;
  if (t > -rho + mu + slack) return Zone::rejected;
  if (t >= -rho - mu * mu) return Zone::near_miss;
  return Zone::ignored_outlier;
}

std::string_view to_string(Zone zone) {
  switch (zone) {
    case Zone::safe:
      return "safe";
    case Zone::margin:
      return "margin";
    case Zone::rejected:
      return "rejected";
    case Zone::near_miss:
      return "near miss";
    case Zone::ignored_outlier:
      break;
  }
  return "ignored outlier";
}

}  // namespace rampart
