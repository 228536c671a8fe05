#include "evaluate/paired_costs.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

#include "rampart/errors.hpp"
#include "rampart/metrics.hpp"

namespace rampart {
namespace {

const Costs costs{
    .false_positive = 1, .false_negative = 3, .reject_positive = 0.3, .reject_negative = 0.2};

std::vector<Decision> any_answers(std::size_t count) {
  return *rc::gen::container<std::vector<Decision>>(
      count, rc::gen::element(Decision::negative, Decision::reject, Decision::positive));
}

double risk_of(const std::vector<Decision>& answers, const std::vector<std::int8_t>& y) {
  Metrics metrics{.costs = costs};
  for (std::size_t n = 0; n < y.size(); ++n)
    ++metrics.table[y[n] > 0 ? 1 : 0][index_of(answers[n])];
  return metrics.risk();
}

RC_GTEST_PROP(PairedCosts, TheDifferenceIsThatOfTheRisks, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(1, 50);
  const auto y =
      *rc::gen::container<std::vector<std::int8_t>>(count, rc::gen::element<std::int8_t>(-1, 1));
  const std::vector<Decision> first = any_answers(count);
  const std::vector<Decision> second = any_answers(count);
  const PairedCosts paired = paired_costs(first, second, y, costs);
  RC_ASSERT(std::abs(paired.difference - (risk_of(second, y) - risk_of(first, y))) < 1e-12);
  const PairedCosts reversed = paired_costs(second, first, y, costs);
  RC_ASSERT(std::abs(reversed.difference + paired.difference) < 1e-12);
  RC_ASSERT(std::abs(reversed.standard_error - paired.standard_error) < 1e-12);
  const PairedCosts same = paired_costs(first, first, y, costs);
  RC_ASSERT(same.difference == 0 && same.standard_error == 0 && same.different_answers == 0);
}

/// One row in four costs 1 more: mean 1/4, variance 1/4 − 1/16 = 3/16, over 4 rows.
TEST(PairedCosts, TheStandardErrorIsThatOfTheMeanOfTheDifferences) {
  const std::vector<Decision> first(4, Decision::negative);
  std::vector<Decision> second = first;
  second[2] = Decision::positive;
  const std::vector<std::int8_t> y(4, -1);
  const PairedCosts paired = paired_costs(first, second, y, costs);
  EXPECT_EQ(paired.different_answers, 1U);
  EXPECT_DOUBLE_EQ(paired.difference, 0.25);
  EXPECT_DOUBLE_EQ(paired.standard_error, std::sqrt(3.0 / 16 / 4));
}

TEST(PairedCosts, RefusesAnswersToOtherRows) {
  const std::vector<Decision> two(2, Decision::reject);
  const std::vector<Decision> three(3, Decision::reject);
  const std::vector<std::int8_t> y(2, 1);
  EXPECT_THROW((void)paired_costs(two, three, y, costs), InputError);
  EXPECT_THROW((void)paired_costs({}, {}, {}, costs), InputError);
}

}  // namespace
}  // namespace rampart
