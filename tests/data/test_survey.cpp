#include "data/survey.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "data/support.hpp"

namespace rampart {
namespace {

using testing_support::row;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// The values of a column that are there, sorted.
std::vector<double> sorted_column(const Rows& x, std::size_t j) {
  std::vector<double> values;
  for (std::size_t n = 0; n < x.size(); ++n) {
    if (const double value = row(x, n)[j]; !std::isnan(value)) values.push_back(value);
  }
  std::ranges::sort(values);
  return values;
}

Rows with_missing_cells(const Rows& x) {
  std::vector<double> values;
  for (std::size_t n = 0; n < x.size(); ++n) {
    for (const double value : row(x, n)) {
      values.push_back(*rc::gen::inRange(0, 4) == 0 ? missing : value);
    }
  }
  return Rows::dense(x.columns(), std::move(values));
}

RC_GTEST_PROP(SurveyTest, ExtremesAreTheEndsOfTheSortedColumn, ()) {
  Rows x = *testing_support::any_rows();
  if (*rc::gen::arbitrary<bool>()) x = with_missing_cells(x);
  const Survey survey(x);
  for (std::size_t j = 0; j < x.columns(); ++j) {
    const std::vector<double> sorted = sorted_column(x, j);
    if (!survey.occurring.has(j)) {
      RC_ASSERT(sorted.front() == 0 && sorted.back() == 0);
      continue;
    }
    const Extremes& found = survey.columns[survey.occurring[j]].extremes;
    const std::size_t count = sorted.size();
    RC_ASSERT(found.low == (count > 0 ? sorted[0] : infinity));
    RC_ASSERT(found.high == (count > 0 ? sorted[count - 1] : -infinity));
    RC_ASSERT(found.next_low == (count > 1 ? sorted[1] : infinity));
    RC_ASSERT(found.next_high == (count > 1 ? sorted[count - 2] : -infinity));
    // Who has an outermost value that nobody else has.
    if (found.low < found.next_low && count > 0) RC_ASSERT(row(x, found.lowest)[j] == found.low);
    if (found.high > found.next_high && count > 0) {
      RC_ASSERT(row(x, found.highest)[j] == found.high);
    }
    if (x.is_dense()) RC_ASSERT(survey.missing[j] == x.size() - count);
  }
}

TEST(SurveyTest, AViewWithMoreColumnsHasZerosThere) {
  const Rows x = Rows::dense(1, {3, 4, 5});
  const Survey survey(RowsView(x).wider(2));
  ASSERT_EQ(survey.columns.size(), 2U);
  EXPECT_EQ(survey.columns[1].extremes.low, 0);
  EXPECT_EQ(survey.columns[1].extremes.high, 0);
  EXPECT_EQ(survey.sum[1], 0);
}

TEST(SurveyTest, TheFirstInfiniteValueIsNamed) {
  const Rows dense = Rows::dense(2, {1, missing, 1, infinity, -infinity, 2});
  const Survey survey(dense);
  ASSERT_TRUE(survey.first_infinite);
  EXPECT_EQ(survey.first_infinite->row, 1U);
  EXPECT_EQ(survey.first_infinite->column, 1U);
  EXPECT_TRUE(survey.misses());
  EXPECT_FALSE(Survey(Rows::dense(1, {1, 2, missing})).first_infinite);
}

/// More rows than one block of sums has; the block of a value shows in its last bits.
Rows many_rows() {
  std::mt19937_64 random(1);
  std::vector<double> values(2 * (2 * rows_per_sum + 1000));
  for (double& value : values) {
    value = random() % 50 == 0 ? missing : static_cast<double>(random()) * 0x1p-64;
  }
  for (std::size_t k = 1; k < values.size(); k += 2) {
    if (std::isnan(values[k])) values[k] = 0.1;  // the second column is complete
  }
  return Rows::dense(2, std::move(values));
}

TEST(SurveyTest, TheNumberOfThreadsDoesNotChangeABit) {
  const Rows x = many_rows();
  const Survey one(x, 1);
  for (const unsigned threads : {2U, 3U, 0U}) {
    const Survey other(x, threads);
    EXPECT_EQ(other.sum[1], one.sum[1]);
    EXPECT_EQ(other.missing, one.missing);
    for (std::size_t j = 0; j < 2; ++j) {
      const Extremes& a = one.columns[j].extremes;
      const Extremes& b = other.columns[j].extremes;
      EXPECT_EQ(a.low, b.low);
      EXPECT_EQ(a.next_low, b.next_low);
      EXPECT_EQ(a.high, b.high);
      EXPECT_EQ(a.next_high, b.next_high);
      EXPECT_EQ(a.lowest, b.lowest);
      EXPECT_EQ(a.highest, b.highest);
    }
  }
}

TEST(SurveyTest, SumsOfFewRowsAreThoseOfOneLoop) {
  const Rows x = many_rows();
  const RowsView few = RowsView(x).range(0, rows_per_sum);
  double sum = 0;
  for (std::size_t n = 0; n < few.size(); ++n) sum += x.dense_row(n)[1];
  EXPECT_EQ(Survey(few, 2).sum[1], sum);
}

}  // namespace
}  // namespace rampart
