#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "problems.hpp"
#include "solver/smo.hpp"

namespace rampart {
namespace {

using testing_support::RandomProblem;
using testing_support::settled_offsets;
using testing_support::StoredMatrix;

struct Solved {
  DualPoint point;
  SolveResult result;
  Optimality at;
};

Solved solve(RandomProblem& problem, const SolveOptions& options, DualPoint start,
             SmoSizes sizes = {}) {
  Solved solved{.point = std::move(start)};
  solved.result = SmoSolver(problem.qp, problem.kernel, options, sizes).solve(solved.point);
  solved.at = optimality(problem.qp, solved.point, settled_offsets(problem.qp, solved.point));
  return solved;
}

Solved solve(RandomProblem& problem, const SolveOptions& options, SmoSizes sizes = {}) {
  return solve(problem, options, DualPoint::zero(problem.qp), sizes);
}

/// The optimum by trying every way to put each variable at its lower bound, its upper bound or in
/// between. In between, the equations "gradient = −offset" and "sum = 0" decide; the best feasible
/// point of all ways is the optimum. Singular systems are left out: whatever they could give, a way
/// with fewer variables in between gives too.
double best_of_all_active_sets(const RandomProblem& problem) {
  const HingeQp& qp = problem.qp;
  const std::size_t rows = qp.size();
  const std::size_t variables = rows * qp.layers.size();
  const auto layer = [&](std::size_t i) { return i / rows; };
  const auto row = [&](std::size_t i) { return i % rows; };
  std::size_t ways = 1;
  for (std::size_t i = 0; i < variables; ++i) ways *= 3;

  double best = std::numeric_limits<double>::infinity();
  for (std::size_t way = 0; way < ways; ++way) {
    std::vector<std::size_t> free;
    Eigen::VectorXd delta(variables);
    for (std::size_t i = 0, code = way; i < variables; ++i, code /= 3) {
      delta[i] = code % 3 == 0   ? qp.low(layer(i), row(i))
                 : code % 3 == 1 ? qp.high(layer(i), row(i))
                                 : 0;
      if (code % 3 == 2) free.push_back(i);
    }
    if (free.size() > rows + qp.offsets) continue;  // cannot be regular
    const std::size_t unknowns = free.size() + qp.offsets;
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(unknowns, unknowns);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(unknowns);
    std::vector<bool> offset_used(qp.offsets, false);
    for (std::size_t f = 0; f < free.size(); ++f) {
      const std::size_t i = free[f];
      const std::size_t o = qp.layers[layer(i)].offset;
      offset_used[o] = true;
      right[f] = qp.layers[layer(i)].margin * qp.y[row(i)];
      for (std::size_t j = 0; j < variables; ++j)
        right[f] -= problem.kernel(row(i), row(j)) * delta[j];
      for (std::size_t g = 0; g < free.size(); ++g) {
        a(f, g) = problem.kernel(row(i), row(free[g]));
      }
      a(f, free.size() + o) = a(free.size() + o, f) = 1;
    }
    for (std::size_t j = 0; j < variables; ++j) {
      right[free.size() + qp.layers[layer(j)].offset] -= delta[j];
    }
    for (std::size_t o = 0; o < qp.offsets; ++o) {
      if (!offset_used[o]) a(free.size() + o, free.size() + o) = 1;  // its sum must be 0 as it is
    }
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(a);
    if (!lu.isInvertible()) continue;
    const Eigen::VectorXd solution = lu.solve(right);
    bool feasible = true;
    for (std::size_t f = 0; f < free.size(); ++f) {
      const std::size_t i = free[f];
      delta[i] = solution[f];
      feasible &= delta[i] >= qp.low(layer(i), row(i)) - 1e-9;
      feasible &= delta[i] <= qp.high(layer(i), row(i)) + 1e-9;
    }
    for (std::size_t o = 0; o < qp.offsets && feasible; ++o) {
      double sum = 0;
      for (std::size_t j = 0; j < variables; ++j) {
        if (qp.layers[layer(j)].offset == o) sum += delta[j];
      }
      feasible = std::abs(sum) < 1e-9;
    }
    if (!feasible) continue;
    double value = 0;
    for (std::size_t i = 0; i < variables; ++i) {
      for (std::size_t j = 0; j < variables; ++j) {
        value += delta[i] * delta[j] * problem.kernel(row(i), row(j)) / 2;
      }
      value -= qp.layers[layer(i)].margin * qp.y[row(i)] * delta[i];
    }
    best = std::min(best, value);
  }
  return best;
}

double dual_objective(const RandomProblem& problem, const DualPoint& point) {
  const std::vector<double> v = point.coefficients();
  const std::vector<double> u = problem.product(v);
  double value = std::inner_product(v.begin(), v.end(), u.begin(), 0.0) / 2;
  for (std::size_t r = 0; r < problem.qp.layers.size(); ++r) {
    for (std::size_t n = 0; n < v.size(); ++n) {
      value -= problem.qp.layers[r].margin * problem.y[n] * point.delta[r][n];
    }
  }
  return value;
}

void expect_brute_force(std::size_t problems, std::size_t rows, std::size_t layers,
                        std::size_t offsets) {
  for (std::uint32_t seed = 0; seed < problems; ++seed) {
    RandomProblem problem(rows, layers, offsets, 1 + seed % 4,
                          1000 * seed + static_cast<std::uint32_t>(rows));
    const Solved solved = solve(problem, {.tolerance = 1e-10});
    EXPECT_EQ(solved.result.status, SolveStatus::solved);
    EXPECT_NEAR(dual_objective(problem, solved.point), best_of_all_active_sets(problem), 1e-8)
        << rows << " rows, " << layers << " layers, " << offsets << " offsets, seed " << seed;
  }
}

TEST(Smo, EqualsAnExhaustiveSearchOnTinyProblemsOfOneLayer) {
  for (std::size_t rows = 2; rows <= 6; ++rows) expect_brute_force(40, rows, 1, 1);
}
TEST(Smo, EqualsAnExhaustiveSearchOnTinyProblemsOfTwoSurfaces) {
  for (std::size_t rows = 2; rows <= 4; ++rows) expect_brute_force(40, rows, 2, 2);
  expect_brute_force(6, 5, 2, 2);
  expect_brute_force(2, 6, 2, 2);
}
TEST(Smo, EqualsAnExhaustiveSearchOnTinyProblemsOfTwoLayersOnOneOffset) {
  for (std::size_t rows = 2; rows <= 4; ++rows) expect_brute_force(40, rows, 2, 1);
  expect_brute_force(6, 5, 2, 1);
}

/// Working sets from single pairs to all rows.
std::size_t any_working_rows() { return *rc::gen::element<std::size_t>(2, 3, 8, 25, 512); }

RC_GTEST_PROP(Smo, EndsFeasibleWithinToleranceAndWithAProvenGap, ()) {
  const auto layers = *rc::gen::element<std::size_t>(1, 2);
  const auto offsets = layers == 1 ? 1 : *rc::gen::element<std::size_t>(1, 2);
  const double tolerance = *rc::gen::element(1e-2, 1e-4, 1e-8);
  RandomProblem problem(40, layers, offsets, 4, *rc::gen::arbitrary<std::uint32_t>());
  const Solved solved =
      solve(problem, {.tolerance = tolerance}, {.working_rows = any_working_rows()});
  RC_ASSERT(solved.result.status == SolveStatus::solved);
  RC_ASSERT(solved.at.infeasibility <= 1e-12);
  RC_ASSERT(solved.at.violation <= tolerance);
  double caps = 0;
  for (const HingeLayer& layer : problem.qp.layers) {
    caps += std::accumulate(layer.weights.begin(), layer.weights.end(), 0.0);
  }
  RC_ASSERT(solved.at.primal - solved.at.dual >= -1e-9);
  // Each row contributes at most its cap times half the violation.
  RC_ASSERT(solved.at.primal - solved.at.dual <= caps * tolerance / 2 + 1e-9);
}

RC_GTEST_PROP(Smo, KeepsUInStepWithDelta, ()) {
  RandomProblem problem(50, 2, 2, 5, *rc::gen::arbitrary<std::uint32_t>());
  const Solved solved = solve(problem, {.tolerance = 1e-6}, {.working_rows = any_working_rows()});
  const std::vector<double> u = problem.product(solved.point.coefficients());
  for (std::size_t n = 0; n < u.size(); ++n) RC_ASSERT(std::abs(u[n] - solved.point.u[n]) < 1e-9);
}

RC_GTEST_PROP(Smo, HowManyRowsAreWorkedOnAtATimeChangesNothingInTheEnd, ()) {
  RandomProblem problem(60, 2, *rc::gen::element<std::size_t>(1, 2), 4,
                        *rc::gen::arbitrary<std::uint32_t>());
  const Solved at_once = solve(problem, {.tolerance = 1e-9}, {.working_rows = 60});
  for (const std::size_t working_rows : {2, 5, 20, 59}) {
    const Solved in_parts = solve(problem, {.tolerance = 1e-9}, {.working_rows = working_rows});
    RC_ASSERT(in_parts.result.status == SolveStatus::solved);
    RC_ASSERT(in_parts.at.violation <= 1e-9);
    RC_ASSERT(std::abs(in_parts.at.dual - at_once.at.dual) < 1e-7);
  }
}

RC_GTEST_PROP(Smo, FindsTheSameOptimumFromAnyFeasibleStart, ()) {
  RandomProblem problem(30, 2, 2, 4, *rc::gen::arbitrary<std::uint32_t>());
  DualPoint start = DualPoint::zero(problem.qp);
  for (auto& layer : start.delta) {
    for (double& delta : layer) delta = *rc::gen::inRange(-300, 300) / 100.0;
  }
  fit_into_boxes(problem.qp, start);
  start.u = problem.product(start.coefficients());
  const Solved cold = solve(problem, {.tolerance = 1e-9});
  const Solved warm = solve(problem, {.tolerance = 1e-9}, start);
  RC_ASSERT(std::abs(cold.at.dual - warm.at.dual) < 1e-7);
}

RC_GTEST_PROP(Smo, ScalingTheKernelUpAndTheCapsDownScalesTheOptimumDown, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  const double factor = *rc::gen::element(0.25, 2.0, 8.0);
  RandomProblem problem(30, 2, 2, 4, seed);
  const Solved before = solve(problem, {.tolerance = 1e-10});
  std::vector<double> scaled;
  for (std::size_t n = 0; n < 30; ++n) {
    for (std::size_t m = 0; m < 30; ++m) scaled.push_back(factor * problem.kernel(n, m));
  }
  problem.kernel = StoredMatrix(30, std::move(scaled));
  for (std::vector<double>& caps : problem.caps) {
    for (double& cap : caps) cap /= factor;
  }
  const Solved after = solve(problem, {.tolerance = 1e-10});
  RC_ASSERT(std::abs(after.at.dual * factor - before.at.dual) < 1e-6);
}

TEST(Smo, StopsAtTheStepLimitWithAFeasiblePoint) {
  RandomProblem problem(60, 2, 2, 4, 5);
  for (const std::size_t working_rows : {4, 512}) {
    const Solved solved =
        solve(problem, {.tolerance = 1e-12, .max_steps = 9}, {.working_rows = working_rows});
    EXPECT_EQ(solved.result.status, SolveStatus::step_limit);
    EXPECT_EQ(solved.result.steps, 9U);
    EXPECT_LE(solved.at.infeasibility, 1e-12);
    EXPECT_NEAR(solved.result.violation, solved.at.violation, 1e-9);
  }
}

TEST(Smo, StopsWhenTheObserverSaysSo) {
  RandomProblem problem(60, 2, 2, 4, 5);
  for (const std::size_t working_rows : {4, 512}) {
    std::uint64_t seen = 0;
    const SolveOptions options{.tolerance = 1e-12, .observe = [&](std::uint64_t steps, double) {
                                 seen = steps;
                                 return false;
                               }};
    const Solved solved = solve(problem, options, {.working_rows = working_rows, .pause = 3});
    EXPECT_EQ(solved.result.status, SolveStatus::cancelled);
    EXPECT_EQ(solved.result.steps, seen);
    EXPECT_LE(solved.at.infeasibility, 1e-12);
  }
}

}  // namespace
}  // namespace rampart
