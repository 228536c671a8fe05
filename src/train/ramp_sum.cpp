#include "train/ramp_sum.hpp"

#include <algorithm>
#include <numeric>

#include "rampart/loss.hpp"

namespace rampart {
namespace {

/// Caps of one layer: what a positive and what a negative row pay per unit, times its weight.
HingeLayer layer(double margin, std::size_t offset, double positive, double negative,
                 std::span<const std::int8_t> y, std::span<const double> row_weights) {
  HingeLayer result{.margin = margin, .offset = offset, .cap = {}, .flat = {}};
  result.cap.reserve(y.size());
  for (std::size_t n = 0; n < y.size(); ++n) {
    result.cap.push_back((y[n] > 0 ? positive : negative) * row_weights[n]);
  }
  return result;
}

}  // namespace

RampSum ramp_sum(const TrainOptions& options, std::span<const std::int8_t> y,
                 std::span<const double> row_weights) {
  const double C = options.objective.C;
  const Costs& costs = options.objective.costs;
  const double d = costs.reject_positive;  // of the convex losses, whose costs are symmetric
  const auto make = [&](double margin, std::size_t offset, double positive, double negative) {
    return layer(margin, offset, positive, negative, y, row_weights);
  };
  RampSum sum{.y = y, .layers = {}};
  switch (options.objective.loss) {
    case LossKind::hinge:
      sum.layers = {make(1, 0, C, C)};
      break;
    case LossKind::generalized_hinge: {
      const double kink = C * (1 - 2 * d) / d;
      sum.layers = {make(1, 0, C, C), make(0, 0, kink, kink)};
      sum.fixed_rho = GeneralizedHingeLoss{d}.threshold();
      break;
    }
    case LossKind::double_hinge: {
      const double kink = C * (1 - 2 * d);
      sum.layers = {make(DoubleHingeLoss{d}.entropy() / d, 0, C * d, C * d),
                    make(0, 0, kink, kink)};
      sum.fixed_rho = DoubleHingeLoss{d}.threshold();
      break;
    }
    case LossKind::double_ramp: {
      const double mu = options.objective.mu;
      const double scale = C / mu;
      sum.floor = -mu * mu;
      if (!costs.rejecting_can_pay()) {  // d = 1/2: one surface, ρ = 0, the plain ramp loss
        sum.layers = {make(mu, 0, scale * costs.false_negative, scale * costs.false_positive)};
        break;
      }
      sum.offsets = 2;
      sum.layers = {make(mu, 0, scale * costs.reject_positive,
                         scale * (costs.false_positive - costs.reject_negative)),
                    make(mu, 1, scale * (costs.false_negative - costs.reject_positive),
                         scale * costs.reject_negative)};
      break;
    }
  }
  return sum;
}

FlatSets no_flat_sets(const RampSum& sum) {
  return {sum.layers.size(), std::vector<std::uint8_t>(sum.y.size(), 0)};
}

FlatSets flat_sets(const RampSum& sum, std::span<const double> u, std::span<const double> offsets) {
  FlatSets sets = no_flat_sets(sum);
  for (std::size_t r = 0; r < sum.layers.size(); ++r) {
    const double offset = offsets[sum.layers[r].offset];
    for (std::size_t n = 0; n < u.size(); ++n) {
      sets[r][n] = sum.y[n] * (u[n] + offset) < sum.floor ? 1 : 0;
    }
  }
  return sets;
}

std::size_t changes(const FlatSets& one, const FlatSets& other) {
  std::size_t changed = 0;
  for (std::size_t r = 0; r < one.size(); ++r) {
    for (std::size_t n = 0; n < one[r].size(); ++n) changed += one[r][n] != other[r][n] ? 1 : 0;
  }
  return changed;
}

std::size_t count(const FlatSets& sets) {
  std::size_t total = 0;
  for (const auto& layer : sets) total += std::accumulate(layer.begin(), layer.end(), 0UL);
  return total;
}

HingeQp convex_part(const RampSum& sum, const FlatSets& flat) {
  HingeQp qp{.y = sum.y, .layers = sum.layers, .offsets = sum.offsets};
  for (std::size_t r = 0; r < qp.layers.size(); ++r) {
    qp.layers[r].flat = flat[r];
    for (std::size_t n = 0; n < sum.y.size(); ++n) {
      if (flat[r][n] != 0) qp.constant -= qp.layers[r].cap[n] * sum.floor;
    }
  }
  return qp;
}

double loss(const RampSum& sum, std::span<const double> u, std::span<const double> offsets) {
  double total = 0;
  for (const HingeLayer& layer : sum.layers) {
    for (std::size_t n = 0; n < u.size(); ++n) {
      const double s = sum.y[n] * (u[n] + offsets[layer.offset]);
      total += layer.cap[n] * (layer.margin - std::clamp(s, sum.floor, layer.margin));
    }
  }
  return total;
}

double objective(const RampSum& sum, const DualPoint& point, std::span<const double> offsets) {
  return point.half_norm() + loss(sum, point.u, offsets);
}

bool order_surfaces(const RampSum& sum, const DualPoint& point, std::vector<double>& offsets) {
  if (offsets.size() < 2 || offsets[0] <= offsets[1]) return false;
  std::swap(offsets[0], offsets[1]);
  const std::vector<double> merged(2, offsets[0] + (offsets[1] - offsets[0]) / 2);
  if (objective(sum, point, merged) < objective(sum, point, offsets)) offsets = merged;
  return true;
}

Band band(const RampSum& sum, std::span<const double> offsets) {
  if (sum.offsets == 1) return {offsets[0], sum.fixed_rho};
  const double rho = (offsets[1] - offsets[0]) / 2;
  return {offsets[0] + rho, rho};
}

}  // namespace rampart
