#include "train/coordinate_descent.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "kernel/row_cache.hpp"
#include "kernel/semidefinite.hpp"
#include "train/dca.hpp"
#include "train/kernel_solver.hpp"
#include "train/lowest_point.hpp"

namespace rampart {
namespace {

/// Sparse rows with labels from a noisy surface, determined by the seed. Some rows are empty, but
/// none nearly so: beside an empty row, one of length 1e-3 takes descent 10⁶ sweeps, and training
/// goes on by Newton's method (LinearEdges.ARowOfNearlyNoLengthBesideEmptyOnes).
struct SparseRows {
  std::vector<std::size_t> starts{0};
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  std::vector<std::int8_t> y;
  std::size_t columns;

  SparseRows(std::size_t rows, std::size_t features, std::uint32_t seed) : columns(features) {
    std::mt19937 random(seed);
    const auto uniform = [&] { return static_cast<double>(random() % 10001) / 5000 - 1; };
    std::vector<double> truth;
    for (std::size_t j = 0; j < features; ++j) truth.push_back(uniform());
    for (std::size_t n = 0; n < rows; ++n) {
      double side = 0;
      for (std::size_t j = 0; j < features; ++j) {
        if (random() % features >= 5 || n % 17 == 3) continue;
        indices.push_back(static_cast<std::uint32_t>(j));
        const double value = uniform();
        values.push_back(std::copysign(0.1 + 0.9 * std::abs(value), value));
        side += truth[j] * values.back();
      }
      starts.push_back(indices.size());
      y.push_back((side > 0) != (random() % 8 == 0) ? 1 : -1);
    }
    y[0] = 1;
    y[1] = -1;
  }
  [[nodiscard]] Rows rows() const { return Rows::sparse(columns, starts, indices, values); }
};

/// A training problem, with all parts accessible.
struct Task {
  SparseRows data;
  Rows x;
  Objective objective;
  RowWeights weights;
  RampSum sum;

  Task(SparseRows of, Objective minimised, RowWeights by = {})
      : data(std::move(of)),
        x(data.rows()),
        objective(std::move(minimised)),
        weights(std::move(by)),
        sum(ramp_sum(objective, data.y, weights)) {}
  Task(const Task&) = delete;  // sum views data

  [[nodiscard]] DescentResult descend(double tolerance, const DescentStart* start = nullptr,
                                      std::size_t sweeps = 100'000) const {
    return coordinate_descent(sum, x, {.tolerance = tolerance, .max_sweeps = sweeps}, start);
  }
  /// By SMO on double rows.
  [[nodiscard]] DcaResult rounds(double tolerance) const {
    const TrainingRows rows{
        .x = x, .kernel = LinearKernel{}, .semidefinite = least_kernel_rounding};
    KernelSolver<RowCache<double>> smo(rows, RowCache<double>(rows.kernel, rows.x, 1 << 24),
                                       KernelSolverOptions{.finest_tolerance = 1e-11});
    return DcaRounds(sum, smo, DcaOptions{.tolerance = tolerance}).minimise(no_flat_sets(sum));
  }
};

Objective any_objective() {
  Objective objective{.costs = Costs::symmetric(*rc::gen::element(0.13, 0.21, 0.33, 0.43)),
                      .mu = *rc::gen::element(0.4, 1.0),
                      .C = *rc::gen::element(0.01, 0.5, 4.0)};
  objective.loss = *rc::gen::element(LossKind::double_ramp, LossKind::double_hinge,
                                     LossKind::generalized_hinge, LossKind::hinge);
  return objective;
}
Objective any_convex_objective() {
  Objective objective = any_objective();
  objective.loss =
      *rc::gen::element(LossKind::double_hinge, LossKind::generalized_hinge, LossKind::hinge);
  return objective;
}
/// Many features for the number of rows, as coordinate descent is made for.
SparseRows any_rows() {
  return {*rc::gen::inRange<std::size_t>(2, 90), *rc::gen::element<std::size_t>(60, 300, 2000),
          *rc::gen::arbitrary<std::uint32_t>()};
}
SparseRows any_narrow_rows() {
  return {*rc::gen::inRange<std::size_t>(2, 90), *rc::gen::element<std::size_t>(1, 8),
          *rc::gen::arbitrary<std::uint32_t>()};
}
RowWeights any_weights(std::size_t rows) {
  RowWeights weights;
  if (*rc::gen::arbitrary<bool>()) return weights;
  for (std::size_t n = 0; n < rows; ++n) {
    weights.rows.push_back(n < 2 ? 1.0 : *rc::gen::element(0.0, 0.5, 1.0, 3.0));
  }
  return weights;
}

double gap_of(const DescentResult& result) { return relative_gap(result.objective, result.bound); }

RC_GTEST_PROP(CoordinateDescent, TheCertificateHoldsByTheDefinitions, ()) {
  SparseRows rows = any_rows();
  RowWeights weights = any_weights(rows.y.size());
  const Task task(std::move(rows), any_objective(), std::move(weights));
  const DescentResult result = task.descend(1e-5);
  RC_ASSERT(result.status == TrainStatus::converged);
  RC_ASSERT(gap_of(result) <= 1e-5);

  // R, u and the flat sets are those of w and the offsets.
  double half_norm = 0;
  for (const double w : result.weights) half_norm += w * w / 2;
  for (std::size_t n = 0; n < result.u.size(); ++n) {
    double u = 0;
    task.x.for_each(n, [&](std::size_t j, double value) { u += result.weights[j] * value; });
    RC_ASSERT(std::abs(u - result.u[n]) <= 1e-12 * (1 + std::abs(u)));
  }
  const double value = half_norm + loss(task.sum, result.u, result.offsets);
  RC_ASSERT(std::abs(value - result.objective) <= 1e-10 * (1 + value));
  RC_ASSERT(flat_sets(task.sum, result.u, result.offsets) == result.flat);
  RC_ASSERT(std::ranges::is_sorted(result.offsets));

  // δ is feasible for the problem of these flat sets, and the bound is its dual value.
  const HingeQp qp = convex_part(task.sum, result.flat);
  DualPoint point{result.delta, std::vector<double>(result.u.size())};
  std::vector<double> w(task.x.columns(), 0.0);
  for (std::size_t n = 0; n < result.u.size(); ++n) {
    task.x.for_each(n, [&](std::size_t j, double x) { w[j] += point.coefficient(n) * x; });
  }
  for (std::size_t n = 0; n < result.u.size(); ++n) {
    task.x.for_each(n, [&](std::size_t j, double x) { point.u[n] += w[j] * x; });
  }
  const Optimality found = optimality(qp, point, result.offsets);
  RC_ASSERT(found.infeasibility <= 1e-9 * (1 + point.largest()));
  RC_ASSERT(std::abs(found.dual - result.bound) <= 1e-9 * (1 + std::abs(found.dual)));
}

RC_GTEST_PROP(CoordinateDescent, WhereItIsSlowTheGapIsTrueAllTheSame, ()) {
  const Task task(any_narrow_rows(), any_objective());
  const DescentResult result = task.descend(1e-4, nullptr, 300);
  const bool certified = gap_of(result) <= 1e-4;
  RC_ASSERT(result.status == (certified ? TrainStatus::converged : TrainStatus::step_limit));
  RC_ASSERT(result.bound <= result.objective * (1 + 1e-12));
}

RC_GTEST_PROP(CoordinateDescent, FindsTheOptimumOfAConvexLossThatSmoFinds, ()) {
  const Task task(any_rows(), any_convex_objective());
  const DescentResult result = task.descend(1e-7);
  const DcaResult smo = task.rounds(1e-9);
  RC_ASSERT(result.status == TrainStatus::converged);
  RC_ASSERT(std::abs(result.objective - smo.theta.objective) <= 3e-7 * smo.theta.objective);
}

RC_GTEST_PROP(CoordinateDescent, CertifiesTheResultOfSmo, ()) {
  Objective objective = any_objective();
  objective.loss = LossKind::double_ramp;
  const Task task(any_rows(), objective);
  const DcaResult smo = task.rounds(1e-9);
  RC_PRE(smo.status == TrainStatus::converged);
  const DescentStart start{smo.theta.point.delta, smo.theta.offsets};
  const DescentResult result = task.descend(1e-6, &start);
  RC_ASSERT(result.status == TrainStatus::converged);
  RC_ASSERT(result.objective <= smo.theta.objective * (1 + 2e-6));
}

RC_GTEST_PROP(CoordinateDescent, RNeverRises, ()) {
  const Task task(any_rows(), any_objective());
  const DescentResult result = task.descend(1e-6);
  RC_ASSERT(!result.history.empty());
  RC_ASSERT(std::ranges::is_sorted(result.history, std::ranges::greater{}, &Round::objective));
  RC_ASSERT(result.history.back().objective == result.objective);
}

RC_GTEST_PROP(CoordinateDescent, StartedFromItsOwnResultItEndsSoon, ()) {
  const Task task(any_rows(), any_objective());
  const DescentResult cold = task.descend(1e-6);
  const DescentStart start{cold.delta, cold.offsets};
  const DescentResult warm = task.descend(2e-6, &start);
  RC_ASSERT(warm.status == TrainStatus::converged);
  RC_ASSERT(warm.sweeps <= std::max<std::size_t>(5, cold.sweeps / 2));
  RC_ASSERT(warm.objective <= cold.objective * (1 + 4e-6));
}

RC_GTEST_PROP(CoordinateDescent, ARowOfWeightTwoIsTwoRows, ()) {
  const SparseRows once = any_rows();
  SparseRows twice = once;
  for (std::size_t k = 0; k < once.indices.size(); ++k) {
    twice.indices.push_back(once.indices[k]);
    twice.values.push_back(once.values[k]);
  }
  for (std::size_t n = 0; n < once.y.size(); ++n) {
    twice.starts.push_back(once.starts.back() + once.starts[n + 1]);
    twice.y.push_back(once.y[n]);
  }
  const Objective objective = any_convex_objective();
  const Task weighted(once, objective, {.rows = std::vector<double>(once.y.size(), 2.0)});
  const Task repeated(twice, objective);
  const double a = weighted.descend(1e-6).objective;
  const double b = repeated.descend(1e-6).objective;
  RC_ASSERT(std::abs(a - b) <= 2e-6 * a);
}

RC_GTEST_PROP(LowestPoint, NoKinkIsLowerAndNoLowestPointIsNearer, ()) {
  std::vector<Kink> kinks;
  const double slope = -*rc::gen::inRange(0, 30);
  double last = slope;
  for (const int at : *rc::gen::container<std::vector<int>>(rc::gen::inRange(-9, 9))) {
    kinks.push_back({static_cast<double>(at), static_cast<double>(*rc::gen::inRange(1, 5))});
    last += kinks.back().change;
  }
  RC_PRE(last >= 0);
  const auto value = [&](double at) {
    double total = slope * at;
    for (const Kink& kink : kinks) total += kink.change * std::max(0.0, at - kink.at);
    return total;
  };
  const double present = *rc::gen::inRange(-12, 12);
  const double found = lowest_point(kinks, slope, present);
  for (double at = -12; at <= 12; at += 0.5) {
    RC_ASSERT(value(found) <= value(at));
    if (value(at) == value(found)) RC_ASSERT(std::abs(found - present) <= std::abs(at - present));
  }
}

TEST(CoordinateDescent, HowTheRowsAreStoredChangesNoBit) {
  const Task task(SparseRows(200, 60, 5), {.costs = Costs::symmetric(0.2)});
  const DescentResult one = task.descend(1e-6);

  std::vector<std::int64_t> starts(task.data.starts.begin(), task.data.starts.end());
  std::vector<std::int64_t> indices(task.data.indices.begin(), task.data.indices.end());
  const auto other_indices = RowsView::sparse<std::int64_t, std::int64_t, double>(
      task.data.columns, starts, indices, task.data.values);
  const DescentOptions options{.tolerance = 1e-6, .max_sweeps = 100'000};
  const DescentResult two = coordinate_descent(task.sum, other_indices, options);
  EXPECT_EQ(one.weights, two.weights);
  EXPECT_EQ(one.delta, two.delta);

  std::vector<std::size_t> all(task.x.size());
  for (std::size_t n = 0; n < all.size(); ++n) all[n] = n;
  const DescentResult three = coordinate_descent(task.sum, RowsView(task.x).rows(all), options);
  EXPECT_EQ(one.weights, three.weights);

  // Dense rows add their products in another order.
  const DescentResult dense = coordinate_descent(task.sum, task.x.to_dense(), options);
  EXPECT_NEAR(one.objective, dense.objective, 1e-5 * one.objective);
}

TEST(CoordinateDescent, ALimitGivesTheBestPointSoFar) {
  const Task task(SparseRows(300, 40, 6), {.costs = Costs::symmetric(0.2), .C = 4});
  const DescentResult limited = task.descend(1e-12, nullptr, 2);
  EXPECT_EQ(limited.status, TrainStatus::step_limit);
  EXPECT_EQ(limited.sweeps, 2U);
  EXPECT_TRUE(std::isfinite(limited.objective));
  EXPECT_LE(limited.bound, limited.objective);

  const DescentResult stopped = coordinate_descent(
      task.sum, task.x,
      {.tolerance = 1e-12, .observe = [](const DescentProgress& at) { return at.sweeps < 3; }});
  EXPECT_EQ(stopped.status, TrainStatus::cancelled);
  EXPECT_EQ(stopped.sweeps, 3U);

  const DescentResult late =
      coordinate_descent(task.sum, task.x, {.tolerance = 1e-12, .max_seconds = 0});
  EXPECT_EQ(late.status, TrainStatus::time_limit);
}

TEST(CoordinateDescent, RowsWithoutFeaturesAreSolvedByTheOffsetsAlone) {
  SparseRows rows(40, 3, 7);
  rows.indices.clear();
  rows.values.clear();
  std::ranges::fill(rows.starts, 0);
  Objective objective{.C = 2};
  objective.loss = LossKind::hinge;
  const Task task(rows, objective);
  const auto positives = static_cast<double>(std::ranges::count(task.data.y, 1));
  const DescentResult result = task.descend(1e-6);
  EXPECT_EQ(result.status, TrainStatus::converged);
  // The better of both constant answers: each row of the other class costs 2C.
  EXPECT_NEAR(result.objective, 4 * std::min(positives, 40 - positives), 1e-4);
}

TEST(CoordinateDescent, AMillionFeaturesAndTenRows) {
  const Task task(SparseRows(10, 1'000'000, 8), {.costs = Costs::symmetric(0.2)});
  EXPECT_EQ(task.descend(5e-5).status, TrainStatus::converged);
}

TEST(CoordinateDescent, FrequentFlatsEndInNoWorseOptimumThanTheRounds) {
  // As the paper's algorithm from Θ = 0, up to the spread of local optima.
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    const Task task(SparseRows(400, 200, seed), {.costs = Costs::symmetric(0.2)});
    const DescentResult result = task.descend(5e-5);
    EXPECT_EQ(result.status, TrainStatus::converged);
    EXPECT_LE(result.objective, task.rounds(1e-4).theta.objective * 1.01) << "seed " << seed;
  }
}

}  // namespace
}  // namespace rampart
