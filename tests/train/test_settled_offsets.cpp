#include "train/settled_offsets.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
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
