#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
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
  const TuneReport tuned = tune(data, points, folds).front();
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
      expect_same(nested_estimate(data, points, three, threads).front(), expected);
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
  expect_same(nested_estimate(data, points, three, 1).front(), nested_by_hand(data, points, three));
}

TEST(NestedEstimate, DoesNotChangeWithTheLabelsOfTheFoldItIsMeasuredOn) {
  const Dataset data = noisy_line(75, 6);
  const std::vector<TrainOptions> points = few_points();
  FoldOptions by_chance = three;  // stratified folds would be others with other labels
  by_chance.stratified = false;
  const std::vector<FoldResult> before = nested_estimate(data, points, by_chance, 1).front();
  Dataset lied = data;
  const auto fold_of = assign_folds(data.y, {}, by_chance, 0);
  for (const std::size_t n : split_at(fold_of, 1).test) {
    lied.y[n] = static_cast<std::int8_t>(-lied.y[n]);
  }
  const std::vector<FoldResult> after = nested_estimate(lied, points, by_chance, 1).front();
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
  const auto first = nested_estimate(data, points, three, 1, listen).front();
  for (const auto& part : found) EXPECT_EQ(part.size(), points.size() * three.folds);
  const auto remind = [&](std::size_t outer) {
    CvHooks hooks;
    hooks.known = found.at(outer);
    hooks.found = [](const FoldResult&) { FAIL() << "it was known"; };
    return hooks;
  };
  expect_same(nested_estimate(data, points, three, 1, remind).front(), first);
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

// Widening

/// A grid of two values of C, for a linear kernel, that may be longer at both ends.
constexpr std::array inside{0.25, 1.0};
TuneGrid growing() { return {.C = {inside.begin(), inside.end()}, .widens_C = true}; }

TrainOptions linear(double d = 0.3) {
  TrainOptions base;
  base.representation.kernel = {.type = KernelType::linear};
  base.objective.costs = Costs::symmetric(d);
  return base;
}

std::vector<TrainOptions> at_numbers(const TuneSpace& space,
                                     const std::vector<std::size_t>& which) {
  std::vector<TrainOptions> points;
  for (const std::size_t k : which) points.push_back(space.points()[k]);
  return points;
}

TEST(TuneSpace, HasThePointsOfTheLongerGrid) {
  const TuneSpace space({rbf()}, TuneGrid::standard(rbf().representation.kernel));
  TuneGrid grid = TuneGrid::standard(rbf().representation.kernel);
  EXPECT_EQ(at_numbers(space, space.tried(0)), grid_points(rbf(), grid));
  for (const double C : {2048.0, 8192.0, 32768.0}) grid.C.push_back(C);
  EXPECT_EQ(at_numbers(space, space.tried(0, {.C = 1})), grid_points(rbf(), grid));
  grid.gamma.insert(grid.gamma.begin(), {Gamma(std::ldexp(1.0, -15)), Gamma(std::ldexp(1.0, -13)),
                                         Gamma(std::ldexp(1.0, -11))});
  EXPECT_EQ(at_numbers(space, space.tried(0, {.C = 1, .gamma = -1})), grid_points(rbf(), grid));
}

TEST(TuneSpace, KnowsWhichPointsLieAtAnEnd) {
  const TuneSpace space({rbf()}, TuneGrid::standard(rbf().representation.kernel));
  for (const std::size_t k : space.tried(0)) {
    const double C = space.points()[k].objective.C;
    const double gamma = std::get<double>(space.points()[k].representation.kernel.gamma);
    const GridEnds expected{C == 0.125 ? -1
                            : C == 512 ? 1
                                       : 0,
                            gamma == std::ldexp(1.0, -9) ? -1
                            : gamma == 8                 ? 1
                                                         : 0};
    EXPECT_EQ(space.ends_at(k), expected);
  }
  const TuneSpace given(few_points());
  for (const std::size_t k : given.tried(0)) EXPECT_FALSE(given.ends_at(k).any());
}

/// From the definition: cross-validate the grid, and again if its best point alone lies at an end.
TuneReport widened_by_hand(const Dataset& data, double d, const FoldOptions& folds) {
  TuneGrid grid = growing();
  const TuneReport first = tune(data, grid_points(linear(d), grid), folds).front();
  const double best = first.points[first.best].objective.C;
  if (first.summaries[0].risk.mean == first.summaries[1].risk.mean) return first;
  grid.C = best == inside[0] ? std::vector{1.0 / 256, 1.0 / 64, 1.0 / 16, 0.25, 1.0}
                             : std::vector{0.25, 1.0, 4.0, 16.0, 64.0};
  return tune(data, grid_points(linear(d), grid), folds).front();
}

void expect_equal(const TuneReport& found, const TuneReport& expected) {
  EXPECT_EQ(found.points, expected.points);
  EXPECT_EQ(found.best, expected.best);
  for (std::size_t k = 0; k < expected.points.size(); ++k) {
    EXPECT_EQ(found.summaries[k].risk.mean, expected.summaries[k].risk.mean);
    EXPECT_EQ(found.summaries[k].aurc.mean, expected.summaries[k].aurc.mean);
  }
}

TEST(Tune, WidensTheGridOnceWhereItsBestPointLies) {
  std::set<int> seen;
  for (const unsigned seed : {1U, 2U, 3U, 4U, 5U, 6U}) {
    const Dataset data = noisy_line(60, seed);
    for (const double d : {0.1, 0.3, 0.45}) {
      const TuneReport found = tune(data, TuneSpace({linear(d)}, growing()), three).front();
      expect_equal(found, widened_by_hand(data, d, three));
      seen.insert(found.widened.C);
    }
  }
  EXPECT_EQ(seen, (std::set{-1, 0, 1})) << "not every case was met";
}

TEST(Tune, FindsForEachOfSeveralCostsWhatItFindsAlone) {
  const Dataset data = noisy_line(60, 3);
  const std::vector bases = {linear(0.1), linear(0.3), linear(0.45)};
  const std::vector<TuneReport> together = tune(data, TuneSpace(bases, growing()), three);
  const auto nested = nested_estimate(data, TuneSpace(bases, growing()), three, 1);
  ASSERT_EQ(together.size(), bases.size());
  for (std::size_t k = 0; k < bases.size(); ++k) {
    const TuneSpace alone({bases[k]}, growing());
    expect_equal(together[k], tune(data, alone, three).front());
    std::vector<FoldResult> expected = nested_estimate(data, alone, three, 1).front();
    for (FoldResult& result : expected) result.method += k * alone.points().size();
    expect_same(nested[k], expected);
  }
}

TEST(Tune, GoesOnFromWhatIsKnownAlsoBeyondTheEnds) {
  const Dataset data = noisy_line(60, 2);
  const TuneSpace space({linear(0.1), linear(0.45)}, growing());
  std::vector<FoldResult> all;
  CvHooks listen;
  listen.found = [&](const FoldResult& result) { all.push_back(result); };
  const std::vector<TuneReport> expected = tune(data, space, three, 1, listen);
  std::size_t trainings = 0;
  for (const TuneReport& one : expected) trainings += one.points.size() * three.folds;
  ASSERT_EQ(all.size(), trainings) << "each is told of once";
  ASSERT_GT(trainings, 2 * inside.size() * three.folds) << "nothing was widened";
  for (std::size_t known = 0; known <= all.size(); known += 4) {
    std::size_t found = 0;
    CvHooks remind;
    remind.known.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(known));
    remind.found = [&](const FoldResult&) { ++found; };
    const std::vector<TuneReport> again = tune(data, space, three, 1, remind);
    for (std::size_t k = 0; k < expected.size(); ++k) expect_equal(again[k], expected[k]);
    EXPECT_EQ(found, trainings - known);
  }
}

TEST(Tune, RefusesWhatIsKnownOfAnotherTuning) {
  const TuneSpace space(few_points());
  CvHooks hooks;
  hooks.known.push_back({.method = space.points().size()});
  EXPECT_THROW(static_cast<void>(tune(noisy_line(60, 2), space, three, 1, hooks)), InputError);
}

TEST(GridPoints, AreNotEndlesslyMany) {
  const std::vector<double> many(1000, 1.0);
  const TuneGrid grid{.C = many, .gamma = {}, .mu = many, .training_cost = {}};
  EXPECT_THROW(static_cast<void>(grid_points(TrainOptions{}, grid)), OptionError);
}

}  // namespace
}  // namespace rampart
