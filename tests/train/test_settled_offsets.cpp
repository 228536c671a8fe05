#include "train/settled_offsets.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace rampart {
namespace {

/// Scores and labels for which w is given, and any objective.
struct AnyScores {
  std::vector<std::int8_t> y;
  std::vector<double> u;
  RowWeights weights;
  Objective objective{.costs = Costs::symmetric(*rc::gen::element(0.1, 0.25, 0.5)),
                      .mu = *rc::gen::element(0.5, 1.0),
                      .C = 2};

  AnyScores() {
    objective.loss = *rc::gen::element(LossKind::double_ramp, LossKind::double_hinge,
                                       LossKind::generalized_hinge, LossKind::hinge);
    for (int n = 0; n < 9; ++n) {
      y.push_back(*rc::gen::element<std::int8_t>(-1, 1));
      u.push_back(*rc::gen::inRange(-400, 400) / 100.0);
      weights.rows.push_back(*rc::gen::inRange(0, 3));
    }
  }
};

std::vector<double> settled(const RampSum& sum, const std::vector<double>& u,
                            std::vector<double> offsets) {
  settle_offsets(sum, u, offsets);
  return offsets;
}

std::vector<double> any_offsets(const RampSum& sum) {
  std::vector<double> offsets;
  for (std::size_t o = 0; o < sum.offsets; ++o) {
    offsets.push_back(*rc::gen::inRange(-3000, 3000) / 1000.0 + 1e-5);
  }
  std::ranges::sort(offsets);
  return offsets;
}

RC_GTEST_PROP(SettledOffsets, NeverRaiseR, ()) {
  const AnyScores any;
  const RampSum sum = ramp_sum(any.objective, any.y, any.weights);
  const std::vector<double> before = any_offsets(sum);
  const std::vector<double> after = settled(sum, any.u, before);
  RC_ASSERT(std::ranges::is_sorted(after));
  RC_ASSERT(loss(sum, any.u, after) <= loss(sum, any.u, before) + 1e-12);
}

/// The convex problem that touches R at `before`, without ½‖w‖².
double majorizer(const RampSum& sum, const std::vector<double>& u,
                 const std::vector<double>& before, const std::vector<double>& at) {
  double total = 0;
  for (const HingeLayer& layer : sum.layers) {
    for (std::size_t n = 0; n < u.size(); ++n) {
      const double y = sum.y[n];
      const double s = y * (u[n] + at[layer.offset]);
      const bool flat = y * (u[n] + before[layer.offset]) < sum.floor;
      total +=
          layer.cap(sum.y[n], n) * (std::max(0.0, layer.margin - s) + (flat ? s - sum.floor : 0));
    }
  }
  return total;
}

// So a lower bound of the convex problem still bounds R. Quarters put many rows on an edge.
RC_GTEST_PROP(SettledOffsets, LieWhereTheConvexProblemOfTheStartTouchesR, ()) {
  AnyScores any;
  for (double& u : any.u) u = std::round(4 * u) / 4;
  const RampSum sum = ramp_sum(any.objective, any.y, any.weights);
  std::vector<double> before = any_offsets(sum);
  for (double& offset : before) offset = std::round(4 * offset) / 4;
  const std::vector<double> after = settled(sum, any.u, before);
  RC_ASSERT(std::abs(loss(sum, any.u, after) - majorizer(sum, any.u, before, after)) < 1e-12);
}

RC_GTEST_PROP(SettledOffsets, OfAConvexLossDoNotDependOnTheStartAndAreNotBeaten, ()) {
  AnyScores any;
  RC_PRE(any.objective.loss != LossKind::double_ramp);
  any.y[0] = 1;
  any.y[1] = -1;
  any.weights.rows[0] = any.weights.rows[1] = 1;
  const RampSum sum = ramp_sum(any.objective, any.y, any.weights);
  const std::vector<double> one = settled(sum, any.u, any_offsets(sum));
  const std::vector<double> other = settled(sum, any.u, any_offsets(sum));
  RC_ASSERT(std::abs(one[0] - other[0]) < 1e-12);
  for (double b = -6; b <= 6; b += 0.01) {
    RC_ASSERT(loss(sum, any.u, one) <= loss(sum, any.u, std::vector{b}) + 1e-12);
  }
}

TEST(SettledOffsets, TakeTheMiddleOfWhatTheRowsLeaveOpen) {
  // Hinge: every b with u₊ + b ≥ 1 and u₋ + b ≤ −1 costs nothing.
  const std::vector<std::int8_t> y{1, -1};
  const RowWeights weights;
  const RampSum sum = ramp_sum({.loss = LossKind::hinge}, y, weights);
  EXPECT_DOUBLE_EQ(settled(sum, {3, -2}, {0.3})[0], -0.5);  // −2 ≤ b ≤ 1
}

}  // namespace
}  // namespace rampart
