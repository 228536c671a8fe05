#include "linear/near_rows.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "linear_problem.hpp"

namespace rampart {
namespace {

using testing_support::every_objective;
using testing_support::LinearProblem;
using testing_support::visit_of;

LinearProblem any_problem() {
  LinearProblem problem(*rc::gen::element<std::size_t>(1, 9, 60), 4,
                        *rc::gen::elementOf(every_objective()),
                        *rc::gen::arbitrary<std::uint32_t>());
  if (*rc::gen::arbitrary<bool>()) problem.weigh();
  if (*rc::gen::arbitrary<bool>()) problem.set_frame();
  return problem;
}
BlockRows rows_of(const LinearProblem& problem) {
  return problem.frame.centre.empty() ? problem.sparse_rows() : problem.rows();
}

/// A point from which no s differs by more than `reach` from that at `at`.
LinearPoint within_reach(LinearProblem& problem, const LinearPoint& at, double reach) {
  LinearPoint to = problem.any_point();
  double furthest = 0;
  for (std::size_t n = 0; n < problem.size(); ++n) {
    for (const Hinge& hinge : problem.loss.hinges) {
      furthest = std::max(
          furthest, std::abs(problem.margin_of(hinge, n, to) - problem.margin_of(hinge, n, at)));
    }
  }
  const double share = furthest > 0 ? 0.999 * reach / furthest : 0;
  for (std::size_t j = 0; j < to.w.size(); ++j) to.w[j] = at.w[j] + share * (to.w[j] - at.w[j]);
  for (std::size_t o = 0; o < most_layers; ++o) {
    to.offsets[o] = at.offsets[o] + share * (to.offsets[o] - at.offsets[o]);
  }
  return to;
}

void expect_equal(const PassSums& near, const PassSums& all) {
  const auto equal = [&](double a, double b) {
    RC_ASSERT(std::abs(a - b) <= 1e-9 * (1 + std::abs(b)));
  };
  equal(near.rows, all.rows);
  equal(near.smooth, all.smooth);
  equal(near.convex, all.convex);
  equal(near.loss, all.loss);
  equal(near.dual, all.dual);
  equal(near.violation, all.violation);
  equal(near.changed, all.changed);
  equal(near.flat, all.flat);
  equal(near.active, all.active);
  equal(near.support, all.support);
  for (std::size_t o = 0; o < most_layers; ++o) {
    equal(near.pull[o], all.pull[o]);
    equal(near.room[o], all.room[o]);
  }
  RC_ASSERT(near.gradient.size() == all.gradient.size());
  for (std::size_t j = 0; j < all.gradient.size(); ++j) equal(near.gradient[j], all.gradient[j]);
  for (std::size_t k = 0; k < all.curvature.size(); ++k) equal(near.curvature[k], all.curvature[k]);
}

/// Two blocks of the same rows, one of which gathers near rows. Every visit within reach, also one
/// that moves centres or changes flat sets, finds the same sums, lines and products in both.
RC_GTEST_PROP(NearRows, TellOfAllRowsWhatAVisitOfAllRowsDoesWithinTheReach, ()) {
  LinearProblem problem = any_problem();
  const BlockRows rows = rows_of(problem);
  std::vector<float> centres = problem.any_centres();
  const LinearPoint at = problem.any_point(2);
  const double reach = problem.between(0.01, 0.8);
  VisitedBlock whole;
  VisitedBlock narrow;
  Visit gathering = visit_of(at, 0.5);
  gathering.width_before = 0.3;
  gathering.new_flats = *rc::gen::arbitrary<bool>();
  gathering.gather = reach;
  gathering.most_near = 1;
  std::vector<float> of_narrow = centres;
  const PassSums gathered = narrow.run(rows, problem.loss, problem.frame, gathering, of_narrow);
  static_cast<void>(whole.run(rows, problem.loss, problem.frame, gathering, centres));
  RC_ASSERT(gathered.near <= gathered.rows);
  for (int step = 0; step < 4; ++step) {
    const LinearPoint to = within_reach(problem, at, reach);
    Visit visit = visit_of(to, problem.between(0.02, 1));
    visit.width_before = step % 2 == 0 ? 0 : problem.between(0.02, 1);
    visit.new_flats = step == 3;
    visit.repair = {problem.between(-1, 1), problem.between(-1, 1)};
    Visit near = visit;
    near.near = true;
    RC_ASSERT(!narrow.needs_rows(near));
    const PassSums few = narrow.run({}, problem.loss, problem.frame, near, of_narrow);
    expect_equal(few, whole.run(rows, problem.loss, problem.frame, visit, centres));
    for (std::size_t k = 0; k < centres.size(); ++k) {  // of rows without weight no matter
      const bool counts = problem.weights.empty() || problem.weights[k % problem.size()] > 0;
      RC_ASSERT(!counts || std::abs(centres[k] - of_narrow[k]) < 1e-5F);
    }
    const LinearPoint end = within_reach(problem, at, reach);
    LinearPoint line = end;
    for (std::size_t j = 0; j < line.w.size(); ++j) line.w[j] -= to.w[j];
    for (std::size_t o = 0; o < most_layers; ++o) line.offsets[o] -= to.offsets[o];
    const std::vector<double> thetas{0.3, 1};
    const SearchSums one = narrow.search({}, problem.loss, problem.frame, near, line.w,
                                         line.offsets, thetas, of_narrow);
    const SearchSums other = whole.search(rows, problem.loss, problem.frame, visit, line.w,
                                          line.offsets, thetas, centres);
    for (std::size_t k = 0; k < thetas.size(); ++k) {
      RC_ASSERT(std::abs(one.smooth[k] - other.smooth[k]) < 1e-4);
      RC_ASSERT(std::abs(one.slope[k] - other.slope[k]) < 1e-4);
      RC_ASSERT(std::abs(one.loss[k] - other.loss[k]) < 1e-4);
    }
    const std::vector<double> v = problem.list(problem.x.columns() + problem.loss.offsets);
    const std::vector<double> few_image =
        narrow.product({}, problem.loss, problem.frame, near, v, of_narrow);
    const std::vector<double> image =
        whole.product(rows, problem.loss, problem.frame, visit, v, centres);
    for (std::size_t j = 0; j < v.size(); ++j) RC_ASSERT(std::abs(few_image[j] - image[j]) < 1e-4);
  }
}

/// A block of 200 rows in which a visit has gathered those within a reach.
struct Gathered {
  LinearProblem problem{200, 3, every_objective().front(), 7};
  std::vector<float> centres;
  LinearPoint at;
  VisitedBlock block;
  PassSums sums;

  Gathered(double reach, double most)
      : centres(problem.loss.hinges.size() * problem.size(), 0.5F), at(problem.any_point()) {
    problem.set_plain_frame();
    Visit visit = visit_of(at, 0.5);
    visit.width_before = 0.5;
    visit.gather = reach;
    visit.most_near = most;
    sums = block.run(problem.rows(), problem.loss, problem.frame, visit, centres);
  }
};

Visit near_visit(const LinearPoint& at) {
  Visit visit = visit_of(at, 0.5);
  visit.near = true;
  return visit;
}

TEST(NearRows, AreNotCopiedWhereTheyAreTooMany) {
  for (const double most : {0.01, 1.0}) {
    const Gathered gathered(0.01, most);
    EXPECT_EQ(gathered.block.needs_rows(near_visit(gathered.at)), most < 1);
    EXPECT_EQ(gathered.sums.near == gathered.sums.rows, most < 1);
  }
}

TEST(NearRows, HowFarTheyMovedIsMeasuredFromWhereTheyWereGathered) {
  Gathered gathered(10, 1);  // all of them
  LinearProblem& problem = gathered.problem;
  const LinearPoint to = problem.any_point();
  const PassSums sums =
      gathered.block.run({}, problem.loss, problem.frame, near_visit(to), gathered.centres);
  double expected = 0;
  for (std::size_t n = 0; n < problem.size(); ++n) {
    const double change = problem.score(n, to.w) - problem.score(n, gathered.at.w);
    expected += change * change;
  }
  EXPECT_EQ(sums.followed, static_cast<double>(problem.size()));
  EXPECT_NEAR(sums.moved, expected, 1e-9 * expected);
}

}  // namespace
}  // namespace rampart
