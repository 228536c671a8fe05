#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernel/random_rows.hpp"
#include "kernel/semidefinite.hpp"
#include "noisy_line.hpp"
#include "train/dca.hpp"
#include "train/kernel_solver.hpp"

namespace rampart {
namespace {

using testing_support::noisy_line;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The simplest round solver: SMO with the maximal violating pair from its definition, on a dense
/// matrix. It shares no code with SmoSolver.
class PlainSolver {
 public:
  PlainSolver(const Rows& x, double gamma) : k_(x.size(), std::vector<double>(x.size())) {
    for (std::size_t n = 0; n < x.size(); ++n) {
      for (std::size_t m = 0; m < x.size(); ++m) {
        double distance = 0;
        for (std::size_t j = 0; j < x.columns(); ++j) {
          const double apart = x.dense_row(n)[j] - x.dense_row(m)[j];
          distance += apart * apart;
        }
        k_[n][m] = std::exp(-gamma * distance);
      }
    }
  }

  SolveResult solve(const HingeQp& qp, DualPoint& point, const SolveOptions& options) {
    if (++solved_ <= drifts_) {
      for (std::size_t n = 0; n < point.u.size(); ++n) point.u[n] += n % 2 == 0 ? 0.1 : -0.1;
    }
    SolveResult result;
    while (true) {
      const auto [up, down] = worst_pair(qp, point);
      result.violation = up.claim - down.claim;
      if (result.violation <= options.tolerance) return result;
      if (result.steps >= options.max_steps) {
        result.status = SolveStatus::step_limit;
        return result;
      }
      const double curvature =
          std::max(k_[up.n][up.n] + k_[down.n][down.n] - 2 * k_[up.n][down.n], 1e-12);
      const double step =
          std::min({result.violation / curvature, qp.high(up.r, up.n) - point.delta[up.r][up.n],
                    point.delta[down.r][down.n] - qp.low(down.r, down.n)});
      point.delta[up.r][up.n] += step;
      point.delta[down.r][down.n] -= step;
      for (std::size_t n = 0; n < k_.size(); ++n) {
        point.u[n] += step * (k_[up.n][n] - k_[down.n][n]);
      }
      ++result.steps;
    }
  }

  void follow(std::span<const std::uint32_t> rows, std::span<const double> change,
              std::span<double> u) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t n = 0; n < u.size(); ++n) u[n] += change[i] * k_[rows[i]][n];
    }
  }
  std::vector<double> exact_product(std::span<const double> v) {
    std::vector<double> u(v.size(), 0.0);
    for (std::size_t n = 0; n < v.size(); ++n) {
      for (std::size_t m = 0; m < v.size(); ++m) u[n] += k_[n][m] * v[m];
    }
    return u;
  }
  [[nodiscard]] bool product_is_cheap() const { return true; }
  [[nodiscard]] double squared_norm(std::size_t n) const { return k_[n][n]; }
  [[nodiscard]] Certainty certainty() const { return certainty_; }

  void set_certainty(const Certainty& certainty) { certainty_ = certainty; }

  /// In so many problems, from the first, u is wrong, as sums of many rounded rows can be.
  void set_drifts(int drifts) { drifts_ = drifts; }
  [[nodiscard]] int solved() const { return solved_; }

 private:
  struct Variable {
    double claim;
    std::size_t r = 0;
    std::size_t n = 0;
  };

  static std::pair<Variable, Variable> worst_pair(const HingeQp& qp, const DualPoint& point) {
    std::pair<Variable, Variable> worst{{-infinity}, {infinity}};
    const double largest = point.largest();
    for (std::size_t o = 0; o < qp.offsets; ++o) {
      Variable up{-infinity};
      Variable down{infinity};
      for (std::size_t r = 0; r < qp.layers.size(); ++r) {
        if (qp.layers[r].offset != o) continue;
        for (std::size_t n = 0; n < qp.size(); ++n) {
          const double claim = qp.y[n] * qp.layers[r].margin - point.u[n];
          const double delta = point.delta[r][n];
          if (qp.may_rise(r, n, delta, largest) && claim > up.claim) up = {claim, r, n};
          if (qp.may_fall(r, n, delta, largest) && claim < down.claim) down = {claim, r, n};
        }
      }
      if (up.claim - down.claim > worst.first.claim - worst.second.claim) worst = {up, down};
    }
    return worst;
  }

  std::vector<std::vector<double>> k_;
  Certainty certainty_{.finest_tolerance = 1e-10, .semidefinite = least_kernel_rounding};
  int drifts_ = 0;
  int solved_ = 0;
};
static_assert(RoundSolver<PlainSolver>);

struct SmallProblem {
  Dataset data;
  Objective objective;
  double gamma = 1.5;
  TrainingRows rows;
  RowWeights weights;
  RampSum sum;

  SmallProblem(Dataset set, const Objective& minimised)
      : data(std::move(set)),
        objective(minimised),
        rows{.x = data.x, .kernel = RbfKernel{gamma}, .semidefinite = least_kernel_rounding},
        sum(ramp_sum(objective, data.y, weights)) {}
  SmallProblem(const SmallProblem&) = delete;  // sum and rows view data

  template <class Real>
  KernelSolver<RowCache<Real>> kernel_solver() const {
    return {rows, RowCache<Real>(rows.kernel, rows.x, 1 << 22), KernelSolverOptions{}};
  }
};

Objective any_objective() {
  return {.loss = *rc::gen::element(LossKind::double_ramp, LossKind::double_hinge,
                                    LossKind::generalized_hinge, LossKind::hinge),
          .costs = Costs::symmetric(*rc::gen::element(0.13, 0.21, 0.33)),
          .C = *rc::gen::element(0.5, 4.0)};
}

RC_GTEST_PROP(RoundSolvers, AllEndAtTheSameOptimumOfAConvexLoss, ()) {
  Objective objective = any_objective();
  RC_PRE(objective.loss != LossKind::double_ramp);
  const SmallProblem problem(noisy_line(40, *rc::gen::arbitrary<std::uint32_t>()), objective);
  PlainSolver plain(problem.data.x, problem.gamma);
  auto single = problem.kernel_solver<float>();
  auto exact = problem.kernel_solver<double>();
  const auto minimum = [&](auto& solver, double tolerance) {
    return DcaRounds(problem.sum, solver, {.tolerance = tolerance})
        .minimise(no_flat_sets(problem.sum));
  };
  const double r = minimum(plain, 1e-8).theta.objective;
  RC_ASSERT(std::abs(minimum(exact, 1e-8).theta.objective - r) <= 1e-6 * r);
  RC_ASSERT(std::abs(minimum(single, 1e-4).theta.objective - r) <= 1e-3 * r);
}

RC_GTEST_PROP(RoundSolvers, AllEndAtAnOptimumOfTheProblemOfItsFlatSets, ()) {
  Objective objective = any_objective();
  objective.loss = LossKind::double_ramp;
  const SmallProblem problem(noisy_line(40, *rc::gen::arbitrary<std::uint32_t>()), objective);
  const auto check = [&](auto solver, double tolerance) {
    const DcaResult found = DcaRounds(problem.sum, solver, {.tolerance = tolerance})
                                .minimise(no_flat_sets(problem.sum));
    RC_ASSERT(found.status == TrainStatus::converged);
    RC_ASSERT(found.theta.exact);
    RC_ASSERT(relative_gap(found.theta.objective, *found.bound) <= 1e-3);
    RC_ASSERT(found.theta.violation <= tolerance);
  };
  check(PlainSolver(problem.data.x, problem.gamma), 1e-8);
  check(problem.kernel_solver<double>(), 1e-8);
  check(problem.kernel_solver<float>(), 1e-4);
}

TEST(RoundSolvers, WithoutASemidefiniteMatrixNothingIsCertified) {
  const SmallProblem problem(noisy_line(40, 5), {.C = 2});
  PlainSolver plain(problem.data.x, problem.gamma);
  plain.set_certainty({.finest_tolerance = 1e-10, .semidefinite = std::nullopt});
  const DcaResult found =
      DcaRounds(problem.sum, plain, {.tolerance = 1e-8}).minimise(no_flat_sets(problem.sum));
  EXPECT_EQ(found.status, TrainStatus::stationary);
  EXPECT_FALSE(found.bound);
}

TEST(RoundSolvers, AStepLimitOfTheSolverEndsTheRounds) {
  const SmallProblem problem(noisy_line(40, 5), {.C = 2});
  PlainSolver plain(problem.data.x, problem.gamma);
  const DcaResult found = DcaRounds(problem.sum, plain, {.tolerance = 1e-8, .max_steps = 5})
                              .minimise(no_flat_sets(problem.sum));
  EXPECT_EQ(found.status, TrainStatus::step_limit);
  EXPECT_EQ(found.steps, 5U);
}

TEST(RoundSolvers, ARoundIsSolvedAgainWhereTheExactUShowsThatItIsNotSolved) {
  const SmallProblem problem(noisy_line(40, 5), {.loss = LossKind::hinge, .C = 2});
  const auto minimum = [&](auto& solver) {
    return DcaRounds(problem.sum, solver, {.tolerance = 1e-6}).minimise(no_flat_sets(problem.sum));
  };
  PlainSolver plain(problem.data.x, problem.gamma);
  const double r = minimum(plain).theta.objective;
  for (const int drifts : {1, 3, 5}) {
    PlainSolver drifting(problem.data.x, problem.gamma);
    drifting.set_drifts(drifts);
    const DcaResult found = minimum(drifting);
    EXPECT_EQ(found.status, TrainStatus::converged);
    EXPECT_EQ(drifting.solved(), drifts + 1);
    EXPECT_LE(found.theta.violation, 1e-6);
    EXPECT_NEAR(found.theta.objective, r, 1e-5 * r);
  }
}

RC_GTEST_PROP(KernelSolver, ProductsOfAPartOfAMatrixAreThoseOfTheRowsAlone, ()) {
  const Rows x = testing_support::random_rows(*rc::gen::inRange<std::size_t>(2, 60), 3, 7);
  const Kernel kernel = *rc::gen::elementOf(std::vector<Kernel>{
      LinearKernel{}, RbfKernel{0.4}, PolynomialKernel{0.5, 1, 3}, SigmoidKernel{0.2, 0.1}});
  std::vector<std::size_t> which;
  for (std::size_t n = 0; n < x.size(); ++n) {
    if (n == 0 || *rc::gen::arbitrary<bool>()) which.push_back(n);
  }
  const TrainingRows rows{.x = RowsView(x).rows(which), .kernel = kernel};
  const KernelMatrix matrix(kernel, x, 1);
  const auto cache_bytes = *rc::gen::element<std::size_t>(0, 1 << 20);
  KernelSolver shared(rows, KernelSubmatrix(matrix, which), KernelSolverOptions{});
  KernelSolver own(rows, RowCache<double>(kernel, rows.x, cache_bytes),
                   KernelSolverOptions{.threads = *rc::gen::inRange(0U, 4U)});
  KernelSolver single(rows, RowCache<float>(kernel, rows.x, 0), KernelSolverOptions{});
  std::vector<double> v;
  for (std::size_t n = 0; n < which.size(); ++n) {
    v.push_back(*rc::gen::element(0, 1, 3) * *rc::gen::inRange(-100, 100) / 7.0);
  }
  const std::vector<double> product = shared.exact_product(v);
  RC_ASSERT(product == own.exact_product(v));
  // Exact for every precision of the rows, though the order of summation differs.
  const std::vector<double> other = single.exact_product(v);
  for (std::size_t n = 0; n < product.size(); ++n) {
    RC_ASSERT(std::abs(other[n] - product[n]) <= 1e-9 * (1 + std::abs(product[n])));
  }
}

}  // namespace
}  // namespace rampart
