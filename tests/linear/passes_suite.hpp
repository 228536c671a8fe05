#pragma once

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <vector>

#include "linear/multipliers.hpp"
#include "linear/passes.hpp"
#include "linear_problem.hpp"

namespace rampart {

/// The tests that every back end of the linear solver passes: the bits of LocalPasses with one
/// thread and the same blocks. A back end is named by a type with
///
///   static auto make(const BlockRows&, const HingeForm&, const Frame&, std::size_t block);
///
/// which returns a pointer of some kind to something that is a Passes.
template <class Made>
class PassesSuite : public testing::Test {
 protected:
  using Problem = testing_support::LinearProblem;

  static std::vector<Problem> problems() {
    std::vector<Problem> found;
    std::uint32_t seed = 1;
    for (const Objective& objective : testing_support::every_objective()) {
      found.emplace_back(130, 5, objective, seed);
      found.back().set_frame();
      found.emplace_back(97, 12, objective, seed + 50);
      found.back().weigh();
      ++seed;
    }
    return found;
  }
  static constexpr std::array<std::size_t, 4> block_sizes = {7, 40, 64, 1000};

  /// Rows of a problem are used dense if it has a frame.
  static BlockRows rows_of(const Problem& problem) {
    return problem.frame.centre.empty() ? problem.sparse_rows() : problem.rows();
  }

  static std::vector<double> numbers(const PassSums& sums) {
    std::vector<double> found{sums.rows, sums.smooth,   sums.convex, sums.loss,    sums.dual,
                              sums.flat, sums.changed,  sums.active, sums.support, sums.violation,
                              sums.near, sums.followed, sums.moved};
    for (const auto& list : {sums.gradient, sums.curvature, sums.diagonal}) {
      found.push_back(static_cast<double>(list.size()));
      found.insert(found.end(), list.begin(), list.end());
    }
    for (std::size_t o = 0; o < most_layers; ++o) {
      found.insert(found.end(), {sums.pull[o], sums.room[o]});
    }
    return found;
  }

  /// Everything that a back end says in a walk that uses all of it.
  template <Passes Rows>
  static std::vector<double> walk(Rows& rows, Problem problem) {
    const std::vector<double> thetas{0.25, 1, 4};
    std::vector<double> said;
    const auto hear = [&](const std::vector<double>& more) {
      said.insert(said.end(), more.begin(), more.end());
    };
    using Want = Visit::Want;
    for (int step = 0; step < 6; ++step) {
      const LinearPoint at = problem.any_point();
      const LinearPoint line = problem.any_point();
      for (const Want want : {Want::value, Want::gradient, Want::diagonal, Want::curvature}) {
        hear(numbers(rows.run(testing_support::visit_of(at, 0.4, want))));
      }
      const Visit visit = testing_support::visit_of(at, 0.7);
      const SearchSums search = rows.search(visit, {line.w, line.offsets}, thetas);
      hear(search.smooth);
      hear(search.slope);
      hear(search.loss);
      hear(rows.product(visit, problem.list(problem.x.columns() + problem.loss.offsets)));
      Visit moving = visit;
      moving.width_before = step % 3 == 0 ? 1e300 : 0.5;
      moving.new_flats = step % 2 == 0;
      moving.repair = {0.1, -0.3};
      hear(numbers(rows.run(moving)));
      Visit gathering = visit;
      gathering.width_before = 0.5;
      gathering.gather = 0.2 * step;
      gathering.most_near = 0.6;
      hear(numbers(rows.run(gathering)));
      const LinearPoint next = problem.any_point();
      Visit near = testing_support::visit_of(next, 0.3);
      near.near = gathering.gather > 0;
      hear(numbers(rows.run(near)));
      hear(rows.search(near, {line.w, line.offsets}, thetas).loss);
      hear(rows.product(near, problem.list(problem.x.columns() + problem.loss.offsets)));
      near.width_before = 0.4;
      near.new_flats = step % 2 == 1;
      hear(numbers(rows.run(near)));
    }
    return said;
  }
};
TYPED_TEST_SUITE_P(PassesSuite);

TYPED_TEST_P(PassesSuite, SaysTheSameBitsAsOneThread) {
  for (const auto& problem : this->problems()) {
    for (const std::size_t block : this->block_sizes) {
      LocalPasses one(this->rows_of(problem), problem.loss, problem.frame, block, 1);
      const auto other =
          TypeParam::make(this->rows_of(problem), problem.loss, problem.frame, block);
      EXPECT_EQ(this->walk(one, problem), this->walk(*other, problem)) << block;
    }
  }
}

TYPED_TEST_P(PassesSuite, EndsAtTheSameBitsAsOneThread) {
  for (const auto& problem : this->problems()) {
    for (const std::size_t block : {40U}) {
      const auto minimum = [&]<class Rows>(Rows& rows) {
        const LinearOptions options{.most_near = 0.7, .rows_for_near = 0};
        return Multipliers<Rows>(rows, problem.lambda(), problem.loss.offsets, 1, options)
            .minimise({std::vector<double>(problem.x.columns(), 0.0), {}});
      };
      LocalPasses one(this->rows_of(problem), problem.loss, problem.frame, block, 1);
      const auto other =
          TypeParam::make(this->rows_of(problem), problem.loss, problem.frame, block);
      const LinearResult expected = minimum(one);
      const LinearResult found = minimum(*other);
      EXPECT_EQ(found.point.w, expected.point.w);
      EXPECT_EQ(found.point.offsets, expected.point.offsets);
      EXPECT_EQ(found.objective, expected.objective);
      EXPECT_EQ(found.bound, expected.bound);
      EXPECT_EQ(found.passes, expected.passes);
      EXPECT_EQ(found.status, expected.status);
    }
  }
}

REGISTER_TYPED_TEST_SUITE_P(PassesSuite, SaysTheSameBitsAsOneThread, EndsAtTheSameBitsAsOneThread);

}  // namespace rampart
