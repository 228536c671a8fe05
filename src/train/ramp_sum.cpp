#include "train/ramp_sum.hpp"

#include <algorithm>
#include <numeric>

#include "model/losses.hpp"

namespace rampart {

RampSum ramp_sum(const Objective& objective, std::span<const std::int8_t> y,
                 std::span<const double> row_weights) {
  const HingeForm form = hinge_form(objective);
  RampSum sum{.y = y,
              .layers = {},
              .offsets = form.offsets,
              .floor = form.floor,
              .fixed_rho = form.rho};
  for (const Hinge& hinge : form.hinges) {
    HingeLayer& layer = sum.layers.emplace_back();
    layer.margin = hinge.margin;
    layer.offset = hinge.offset;
    layer.cap.reserve(y.size());
    for (std::size_t n = 0; n < y.size(); ++n) {
      layer.cap.push_back((y[n] > 0 ? hinge.positive : hinge.negative) * row_weights[n]);
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
