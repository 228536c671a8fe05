#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "evaluate/scored.hpp"
#include "rampart/errors.hpp"
#include "rampart/train.hpp"
#include "train/thresholds.hpp"

namespace rampart {
namespace {

Costs any_costs() {
  if (*rc::gen::arbitrary<bool>()) return Costs::symmetric(*rc::gen::element(0.05, 0.2, 0.35, 0.5));
  return *rc::gen::element(Costs{1, 5, 0.5, 0.2}, Costs{3, 1, 0.1, 0.4}, Costs{2, 2, 1, 1},
                           Costs{0.25, 1, 0.5, 0.125});
}

/// Straight from the definition: − below low, + above high, nothing between.
double cost(const Scored& scored, const Thresholds& thresholds, const Costs& costs) {
  double sum = 0;
  for (std::size_t n = 0; n < scored.y.size(); ++n) {
    const bool positive = scored.scores[n] > thresholds.high;
    const bool negative = scored.scores[n] < thresholds.low;
    if (scored.y[n] > 0) {
      sum += positive ? 0 : negative ? costs.false_negative : costs.reject_positive;
    } else {
      sum += negative ? 0 : positive ? costs.false_positive : costs.reject_negative;
    }
  }
  return sum;
}

/// One number in each place that differs from others for these scores: between, on and beyond them.
std::vector<double> places() {
  std::vector<double> all;
  for (double at = -1.125; at <= 1.125; at += 0.125) all.push_back(at);
  return all;
}

RC_GTEST_PROP(Thresholds, CostNoMoreThanAnyOther, ()) {
  const Scored scored = any_scored(12);
  const Costs costs = any_costs();
  const Thresholds best = best_thresholds(scored.scores, scored.y, costs);
  RC_ASSERT(best.low <= best.high);
  RC_ASSERT(std::isfinite(best.low));
  RC_ASSERT(std::isfinite(best.high));
  const double found = cost(scored, best, costs);
  for (const double low : places()) {
    for (const double high : places()) {
      if (low <= high) RC_ASSERT(found <= cost(scored, {low, high}, costs) + 1e-12);
    }
  }
}

RC_GTEST_PROP(Thresholds, OfEqualOnesAreTheSmallestHighThenTheLargestLow, ()) {
  const Scored scored = any_scored(12);
  const Costs costs = *rc::gen::element(Costs::symmetric(0.25), Costs::symmetric(0.5),
                                        Costs{1, 2, 0.5, 0.25});  // sums without rounding
  const Thresholds best = best_thresholds(scored.scores, scored.y, costs);
  const double found = cost(scored, best, costs);
  // Two thresholds are equivalent if no score lies between them.
  const auto rank = [&](double at) {
    return std::ranges::count_if(scored.scores, [&](double score) { return score < at; });
  };
  const auto between_scores = [&](double at) {
    return std::ranges::find(scored.scores, at) == scored.scores.end();
  };
  for (const double low : places()) {
    for (const double high : places()) {
      if (low > high || !between_scores(low) || !between_scores(high)) continue;
      if (cost(scored, {low, high}, costs) > found) continue;
      RC_ASSERT(rank(best.high) <= rank(high));
      if (rank(best.high) == rank(high)) RC_ASSERT(rank(best.low) >= rank(low));
    }
  }
}

RC_GTEST_PROP(Thresholds, DoNotDependOnTheOrderOfTheRows, ()) {
  Scored scored = any_scored(12);
  const Costs costs = any_costs();
  const Thresholds one = best_thresholds(scored.scores, scored.y, costs);
  std::ranges::reverse(scored.scores);
  std::ranges::reverse(scored.y);
  const Thresholds other = best_thresholds(scored.scores, scored.y, costs);
  RC_ASSERT(one.low == other.low);
  RC_ASSERT(one.high == other.high);
}

TEST(Thresholds, LieMidwayBetweenScores) {
  const Thresholds best =
      best_thresholds(std::vector<double>{-3, -1, 0, 2}, std::vector<std::int8_t>{-1, 1, -1, 1},
                      Costs::symmetric(0.25));
  EXPECT_EQ(best.low, -2);  // −1 and 0 are the wrong way round: both are left alone
  EXPECT_EQ(best.high, 1);
}

TEST(Thresholds, OfUninformativeScoresRejectAllRows) {
  const std::vector<double> scores{1, 1, 1, 1};
  const std::vector<std::int8_t> y{-1, 1, -1, 1};
  const Thresholds best = best_thresholds(scores, y, Costs::symmetric(0.2));
  EXPECT_LT(best.low, 1);
  EXPECT_GT(best.high, 1);
  const Thresholds dear = best_thresholds(scores, y, Costs{1, 4, 0.2, 0.2});
  EXPECT_LT(dear.low, 1);
  EXPECT_GT(dear.high, 1);
}

TEST(Thresholds, OfSeparatedScoresRejectNoRow) {
  const Thresholds best =
      best_thresholds(std::vector<double>{-2, -1, 1, 3}, std::vector<std::int8_t>{-1, -1, 1, 1},
                      Costs::symmetric(0.01));
  EXPECT_EQ(best.low, 0);
  EXPECT_EQ(best.high, 0);
}

TEST(Thresholds, OfASingleClassAnswerItAlways) {
  const std::vector<double> scores{-1, 0, 2};
  const Thresholds best =
      best_thresholds(scores, std::vector<std::int8_t>{1, 1, 1}, Costs::symmetric(0.2));
  EXPECT_LT(best.high, -1);
  const Thresholds other =
      best_thresholds(scores, std::vector<std::int8_t>{-1, -1, -1}, Costs::symmetric(0.2));
  EXPECT_GT(other.low, 2);
}

TEST(Thresholds, AreFiniteForTheLargestScores) {
  const double most = std::numeric_limits<double>::max();
  for (const int label : {-1, 1}) {
    const Scored scored{{-most, most},
                        {static_cast<std::int8_t>(-label), static_cast<std::int8_t>(label)}};
    const Costs costs = Costs::symmetric(0.2);
    const Thresholds best = best_thresholds(scored.scores, scored.y, costs);
    EXPECT_TRUE(std::isfinite(best.low) && std::isfinite(best.high)) << best.low << best.high;
    EXPECT_LE(cost(scored, best, costs), 0.4);
  }
}

TEST(Thresholds, NeedAScoreForEveryLabel) {
  const std::vector<std::int8_t> y{1, -1};
  EXPECT_THROW(static_cast<void>(best_thresholds({}, {}, Costs{})), InputError);
  EXPECT_THROW(static_cast<void>(best_thresholds(std::vector<double>{1}, y, Costs{})), InputError);
}

}  // namespace
}  // namespace rampart
