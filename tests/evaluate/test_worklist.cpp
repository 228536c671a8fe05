#include "evaluate/worklist.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <vector>

#include "evaluate/scored.hpp"
#include "rampart/train.hpp"
#include "train/noisy_line.hpp"

namespace rampart {
namespace {

using testing_support::noisy_line;

Model with_band(double rho) {
  Model model{.features = {.count = 1}};
  model.surface().weights = {1};
  model.surface().band.rho = rho;
  return model;
}

/// Answers of a model with this band and these scores.
std::vector<Answer> answers_of(std::span<const double> scores, double rho) {
  std::vector<Answer> answers;
  for (const double score : scores) {
    const Decision decision = decide(score, rho);
    answers.push_back({.decision = decision,
                       .reason = decision == Decision::reject ? Reason::ambiguous : Reason::none,
                       .score = score});
  }
  return answers;
}

RC_GTEST_PROP(Worklist, HoldsTheRejectedRowsTheLeastCertainFirst, ()) {
  const Scored scored = any_scored(60);
  const double rho = *rc::gen::inRange(0, 7) / 2.0;
  const auto most = *rc::gen::inRange<std::size_t>(0, 20);
  const Dataset data{.x = Rows::dense(1, scored.scores), .y = scored.y};
  const Worklist list =
      worklist(with_band(rho), data, answers_of(scored.scores, rho), {}, {.most_rows = most});
  const auto rejected = static_cast<std::size_t>(std::ranges::count_if(
      scored.scores, [&](double score) { return decide(score, rho) == Decision::reject; }));
  RC_ASSERT(list.total == rejected);
  RC_ASSERT(list.rows.size() == std::min(rejected, most));
  std::set<std::size_t> listed;
  double last = 0;
  for (const WorklistRow& row : list.rows) {
    const double score = scored.scores[row.row];
    RC_ASSERT(decide(score, rho) == Decision::reject);
    RC_ASSERT(std::abs(score) >= last);
    last = std::abs(score);
    listed.insert(row.row);
  }
  RC_ASSERT(listed.size() == list.rows.size());
  for (std::size_t n = 0; n < scored.scores.size() && !list.rows.empty(); ++n) {
    // A row that is left out is no less certain than those listed.
    const bool left_out = decide(scored.scores[n], rho) == Decision::reject && !listed.contains(n);
    RC_ASSERT(!left_out || std::abs(scored.scores[n]) >= last);
  }
}

/// Everything is rejected, so that every row is looked at.
TEST(Worklist, FindsTheValueFarthestFromTheTrainingMean) {
  const Dataset training = noisy_line(80, 3, 4);
  Model model = train(training, {.representation = {.scaling = ScalingKind::standard}}).model;
  model.surface().band.rho = 1e9;
  Dataset data = training;
  std::vector<double> values;
  for (std::size_t n = 0; n < data.size(); ++n) {
    const auto row = data.x.dense_row(n);
    values.insert(values.end(), row.begin(), row.end());
    values[4 * n + n % 4] = model.scaling.offset[n % 4] - 50 / model.scaling.factor[n % 4];
  }
  data.x = Rows::dense(4, values);
  const std::vector<OriginalColumn> columns = original_columns(model, data.x);
  const Worklist list = worklist(model, data, Predictor(model).answers(data.x), columns);
  EXPECT_TRUE(list.usual_of_training);
  ASSERT_EQ(list.rows.size(), 80U);
  const auto middle = [&](std::size_t j) {
    return model.encoding.columns.empty() ? model.scaling.offset[j]
                                          : model.encoding.columns[j].fill;
  };
  for (const WorklistRow& row : list.rows) {
    ASSERT_FALSE(row.stands_out.empty());
    EXPECT_LE(row.stands_out.size(), 3U);
    EXPECT_EQ(row.stands_out[0].column, row.row % 4);
    const StandOut& first = row.stands_out[0];
    EXPECT_EQ(first.usual, middle(first.column));
    EXPECT_EQ(first.value, data.x.dense_row(row.row)[first.column]);
    EXPECT_NEAR(first.distance, (first.value - first.usual) * model.scaling.factor[first.column],
                1e-9);
    EXPECT_LT(first.distance, -40);
    for (std::size_t k = 1; k < row.stands_out.size(); ++k) {
      EXPECT_GE(std::abs(row.stands_out[k - 1].distance), std::abs(row.stands_out[k].distance));
      EXPECT_GE(std::abs(row.stands_out[k].distance), 1);
    }
  }
}

/// Without a scaling that tells them, mean and standard deviation are those of the rows: here 2
/// and 4.
TEST(Worklist, MeasuresTheUsualOnTheRowsIfTheModelDoesNotTell) {
  const Dataset data{.x = Rows::dense(1, {0, 0, 0, 10, 0}), .y = {1, 1, 1, -1, -1}};
  const Dataset sparse{.x = Rows::sparse(1, {0, 0, 0, 0, 1, 1}, {0}, {10}), .y = data.y};
  const std::vector<OriginalColumn> columns = {{"x", 0}};
  for (const Dataset& rows : {data, sparse}) {
    const Worklist list = worklist(with_band(100), rows,
                                   answers_of(std::vector{0.0, 1.0, 2.0, 3.0, 4.0}, 100), columns);
    EXPECT_FALSE(list.usual_of_training);
    ASSERT_EQ(list.rows.size(), 5U);
    EXPECT_TRUE(list.rows[0].stands_out.empty());
    ASSERT_EQ(list.rows[3].stands_out.size(), 1U);
    EXPECT_NEAR(list.rows[3].stands_out[0].usual, 2, 1e-12);
    EXPECT_NEAR(list.rows[3].stands_out[0].distance, 2, 1e-12);
  }
}

TEST(Worklist, AFeatureThatNeverVariesDoesNotStandOut) {
  const Dataset data{.x = Rows::dense(1, {7, 7, 7}), .y = {1, 1, -1}};
  const Worklist list =
      worklist(with_band(100), data, answers_of(std::vector{0.0, 1.0, 2.0}, 100), {{"x", 0}});
  for (const WorklistRow& row : list.rows) EXPECT_TRUE(row.stands_out.empty());
}

/// A fifth of the rows have 'b', a twentieth 'c': only the rarer one stands out.
TEST(Worklist, ARareCategoryStandsOut) {
  Dataset data;
  std::vector<double> values;
  for (std::size_t n = 0; n < 20; ++n) {
    values.push_back(n == 7 ? 2 : n % 5 == 0 ? 1 : 0);
    data.y.push_back(n % 2 == 0 ? 1 : -1);
  }
  values[3] = std::nan("");
  values[4] = unseen_category;
  data.x = Rows::dense(1, values);
  Model model = with_band(100);
  model.features.categories = {{"a", "b", "c"}};
  model.encoding.columns = {{.seen = {true, true, true}}};
  const Worklist list =
      worklist(model, data, answers_of(std::vector<double>(20, 0), 100), {{"letter", 0}});
  ASSERT_EQ(list.rows.size(), 20U);
  for (const WorklistRow& row : list.rows) {
    ASSERT_EQ(row.stands_out.size(), row.row == 7 ? 1U : 0U);
    if (row.row == 7) {
      EXPECT_DOUBLE_EQ(row.stands_out[0].share.value(), 0.05);
    }
  }
}

/// They have no certainty, however large f is.
TEST(Worklist, RowsRejectedForThemselvesComeFirst) {
  const Dataset data{.x = Rows::dense(1, {1, 2, 3}), .y = {1, 1, -1}};
  std::vector<Answer> answers = answers_of(std::vector{0.1, 0.2, 9.0}, 1);
  answers[2].decision = Decision::reject;
  answers[2].reason = Reason::unfamiliar;
  const Worklist list = worklist(with_band(1), data, answers, {});
  ASSERT_EQ(list.total, 3U);
  EXPECT_EQ(list.rows[0].row, 2U);
  EXPECT_EQ(list.rows[1].row, 0U);
}

}  // namespace
}  // namespace rampart
