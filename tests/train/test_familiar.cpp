#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "model/familiarity.hpp"
#include "train/gauge.hpp"
#include "train/learn_familiar.hpp"
#include "train/relations.hpp"

namespace rampart {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

double normal(std::mt19937_64& random) { return std::normal_distribution<double>()(random); }

/// Heavy tails: a power of a normal value with its sign.
double heavy(std::mt19937_64& random) {
  const double z = normal(random);
  return std::copysign(std::exp(2 * std::abs(z)), z);
}

template <class Draw>
Rows rows_of(std::size_t rows, std::size_t columns, std::mt19937_64& random, const Draw& draw) {
  std::vector<double> values(rows * columns);
  for (double& value : values) value = draw(random);
  return Rows::dense(columns, std::move(values), rows);
}

Rows to_sparse(const Rows& dense) {
  std::vector<std::size_t> starts{0};
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  for (std::size_t n = 0; n < dense.size(); ++n) {
    dense.for_each(n, [&](std::size_t j, double value) {
      if (value == 0) return;
      indices.push_back(static_cast<std::uint32_t>(j));
      values.push_back(value);
    });
    starts.push_back(values.size());
  }
  return Rows::sparse(dense.columns(), std::move(starts), std::move(indices), std::move(values));
}

Familiar learn(RowsView x, double share = 0.005) { return learn_familiar(x, {}, share); }

std::vector<std::optional<std::uint32_t>> judge(const Familiar& familiar, RowsView x) {
  const Familiarity familiarity(familiar);
  std::vector<std::optional<std::uint32_t>> found;
  for (std::size_t n = 0; n < x.size(); ++n) found.push_back(familiarity.stands_out(x, n));
  return found;
}

std::size_t strangers(const Familiar& familiar, RowsView x) {
  const auto found = judge(familiar, x);
  return static_cast<std::size_t>(
      std::ranges::count_if(found, [](const auto& column) { return column.has_value(); }));
}

// The promise, by simulation. Every trial learns from rows of its own and judges one row, so trials
// are independent and their number of strangers is at most binomial. Six standard deviations.
TEST(Familiar, RejectsNoMoreRowsLikeTheTrainingRowsThanItPromises) {
  struct Case {
    std::size_t rows, columns;
    double share;
    double (*draw)(std::mt19937_64&);
  };
  const auto coin = [](std::mt19937_64& random) { return random() % 40 == 0 ? 1.0 : 0.0; };
  const auto steps = [](std::mt19937_64& random) { return std::round(normal(random)); };
  const Case cases[] = {{30, 3, 0.1, normal},   {60, 2, 0.2, heavy}, {120, 8, 0.05, heavy},
                        {25, 1, 0.005, normal}, {80, 30, 0.1, coin}, {50, 5, 0.3, steps}};
  std::mt19937_64 random(5);
  for (const auto& [rows, columns, share, draw] : cases) {
    constexpr int trials = 4000;
    int rejected = 0;
    double promise = 0;
    for (int trial = 0; trial < trials; ++trial) {
      const Familiar familiar = learn(rows_of(rows, columns, random, draw), share);
      promise = familiar.promise();
      rejected += static_cast<int>(strangers(familiar, rows_of(1, columns, random, draw)));
    }
    const double most =
        trials * promise + 6 * std::sqrt(trials * promise * (1 - promise));
    EXPECT_LE(rejected, most) << rows << " rows, " << columns << " columns, share " << share;
  }
}

// With the ranks that the promise needs, and no more, the bound is nearly reached where the margin
// does not matter: a rule that never rejects would pass the test above.
TEST(Familiar, UsesWhatItMayWhereTailsAreHeavy) {
  std::mt19937_64 random(6);
  constexpr int trials = 1500;
  std::size_t rejected = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const Familiar familiar = learn(rows_of(100, 10, random, heavy), 0.1);
    rejected += strangers(familiar, rows_of(1, 10, random, heavy));
  }
  EXPECT_GE(rejected, trials * 0.1 / 4);
}

RC_GTEST_PROP(Familiar, EveryTrainingRowIsFamiliar, ()) {
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  const auto rows = *rc::gen::inRange<std::size_t>(20, 120);
  const auto columns = *rc::gen::inRange<std::size_t>(1, 8);
  const Rows x = rows_of(rows, columns, random, [](std::mt19937_64& r) {
    return r() % 10 == 0 ? missing : r() % 3 == 0 ? 0.0 : heavy(r);
  });
  RC_ASSERT(strangers(learn(x, 0.3), x) == 0U);
}

// The rule of learn_familiar.cpp by its definition: every row left out in turn, every column, every
// value. Limits by brute force judge as those that were learnt.
RC_GTEST_PROP(Familiar, LimitsAreTheRanksOfRowsLeftOut, ()) {
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  const auto rows = *rc::gen::inRange<std::size_t>(20, 60);
  const auto columns = *rc::gen::inRange<std::size_t>(1, 4);
  const Rows x = rows_of(rows, columns, random, [](std::mt19937_64& r) {
    return r() % 8 == 0 ? missing : std::round(4 * heavy(r)) / 4;
  });
  constexpr double share = 0.25;
  const Familiar familiar = learn(x, share);
  RC_PRE(familiar.relations.empty() && familiar.columns.size() == columns);

  const std::vector<std::size_t> sample = sampled_rows(rows, share);
  std::vector<Gauge> gauges;
  for (const Spread& spread : spreads_of(x.subset(sample))) gauges.push_back(spread.gauge);
  const auto s = [&](std::size_t of, std::optional<std::size_t> without) {
    double largest = 0;
    for (std::size_t j = 0; j < columns; ++j) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (std::size_t n = 0; n < rows; ++n) {
        if (n == without || std::isnan(x.dense_row(n)[j])) continue;
        low = std::min(low, gauges[j].stretch(x.dense_row(n)[j]));
        high = std::max(high, gauges[j].stretch(x.dense_row(n)[j]));
      }
      const double value = gauges[j].stretch(x.dense_row(of)[j]);
      if (std::isnan(value)) continue;
      largest = std::max(largest, std::max(low - value, value - high) / std::max(high - low, 3.0));
    }
    return largest;
  };
  std::vector<double> ranked;
  for (std::size_t n = 0; n < rows; ++n) {
    if (std::ranges::find(sample, n) == sample.end()) ranked.push_back(s(n, n));
  }
  std::ranges::sort(ranked);
  RC_ASSERT(familiar.rows == ranked.size());
  const auto beyond =
      static_cast<std::size_t>(share * (static_cast<double>(ranked.size()) + 1) + 1e-9);
  const double limit = std::max(ranked[ranked.size() - beyond], 0.01);
  for (const Familiar::Column& column : familiar.columns) {
    const Gauge& gauge = gauges[column.column];
    const double low = gauge.stretch(column.low), high = gauge.stretch(column.high);
    const double reach = limit * std::max(high - low, 3.0);
    RC_ASSERT(std::abs(gauge.stretch(column.least) - (low - reach)) < 1e-9);
    RC_ASSERT(std::abs(gauge.stretch(column.most) - (high + reach)) < 1e-9);
  }
}

// The lemma of docs/answers.md, for the part of s that one column contributes.
RC_GTEST_PROP(Familiar, MoreRowsNeverMakeARowStranger, ()) {
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  const Gauge gauge{.middle = heavy(random), .unit = std::abs(heavy(random))};
  const double value = gauge.stretch(heavy(random));
  double low = gauge.stretch(heavy(random)), high = low;
  double last = std::numeric_limits<double>::infinity();
  for (int more = 0; more < 30; ++more) {
    const double s = std::max({low - value, value - high, 0.0}) / std::max(high - low, 3.0);
    RC_ASSERT(s <= last);
    last = s;
    const double next = gauge.stretch(heavy(random));
    low = std::min(low, next);
    high = std::max(high, next);
  }
}

RC_GTEST_PROP(Familiar, SparseRowsAreLearntAndJudgedAsDenseOnes, ()) {
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  const auto rows = *rc::gen::inRange<std::size_t>(20, 150);
  const auto columns = *rc::gen::inRange<std::size_t>(1, 7);
  const auto zeros = *rc::gen::inRange<std::uint64_t>(1, 40);
  const auto draw = [&](std::mt19937_64& r) {
    return r() % zeros == 0 ? 0.0 : r() % 20 == 0 ? missing : 5 + heavy(r);
  };
  const Rows dense = rows_of(rows, columns, random, draw);
  const Rows sparse = to_sparse(dense);
  const Familiar familiar = learn(dense, 0.2);
  RC_ASSERT(learn(sparse, 0.2) == familiar);
  const Rows others = rows_of(50, columns, random,
                              [](std::mt19937_64& r) { return r() % 2 == 0 ? 0.0 : 40 * heavy(r); });
  RC_ASSERT(judge(familiar, others) == judge(familiar, to_sparse(others)));
}

RC_GTEST_PROP(Familiar, DoesNotDependOnTheUnitsOfAColumn, ()) {
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  const Rows x = rows_of(200, 1, random, heavy);
  std::vector<double> moved;
  for (std::size_t n = 0; n < x.size(); ++n) moved.push_back(8 * x.dense_row(n)[0] + 1024);
  const Familiar::Column before = learn(x).columns.at(0);
  const Familiar::Column after = learn(Rows::dense(1, moved)).columns.at(0);
  const double scale = 8 * (before.most - before.least);
  RC_ASSERT(std::abs(after.most - (8 * before.most + 1024)) < 1e-9 * scale);
  RC_ASSERT(std::abs(after.least - (8 * before.least + 1024)) < 1e-9 * scale);
}

TEST(Familiar, FindsAFeatureFarOutAndNamesIt) {
  std::mt19937_64 random(7);
  const Rows x = rows_of(1000, 4, random, normal);
  std::vector<double> row{0.1, 0.2, 1000, 9};
  const auto found = judge(learn(x), Rows::dense(4, row));
  EXPECT_EQ(found.at(0), 2U);
}

TEST(Familiar, FindsASumThatAlwaysHeldAndDoesNot) {
  std::mt19937_64 random(8);
  std::vector<double> values;
  for (int n = 0; n < 500; ++n) {
    const double a = normal(random), b = normal(random);
    values.insert(values.end(), {a, b, std::round(100 * (a + b)) / 100, normal(random)});
  }
  const Familiar familiar = learn(Rows::dense(4, values));
  ASSERT_EQ(familiar.relations.size(), 1U);
  EXPECT_FALSE(judge(familiar, Rows::dense(4, {1, -1, 0, 0})).at(0));
  const auto broken = judge(familiar, Rows::dense(4, {1, -1, 1.5, 0})).at(0);
  ASSERT_TRUE(broken);
  EXPECT_NE(*broken, 3U);
  EXPECT_THAT(familiar.describe(*broken, 1.5), testing::HasSubstr("does not fit"));
  // A value that is missing leaves the relation unjudged.
  EXPECT_FALSE(judge(familiar, Rows::dense(4, {1, missing, 1.5, 0})).at(0));
}

TEST(Familiar, JudgesAConstantColumn) {
  std::vector<double> values;
  for (int n = 0; n < 300; ++n) values.insert(values.end(), {n / 300.0, 7.0});
  const Familiar familiar = learn(Rows::dense(2, values));
  EXPECT_FALSE(judge(familiar, Rows::dense(2, {0.5, 7})).at(0));
  EXPECT_FALSE(judge(familiar, Rows::dense(2, {0.5, static_cast<double>(7.0F)})).at(0));
  EXPECT_EQ(judge(familiar, Rows::dense(2, {0.5, 8})).at(0), 1U);
  EXPECT_EQ(familiar.describe(1, 8), "8; training: always 7");
}

TEST(Familiar, LeavesCategoriesAndColumnsWithoutValuesAlone) {
  std::vector<double> values;
  for (int n = 0; n < 300; ++n) values.insert(values.end(), {double(n % 3), missing, n / 300.0});
  const std::vector<std::vector<std::string>> categories{{"a", "b", "c"}, {}, {}};
  const Familiar familiar = learn_familiar(Rows::dense(3, values), categories, 0.005);
  ASSERT_EQ(familiar.columns.size(), 1U);
  EXPECT_EQ(familiar.columns[0].column, 2U);
  EXPECT_FALSE(judge(familiar, Rows::dense(3, {1e9, 1e9, 0.5})).at(0));
}

TEST(Familiar, IsOffForShareZeroAndForAHandfulOfRows) {
  std::mt19937_64 random(9);
  EXPECT_EQ(learn(rows_of(500, 2, random, normal), 0), Familiar());
  EXPECT_EQ(learn(rows_of(19, 2, random, normal)), Familiar());
  EXPECT_FALSE(Familiar().is_on());
  EXPECT_TRUE(learn(rows_of(20, 2, random, normal)).is_on());
}

TEST(Familiar, SaysWhatFewRowsCanPromise) {
  EXPECT_DOUBLE_EQ((Familiar{.share = 0.005, .rows = 99}).promise(), 0.01);
  EXPECT_DOUBLE_EQ((Familiar{.share = 0.005, .rows = 5000}).promise(), 0.005);
}

TEST(Familiar, ComputesWithTheLargestAndSmallestNumbers) {
  const double largest = std::numeric_limits<double>::max();
  const double tiny = std::numeric_limits<double>::denorm_min();
  std::vector<double> values;
  for (int n = 0; n < 100; ++n) {
    values.insert(values.end(), {n % 2 == 0 ? largest : -largest, n % 3 == 0 ? tiny : 0.0,
                                 n == 50 ? largest : tiny});
  }
  const Rows x = Rows::dense(3, values);
  for (const double share : {0.005, 0.3}) {
    const Familiar familiar = learn(x, share);
    EXPECT_EQ(fault_of(familiar, 3), nullptr);
    for (const Familiar::Column& column : familiar.columns) {
      EXPECT_TRUE(std::isfinite(column.least) && std::isfinite(column.most));
    }
    EXPECT_EQ(strangers(familiar, x), 0U);
  }
}

TEST(Familiar, FaultsAreNamed) {
  const Familiar good{.columns = {{0, 0, 1, -1, 2}, {2, 5, 5, 4, 6}},
                      .relations = {{.columns = {0, 2}, .weights = {1, 2}, .least = 0, .most = 1}},
                      .share = 0.1,
                      .rows = 50};
  EXPECT_EQ(fault_of(good, 3), nullptr);
  EXPECT_NE(fault_of(good, 2), nullptr);
  const auto fault = [&](const auto& change) {
    Familiar bad = good;
    change(bad);
    return fault_of(bad, 3);
  };
  EXPECT_NE(fault([](Familiar& f) { f.columns[1].column = 0; }), nullptr);
  EXPECT_NE(fault([](Familiar& f) { f.columns[0].most = 0.5; }), nullptr);
  EXPECT_NE(fault([](Familiar& f) { f.columns[0].low = missing; }), nullptr);
  EXPECT_NE(fault([](Familiar& f) { f.relations[0].columns = {0, 1}; }), nullptr);
  EXPECT_NE(fault([](Familiar& f) { f.relations[0].weights = {1}; }), nullptr);
  EXPECT_NE(fault([](Familiar& f) { f.relations[0].least = 2; }), nullptr);
  EXPECT_NE(fault([](Familiar& f) { f.share = 1; }), nullptr);
}

// --------------------------------------------------------------- the gauge

RC_GTEST_PROP(Gauge, UndoesWhatItStretches, ()) {
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  const Gauge gauge{.middle = heavy(random), .unit = std::abs(heavy(random))};
  const double x = heavy(random);
  const double size = std::abs(x) + std::abs(gauge.middle) + gauge.unit;
  RC_ASSERT(std::abs(gauge.unstretch(gauge.stretch(x)) - x) <= 1e-9 * size);
}

TEST(Gauge, IsTheMedianAndTheMeanDistanceOfTheOthers) {
  std::vector<double> values{-2, 1, 4};
  const Spread spread = spread_of(values, 2);  // −2, 0, 0, 1, 4
  EXPECT_EQ(spread.gauge.middle, 0);
  EXPECT_EQ(spread.values, 5U);
  EXPECT_EQ(spread.differ, 3U);
  EXPECT_DOUBLE_EQ(spread.gauge.unit, 7.0 / 3);
  std::vector<double> shifted{1, 2, 6};
  EXPECT_EQ(spread_of(shifted, 1).gauge.middle, 1);  // 0, 1, 2, 6
  EXPECT_DOUBLE_EQ(spread_of(shifted, 1).gauge.unit, (1 + 1 + 5) / 3.0);
}

TEST(Relations, NeedEnoughRows) {
  std::mt19937_64 random(10);
  std::vector<double> values;
  for (int n = 0; n < 5; ++n) {
    const double a = normal(random);
    values.insert(values.end(), {a, 2 * a});
  }
  const std::vector<std::uint32_t> both{0, 1};
  EXPECT_TRUE(relations_in(Rows::dense(2, values), both).empty());
  values.insert(values.end(), {3, 6});
  const auto found = relations_in(Rows::dense(2, values), both);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].weights[0] / found[0].weights[1], -2, 1e-9);
}

}  // namespace
}  // namespace rampart
