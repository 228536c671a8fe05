#include "train/dca.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "kernel/row_cache.hpp"
#include "kernel/semidefinite.hpp"
#include "noisy_line.hpp"
#include "train/kernel_solver.hpp"

namespace rampart {
namespace {

using testing_support::noisy_line;

/// How the rounds of a test are solved: to a small tolerance, with small or large working sets.
struct Solving {
  DcaOptions dca{.tolerance = 1e-9};
  SmoSizes sizes;
  double finest_tolerance = 1e-11;
};

/// The rounds on a small data set, with all parts accessible to the test.
struct SmallTraining {
  Dataset data;
  TrainOptions options;
  TrainingRows rows;
  RowWeights weights;
  RampSum sum;

  SmallTraining(Dataset set, TrainOptions with, const Kernel& kernel)
      : data(std::move(set)),
        options(std::move(with)),
        rows{.x = data.x, .kernel = kernel, .semidefinite = least_kernel_rounding},
        sum(ramp_sum(options.objective, data.y, weights)) {}
  SmallTraining(const SmallTraining&) = delete;  // sum and rows view data

  KernelSolver<RowCache<double>> solver(const Solving& how = {}) const {
    return {rows, RowCache<double>(rows.kernel, rows.x, 1 << 22),
            KernelSolverOptions{.sizes = how.sizes, .finest_tolerance = how.finest_tolerance}};
  }
  DcaResult run(const Solving& how) const { return run(how, no_flat_sets(sum)); }
  DcaResult run(const Solving& how, FlatSets start) const {
    auto smo = solver(how);
    return DcaRounds(sum, smo, how.dca).minimise(std::move(start));
  }
  void solve(const HingeQp& qp, DualPoint& point, double tolerance) const {
    auto smo = solver();
    smo.solve(qp, point, {.tolerance = tolerance});
  }
};

double gap_of(const DcaResult& result) {
  return relative_gap(result.theta.objective, *result.bound);
}

const Solving fine;

/// With and without loose first rounds, with small and large working sets.
Solving any_fine() {
  return {.dca = {.tolerance = 1e-9, .first_tolerance = *rc::gen::element(0.0, 0.04, 0.3)},
          .sizes = {.working_rows = *rc::gen::element<std::size_t>(4, 17, 512)}};
}

TrainOptions any_options() {
  return {.objective = {.costs = Costs::symmetric(*rc::gen::element(0.13, 0.21, 0.33, 0.43)),
                        .mu = *rc::gen::element(0.4, 1.0),
                        .C = *rc::gen::element(0.5, 4.0)}};
}
Kernel any_kernel() {
  return *rc::gen::arbitrary<bool>() ? Kernel(LinearKernel{}) : Kernel(RbfKernel{1.5});
}

RC_GTEST_PROP(Dca, MinimisingTheConvexPartNeverRaisesR, ()) {
  // The rounds without the rule that only a lower R is accepted.
  SmallTraining training(noisy_line(60, *rc::gen::arbitrary<std::uint32_t>()), any_options(),
                         any_kernel());
  FlatSets flat = no_flat_sets(training.sum);
  double last = std::numeric_limits<double>::infinity();
  for (int l = 0; l < 6; ++l) {
    const HingeQp qp = convex_part(training.sum, flat);
    DualPoint point = DualPoint::zero(qp);
    training.solve(qp, point, 1e-9);
    std::vector<double> offsets;
    for (const OffsetClaims& claims : offset_claims(qp, point)) offsets.push_back(claims.settled());
    order_surfaces(training.sum, point, offsets);
    const double r = objective(training.sum, point, offsets);
    RC_ASSERT(r <= last + 1e-6);
    last = r;
    flat = flat_sets(training.sum, point.u, offsets);
  }
}

RC_GTEST_PROP(Dca, TheHistoryFallsAndEndsAtTheResult, ()) {
  SmallTraining training(noisy_line(60, *rc::gen::arbitrary<std::uint32_t>()), any_options(),
                         any_kernel());
  const double tolerance = *rc::gen::element(1e-2, 1e-3, 1e-8);
  const DcaResult result = training.run(
      {.dca = {.tolerance = tolerance, .first_tolerance = *rc::gen::element(0.0, 0.1, 1.0)},
       .sizes = {.working_rows = *rc::gen::element<std::size_t>(2, 9, 30, 512)},
       .finest_tolerance = 1e-10});
  for (std::size_t l = 1; l < result.history.size(); ++l) {
    RC_ASSERT(result.history[l].objective <= result.history[l - 1].objective);
  }
  RC_ASSERT(result.theta.objective == result.history.back().objective);
}

RC_GTEST_PROP(Dca, EndsAtAnOptimumOfTheProblemOfItsOwnFlatSets, ()) {
  SmallTraining training(noisy_line(60, *rc::gen::arbitrary<std::uint32_t>()), any_options(),
                         any_kernel());
  const DcaResult result = training.run(any_fine());
  RC_ASSERT(result.status == TrainStatus::converged);
  RC_ASSERT(result.theta.offsets[0] <= result.theta.offsets[1]);
  RC_PRE(!testing_support::ends_in_a_tie(result.history, training.data.y, training.options));
  RC_PRE(result.theta.offsets[0] <
         result.theta.offsets[1] - 1e-6);  // at ρ = 0 the constraint ρ ≥ 0 may be active
  const FlatSets own = flat_sets(training.sum, result.theta.point.u, result.theta.offsets);
  const Optimality at =
      optimality(convex_part(training.sum, own), result.theta.point, result.theta.offsets);
  RC_ASSERT(at.infeasibility <= 1e-9);
  RC_ASSERT(at.dual <= at.primal + 1e-9);
  RC_ASSERT(at.primal - at.dual <= 1e-7 * result.theta.objective);
  RC_ASSERT(std::abs(at.primal - result.theta.objective) <= 1e-9 * result.theta.objective);
  RC_ASSERT(std::abs((at.primal - at.dual) / result.theta.objective - gap_of(result)) <= 1e-9);
}

RC_GTEST_PROP(Dca, TheTableOfTheDualVariablesHolds, ()) {  // table:behav_gamma
  SmallTraining training(noisy_line(60, *rc::gen::arbitrary<std::uint32_t>()), any_options(),
                         any_kernel());
  const DcaResult result = training.run(any_fine());
  RC_PRE(!testing_support::ends_in_a_tie(result.history, training.data.y, training.options));
  RC_PRE(result.theta.offsets[0] < result.theta.offsets[1] - 1e-6);
  constexpr double slack = 1e-6;
  for (std::size_t r = 0; r < training.sum.layers.size(); ++r) {
    const HingeLayer& layer = training.sum.layers[r];
    for (std::size_t n = 0; n < training.data.size(); ++n) {
      const double y = training.data.y[n];
      const double gamma = y * result.theta.point.delta[r][n];
      const double s = y * (result.theta.point.u[n] + result.theta.offsets[layer.offset]);
      if (s > layer.margin + slack || s < training.sum.floor - slack) RC_ASSERT(gamma == 0.0);
      if (s < layer.margin - slack && s > training.sum.floor + slack) {
        RC_ASSERT(gamma == layer.cap(training.sum.y[n], n));
      }
      RC_ASSERT(gamma >= 0);
      RC_ASSERT(gamma <= layer.cap(training.sum.y[n], n));
    }
  }
}

RC_GTEST_PROP(Dca, StartingFromItsOwnResultChangesNothing, ()) {
  SmallTraining training(noisy_line(50, *rc::gen::arbitrary<std::uint32_t>()), any_options(),
                         any_kernel());
  const DcaResult first = training.run(fine);
  RC_PRE(!testing_support::ends_in_a_tie(first.history, training.data.y, training.options));
  const DcaResult second = training.run(fine, first.theta.flat);
  RC_ASSERT(second.history.size() == 1U);
  RC_ASSERT(std::abs(second.theta.objective - first.theta.objective) <=
            1e-7 * first.theta.objective);
}

RC_GTEST_PROP(Dca, RowsWhoseDualVariablesAreZeroCanBeLeftOut, ()) {
  const Dataset all = noisy_line(60, *rc::gen::arbitrary<std::uint32_t>());
  const TrainOptions options = any_options();
  const Kernel kernel = any_kernel();
  SmallTraining training(all, options, kernel);
  const DcaResult result = training.run(any_fine());
  RC_PRE(!testing_support::ends_in_a_tie(result.history, all.y, options));
  std::vector<std::size_t> kept;
  for (std::size_t n = 0; n < all.size(); ++n) {
    bool used = false;
    for (const auto& layer : result.theta.point.delta) used |= layer[n] != 0;
    if (used) kept.push_back(n);
  }
  RC_PRE(kept.size() > 1);
  SmallTraining smaller(testing_support::subset(all, kept), options, kernel);
  FlatSets flat = no_flat_sets(smaller.sum);
  for (std::size_t r = 0; r < flat.size(); ++r) {
    for (std::size_t k = 0; k < kept.size(); ++k) flat[r][k] = result.theta.flat[r][kept[k]];
  }
  const HingeQp qp = convex_part(smaller.sum, flat);
  DualPoint point = DualPoint::zero(qp);
  smaller.solve(qp, point, 1e-10);
  for (std::size_t k = 0; k < kept.size(); ++k) {
    RC_ASSERT(std::abs(point.u[k] - result.theta.point.u[kept[k]]) < 1e-5);
  }
}

TEST(Dca, StopsAtTheRoundLimitAndSaysSo) {
  SmallTraining training(noisy_line(80, 3), {.objective = {.costs = Costs::symmetric(0.2), .C = 4}},
                         LinearKernel{});
  const std::size_t needed = training.run(fine).history.size();
  ASSERT_GT(needed, 2U);
  const DcaResult result = training.run({.dca = {.tolerance = 1e-9, .max_rounds = 1}});
  EXPECT_EQ(result.history.size(), 1U);
  EXPECT_EQ(result.status, TrainStatus::round_limit);
  EXPECT_GT(gap_of(result), 1e-4);
}

TEST(Dca, StopsAtTheStepLimitAndSaysSo) {
  SmallTraining training(noisy_line(80, 3), {.objective = {.costs = Costs::symmetric(0.2), .C = 4}},
                         LinearKernel{});
  const DcaResult result = training.run({.dca = {.tolerance = 1e-9, .max_steps = 7}});
  EXPECT_EQ(result.steps, 7U);
  EXPECT_EQ(result.status, TrainStatus::step_limit);
}

// The time is over when it is first checked: after one step, several, or a round.
TEST(Dca, StopsAtTheTimeLimitWithTheBestSoFarAndSaysSo) {
  SmallTraining training(noisy_line(80, 3), {.objective = {.costs = Costs::symmetric(0.2), .C = 4}},
                         LinearKernel{});
  const HingeQp first_round = convex_part(training.sum, no_flat_sets(training.sum));
  for (const std::uint64_t pause : {2U, 20U, 1'000'000U}) {
    const DcaResult result =
        training.run({.dca = {.tolerance = 1e-9, .max_seconds = 1e-9}, .sizes = {.pause = pause}});
    EXPECT_EQ(result.status, TrainStatus::time_limit);
    EXPECT_EQ(result.history.size(), 1U);
    if (pause < 1000) {
      EXPECT_EQ(result.steps, pause - 1);
    }
    const Optimality at = optimality(first_round, result.theta.point, result.theta.offsets);
    EXPECT_LE(at.infeasibility, 1e-9);
    EXPECT_TRUE(result.theta.exact);
    EXPECT_TRUE(std::isfinite(gap_of(result)));
    EXPECT_GE(gap_of(result), 0);  // the bound is below R, however far
  }
}

TEST(Dca, TheLimitThatIsReachedFirstIsTheStatus) {
  SmallTraining training(noisy_line(80, 3), {.objective = {.costs = Costs::symmetric(0.2), .C = 4}},
                         LinearKernel{});
  const auto status = [&](DcaOptions dca) {
    dca.tolerance = 1e-9;
    dca.max_seconds = 1e-9;
    return training.run({.dca = dca, .sizes = {.pause = 3}}).status;
  };
  EXPECT_EQ(status({.max_steps = 2}), TrainStatus::step_limit);
  EXPECT_EQ(status({.observe = [](const TrainProgress&) { return false; }}),
            TrainStatus::cancelled);
  EXPECT_EQ(status({.observe = [](const TrainProgress&) { return true; }}),
            TrainStatus::time_limit);
}

TEST(Dca, ALimitThatIsNotMetChangesNothing) {
  SmallTraining training(noisy_line(80, 3), {.objective = {.costs = Costs::symmetric(0.2), .C = 4}},
                         LinearKernel{});
  Solving limited = fine;
  limited.dca.max_seconds = 1e6;
  const DcaResult result = training.run(limited);
  EXPECT_EQ(result.status, TrainStatus::converged);
  EXPECT_EQ(result.theta.point.u, training.run(fine).theta.point.u);
}

TEST(Dca, RoundsThatImprovedNothingAreCountedWithTheLast) {
  std::vector<Round> history = {{.objective = 9, .steps = 1},
                                {.objective = 7, .steps = 2},
                                {.objective = 4, .steps = 4},
                                {.objective = 3, .steps = 8}};
  end_history_at(5, history);
  ASSERT_EQ(history.size(), 3U);
  EXPECT_EQ(history[1].objective, 7);
  EXPECT_EQ(history[2].objective, 5);
  EXPECT_EQ(history[2].steps, 4U + 8U);
}

}  // namespace
}  // namespace rampart
