#include "linear/multipliers.hpp"

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
using testing_support::RowLayer;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Rows in one block, which remember the dual variables of the last visit that repaired them.
class Witness {
 public:
  explicit Witness(const LinearProblem& problem)
      : problem_(problem), centres_(problem.loss.hinges.size() * problem.size(), 0.5F) {}

  struct Variable {
    double alpha, cap;
    bool flat;
  };
  std::vector<std::vector<Variable>> dual;  ///< by layer and row, of the last certificate

  PassSums run(const Visit& visit) {
    if (visit.want == Visit::Want::gradient) {
      dual.assign(problem_.loss.hinges.size(), {});
      for (std::size_t r = 0; r < dual.size(); ++r) {
        for (std::size_t n = 0; n < problem_.size(); ++n) {
          const RowLayer row(problem_, r, n, visit, centres_[r * problem_.size() + n]);
          dual[r].push_back({row.alpha, row.cap, row.flat});
        }
      }
    }
    return block_.run(rows(), problem_.loss, problem_.frame, visit, centres_);
  }
  SearchSums search(const Visit& visit, const Direction& line, std::span<const double> thetas) {
    return block_.search(rows(), problem_.loss, problem_.frame, visit, line.w, line.offsets, thetas,
                         centres_);
  }
  std::vector<double> product(const Visit& visit, std::span<const double> v) {
    return block_.product(rows(), problem_.loss, problem_.frame, visit, v, centres_);
  }

 private:
  [[nodiscard]] BlockRows rows() const {
    return problem_.frame.centre.empty() ? problem_.sparse_rows() : problem_.rows();
  }

  const LinearProblem& problem_;
  std::vector<float> centres_;
  VisitedBlock block_;
};
static_assert(Passes<Witness>);

/// Rows near a kink are copied, or not, even of few rows.
LinearOptions any_options(double gap) {
  LinearOptions options{.gap = gap};
  options.most_near = *rc::gen::element(0.0, 0.5, 1.0);
  options.rows_for_near = 0;
  return options;
}

LinearProblem any_problem() {
  LinearProblem problem(
      *rc::gen::element<std::size_t>(2, 5, 40, 150), *rc::gen::element<std::size_t>(1, 2, 7, 30),
      *rc::gen::elementOf(every_objective()), *rc::gen::arbitrary<std::uint32_t>());
  if (*rc::gen::arbitrary<bool>()) problem.weigh();
  if (*rc::gen::arbitrary<bool>()) problem.set_frame();
  return problem;
}

LinearResult minimum(Witness& rows, const LinearProblem& problem, const LinearOptions& options) {
  return Multipliers<Witness>(rows, problem.lambda(), problem.loss.offsets,
                              problem.loss.hinges.front().margin, options)
      .minimise({std::vector<double>(problem.x.columns(), 0.0), {}});
}

/// Everything that a certified result claims, from the dual variables themselves.
RC_GTEST_PROP(Multipliers, TheGapIsThatOfFeasibleDualVariablesAndTheConditionsOfKarushHold, ()) {
  const LinearProblem problem = any_problem();
  const double gap = *rc::gen::element(5e-5, 1e-7);
  Witness rows(problem);
  const LinearResult found = minimum(rows, problem, any_options(gap));
  RC_ASSERT(found.status == LinearStatus::converged);
  const double r = problem.objective(found.point);
  const double rounding = 1e-11 * (1 + r);
  RC_ASSERT(std::abs(found.objective - r) <= rounding);
  const std::size_t offsets = problem.loss.offsets;
  if (offsets == 2) RC_ASSERT(found.point.offsets[0] <= found.point.offsets[1]);

  // Feasible, for the flat sets of the point found.
  std::vector<double> pull(offsets, 0.0);
  std::vector<double> g(problem.x.columns(), 0.0);
  double dual = 0;
  for (std::size_t layer = 0; layer < problem.loss.hinges.size(); ++layer) {
    const Hinge& hinge = problem.loss.hinges[layer];
    for (std::size_t n = 0; n < problem.size(); ++n) {
      const auto& [alpha, cap, flat] = rows.dual[layer][n];
      const double s = problem.margin_of(hinge, n, found.point);
      RC_ASSERT(alpha >= -1e-14 * cap && alpha <= cap * (1 + 1e-14));
      if (std::abs(s - problem.loss.floor) > 1e-9 && cap > 0) {
        RC_ASSERT(flat == (s < problem.loss.floor));
      }
      const double delta = problem.y[n] * (alpha - (flat ? cap : 0));
      pull[hinge.offset] += delta;
      const std::vector<double> row = problem.framed(n);
      for (std::size_t j = 0; j < row.size(); ++j) g[j] += delta * row[j];
      dual += hinge.margin * alpha - (flat ? cap * problem.loss.floor : 0);
    }
  }
  const std::vector<double> lambda = problem.lambda();
  for (std::size_t j = 0; j < g.size(); ++j) dual -= g[j] * g[j] / lambda[j] / 2;
  for (const double sum : pull) RC_ASSERT(std::abs(sum) <= rounding);
  RC_ASSERT(std::abs(found.bound - dual) <= 10 * rounding);
  RC_ASSERT(r - dual <= gap * r + rounding);
  RC_ASSERT(dual <= r + rounding);

  // The gap is a sum of terms that are not negative, each of which is 0 where a condition holds:
  // w = Σ y(α − β)x/λ, and α(s − margin) = cap·[margin − s]₊ for every hinge.
  double terms = 0;
  for (std::size_t j = 0; j < g.size(); ++j) {
    const double apart = found.point.w[j] - g[j] / lambda[j];
    terms += lambda[j] * apart * apart / 2;
  }
  for (std::size_t layer = 0; layer < problem.loss.hinges.size(); ++layer) {
    const Hinge& hinge = problem.loss.hinges[layer];
    for (std::size_t n = 0; n < problem.size(); ++n) {
      const auto& [alpha, cap, flat] = rows.dual[layer][n];
      const double below = hinge.margin - problem.margin_of(hinge, n, found.point);
      const double term = cap * std::max(below, 0.0) - alpha * below;
      RC_ASSERT(term >= -rounding);
      terms += term;
    }
  }
  RC_ASSERT(std::abs(terms - (r - dual)) <= 100 * rounding);
}

RC_GTEST_PROP(Multipliers, NoRoundRaisesTheObjective, ()) {
  const LinearProblem problem = any_problem();
  Witness rows(problem);
  LinearOptions options = any_options(1e-6);
  options.exact_rounds = *rc::gen::arbitrary<bool>();
  double best = infinity;
  std::uint64_t passes = 0;
  options.observe = [&](const LinearProgress& at) {
    RC_ASSERT(at.objective <= best || std::isinf(best));
    RC_ASSERT(at.passes == passes || at.passes == passes + 1);  // near rows only, or all
    passes = at.passes;
    best = at.objective;
    return true;
  };
  const LinearResult found = minimum(rows, problem, options);
  RC_ASSERT(!found.history.empty());
  RC_ASSERT(found.history.back().objective == found.objective);
  for (std::size_t l = 1; l < found.history.size(); ++l) {
    RC_ASSERT(found.history[l].objective <= found.history[l - 1].objective);
  }
  RC_ASSERT(found.passes == passes);
}

RC_GTEST_PROP(Multipliers, NoPointNearbyIsBetterForAConvexLoss, ()) {
  LinearProblem problem = any_problem();
  RC_PRE(std::isinf(problem.loss.floor));
  Witness rows(problem);
  const LinearResult found = minimum(rows, problem, any_options(1e-8));
  RC_ASSERT(found.status == LinearStatus::converged);
  for (int k = 0; k < 20; ++k) {
    LinearPoint other = found.point;
    const LinearPoint by = problem.any_point();
    const double length = problem.between(1e-4, 0.3);
    for (std::size_t j = 0; j < other.w.size(); ++j) other.w[j] += length * by.w[j];
    other.offsets[0] += length * (by.offsets[0] + by.offsets[1]);
    RC_ASSERT(problem.objective(other) >= found.objective * (1 - 1.1e-8));
  }
}

RC_GTEST_PROP(Multipliers, LimitsAndObserversEndItWithWhatIsKnown, ()) {
  const LinearProblem problem = any_problem();
  Witness all(problem);
  const LinearResult whole = minimum(all, problem, {.gap = 1e-7});
  const auto most = *rc::gen::inRange<std::uint64_t>(1, whole.passes + 1);
  RC_PRE(most < whole.passes);
  Witness limited(problem);
  const LinearResult few = minimum(limited, problem, {.gap = 1e-7, .max_passes = most});
  RC_ASSERT(few.status == LinearStatus::pass_limit);
  RC_ASSERT(few.passes == most);
  Witness stopped(problem);
  LinearOptions options{.gap = 1e-7};
  options.observe = [&](const LinearProgress& at) { return at.passes <= most; };
  const LinearResult early = minimum(stopped, problem, options);
  RC_ASSERT(early.status == LinearStatus::cancelled);
  RC_ASSERT(early.point.w == few.point.w);
  RC_ASSERT(early.objective == few.objective);
  if (!few.history.empty()) {
    const double r = problem.objective(few.point);
    RC_ASSERT(std::abs(few.objective - r) <= 1e-11 * (1 + r));
  }
  for (const double w : few.point.w) RC_ASSERT(std::isfinite(w));
}

RC_GTEST_PROP(Multipliers, StoppedAmongNearRowsItKeepsWhatAllRowsConfirmed, ()) {
  const LinearProblem problem = any_problem();
  Witness rows(problem);
  LinearOptions options = any_options(1e-7);
  auto visits = *rc::gen::inRange(1, 60);
  options.observe = [&](const LinearProgress&) { return visits-- > 0; };
  const LinearResult found = minimum(rows, problem, options);
  const double r = problem.objective(found.point);
  RC_ASSERT(std::abs(found.objective - r) <= 1e-11 * (1 + r));
  RC_ASSERT(found.history.back().objective == found.objective);
}

/// Nothing but w and τ enters: the rows in another order and other units are the same problem.
TEST(Multipliers, AFrameDoesNotChangeTheProblem) {
  for (const Objective& objective : every_objective()) {
    if (objective.loss == LossKind::double_ramp) continue;  // has several minima
    LinearProblem problem(120, 6, objective, 11);
    problem.set_plain_frame();
    Witness plain(problem);
    const LinearResult one = minimum(plain, problem, {.gap = 1e-9});
    problem.set_frame();
    Witness framed(problem);
    const LinearResult other = minimum(framed, problem, {.gap = 1e-9});
    EXPECT_NEAR(other.objective, one.objective, 3e-9 * one.objective);
    for (std::size_t j = 0; j < 6; ++j) {
      EXPECT_NEAR(other.point.w[j] * problem.frame.factor[j], one.point.w[j], 1e-3);
    }
  }
}

}  // namespace
}  // namespace rampart
