#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "rampart/errors.hpp"
#include "rampart/loss.hpp"
#include "rampart/metrics.hpp"

namespace rampart {
namespace {

struct Scored {
  std::vector<double> scores;
  std::vector<std::int8_t> y;
};

/// Scores on a coarse grid, so that ties are common.
Scored any_scored(int most) {
  Scored scored;
  const auto rows = *rc::gen::inRange(1, most);
  for (int n = 0; n < rows; ++n) {
    scored.scores.push_back(*rc::gen::inRange(-6, 7) / 2.0);
    scored.y.push_back(*rc::gen::element<std::int8_t>(-1, 1));
  }
  return scored;
}

RC_GTEST_PROP(Metrics, TheRiskIsTheMeanOfTheZeroDOneLoss, ()) {
  const Scored scored = any_scored(40);
  const double rho = *rc::gen::inRange(0, 5) / 2.0;
  const double d = *rc::gen::element(0.05, 0.2, 0.5);
  const Metrics metrics = measure(scored.scores, scored.y, rho, Costs::symmetric(d));
  double sum = 0;
  for (std::size_t n = 0; n < scored.y.size(); ++n) {
    sum += ZeroDOneLoss{d}(scored.y[n] * scored.scores[n], rho);
  }
  RC_ASSERT(std::abs(metrics.risk() - sum / static_cast<double>(scored.y.size())) < 1e-12);
}

RC_GTEST_PROP(Metrics, CountsAddUp, ()) {
  const Scored scored = any_scored(40);
  const Metrics metrics = measure(scored.scores, scored.y, 1, Costs{});
  RC_ASSERT(metrics.rows() == scored.y.size());
  const std::size_t answered = metrics.rows() - metrics.rejected();
  const auto accuracy = metrics.accepted_accuracy();
  RC_ASSERT(accuracy.has_value() == (answered > 0));
  if (accuracy) {
    RC_ASSERT(std::abs(*accuracy * static_cast<double>(answered) -
                       static_cast<double>(answered - metrics.errors())) < 1e-9);
  }
}

TEST(Metrics, RejectingEverythingCostsDAndHasNoAccuracy) {
  const Metrics metrics =
      measure(std::vector{0.1, -0.1}, std::vector<std::int8_t>{1, -1}, 1, Costs::symmetric(0.3));
  EXPECT_DOUBLE_EQ(metrics.risk(), 0.3);
  EXPECT_EQ(metrics.rejection_rate(), 1);
  EXPECT_FALSE(metrics.accepted_accuracy().has_value());
}

TEST(Metrics, AsymmetricCostsAreChargedToTheirCells) {
  const Costs costs{
      .false_positive = 1, .false_negative = 7, .reject_positive = 0.5, .reject_negative = 0.25};
  const std::vector<std::int8_t> y{-1, 1, 1, -1, 1};
  const std::vector<double> scores{2, -2, 0, 0, 2};
  EXPECT_DOUBLE_EQ(measure(scores, y, 1, costs).risk(), (1 + 7 + 0.5 + 0.25 + 0) / 5);
}

TEST(Metrics, NoRowsIsAnError) {
  EXPECT_THAT([] { static_cast<void>(measure({}, {}, 0, Costs{})); },
              testing::ThrowsMessage<InputError>("no rows to measure on"));
}

TEST(Metrics, ScoresThatAreNotFiniteAreRefused) {
  const std::vector<double> scores{1, std::nan("")};
  const std::vector<std::int8_t> y{1, -1};
  EXPECT_THROW(static_cast<void>(measure(scores, y, 0, Costs{})), InputError);
  EXPECT_THROW(static_cast<void>(aurc(scores, y)), InputError);
}

/// The mean over every order of the rows that keeps |f| falling.
double aurc_by_all_orders(const Scored& scored) {
  std::vector<std::size_t> order(scored.y.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  double total = 0;
  double orders = 0;
  do {
    const bool falls = std::ranges::is_sorted(
        order, std::greater{}, [&](std::size_t n) { return std::abs(scored.scores[n]); });
    if (!falls) continue;
    double errors = 0;
    double sum = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const double t = scored.y[order[k]] * scored.scores[order[k]];
      errors += t < 0 ? 1 : t == 0 ? 0.5 : 0;
      sum += errors / static_cast<double>(k + 1);
    }
    total += sum / static_cast<double>(order.size());
    ++orders;
  } while (std::ranges::next_permutation(order).found);
  return total / orders;
}

RC_GTEST_PROP(Aurc, IsTheMeanOverAllOrdersOfTiedRows, ()) {
  const Scored scored = any_scored(7);
  RC_ASSERT(std::abs(aurc(scored.scores, scored.y) - aurc_by_all_orders(scored)) < 1e-12);
}

TEST(Aurc, IsZeroWithoutErrorsAndOneWithoutRightAnswers) {
  const std::vector<double> scores{1, -2, 3};
  EXPECT_EQ(aurc(scores, std::vector<std::int8_t>{1, -1, 1}), 0);
  EXPECT_EQ(aurc(scores, std::vector<std::int8_t>{-1, 1, -1}), 1);
}

}  // namespace
}  // namespace rampart
