#include "train/zero_surface.hpp"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace rampart {
namespace {

/// The offsets, in order, for which R is lowest at w = 0. R is then piecewise linear in each
/// offset, so its minimum is at kinks of the ramps.
std::vector<double> best_offsets(const RampSum& sum, const DualPoint& zero) {
  std::vector<double> kinks;
  for (const HingeLayer& layer : sum.layers) {
    for (const double kink : {layer.margin, sum.floor}) {
      if (std::isfinite(kink)) kinks.insert(kinks.end(), {kink, -kink});
    }
  }
  std::vector<double> best;
  double least = std::numeric_limits<double>::infinity();
  for (const double first : kinks) {
    for (const double second : sum.offsets == 1 ? std::vector{first} : kinks) {
      if (second < first) continue;
      std::vector<double> offsets{first, second};
      offsets.resize(sum.offsets);
      const double value = objective(sum, zero, offsets);
      if (value >= least) continue;
      least = value;
      best = std::move(offsets);
    }
  }
  return best;
}

}  // namespace

std::optional<DcaResult> zero_if_cheaper(const RampSum& sum, const DcaResult& found) {
  const bool convex = std::isinf(sum.floor);
  if (!convex && found.status == TrainStatus::converged) return std::nullopt;
  Theta zero{.point = DualPoint::zero(convex_part(sum, found.theta.flat)), .exact = true};
  zero.offsets = best_offsets(sum, zero.point);
  zero.objective = objective(sum, zero.point, zero.offsets);
  const bool impossible = found.bound && found.theta.objective < 0;  // a rounding error: R ≥ 0
  if (!impossible && zero.objective >= found.theta.objective) return std::nullopt;

  zero.flat = flat_sets(sum, zero.point.u, zero.offsets);
  DcaResult kept{
      .bound = found.bound, .steps = found.steps, .history = found.history, .status = found.status};
  if (found.bound && zero.flat == found.theta.flat) {
    zero.violation = found.theta.violation;  // of the dual point that bounds both
  } else {
    const HingeQp qp = convex_part(sum, zero.flat);
    const Optimality at = optimality(qp, zero.point, zero.offsets);
    zero.violation = at.violation;
    if (found.bound) kept.bound = at.dual;
  }
  if (kept.status == TrainStatus::stationary) kept.status = TrainStatus::stalled;
  end_history_at(zero.objective, kept.history);
  kept.theta = std::move(zero);
  return kept;
}

}  // namespace rampart
