// The linear solver and sequential minimal optimisation minimise the same function.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "kernel/random_rows.hpp"
#include "rampart/train.hpp"

namespace rampart {
namespace {

constexpr double tolerance = 1e-7;

/// Rows, a loss and weights of every kind, determined by the number.
struct RandomProblem {
  Dataset data;
  TrainOptions options;
  std::string name;

  [[nodiscard]] bool many_columns() const { return data.x.columns() > 600; }

  explicit RandomProblem(std::uint32_t number) {
    std::mt19937 random(number);
    const auto uniform = [&] { return static_cast<double>(random() % 100001) / 1e5; };
    struct Shape {
      const char* name;
      std::size_t rows, columns;
      bool sparse;
    };
    const Shape shapes[] = {{"dense", 60 + random() % 90, 2 + random() % 7, false},
                            {"sparse", 80, 40, true},
                            {"few rows", 4 + random() % 8, 3, false},
                            {"many columns", 24, 650, number % 2 == 0},
                            {"one column", 50, 1, false}};
    const Shape& shape = shapes[number % 5];
    Rows x = testing_support::random_rows(shape.rows, shape.columns, number + 1000);
    const std::vector<double> w = [&] {
      std::vector<double> found(shape.columns);
      for (double& one : found) one = uniform() - 0.5;
      return found;
    }();
    for (std::size_t n = 0; n < shape.rows; ++n) {
      double score = 0.1;
      for (std::size_t j = 0; j < shape.columns; ++j) score += w[j] * x.dense_row(n)[j];
      data.y.push_back((score > 0) != (random() % 6 == 0) ? 1 : -1);
    }
    data.y[0] = 1;
    data.y[1] = -1;
    data.x = shape.sparse ? testing_support::without_zeros(x) : std::move(x);
    data.classes = {"-1", "1"};
    options.representation.kernel.type = KernelType::linear;
    options.exactness.tolerance = tolerance;
    Objective& objective = options.objective;
    objective.C = std::pow(10.0, 2 * uniform() - 1.5);
    // Costs without ties between counts of rows.
    objective.costs = Costs::symmetric(0.1 + 0.3 * uniform());
    switch (number / 5 % 8) {
      case 0:
      case 1:
        name = "double ramp";
        objective.mu = 0.3 + 0.7 * uniform();
        break;
      case 2:
        name = "double ramp, d = 1/2";
        objective.costs = Costs::symmetric(0.5);
        break;
      case 3:
        name = "double ramp, cost table";
        objective.costs = {1.7, 1, 0.21 + 0.1 * uniform(), 0.3};
        break;
      case 4:
        name = "double ramp, class weights";
        objective.class_weights = {{"1", 2.3}};
        break;
      case 5:
        name = "double hinge";
        objective.loss = LossKind::double_hinge;
        break;
      case 6:
        name = "generalized hinge";
        objective.loss = LossKind::generalized_hinge;
        objective.balanced = true;
        break;
      case 7:
        name = "hinge";
        objective.loss = LossKind::hinge;
        break;
    }
    if (number % 3 == 0) {
      name += ", weights";
      for (std::size_t n = 0; n < shape.rows; ++n) {
        data.weights.push_back(n > 1 && random() % 6 == 0 ? 0 : 0.2 + 2 * uniform());
      }
    }
    name += std::string(", ") + shape.name + " (" + std::to_string(number) + ")";
  }
};

/// Both solvers, started from the flat sets of the same rough model.
struct Pair {
  Trained start, smo, linear;

  explicit Pair(const RandomProblem& problem, SolverKind other = SolverKind::linear) {
    TrainOptions options = problem.options;
    options.exactness.solver = SolverKind::smo;
    TrainOptions rough = options;
    rough.exactness.tolerance = 1e-2;
    rough.exactness.max_rounds = 2;
    start = train(problem.data, rough);
    smo = train(problem.data, options, {}, &start.model);
    options.exactness.solver = other;
    linear = train(problem.data, options, {}, &start.model);
  }

  /// At w = 0 rows lie exactly on a kink of their ramp, and rounding decides where the rounds go.
  [[nodiscard]] bool starts_in_a_tie() const {
    const double zero = 1e-6;
    const Surface& surface = start.model.surface();
    return traits_of(surface.objective.loss).has_ramps &&
           std::ranges::all_of(surface.weights, [&](double w) { return std::abs(w) < zero; });
  }
};

double norm_of_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return std::sqrt(sum);
}

/// SMO ends at a violation, which may leave a gap of more than the tolerance where R is small.
double agreement(const Trained& smo) { return std::max(1e-6, 2 * *smo.report.gap); }

void expect_certified(const RandomProblem& problem, const Pair& pair) {
  ASSERT_TRUE(std::holds_alternative<SmoReport>(pair.smo.report.solver));
  for (const Trained* one : {&pair.smo, &pair.linear}) {
    EXPECT_EQ(one->report.status, TrainStatus::converged) << problem.name;
    ASSERT_TRUE(one->report.gap) << problem.name;
  }
  if (std::holds_alternative<LinearReport>(pair.linear.report.solver)) {
    EXPECT_LE(*pair.linear.report.gap, 0.05 * tolerance) << problem.name;
  }
}

void expect_agreement(const RandomProblem& problem, const Pair& pair) {
  expect_certified(problem, pair);
  const auto& [start, one, other] = pair;
  const double r = one.report.objective;
  EXPECT_NEAR(other.report.objective, r, agreement(one) * r) << problem.name;
  // R is strongly convex in w: a certified gap bounds the distance from the one best w.
  const auto distance = [&](const Trained& trained) {
    return std::sqrt(2 * std::max(*trained.report.gap, 1e-15) * r);
  };
  const Surface& first = one.model.surface();
  const Surface& second = other.model.surface();
  EXPECT_LE(norm_of_difference(first.weights, second.weights), distance(one) + distance(other))
      << problem.name;
}

/// Whether they ended in different minima of R, which only losses with ramps have.
bool ended_apart(const Pair& pair) {
  const Surface& surface = pair.smo.model.surface();
  const double r = pair.smo.report.objective;
  return traits_of(surface.objective.loss).has_ramps &&
         std::abs(pair.linear.report.objective - r) > agreement(pair.smo) * r;
}

/// Neither end is above what the other solver makes of it: R never rises, and where a row lies on a
/// kink to the last bits, it may still fall.
void expect_no_rise_from_either_end(const RandomProblem& problem, const Pair& pair) {
  expect_certified(problem, pair);
  const auto goes_on = [&](const Trained& end, SolverKind other) {
    TrainOptions options = problem.options;
    options.exactness.solver = other;
    const double again = train(problem.data, options, {}, &end.model).report.objective;
    EXPECT_LE(again, (1 + agreement(pair.smo)) * end.report.objective) << problem.name;
  };
  goes_on(pair.smo, SolverKind::linear);
  goes_on(pair.linear, SolverKind::smo);
}

/// Largest difference of w·x: without offsets, of which several may be equally good.
double largest_difference(const Pair& pair) {
  const double first = pair.smo.model.surface().band.b;
  const double second = pair.linear.model.surface().band.b;
  double largest = 0;
  for (std::size_t n = 0; n < pair.smo.scores.size(); ++n) {
    largest = std::max(largest,
                       std::abs((pair.linear.scores[n] - second) - (pair.smo.scores[n] - first)));
  }
  return largest;
}

TEST(LinearSolver, EndsWhereSequentialMinimalOptimisationDoes) {
  int ties = 0;
  int compared = 0;
  int apart = 0;
  int close = 0;
  for (std::uint32_t number = 0; compared < 200; ++number) {
    const RandomProblem problem(number);
    if (problem.many_columns()) continue;
    const Pair pair(problem);
    if (pair.starts_in_a_tie()) {
      ++ties;
    } else {
      ASSERT_TRUE(std::holds_alternative<LinearReport>(pair.linear.report.solver));
      ++compared;
      if (ended_apart(pair)) {
        ++apart;
        expect_no_rise_from_either_end(problem, pair);
        continue;
      }
      expect_agreement(problem, pair);
      close += largest_difference(pair) <= 10 * tolerance ? 1 : 0;
    }
  }
  EXPECT_LE(ties, 50);
  // A row may come to lie on a kink after the first round too.
  EXPECT_LE(apart, 0.03 * compared);
  // Not all: a gap says less of w than the violation of conditions does.
  EXPECT_GE(close, 0.9 * compared);
}

TEST(LinearSolver, AgreesWithManyColumnsOrLeavesTheRowsToSequentialMinimalOptimisation) {
  int compared = 0;
  int by_itself = 0;
  for (std::uint32_t number = 3; number < 200; number += 5) {
    const RandomProblem problem(number);
    const Pair pair(problem, SolverKind::automatic);
    if (pair.starts_in_a_tie()) continue;
    expect_agreement(problem, pair);
    ++compared;
    by_itself += std::holds_alternative<LinearReport>(pair.linear.report.solver) ? 1 : 0;
  }
  EXPECT_GE(compared, 25);
  EXPECT_GE(by_itself, 0.7 * compared);
}

/// A boundary that a line sees little of: most rows are best rejected.
Dataset nearly_hidden(std::uint32_t seed, int rows) {
  std::mt19937 random(seed);
  const auto normal = [&] {  // twelve uniform numbers
    double sum = -6;
    for (int k = 0; k < 12; ++k) sum += static_cast<double>(random() % 100001) / 1e5;
    return sum;
  };
  constexpr std::size_t columns = 8;
  Dataset data{.classes = {"-1", "1"}};
  std::vector<double> values;
  for (int n = 0; n < rows; ++n) {
    std::vector<double> x(columns);
    for (double& one : x) one = normal();
    const double side = x[0] * x[0] - 1 + 0.5 * x[1] + x[2] * x[3] + 0.5 * normal();
    data.y.push_back(side > 0 ? 1 : -1);
    values.insert(values.end(), x.begin(), x.end());
  }
  data.x = Rows::dense(columns, std::move(values));
  return data;
}

TEST(LinearSolver, RoundsThatEndAtZeroBeginOnceMore) {
  const Objective objective;
  int away = 0;
  int certified = 0;
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    const Dataset data = nearly_hidden(seed, 6000);
    const Trained trained =
        train(data, {.objective = objective, .representation = {.kernel = {KernelType::linear}}});
    const double zero = objective.C * objective.costs.reject_positive * (1 + objective.mu) *
                        static_cast<double>(data.size());
    EXPECT_LE(trained.report.objective, zero * (1 + 1e-4));
    certified += trained.report.status == TrainStatus::converged ? 1 : 0;
    away += trained.report.objective < 0.999 * zero ? 1 : 0;
  }
  EXPECT_GE(away, 7);
  EXPECT_GE(certified, 7);  // one ends at the limit of passes, 5 % below the zero surface
}

/// Of many rows, a sample decides whether to begin once more.
TEST(LinearSolver, RoundsOfManyRowsThatEndAtZeroBeginOnceMoreToo) {
  const TrainOptions options{.representation = {.kernel = {KernelType::linear}}};
  const double zero = options.objective.C * options.objective.costs.reject_positive *
                      (1 + options.objective.mu) * 45000;
  int away = 0;
  Dataset data;
  for (std::uint32_t seed = 1; seed <= 4; ++seed) {
    data = nearly_hidden(seed, 45000);
    const Trained trained = train(data, options);
    EXPECT_EQ(trained.report.status, TrainStatus::converged);
    away += trained.report.objective < 0.97 * zero ? 1 : 0;
  }
  EXPECT_GE(away, 3);
  std::mt19937 random(1);  // labels that have nothing to do with the rows
  for (std::int8_t& y : data.y) y = random() % 2 == 0 ? 1 : -1;
  const Trained trained = train(data, options);
  EXPECT_EQ(trained.report.status, TrainStatus::converged);
  EXPECT_NEAR(trained.report.objective, zero, 1e-4 * zero);
}

}  // namespace
}  // namespace rampart
