#include "train/ramp_sum.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

#include "model/loss.hpp"

namespace rampart {
namespace {

/// Θ with ½‖w‖² = 0 but any u, so that R is the loss alone.
struct AnyTheta {
  std::vector<std::int8_t> y;
  RowWeights weights;
  DualPoint point;
  double b = *rc::gen::inRange(-300, 300) / 100.0;
  double rho = *rc::gen::inRange(0, 300) / 100.0;

  explicit AnyTheta(std::size_t rows) {
    for (std::size_t n = 0; n < rows; ++n) {
      y.push_back(*rc::gen::element<std::int8_t>(-1, 1));
      weights.rows.push_back(*rc::gen::inRange(0, 30) / 10.0);
      point.u.push_back(*rc::gen::inRange(-400, 400) / 100.0);
    }
  }
  double t(std::size_t n) const { return y[n] * (point.u[n] + b); }
  std::vector<double> offsets(const RampSum& sum) const {
    return sum.offsets == 2 ? std::vector{b - rho, b + rho} : std::vector{b};
  }
  DualPoint with_zero_delta(const RampSum& sum) const {
    return {std::vector(sum.layers.size(), std::vector<double>(y.size(), 0.0)), point.u};
  }
};

template <class Loss>
void expect_sum_of(const Loss& loss, TrainOptions options, const AnyTheta& theta) {
  const RampSum sum = ramp_sum(options.objective, theta.y, theta.weights);
  double expected = 0;
  for (std::size_t n = 0; n < theta.y.size(); ++n) {
    expected += options.objective.C * theta.weights.rows[n] * loss(theta.t(n), theta.rho);
  }
  RC_ASSERT(std::abs(objective(sum, theta.with_zero_delta(sum), theta.offsets(sum)) - expected) <
            1e-9 * (1 + expected));
}

RC_GTEST_PROP(RampSum, EveryLossIsTheSumOfItsLayers, ()) {
  const AnyTheta theta(12);
  const double d = *rc::gen::inRange(1, 500) / 1000.0;
  const double mu = *rc::gen::inRange(1, 101) / 100.0;
  TrainOptions options{.objective = {.costs = Costs::symmetric(d), .mu = mu, .C = 2.5}};
  expect_sum_of(DoubleRampLoss{d, mu}, options, theta);
  options.objective.loss = LossKind::double_hinge;
  expect_sum_of(DoubleHingeLoss{d}, options, theta);
  options.objective.loss = LossKind::generalized_hinge;
  expect_sum_of(GeneralizedHingeLoss{d}, options, theta);
  options.objective.loss = LossKind::hinge;
  expect_sum_of(HingeLoss{}, options, theta);
}

RC_GTEST_PROP(RampSum, AtOneHalfItIsTheRampLossWithoutABand, ()) {
  AnyTheta theta(12);
  theta.rho = 0;
  expect_sum_of(DoubleRampLoss{0.5, 0.7},
                {.objective = {.costs = Costs::symmetric(0.5), .mu = 0.7, .C = 1.5}}, theta);
}

RC_GTEST_PROP(RampSum, WithSteepRampsItChargesTheTableOfCosts, ()) {
  const AnyTheta theta(12);
  const Costs costs{
      .false_positive = 2, .false_negative = 5, .reject_positive = 0.75, .reject_negative = 0.25};
  const double mu = 1e-7;
  const TrainOptions options{.objective = {.costs = costs, .mu = mu, .C = 1}};
  const RampSum sum = ramp_sum(options.objective, theta.y, theta.weights);
  double expected = 0;
  for (std::size_t n = 0; n < theta.y.size(); ++n) {
    const double f = theta.point.u[n] + theta.b;
    RC_PRE(std::abs(std::abs(f) - theta.rho) > 1e-5);
    const bool positive = theta.y[n] > 0;
    const bool rejected = std::abs(f) < theta.rho;
    const bool wrong = !rejected && (f > 0) != positive;
    expected += theta.weights.rows[n] *
                (rejected ? (positive ? costs.reject_positive : costs.reject_negative)
                 : wrong  ? (positive ? costs.false_negative : costs.false_positive)
                          : 0);
  }
  RC_ASSERT(std::abs(objective(sum, theta.with_zero_delta(sum), theta.offsets(sum)) - expected) <
            1e-4 * (1 + expected));
}

RC_GTEST_PROP(RampSum, TheConvexPartLiesAboveRAndTouchesItWhereItsFlatSetsAreRight, ()) {
  const AnyTheta here(15);
  const AnyTheta there(15);
  const TrainOptions options{.objective = {.costs = Costs::symmetric(0.2), .mu = 0.8, .C = 1.5}};
  const RampSum sum = ramp_sum(options.objective, here.y, here.weights);
  const auto value_of_bound = [&](const AnyTheta& at, const FlatSets& flat) {
    return optimality(convex_part(sum, flat), at.with_zero_delta(sum), at.offsets(sum)).primal;
  };
  const auto r = [&](const AnyTheta& at) {
    return objective(sum, at.with_zero_delta(sum), at.offsets(sum));
  };
  const FlatSets flat = flat_sets(sum, here.point.u, here.offsets(sum));
  RC_ASSERT(std::abs(value_of_bound(here, flat) - r(here)) < 1e-9 * (1 + r(here)));
  // `there` has labels of its own; only its u and offsets are taken.
  RC_ASSERT(value_of_bound(there, flat) >= r(there) - 1e-9 * (1 + r(there)));
}

TEST(RampSum, ConvexLossesHaveEmptyFlatSets) {
  const std::vector<std::int8_t> y{1, -1};
  const RowWeights weights;
  const RampSum sum = ramp_sum({.loss = LossKind::hinge}, y, weights);
  EXPECT_EQ(count(flat_sets(sum, std::vector{-1e300, 1e300}, std::vector{0.0})), 0U);
}

RC_GTEST_PROP(OrderSurfaces, NeverRaisesR, ()) {  // lemma1
  const AnyTheta theta(15);
  const TrainOptions options{.objective = {.costs = Costs::symmetric(0.3), .mu = 0.9}};
  const RampSum sum = ramp_sum(options.objective, theta.y, theta.weights);
  std::vector<double> offsets{theta.b + theta.rho, theta.b - theta.rho};  // the wrong way round
  const double before = objective(sum, theta.with_zero_delta(sum), offsets);
  const bool swapped = order_surfaces(sum, theta.with_zero_delta(sum), offsets);
  RC_ASSERT(swapped == (theta.rho > 0));
  RC_ASSERT(objective(sum, theta.with_zero_delta(sum), offsets) <= before + 1e-9);
  RC_ASSERT(band(sum, offsets).rho >= 0);
}

}  // namespace
}  // namespace rampart
