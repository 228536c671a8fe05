#include "evaluate/worklist.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
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

RC_GTEST_PROP(Worklist, HoldsTheRejectedRowsTheLeastCertainFirst, ()) {
  const Scored scored = any_scored(60);
  const double rho = *rc::gen::inRange(0, 7) / 2.0;
  const auto most = *rc::gen::inRange<std::size_t>(0, 20);
  const Dataset data{.x = Rows::dense(1, scored.scores), .y = scored.y};
  const Worklist list = worklist(with_band(rho), data, scored.scores, {}, {.most_rows = most});
  const auto rejected = static_cast<std::size_t>(std::ranges::count_if(
      scored.scores, [&](double score) { return decide(score, rho) == Decision::reject; }));
  RC_ASSERT(list.total == rejected);
  RC_ASSERT(list.rows.size() == std::min(rejected, most));
  std::set<std::size_t> listed;
  double last = 0;
  for (const WorklistRow& row : list.rows) {
    RC_ASSERT(row.score == scored.scores[row.row]);
    RC_ASSERT(decide(row.score, rho) == Decision::reject);
    RC_ASSERT(std::abs(row.score) >= last);
    last = std::abs(row.score);
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
  const Worklist list = worklist(model, data, Predictor(model).scores(data.x), columns);
  EXPECT_TRUE(list.usual_of_training);
  ASSERT_EQ(list.rows.size(), 80U);
  for (const WorklistRow& row : list.rows) {
    ASSERT_FALSE(row.stands_out.empty());
    EXPECT_LE(row.stands_out.size(), 3U);
    EXPECT_EQ(row.stands_out[0].column, row.row % 4);
    EXPECT_NEAR(row.stands_out[0].distance, -50, 1e-9);
    EXPECT_EQ(row.stands_out[0].usual, model.scaling.offset[row.row % 4]);
    EXPECT_EQ(row.stands_out[0].value, data.x.dense_row(row.row)[row.row % 4]);
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
  const std::vector<OriginalColumn> columns = {{"x", {0}}};
  for (const Dataset& rows : {data, sparse}) {
    const Worklist list =
        worklist(with_band(100), rows, std::vector{0.0, 1.0, 2.0, 3.0, 4.0}, columns);
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
  const Worklist list = worklist(with_band(100), data, std::vector{0.0, 1.0, 2.0},
                                 std::vector<OriginalColumn>{{"x", {0}}});
  for (const WorklistRow& row : list.rows) EXPECT_TRUE(row.stands_out.empty());
}

}  // namespace
}  // namespace rampart
