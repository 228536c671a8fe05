#include "data/medians.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace rampart {
namespace {

using ::testing::ElementsAre;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

double by_sorting(std::vector<double> values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const std::size_t upper = values.size() / 2;
  return values.size() % 2 == 1 ? values[upper] : std::midpoint(values[upper - 1], values[upper]);
}

double median(const std::vector<double>& values, unsigned threads = 1) {
  const Rows x = Rows::dense(1, values);
  const std::vector<std::uint32_t> first = {0};
  return medians_of(x, first, threads).at(0);
}

TEST(Medians, OfFewValues) {
  EXPECT_EQ(median({3}), 3);
  EXPECT_EQ(median({3, 1}), 2);
  EXPECT_EQ(median({3, 1, missing, 7}), 3);
  EXPECT_EQ(median({missing, missing}), 0);
  const double largest = std::numeric_limits<double>::max();
  EXPECT_EQ(median({largest, largest}), largest);
}

TEST(Medians, OnlyTheColumnsThatAreAskedFor) {
  const Rows x = Rows::dense(3, {1, 5, 9, 2, 6, 8, 3, 7, 7});
  const std::vector<std::uint32_t> columns = {0, 2};
  EXPECT_THAT(medians_of(x, columns), ElementsAre(2, 8));
  EXPECT_THAT(medians_of(RowsView(x).wider(5), std::vector<std::uint32_t>{1, 4}),
              ElementsAre(6, 0));
  EXPECT_TRUE(medians_of(x, {}).empty());
}

// So many rows that a sample brackets the median, in all shapes a column may have.
TEST(Medians, AreExactUpToManyRows) {
  std::mt19937_64 random(1);
  const auto uniform = [&] { return static_cast<double>(random()) * 0x1p-64; };
  const std::vector<std::function<double(std::size_t)>> shapes = {
      [&](std::size_t) { return uniform(); },
      [&](std::size_t) { return std::round(4 * uniform()); },    // ties
      [&](std::size_t) { return uniform() < 0.5 ? 0.0 : 1.0; },  // the median may be either
      [&](std::size_t) { return 7.0; },
      [&](std::size_t n) { return static_cast<double>(n); },  // sorted
      [&](std::size_t n) { return -static_cast<double>(n); },
      [&](std::size_t) { return uniform() < 0.9 ? missing : uniform(); },
      [&](std::size_t) { return std::pow(uniform(), -5); },         // heavy tail
      [&](std::size_t n) { return n % 4 == 0 ? 0.0 : uniform(); },  // the sample has zeros alone
      [&](std::size_t n) { return n % 2 == 0 ? missing : uniform(); },
  };
  for (const std::size_t rows : {std::size_t{8193}, std::size_t{16384}, std::size_t{30001}}) {
    for (std::size_t shape = 0; shape < shapes.size(); ++shape) {
      std::vector<double> values;
      for (std::size_t n = 0; n < rows; ++n) values.push_back(shapes[shape](n));
      EXPECT_EQ(median(values), by_sorting(values)) << rows << " rows of shape " << shape;
    }
  }
}

TEST(Medians, AWeightIsAsManyRepetitions) {
  std::mt19937_64 random(4);
  for (std::size_t size = 1; size < 40; ++size) {
    std::vector<double> values, weights, often;
    for (std::size_t n = 0; n < size; ++n) {
      values.push_back(random() % 5 == 0 ? missing : static_cast<double>(random() % 10));
      weights.push_back(static_cast<double>(1 + random() % 4));
      often.insert(often.end(), static_cast<std::size_t>(weights.back()), values.back());
    }
    const Rows x = Rows::dense(1, values);
    EXPECT_EQ(medians_of(x, std::vector<std::uint32_t>{0}, 1, weights).at(0), by_sorting(often));
  }
}

TEST(Medians, OfVeryManyRowsAreThoseOfSomeAndTheirWeights) {
  std::vector<double> values(most_rows_for_medians + 500), weights(values.size());
  for (std::size_t n = 0; n < values.size(); ++n) {
    values[n] = n % 3 == 0 ? 7 : 2;
    weights[n] = n % 3 == 0 ? 5 : 1;
  }
  const Rows x = Rows::dense(1, values);
  EXPECT_EQ(medians_of(x, std::vector<std::uint32_t>{0}, 2, weights).at(0), 7);
}

TEST(Medians, DoNotDependOnThreads) {
  std::mt19937_64 random(2);
  std::vector<double> values(most_rows_for_medians);
  for (double& value : values) value = static_cast<double>(random());
  EXPECT_EQ(median(values, 3), by_sorting(values));
}

TEST(Medians, OfVeryManyRowsHaveNearlyTheRankOfAMedian) {
  std::mt19937_64 random(3);
  std::vector<double> values(most_rows_for_medians + 12345);
  for (double& value : values) value = static_cast<double>(random());
  const double found = median(values);
  const auto below = std::ranges::count_if(values, [&](double value) { return value < found; });
  const double rank = static_cast<double>(below) / static_cast<double>(values.size());
  EXPECT_NEAR(rank, 0.5, 0.016);  // four deviations
  EXPECT_EQ(median(values, 2), found);
}

}  // namespace
}  // namespace rampart
