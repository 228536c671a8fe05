#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include "evaluate/intervals.hpp"
#include "evaluate/risk_coverage.hpp"
#include "evaluate/scored.hpp"
#include "rampart/errors.hpp"
#include "rampart/metrics.hpp"

namespace rampart {
namespace {

double error_of(const Scored& scored, std::size_t n) {
  const double t = scored.y[n] * scored.scores[n];
  return t < 0 ? 1 : t == 0 ? 0.5 : 0;
}

/// The mean, over the places k of an order, of the error rate among its first k rows.
double area_of(const Scored& scored, const std::vector<std::size_t>& order) {
  double errors = 0;
  double sum = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    errors += error_of(scored, order[k]);
    sum += errors / static_cast<double>(k + 1);
  }
  return sum / static_cast<double>(order.size());
}

/// By trying every order of the rows.
struct AllOrders {
  double mean_while_falling = 0;  ///< of those that keep |f| falling
  double best = 1;                ///< of all, whatever |f|

  explicit AllOrders(const Scored& scored) {
    std::vector<std::size_t> order(scored.y.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    double total = 0;
    double orders = 0;
    do {
      const double area = area_of(scored, order);
      best = std::min(best, area);
      const bool falls = std::ranges::is_sorted(
          order, std::greater{}, [&](std::size_t n) { return std::abs(scored.scores[n]); });
      if (!falls) continue;
      total += area;
      ++orders;
    } while (std::ranges::next_permutation(order).found);
    mean_while_falling = total / orders;
  }
};

RC_GTEST_PROP(RiskCoverage, EveryPointIsWhatItsThresholdAccepts, ()) {
  const Scored scored = any_scored(40);
  std::set<double, std::greater<>> certainties;
  for (const double score : scored.scores) certainties.insert(std::abs(score));
  const auto curve = risk_coverage_curve(scored.scores, scored.y);
  RC_ASSERT(curve.size() == certainties.size());
  auto certainty = certainties.begin();
  for (const CoveragePoint& point : curve) {
    std::size_t accepted = 0;
    double errors = 0;
    for (std::size_t n = 0; n < scored.y.size(); ++n) {
      if (std::abs(scored.scores[n]) < *certainty) continue;
      ++accepted;
      errors += error_of(scored, n);
    }
    RC_ASSERT(point.threshold == *certainty++);
    RC_ASSERT(point.accepted == accepted);
    RC_ASSERT(point.errors == errors);
    RC_ASSERT(point.risk() == errors / static_cast<double>(accepted));
    RC_ASSERT(point.coverage(scored.y.size()) ==
              static_cast<double>(accepted) / static_cast<double>(scored.y.size()));
  }
  RC_ASSERT(curve.back().accepted == scored.y.size());
}

RC_GTEST_PROP(RiskCoverage, ABandJustBelowAThresholdHasItsCoverageAndAccuracy, ()) {
  const Scored scored = any_scored(40);
  for (const CoveragePoint& point : risk_coverage_curve(scored.scores, scored.y)) {
    if (point.threshold == 0) continue;  // no band leaves f = 0 an answer
    const Metrics metrics =
        measure(scored.scores, scored.y, std::nextafter(point.threshold, 0), Costs{});
    RC_ASSERT(metrics.answered() == point.accepted);
    RC_ASSERT(metrics.coverage() == point.coverage(scored.y.size()));
    RC_ASSERT(std::abs(1 - *metrics.accepted_accuracy() - point.risk()) < 1e-15);
  }
}

TEST(RiskCoverage, HalfAnErrorWidensTheIntervalOnBothSides) {
  const CoveragePoint half{.threshold = 0, .accepted = 10, .errors = 2.5};
  EXPECT_EQ(half.risk_interval(0.9).low, clopper_pearson(2, 10, 0.9).low);
  EXPECT_EQ(half.risk_interval(0.9).high, clopper_pearson(3, 10, 0.9).high);
  const CoveragePoint whole{.threshold = 0, .accepted = 10, .errors = 3};
  EXPECT_EQ(whole.risk_interval(0.9), clopper_pearson(3, 10, 0.9));
}

RC_GTEST_PROP(Aurc, IsTheMeanOverAllOrdersOfTiedRows, ()) {
  const Scored scored = any_scored(8);
  RC_ASSERT(std::abs(aurc(scored.scores, scored.y) - AllOrders(scored).mean_while_falling) < 1e-12);
}

RC_GTEST_PROP(Aurc, DoesNotDependOnTheOrderOfTheRowsOrTheScaleOfTheScores, ()) {
  const Scored scored = any_scored(40);
  const std::vector<double> keys =
      *rc::gen::container<std::vector<double>>(scored.y.size(), rc::gen::arbitrary<double>());
  std::vector<std::size_t> order(scored.y.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t n) { return keys[n]; });
  Scored other;
  for (const std::size_t n : order) {
    other.scores.push_back(std::copysign(std::pow(scored.scores[n], 2), scored.scores[n]));
    other.y.push_back(scored.y[n]);
  }
  RC_ASSERT(aurc(other.scores, other.y) == aurc(scored.scores, scored.y));
  RC_ASSERT(excess_aurc(other.scores, other.y) == excess_aurc(scored.scores, scored.y));
}

RC_GTEST_PROP(Aurc, IsTheErrorRateIfAllRowsAreTied, ()) {
  Scored scored = any_scored(40);
  std::ranges::fill(scored.scores, 1.5);
  const auto errors = static_cast<double>(std::ranges::count(scored.y, -1));
  RC_ASSERT(std::abs(aurc(scored.scores, scored.y) -
                     errors / static_cast<double>(scored.y.size())) < 1e-12);
}

TEST(Aurc, IsZeroWithoutErrorsAndOneWithoutRightAnswers) {
  const std::vector<double> scores{1, -2, 3};
  EXPECT_EQ(aurc(scores, std::vector<std::int8_t>{1, -1, 1}), 0);
  EXPECT_EQ(aurc(scores, std::vector<std::int8_t>{-1, 1, -1}), 1);
}

RC_GTEST_PROP(ExcessAurc, IsWhatTheBestOfAllOrdersWouldSave, ()) {
  const Scored scored = any_scored(8);
  const double expected = aurc(scored.scores, scored.y) - AllOrders(scored).best;
  RC_ASSERT(std::abs(excess_aurc(scored.scores, scored.y) - expected) < 1e-12);
}

RC_GTEST_PROP(ExcessAurc, IsNeverNegativeNotEvenByRounding, ()) {
  const Scored scored = any_scored(300);
  RC_ASSERT(excess_aurc(scored.scores, scored.y) >= 0);
}

/// Right answers above all errors; rows at f = 0 only where no error is above them.
RC_GTEST_PROP(ExcessAurc, IsZeroForAPerfectOrderAndForNoOther, ()) {
  const Scored scored = any_scored(12);
  double least_certain_right = HUGE_VAL;
  double most_certain_wrong = -1;
  double most_certain_half = -1;
  for (std::size_t n = 0; n < scored.y.size(); ++n) {
    const double certainty = std::abs(scored.scores[n]);
    const double error = error_of(scored, n);
    if (error == 0) least_certain_right = std::min(least_certain_right, certainty);
    if (error == 1) most_certain_wrong = std::max(most_certain_wrong, certainty);
    if (error == 0.5) most_certain_half = certainty;
  }
  const bool perfect =
      most_certain_wrong < least_certain_right && (most_certain_half < 0 || most_certain_wrong < 0);
  const double excess = excess_aurc(scored.scores, scored.y);
  RC_ASSERT((perfect ? excess == 0 : excess > 1e-6));
}

TEST(ExcessAurc, IsZeroIfThereIsNothingToOrder) {
  const std::vector<std::int8_t> y{1, -1, 1};
  EXPECT_EQ(excess_aurc(std::vector<double>{1, -2, 3}, y), 0);   // all right
  EXPECT_EQ(excess_aurc(std::vector<double>{-1, 2, -3}, y), 0);  // all wrong
  EXPECT_EQ(excess_aurc(std::vector<double>{0, 0, 0}, y), 0);    // all in doubt
}

}  // namespace
}  // namespace rampart
