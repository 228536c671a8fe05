#include "evaluate/importance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "rampart/metrics.hpp"
#include "rampart/train.hpp"
#include "train/noisy_line.hpp"

namespace rampart {
namespace {

using testing_support::noisy_line;

/// A linear model of these weights without scaling.
Model linear(std::vector<double> weights, double rho) {
  Model model{.features = {.count = weights.size()}};
  model.surface().weights = std::move(weights);
  model.surface().band.rho = rho;
  return model;
}

/// Columns of one feature each.
std::vector<OriginalColumn> single_columns(std::size_t count) {
  std::vector<OriginalColumn> columns;
  for (std::uint32_t j = 0; j < count; ++j) columns.push_back({std::to_string(j), j});
  return columns;
}

Rows without_zeros(const Rows& x) {
  std::vector<std::size_t> starts{0};
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  for (std::size_t n = 0; n < x.size(); ++n) {
    x.for_each(n, [&](std::size_t j, double value) {
      if (value == 0) return;
      indices.push_back(static_cast<std::uint32_t>(j));
      values.push_back(value);
    });
    starts.push_back(values.size());
  }
  return Rows::sparse(x.columns(), starts, indices, values);
}

Importance importance_of(const Model& model, const Dataset& data,
                         const std::vector<OriginalColumn>& columns,
                         const ImportanceOptions& options = {}) {
  return permutation_importance(model, data, Predictor(model).answers(data.x),
                                Costs::symmetric(0.2), columns, options);
}

const ColumnImportance& of_column(const Importance& importance, std::size_t column) {
  return *std::ranges::find(importance.columns, column, &ColumnImportance::column);
}

/// y is the sign of x0; x1 decides nothing; x2 has weight 0.
Dataset decided_by_the_first(std::size_t rows) {
  Dataset data;
  std::vector<double> values;
  for (std::size_t n = 0; n < rows; ++n) {
    const double sign = n % 2 == 0 ? 1 : -1;
    values.insert(values.end(), {sign, static_cast<double>(n % 5), static_cast<double>(n % 7)});
    data.y.push_back(sign > 0 ? 1 : -1);
  }
  data.x = Rows::dense(3, values);
  return data;
}

TEST(Importance, AColumnThatTheModelDoesNotUseChangesNothing) {
  const Importance importance =
      importance_of(linear({1, 0, 0}, 0.5), decided_by_the_first(300), single_columns(3));
  ASSERT_EQ(importance.columns.size(), 3U);
  EXPECT_EQ(importance.columns[0].column, 0U);
  for (const std::size_t column : {1U, 2U}) {
    EXPECT_EQ(of_column(importance, column).risk.mean, 0);
    EXPECT_EQ(of_column(importance, column).risk.sd, 0);
    EXPECT_EQ(of_column(importance, column).rejection_rate.mean, 0);
  }
}

/// With half of the rows in each class, dealing the sign anew makes half of the answers wrong.
TEST(Importance, OfTheOnlyColumnThatDecidesIsWhatGuessingCosts) {
  const Importance importance = importance_of(linear({1, 0, 0}, 0.5), decided_by_the_first(1000),
                                              single_columns(3), {.repeats = 40});
  EXPECT_NEAR(of_column(importance, 0).risk.mean, 0.5, 0.01);
  EXPECT_EQ(of_column(importance, 0).rejection_rate.mean, 0);
}

/// f = x0 + x1 with x0 = x1 = ±1: shuffling one of them brings half of the rows to f = 0, which is
/// rejected, and leaves the others as they are.
TEST(Importance, KnowsWhatIsRejectedInstead) {
  Dataset data;
  std::vector<double> values;
  for (std::size_t n = 0; n < 1000; ++n) {
    const double sign = n % 2 == 0 ? 1 : -1;
    values.insert(values.end(), {sign, sign});
    data.y.push_back(sign > 0 ? 1 : -1);
  }
  data.x = Rows::dense(2, values);
  const Model model = linear({1, 1}, 1);
  const Importance apart = importance_of(model, data, single_columns(2), {.repeats = 40});
  for (const ColumnImportance& column : apart.columns) {
    EXPECT_NEAR(column.rejection_rate.mean, 0.5, 0.01);
    EXPECT_NEAR(column.risk.mean, 0.2 * column.rejection_rate.mean, 1e-12);
  }
}

/// A categorical column decides: 'a' is positive, 'b' negative. Its two features move together, so
/// that no row ever has both or none, which f = 0 would reject.
TEST(Importance, TheFeaturesOfAColumnMoveTogether) {
  Dataset data;
  std::vector<double> values;
  for (std::size_t n = 0; n < 1000; ++n) {
    values.push_back(static_cast<double>(n % 2));
    data.y.push_back(n % 2 == 0 ? 1 : -1);
  }
  data.x = Rows::dense(1, values);
  Model model = linear({1, -1}, 0.5);
  model.features = {.count = 1, .categories = {{"a", "b"}}};
  model.encoding.columns = {{.seen = {true, true}}};
  const Importance together = importance_of(model, data, single_columns(1), {.repeats = 40});
  EXPECT_EQ(together.columns.front().rejection_rate.mean, 0);
  EXPECT_NEAR(together.columns.front().risk.mean, 0.5, 0.01);
}

/// A value that is missing in half of the rows, and missing is what decides.
TEST(Importance, AMissingValueIsAValueLikeOthers) {
  Dataset data;
  std::vector<double> values;
  for (std::size_t n = 0; n < 1000; ++n) {
    values.push_back(n % 2 == 0 ? std::nan("") : 3.0);
    data.y.push_back(n % 2 == 0 ? 1 : -1);
  }
  data.x = Rows::dense(1, values);
  Model model = linear({0, 2}, 0.5);
  model.surface().band.b = -1;
  model.features = {.count = 1};
  model.encoding.columns = {{.fill = 3, .misses = true, .indicator = true}};
  const Importance importance = importance_of(model, data, single_columns(1), {.repeats = 40});
  EXPECT_NEAR(importance.columns.front().risk.mean, 0.5, 0.01);
}

TEST(Importance, IsTheSameForSparseRowsAndAnyNumberOfThreads) {
  Dataset data = noisy_line(150, 3, 5);
  const Model model = train(data, {.objective = {.C = 3}}).model;
  const Importance dense = importance_of(model, data, single_columns(5), {.threads = 1});
  const Importance again = importance_of(model, data, single_columns(5), {.threads = 3});
  data.x = without_zeros(data.x);
  const Importance sparse = importance_of(model, data, single_columns(5));
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(again.columns[k].column, dense.columns[k].column);
    EXPECT_EQ(again.columns[k].risk.mean, dense.columns[k].risk.mean);
    EXPECT_EQ(sparse.columns[k].risk.mean, dense.columns[k].risk.mean);
    EXPECT_EQ(sparse.columns[k].rejection_rate.sd, dense.columns[k].rejection_rate.sd);
  }
}

TEST(Importance, UsesNoMoreRowsAndColumnsThanAsked) {
  const Dataset data = noisy_line(900, 3, 60);
  const Model model = train(data, {}).model;
  const Importance few =
      importance_of(model, data, single_columns(60), {.most_rows = 300, .most_columns = 7});
  EXPECT_EQ(few.rows, 300U);
  EXPECT_EQ(few.columns.size(), 7U);
  // However small the budget, what is left says something.
  const Importance poor = importance_of(model, data, single_columns(60), {.most_products = 1});
  EXPECT_EQ(poor.rows, 200U);
  EXPECT_EQ(poor.columns.size(), 10U);
}

TEST(Importance, PrefersColumnsThatVary) {
  Dataset data = noisy_line(100, 3, 4);
  std::vector<double> values;
  for (std::size_t n = 0; n < data.size(); ++n) {
    const auto row = data.x.dense_row(n);
    values.insert(values.end(), {row[0], 100 + 1e-3 * row[1], row[2], 5});
  }
  data.x = Rows::dense(4, values);
  const Importance importance =
      importance_of(linear({1, 1, 1, 1}, 0.5), data, single_columns(4), {.most_columns = 2});
  std::vector<std::size_t> columns;
  for (const ColumnImportance& column : importance.columns) columns.push_back(column.column);
  EXPECT_THAT(columns, testing::UnorderedElementsAre(0, 2));
}

}  // namespace
}  // namespace rampart
