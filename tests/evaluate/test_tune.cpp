#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <vector>

#include "evaluate/fold_results.hpp"
#include "evaluate/tune.hpp"
#include "rampart/errors.hpp"
#include "train/noisy_line.hpp"

namespace rampart {
namespace {

using testing_support::expect_same;
using testing_support::noisy_line;

constexpr FoldOptions three{.folds = 3, .repeats = 1, .seed = 5};

TrainOptions rbf() {
  TrainOptions method;
  method.representation.kernel.gamma = 0.5;
  return method;
}

TrainOptions with_loss(LossKind loss) {
  TrainOptions method = rbf();
  method.objective.loss = loss;
  return method;
}

TEST(Grid, IsEveryCombinationWithCFastest) {
  const TuneGrid grid{
      .C = {1, 10}, .gamma = {0.5, GammaRule::scale}, .mu = {1, 0.5}, .training_cost = {0.2, 0.3}};
  const std::vector<TrainOptions> points = grid_points(rbf(), grid);
  ASSERT_EQ(points.size(), 16U);
  std::size_t k = 0;
  for (const Gamma& gamma : grid.gamma) {
    for (const double d : grid.training_cost) {
      for (const double mu : grid.mu) {
        for (const double C : grid.C) {
          TrainOptions expected = rbf();
          expected.objective.C = C;
          expected.objective.mu = mu;
          expected.representation.kernel.gamma = gamma;
          expected.objective.costs = Costs::symmetric(d);
          if (d != 0.2) expected.band.decide_for = Costs::symmetric(0.2);
          EXPECT_EQ(points[k], expected) << k;
          ++k;
        }
      }
    }
  }
}

TEST(Grid, OfNothingIsTheMethodItself) {
  TrainOptions method = rbf();
  EXPECT_EQ(grid_points(method, {}), std::vector{method});
  method.band.decide_for = Costs::symmetric(0.4);
  EXPECT_EQ(grid_points(method, {}), std::vector{method});
  method = with_loss(LossKind::hinge);
  method.band.folds = 5;
  method.band.decide_for = Costs{1, 3, 0.3, 0.2};
  EXPECT_EQ(grid_points(method, {}), std::vector{method});
}

TEST(Grid, OfTheStandardHasPowersOfFour) {
  const TuneGrid grid = TuneGrid::standard({.type = KernelType::rbf});
  EXPECT_THAT(grid.C, testing::ElementsAre(0.125, 0.5, 2, 8, 32, 128, 512));
  std::vector<double> gamma;
  for (const Gamma& each : grid.gamma) gamma.push_back(std::get<double>(each));
  EXPECT_THAT(gamma, testing::ElementsAre(1.0 / 512, 1.0 / 128, 1.0 / 32, 0.125, 0.5, 2, 8));
  EXPECT_TRUE(TuneGrid::standard({.type = KernelType::linear}).gamma.empty());
  EXPECT_TRUE(TuneGrid::standard({.type = KernelType::precomputed}).gamma.empty());
}

void expect_refusal(const TrainOptions& base, const TuneGrid& grid, const std::string& words) {
  EXPECT_THAT([&] { static_cast<void>(grid_points(base, grid)); },
              testing::ThrowsMessage<OptionError>(testing::HasSubstr(words)));
}

TEST(Grid, MustFitTheMethod) {
  TrainOptions linear = rbf();
  linear.representation.kernel = {.type = KernelType::linear};
  expect_refusal(linear, {.C = {}, .gamma = {1.0}, .mu = {}, .training_cost = {}}, "gamma");
  for (const LossKind loss :
       {LossKind::hinge, LossKind::double_hinge, LossKind::generalized_hinge}) {
    expect_refusal(with_loss(loss), {.C = {}, .gamma = {}, .mu = {0.5}, .training_cost = {}}, "mu");
  }
  const TuneGrid costs{.C = {}, .gamma = {}, .mu = {}, .training_cost = {0.1}};
  expect_refusal(with_loss(LossKind::hinge), costs, "hinge loss knows no costs");
  TrainOptions table = rbf();
  table.objective.costs = {1, 3, 0.3, 0.2};
  expect_refusal(table, costs, "not a table of costs");
  EXPECT_EQ(grid_points(with_loss(LossKind::double_hinge), costs).size(), 1U);
}

TEST(Grid, MustBeInRange) {
  expect_refusal(rbf(), {.C = {1, -1}, .gamma = {}, .mu = {}, .training_cost = {}}, "C = -1");
  expect_refusal(rbf(), {.C = {}, .gamma = {0.0}, .mu = {}, .training_cost = {}}, "gamma = 0");
  expect_refusal(rbf(), {.C = {}, .gamma = {}, .mu = {0}, .training_cost = {}}, "mu = 0");
  expect_refusal(rbf(), {.C = {}, .gamma = {}, .mu = {}, .training_cost = {0.6}}, "0.6");
}

// The choice

CvSummary of_risk(double risk) { return {.risk = {.mean = risk}}; }

TrainOptions at(double C, Gamma gamma) {
  TrainOptions method = rbf();
  method.objective.C = C;
  method.representation.kernel.gamma = gamma;
  return method;
}

TEST(BestPoint, HasTheLeastRisk) {
  EXPECT_EQ(
      best_point({at(1, 1.0), at(2, 1.0), at(4, 1.0)}, {of_risk(0.3), of_risk(0.1), of_risk(0.2)}),
      1U);
}

TEST(BestPoint, OfEqualsHasTheSmallerCThenTheSmallerGammaThenComesFirst) {
  const std::vector<CvSummary> equal(4, of_risk(0.1));
  EXPECT_EQ(best_point({at(4, 0.1), at(2, 1.0), at(2, 0.5), at(8, 0.01)}, equal), 2U);
  EXPECT_EQ(best_point({at(4, 0.1), at(2, 0.5), at(2, 0.5), at(2, 0.5)}, equal), 1U);
  EXPECT_EQ(best_point({at(2, 0.1), at(2, GammaRule::scale), at(2, 0.5), at(4, 1.0)}, equal), 1U);
}

TEST(BestPoint, OfASmallerCIsNoBetterIfItsRiskIsNot) {
  EXPECT_EQ(best_point({at(1, 1.0), at(2, 1.0)}, {of_risk(std::nextafter(0.1, 1)), of_risk(0.1)}),
            1U);
}

std::vector<TrainOptions> few_points() {
  TrainOptions base = rbf();
  base.objective.costs = Costs::symmetric(0.3);
  return grid_points(base, {.C = {0.25, 16}, .gamma = {0.125, 8.0}, .mu = {}, .training_cost = {}});
}

TEST(Tune, CrossValidatesEveryPointOnTheSameFolds) {
  const Dataset data = noisy_line(75, 1);
  const std::vector<TrainOptions> points = few_points();
  const FoldOptions folds{.folds = 3, .repeats = 2, .seed = 4};
  const TuneReport tuned = tune(data, points, folds);
  EXPECT_EQ(tuned.points, points);
  ASSERT_EQ(tuned.summaries.size(), points.size());
  double least = 1;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const CvSummary alone = cross_validate(data, std::vector{points[k]}, folds).summary(0);
    EXPECT_EQ(tuned.summaries[k].risk.mean, alone.risk.mean);
    EXPECT_EQ(tuned.summaries[k].risk.sd, alone.risk.sd);
    least = std::min(least, alone.risk.mean);
  }
  EXPECT_EQ(tuned.summaries[tuned.best].risk.mean, least);
}

TEST(Tune, JudgesByTheCostOfTheAnswersNotOfTraining) {
  const Dataset data = noisy_line(75, 2);
  TrainOptions base = rbf();
  base.objective.costs = Costs::symmetric(0.4);
  const std::vector<TrainOptions> points =
      grid_points(base, {.C = {}, .gamma = {}, .mu = {}, .training_cost = {0.05, 0.4}});
  const CvReport report = cross_validate(data, points, three);
  for (const FoldResult& result : report.results) {
    EXPECT_EQ(result.metrics.costs, Costs::symmetric(0.4));
  }
}

// Nested

/// From the definition: choosing and training a method uses no row of its outer fold.
std::vector<FoldResult> nested_by_hand(const Dataset& data, const std::vector<TrainOptions>& points,
                                       const FoldOptions& folds) {
  const auto fold_of = assign_folds(data.y, data.groups, folds, 0);
  std::vector<FoldResult> results;
  for (std::size_t outer = 0; outer < folds.folds; ++outer) {
    const Split split = split_at(fold_of, outer);
    Dataset rest = data.subset(split.training);
    rest.x = testing_support::seen_by(data, split.training, split.training, points.front());
    std::vector<CvSummary> summaries;
    for (const TrainOptions& point : points) {
      summaries.push_back(cross_validate(rest, std::vector{point}, folds).summary(0));
    }
    const std::size_t best = best_point(points, summaries);
    FoldResult result = testing_support::learn_and_measure(data, points[best], split);
    result.method = best;
    result.fold = outer;
    results.push_back(result);
  }
  return results;
}

TEST(NestedEstimate, ChoosesAndTrainsOnTheOtherRowsOnly) {
  const std::vector<TrainOptions> points = few_points();
  Dataset grouped = noisy_line(75, 3);
  for (std::size_t n = 0; n < grouped.size(); ++n) grouped.groups.push_back(std::to_string(n % 25));
  for (const Dataset& data : {noisy_line(75, 3), noisy_line(75, 4), grouped}) {
    const std::vector<FoldResult> expected = nested_by_hand(data, points, three);
    for (const unsigned threads : {1U, 2U}) {
      expect_same(nested_estimate(data, points, three, threads), expected);
    }
  }
}

TEST(NestedEstimate, OfAPrecomputedKernelIsTheSameAsByHand) {
  Dataset data = noisy_line(45, 5);
  std::vector<double> values;
  for (std::size_t n = 0; n < data.size(); ++n) {
    for (std::size_t m = 0; m < data.size(); ++m) {
      const auto a = data.x.dense_row(n);
      const auto b = data.x.dense_row(m);
      values.push_back(1 + a[0] * b[0] + a[1] * b[1]);
    }
  }
  data.x = Rows::dense(data.size(), std::move(values));
  TrainOptions base;
  base.representation.kernel = {.type = KernelType::precomputed};
  const std::vector<TrainOptions> points =
      grid_points(base, {.C = {0.01, 10}, .gamma = {}, .mu = {}, .training_cost = {}});
  expect_same(nested_estimate(data, points, three, 1), nested_by_hand(data, points, three));
}

TEST(NestedEstimate, DoesNotChangeWithTheLabelsOfTheFoldItIsMeasuredOn) {
  const Dataset data = noisy_line(75, 6);
  const std::vector<TrainOptions> points = few_points();
  FoldOptions by_chance = three;  // stratified folds would be others with other labels
  by_chance.stratified = false;
  const std::vector<FoldResult> before = nested_estimate(data, points, by_chance, 1);
  Dataset lied = data;
  const auto fold_of = assign_folds(data.y, {}, by_chance, 0);
  for (const std::size_t n : split_at(fold_of, 1).test) {
    lied.y[n] = static_cast<std::int8_t>(-lied.y[n]);
  }
  const std::vector<FoldResult> after = nested_estimate(lied, points, by_chance, 1);
  EXPECT_EQ(after[1].method, before[1].method);
  EXPECT_EQ(after[1].b, before[1].b);
  EXPECT_EQ(after[1].objective, before[1].objective);
  EXPECT_EQ(after[1].metrics.errors() + after[1].metrics.rejected() + before[1].metrics.errors(),
            before[1].metrics.rows());
  EXPECT_NE(after[0].objective, before[0].objective);
}

TEST(NestedEstimate, HasHooksForEveryOuterFold) {
  const Dataset data = noisy_line(60, 7);
  const std::vector<TrainOptions> points = few_points();
  std::vector<std::vector<FoldResult>> found(three.folds);
  const auto listen = [&](std::size_t outer) {
    CvHooks hooks;
    hooks.found = [&found, outer](const FoldResult& result) { found.at(outer).push_back(result); };
    return hooks;
  };
  const auto first = nested_estimate(data, points, three, 1, listen);
  for (const auto& part : found) EXPECT_EQ(part.size(), points.size() * three.folds);
  const auto remind = [&](std::size_t outer) {
    CvHooks hooks;
    hooks.known = found.at(outer);
    hooks.found = [](const FoldResult&) { FAIL() << "it was known"; };
    return hooks;
  };
  expect_same(nested_estimate(data, points, three, 1, remind), first);
}

TEST(NestedEstimate, SaysAtOnceThatAnInnerFoldWouldHaveTooFewRows) {
  Dataset data = noisy_line(60, 8);
  for (std::size_t n = 0; n < data.size(); ++n) data.y[n] = n < 3 ? 1 : -1;
  const auto hooks = [](std::size_t) {
    CvHooks none;
    none.found = [](const FoldResult&) { FAIL() << "it went to work"; };
    return none;
  };
  EXPECT_THAT([&] { static_cast<void>(nested_estimate(data, few_points(), three, 1, hooks)); },
              testing::ThrowsMessage<OptionError>(
                  testing::HasSubstr("folds = 3: the smaller class has only 2 rows")));
}

TEST(GridPoints, AreNotEndlesslyMany) {
  const std::vector<double> many(1000, 1.0);
  const TuneGrid grid{.C = many, .gamma = {}, .mu = many, .training_cost = {}};
  EXPECT_THROW(static_cast<void>(grid_points(TrainOptions{}, grid)), OptionError);
}

}  // namespace
}  // namespace rampart
