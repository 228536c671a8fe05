#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "model/loss.hpp"

namespace rampart {
namespace {

double any_d() { return *rc::gen::inRange(1, 501) / 1000.0; }
double any_mu() { return *rc::gen::inRange(1, 1001) / 1000.0; }
double any_rho() { return *rc::gen::inRange(0, 5000) / 1000.0; }
double any_margin() { return *rc::gen::inRange(-10000, 10001) / 1000.0; }

// ------------------------------------------------ Theorem 1, part by part [thm1]

RC_GTEST_PROP(DoubleRampLoss, Part1BoundsTheZeroDOneLossFromAbove, ()) {
  const double d = any_d();
  const double t = any_margin();
  const double rho = any_rho();
  RC_ASSERT((DoubleRampLoss{d, any_mu()}(t, rho) >= ZeroDOneLoss{d}(t, rho) - 1e-12));
}

RC_GTEST_PROP(DoubleRampLoss, Part2TendsToTheZeroDOneLossAsTheRampsGetSteep, ()) {
  const double d = any_d();
  const double rho = any_rho();
  const double t = any_margin();
  RC_PRE(std::abs(std::abs(t) - rho) > 1e-3);  // at t = ±ρ the two differ for every μ
  const double mu = 1e-4;
  RC_ASSERT(std::abs(DoubleRampLoss{d, mu}(t, rho) - ZeroDOneLoss{d}(t, rho)) <= mu + 1e-9);
}

RC_GTEST_PROP(DoubleRampLoss, Part3IsFlatBetweenTheRamps, ()) {
  const double d = any_d();
  const double mu = any_mu();
  const double rho = (mu + mu * mu) / 2 + *rc::gen::inRange(0, 3000) / 1000.0;
  // The paper prints the ends of this interval swapped.
  const double left = -rho + mu;
  const double right = rho - mu * mu;
  const double t = left + (right - left) * *rc::gen::inRange(0, 101) / 100.0;
  RC_ASSERT(std::abs(DoubleRampLoss{d, mu}(t, rho) - d * (1 + mu)) < 1e-9);
}

RC_GTEST_PROP(DoubleRampLoss, Part4IsNeverAboveOnePlusMu, ()) {
  const double mu = any_mu();
  RC_ASSERT((DoubleRampLoss{any_d(), mu}(any_margin(), any_rho()) <= 1 + mu + 1e-12));
}

RC_GTEST_PROP(DoubleRampLoss, Part5IsTheRampLossWithoutABand, ()) {
  const DoubleRampLoss loss{any_d(), any_mu()};
  const double t = any_margin();
  const double ramp =
      (positive_part(loss.mu - t) - positive_part(-loss.mu * loss.mu - t)) / loss.mu;
  RC_ASSERT(std::abs(loss(t, 0) - ramp) < 1e-9);
}

RC_GTEST_PROP(DoubleRampLoss, Part6IsNotConvexInMarginAndRho, ()) {
  // On the line ρ = const a convex function that is bounded is constant; this one is not.
  const DoubleRampLoss loss{any_d(), any_mu()};
  const double rho = any_rho();
  const double far = rho + 3;
  const double middle = loss(-far, rho);
  RC_ASSERT(middle > (loss(-2 * far, rho) + loss(far, rho)) / 2 + 1e-9);
}

RC_GTEST_PROP(DoubleRampLoss, NeverRisesWithTheMargin, ()) {
  const DoubleRampLoss loss{any_d(), any_mu()};
  const double rho = any_rho();
  const double t = any_margin();
  RC_ASSERT(loss(t + *rc::gen::inRange(0, 1000) / 1000.0, rho) <= loss(t, rho) + 1e-12);
}

RC_GTEST_PROP(DoubleRampLoss, ANegativeBandNeverCostsLess, ()) {  // lemma1, per row
  const DoubleRampLoss loss{any_d(), any_mu()};
  const double rho = any_rho();
  const double t = any_margin();
  RC_ASSERT(loss(t, -rho) >= loss(t, rho) - 1e-9);
}

// ------------------------------------------------ the convex losses [tab:losses]

RC_GTEST_PROP(DoubleHingeLoss, IsAScaledGeneralizedHingeLoss, ()) {
  const double d = any_d();
  const double t = any_margin();
  const DoubleHingeLoss double_hinge{d};
  const double h = double_hinge.entropy();
  RC_ASSERT(std::abs(double_hinge(t) - h * GeneralizedHingeLoss{d}(t * d / h)) < 1e-9);
}

RC_GTEST_PROP(DoubleHingeLoss, IsTheSumOfItsHinges, ()) {
  const DoubleHingeLoss loss{any_d()};
  const double t = any_margin();
  const double sum =
      loss.d * positive_part(loss.entropy() / loss.d - t) + (1 - 2 * loss.d) * positive_part(-t);
  RC_ASSERT(std::abs(loss(t) - sum) < 1e-9);
}

RC_GTEST_PROP(DoubleHingeLoss, TouchesTheLogisticLossWhereItsThresholdIs, ()) {
  // Each line is a tangent of log(1 + e^−t): slope −(1−d) at −ρ, slope −d at +ρ.
  const DoubleHingeLoss loss{any_d()};
  const double rho = loss.threshold();
  RC_ASSERT(std::abs(loss(rho) - std::log1p(std::exp(-rho))) < 1e-9);
  RC_ASSERT(std::abs(loss(-rho) - std::log1p(std::exp(rho))) < 1e-9);
  const double t = any_margin();
  RC_ASSERT(loss(t) <= std::log1p(std::exp(-t)) + 1e-9);  // so it lies below it everywhere
}

RC_GTEST_PROP(GeneralizedHingeLoss, IsTheSumOfItsHinges, ()) {
  const GeneralizedHingeLoss loss{any_d()};
  const double t = any_margin();
  const double sum = positive_part(1 - t) + (1 - 2 * loss.d) / loss.d * positive_part(-t);
  RC_ASSERT(std::abs(loss(t) - sum) < 1e-7);
}

RC_GTEST_PROP(GeneralizedHingeLoss, BoundsTheZeroDOneLossForRhoUpToOneMinusD, ()) {
  const double d = any_d();
  const double rho = (1 - d) * *rc::gen::inRange(0, 1001) / 1000.0;
  const double t = any_margin();
  RC_ASSERT(GeneralizedHingeLoss{d}(t) >= ZeroDOneLoss{d}(t, rho) - 1e-9);
}

RC_GTEST_PROP(DoubleHingeLoss, BoundsTheZeroDOneLossInThePapersInterval, ()) {
  const DoubleHingeLoss loss{any_d()};
  const double h = loss.entropy();
  const double low = (1 - h) / (1 - loss.d);
  const double high = (h - loss.d) / loss.d;
  RC_PRE(high > low);
  const double rho = std::max(0.0, low + (high - low) * *rc::gen::inRange(0, 1001) / 1000.0);
  const double t = any_margin();
  RC_ASSERT(loss(t) >= ZeroDOneLoss{loss.d}(t, rho) - 1e-9);
}

TEST(HingeLoss, IsOneAtTheSurfaceAndZeroFromTheMarginOn) {
  static_assert(HingeLoss{}(0) == 1 && HingeLoss{}(1) == 0 && HingeLoss{}(-2) == 3);
}

TEST(DoubleRampLoss, ARowFarOnTheWrongSideCostsOnePlusMu) {
  EXPECT_EQ((DoubleRampLoss{0.2, 1}(-1e30, 0.5)), 2);
}

TEST(ZeroDOneLoss, RejectsOnTheEndsOfTheBand) {
  static_assert(ZeroDOneLoss{0.2}(1, 1) == 0.2 && ZeroDOneLoss{0.2}(-1, 1) == 0.2);
  static_assert(ZeroDOneLoss{0.2}(1.5, 1) == 0 && ZeroDOneLoss{0.2}(-1.5, 1) == 1);
}

}  // namespace
}  // namespace rampart
