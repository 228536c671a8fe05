#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "problems.hpp"
#include "solver/hinge_qp.hpp"

namespace rampart {
namespace {

using testing_support::RandomProblem;
using testing_support::settled_offsets;

RC_GTEST_PROP(HingeQp, EveryBoxContainsZeroAndIsAsWideAsItsCap, ()) {
  const RandomProblem problem(7, 2, 2, 3, *rc::gen::arbitrary<std::uint32_t>());
  const HingeQp& qp = problem.qp;
  for (std::size_t r = 0; r < 2; ++r) {
    for (std::size_t n = 0; n < qp.size(); ++n) {
      RC_ASSERT(qp.low(r, n) <= 0);
      RC_ASSERT(qp.high(r, n) >= 0);
      RC_ASSERT(qp.high(r, n) - qp.low(r, n) == qp.cap(r, n));
    }
  }
}

RC_GTEST_PROP(HingeQp, NoFeasiblePointLiesAboveAnyPrimalValue, ()) {
  RandomProblem problem(8, *rc::gen::element(1, 2), 1, 3, *rc::gen::arbitrary<std::uint32_t>());
  DualPoint point = DualPoint::zero(problem.qp);
  for (auto& layer : point.delta) {
    for (double& delta : layer) delta = *rc::gen::inRange(-200, 200) / 100.0;
  }
  fit_into_boxes(problem.qp, point);
  point.u = problem.product(point.coefficients());
  const double offset = *rc::gen::inRange(-300, 300) / 100.0;
  const Optimality at = optimality(problem.qp, point, std::vector{offset});
  RC_ASSERT(at.infeasibility <= 1e-12);
  RC_ASSERT(at.dual <= at.primal + 1e-12);
}

RC_GTEST_PROP(HingeQp, FittingIntoBoxesMakesAnyPointFeasibleAndLeavesFeasibleOnes, ()) {
  RandomProblem problem(9, 2, *rc::gen::element(1, 2), 3, *rc::gen::arbitrary<std::uint32_t>());
  DualPoint point = DualPoint::zero(problem.qp);
  for (auto& layer : point.delta) {
    for (double& delta : layer) delta = *rc::gen::inRange(-500, 500) / 100.0;
  }
  for (double& u : point.u) u = *rc::gen::inRange(-500, 500) / 100.0;
  fit_into_boxes(problem.qp, point);
  const auto offsets = std::vector<double>(problem.qp.offsets, 0.0);
  RC_ASSERT(optimality(problem.qp, point, offsets).infeasibility <= 1e-12);
  const auto once = point.delta;
  fit_into_boxes(problem.qp, point);
  RC_ASSERT(point.delta == once);
}

TEST(HingeQp, OneRowOfEachClassIsSolvedByHand) {
  // K = I, hinge loss, C large: w = φ₁ − φ₂, u = (1, −1), b = 0, value ½·2 = 1.
  const std::vector<std::int8_t> y{1, -1};
  const HingeQp qp{.y = y,
                   .layers = {HingeLayer{.margin = 1, .offset = 0, .positive = 9, .negative = 9}}};
  const DualPoint point{.delta = {{1, -1}}, .u = {1, -1}};
  const Optimality at = optimality(qp, point, settled_offsets(qp, point));
  EXPECT_EQ(at.infeasibility, 0);
  EXPECT_EQ(at.violation, 0);
  EXPECT_EQ(at.primal, 1);
  EXPECT_EQ(at.dual, 1);
}

TEST(HingeQp, InfeasibilityAndViolationAreFound) {
  const std::vector<std::int8_t> y{1, -1};
  const HingeQp qp{.y = y,
                   .layers = {HingeLayer{.margin = 1, .offset = 0, .positive = 1, .negative = 1}}};
  const DualPoint outside{.delta = {{1.5, -1}}, .u = {1.5, -1}};
  EXPECT_DOUBLE_EQ(optimality(qp, outside, std::vector{0.0}).infeasibility, 0.5);
  // At 0 both rows may move: "the offset is at least 1" and "at most −1".
  const DualPoint start{.delta = {{0, 0}}, .u = {0, 0}};
  EXPECT_EQ(optimality(qp, start, std::vector{0.0}).violation, 2);
}

TEST(OffsetClaims, SettleInTheMiddleOrAtTheOneEndThereIs) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ((OffsetClaims{1, 3}.settled()), 2);
  EXPECT_EQ((OffsetClaims{-infinity, 3}.settled()), 3);
  EXPECT_EQ((OffsetClaims{1, infinity}.settled()), 1);
  EXPECT_EQ((OffsetClaims{-infinity, infinity}.settled()), 0);
}

}  // namespace
}  // namespace rampart
