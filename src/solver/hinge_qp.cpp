#include "solver/hinge_qp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "util/assert.hpp"

namespace rampart {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Variable {
  double claim;
  std::uint32_t r;
  std::uint32_t n;
};

/// Changes the sum of an offset's variables by −excess, first those whose move costs least.
void spread(const HingeQp& qp, DualPoint& point, std::size_t offset, double excess) {
  const double direction = excess > 0 ? 1 : -1;
  const auto distance_to_bound = [&](std::size_t r, std::size_t n) {
    const double delta = point.delta[r][n];
    return direction > 0 ? delta - qp.low(r, n) : qp.high(r, n) - delta;
  };
  std::vector<Variable> candidates;
  const auto for_each_movable = [&](const auto& visit) {
    for (std::uint32_t r = 0; r < qp.layers.size(); ++r) {
      if (qp.layers[r].offset != offset) continue;
      for (std::uint32_t n = 0; n < qp.size(); ++n) {
        if (distance_to_bound(r, n) > 0) visit(r, n);
      }
    }
  };
  std::size_t count = 0;  // reserved at once: growing would take twice the memory
  for_each_movable([&](std::uint32_t, std::uint32_t) { ++count; });
  candidates.reserve(count);
  for_each_movable([&](std::uint32_t r, std::uint32_t n) {
    candidates.push_back({qp.y[n] * qp.layers[r].margin - point.u[n], r, n});
  });
  // Lowering δ costs least where the claim is lowest. Ties are broken by the order of the rows.
  std::ranges::sort(candidates, {},
                    [&](const Variable& c) { return std::tuple(direction * c.claim, c.r, c.n); });
  double left = std::abs(excess);
  for (const auto& [claim, r, n] : candidates) {
    if (left <= 0) break;
    double& delta = point.delta[r][n];
    if (distance_to_bound(r, n) <= left) {
      left -= distance_to_bound(r, n);
      delta = direction > 0 ? qp.low(r, n) : qp.high(r, n);
    } else {
      delta -= direction * left;
      left = 0;
    }
  }
}

double sum_of(const HingeQp& qp, const DualPoint& point, std::size_t offset) {
  double sum = 0;
  for (std::size_t r = 0; r < qp.layers.size(); ++r) {
    if (qp.layers[r].offset != offset) continue;
    for (const double delta : point.delta[r]) sum += delta;
  }
  return sum;
}

}  // namespace

DualPoint DualPoint::zero(const HingeQp& qp) {
  return {std::vector(qp.layers.size(), std::vector<double>(qp.size(), 0.0)),
          std::vector<double>(qp.size(), 0.0)};
}

std::vector<double> DualPoint::coefficients() const {
  std::vector<double> v(u.size());
  for (std::size_t n = 0; n < v.size(); ++n) v[n] = coefficient(n);
  return v;
}

double DualPoint::largest() const {
  double largest = 0;
  for (const auto& layer : delta) {
    for (const double value : layer) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

double DualPoint::half_norm() const {
  double total = 0;
  for (std::size_t n = 0; n < u.size(); ++n) total += coefficient(n) * u[n] / 2;
  return total;
}

double OffsetClaims::settled() const {
  if (at_least == -infinity) return at_most == infinity ? 0 : at_most;
  return at_most == infinity ? at_least : at_least + (at_most - at_least) / 2;
}

std::vector<OffsetClaims> offset_claims(const HingeQp& qp, const DualPoint& point) {
  std::vector<OffsetClaims> claims(qp.offsets, {-infinity, infinity});
  const double largest = point.largest();
  for (std::size_t r = 0; r < qp.layers.size(); ++r) {
    OffsetClaims& on = claims[qp.layers[r].offset];
    for (std::size_t n = 0; n < qp.size(); ++n) {
      const double claim = qp.y[n] * qp.layers[r].margin - point.u[n];
      if (qp.may_rise(r, n, point.delta[r][n], largest)) on.at_least = std::max(on.at_least, claim);
      if (qp.may_fall(r, n, point.delta[r][n], largest)) on.at_most = std::min(on.at_most, claim);
    }
  }
  return claims;
}

Optimality optimality(const HingeQp& qp, const DualPoint& point, std::span<const double> offsets) {
  RAMPART_ASSERT(offsets.size() == qp.offsets, "one value per offset");
  Optimality result;
  for (std::size_t o = 0; o < qp.offsets; ++o) {
    result.infeasibility = std::max(result.infeasibility, std::abs(sum_of(qp, point, o)));
  }
  for (const OffsetClaims& claims : offset_claims(qp, point)) {
    result.violation = std::max(result.violation, claims.gap());
  }
  const double half_norm = point.half_norm();
  double hinges = 0;
  double linear = 0;
  for (std::size_t r = 0; r < qp.layers.size(); ++r) {
    const HingeLayer& layer = qp.layers[r];
    for (std::size_t n = 0; n < qp.size(); ++n) {
      const double delta = point.delta[r][n];
      result.infeasibility =
          std::max({result.infeasibility, qp.low(r, n) - delta, delta - qp.high(r, n)});
      const double s = qp.y[n] * (point.u[n] + offsets[layer.offset]);
      const double beta = qp.beta(r, n);
      hinges += qp.cap(r, n) * std::max(0.0, layer.margin - s) + beta * s;
      linear += layer.margin * (qp.y[n] * delta + beta);
    }
  }
  result.primal = half_norm + hinges + qp.constant;
  result.dual = linear - half_norm + qp.constant;
  return result;
}

void snap_to_bounds(const HingeQp& qp, DualPoint& point) {
  const double largest = point.largest();
  for (std::size_t r = 0; r < qp.layers.size(); ++r) {
    for (std::size_t n = 0; n < qp.size(); ++n) {
      double& delta = point.delta[r][n];
      if (!qp.may_rise(r, n, delta, largest)) {
        delta = qp.high(r, n);
      } else if (!qp.may_fall(r, n, delta, largest)) {
        delta = qp.low(r, n);
      }
    }
  }
}

void fit_into_boxes(const HingeQp& qp, DualPoint& point) {
  for (std::size_t r = 0; r < qp.layers.size(); ++r) {
    for (std::size_t n = 0; n < qp.size(); ++n) {
      point.delta[r][n] = std::clamp(point.delta[r][n], qp.low(r, n), qp.high(r, n));
    }
  }
  double total = 0;
  for (const auto& layer : point.delta) {
    for (const double delta : layer) total += std::abs(delta);
  }
  for (std::size_t o = 0; o < qp.offsets; ++o) {
    const double excess = sum_of(qp, point, o);
    if (std::abs(excess) > HingeQp::rounding * total) spread(qp, point, o, excess);
  }
}

}  // namespace rampart
