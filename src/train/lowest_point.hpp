#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "solver/hinge_qp.hpp"

namespace rampart {

/// Where the slope of a convex, piecewise linear function rises, and by how much (> 0).
struct Kink {
  double at;
  double change;
};

/// Where the function with these kinks, in any order, and this slope left of them is lowest; of
/// several points the one nearest to `present`. Returns `present` if the function has no minimum.
/// Reorders the kinks; takes linear time on average.
[[nodiscard]] inline double lowest_point(std::vector<Kink>& kinks, double slope, double present) {
  double rounding = 0;
  for (const Kink& kink : kinks) rounding += HingeQp::rounding * kink.change;
  if (slope > rounding) return present;
  if (slope >= -rounding) {  // it does not fall, and every point up to the first kink is lowest
    double first = present;
    for (const Kink& kink : kinks) first = std::min(first, kink.at);
    return first;
  }
  // The kink at which the slope reaches 0 is in [begin, end); `slope` is that left of `begin`.
  auto begin = kinks.begin();
  auto end = kinks.end();
  while (end - begin > 1) {
    const auto middle = begin + (end - begin) / 2;
    std::ranges::nth_element(begin, middle, end, {}, &Kink::at);
    double left = slope;
    for (auto k = begin; k != middle; ++k) left += k->change;
    if (left >= -rounding) {
      end = middle;
    } else {
      slope = left;
      begin = middle;
    }
  }
  if (begin == end || slope + begin->change < -rounding) return present;
  if (slope + begin->change > rounding || present <= begin->at) return begin->at;
  // With slope 0 right of it every point up to the next kink is lowest.
  double next = present;
  for (auto k = end; k != kinks.end(); ++k) next = std::min(next, k->at);
  return next;
}

}  // namespace rampart
