#include "linear/newton_step.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

#include "linear_problem.hpp"

namespace rampart {
namespace {

using testing_support::every_objective;
using testing_support::LinearProblem;
using testing_support::visit_of;

struct System {
  LinearProblem problem;
  std::vector<float> centres;
  LinearPoint at;
  Visit visit;
  std::vector<double> lambda, gradient;

  System()
      : problem(120, *rc::gen::element<std::size_t>(1, 5, 8, 30),
                *rc::gen::elementOf(every_objective()), *rc::gen::arbitrary<std::uint32_t>()),
        centres(problem.any_centres()),
        at(problem.any_point()),
        visit(visit_of(at, 0.5)),
        lambda(problem.list(problem.x.columns(), 0.5, 2)),
        gradient(problem.list(problem.x.columns() + problem.loss.offsets)) {}

  PassSums sums(Visit::Want want) {
    visit.want = want;
    return block_pass(problem.sparse_rows(), problem.loss, problem.frame, visit, centres);
  }
  std::vector<double> product(std::span<const double> v) const {
    return block_product(problem.sparse_rows(), problem.loss, problem.frame, visit, v, centres);
  }
  /// gradient + (diag(λ) + curvature)·step.
  std::vector<double> residual(const std::vector<double>& step) const {
    std::vector<double> left = product(step);
    for (std::size_t j = 0; j < left.size(); ++j) {
      left[j] += gradient[j] + (j < lambda.size() ? lambda[j] * step[j] : 0);
    }
    return left;
  }
};

double length(const std::vector<double>& v) {
  double sum = 0;
  for (const double value : v) sum += value * value;
  return std::sqrt(sum);
}

RC_GTEST_PROP(NewtonStep, TheDirectStepSolvesTheSystem, ()) {
  System system;
  const PassSums sums = system.sums(Visit::Want::curvature);
  for (std::size_t j = system.lambda.size(); j < system.gradient.size(); ++j) {
    const std::size_t stride = curvature_stride(system.lambda.size(), system.problem.loss.offsets);
    RC_PRE(sums.curvature[j * stride + j] > 0);
  }
  const NewtonStep found = direct_step(system.gradient, system.lambda, sums, 0);
  RC_ASSERT(length(system.residual(found.step)) <= 1e-5 * length(system.gradient));
  double slope = 0;
  for (std::size_t j = 0; j < found.step.size(); ++j) slope += system.gradient[j] * found.step[j];
  RC_ASSERT(std::abs(found.decrement + slope) <= 1e-9 * std::abs(slope));
  RC_ASSERT(found.decrement > 0);
}

RC_GTEST_PROP(NewtonStep, TheIterativeStepNearlySolvesTheSystem, ()) {
  System system;
  const PassSums sums = system.sums(Visit::Want::diagonal);
  for (std::size_t j = system.lambda.size(); j < system.gradient.size(); ++j) {
    RC_PRE(sums.diagonal[j] > 0);
  }
  const NewtonStep found =
      iterative_step(system.gradient, system.lambda, sums, 0,
                     [&](std::span<const double> v) { return system.product(v); });
  // A tenth in the norm of the preconditioner, whose entries differ.
  const auto scaled = [&](const std::vector<double>& v) {
    double sum = 0;
    for (std::size_t j = 0; j < v.size(); ++j) {
      const double own = j < system.lambda.size() ? system.lambda[j] : 0;
      sum += v[j] * v[j] / (own + sums.diagonal[j]);
    }
    return std::sqrt(sum);
  };
  RC_ASSERT(scaled(system.residual(found.step)) <= 0.11 * scaled(system.gradient));
  RC_ASSERT(found.decrement > 0);
}

TEST(NewtonStep, AnOffsetWithoutCurvatureStillMovesDownhill) {
  PassSums sums;
  sums.curvature.assign(curvature_stride(2, 1) * curvature_stride(2, 1), 0.0);
  sums.diagonal.assign(3, 0.0);
  sums.pull[0] = 4;
  const std::vector<double> gradient{0.5, 0, -4};
  const std::vector<double> lambda{1, 1};
  const auto nothing = [](std::span<const double> v) { return std::vector<double>(v.size(), 0.0); };
  for (const NewtonStep& found : {direct_step(gradient, lambda, sums, 0),
                                  iterative_step(gradient, lambda, sums, 0, nothing)}) {
    EXPECT_NEAR(found.step[0], -0.5, 1e-6);
    EXPECT_GT(found.step[2], 0);
    EXPECT_TRUE(std::isfinite(found.step[2]));
    EXPECT_GT(found.decrement, 0);
  }
}

}  // namespace
}  // namespace rampart
