#include "train/settled_offsets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "train/lowest_point.hpp"

namespace rampart {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Where ub is lowest as a function of one offset, as far as no ramp becomes flat on the way from
/// the present offset, or ceases to be.
struct Interval {
  double low;
  double high;
};

Interval lowest_interval(const RampSum& sum, std::span<const double> u, std::size_t offset,
                         double present) {
  std::vector<Kink> kinks;
  double slope = 0;  // left of all kinks
  Interval same_flats{-infinity, infinity};
  for (const HingeLayer& layer : sum.layers) {
    if (layer.offset != offset) continue;
    for (std::size_t n = 0; n < u.size(); ++n) {
      const double y = sum.y[n];
      const double cap = layer.cap(sum.y[n], n);
      if (cap == 0) continue;
      kinks.push_back({y * layer.margin - u[n], cap});
      if (y > 0) slope -= cap;
      const bool flat = y * (u[n] + present) < sum.floor;
      if (flat) slope += y * cap;
      // On which side of its edge the offset lies is told by the flat set, also on the edge itself.
      const double edge = y * sum.floor - u[n];
      if (flat == (y > 0)) {
        same_flats.high = std::min(same_flats.high, edge);
      } else {
        same_flats.low = std::max(same_flats.low, edge);
      }
    }
  }
  return {std::max(same_flats.low, lowest_point(kinks, slope, -infinity)),
          std::min(same_flats.high, lowest_point(kinks, slope, infinity))};
}

}  // namespace

void settle_offsets(const RampSum& sum, std::span<const double> u, std::span<double> offsets) {
  std::vector<double> settled(offsets.begin(), offsets.end());
  for (std::size_t o = 0; o < settled.size(); ++o) {
    const auto [low, high] = lowest_interval(sum, u, o, offsets[o]);
    if (low > high) continue;
    if (std::isfinite(low) && std::isfinite(high)) {
      settled[o] = low + (high - low) / 2;
    } else if (std::isfinite(low) || std::isfinite(high)) {
      const double inside = sum.layers.front().margin;  // at the end itself R may be about to fall
      settled[o] = std::isfinite(low) ? low + inside : high - inside;
    }
  }
  if (std::ranges::is_sorted(settled)) std::ranges::copy(settled, offsets.begin());
}

}  // namespace rampart
