#include "faces/settle.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "rampart/errors.hpp"

namespace rampart {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Dataset rows_with_missing() {
  Dataset data;
  data.x = Rows::dense(2, {1, 0, nan, 1, 3, 2, 4, 3, 0, 1, 2, nan, 5, 1, 6, 0});
  data.y = {-1, 1, -1, 1, 1, -1, 1, -1};
  data.weights = {1, 2, 3, 4, 5, 6, 7, 8};
  return data;
}

TEST(Settle, DenseRowsAreScaledAndSparseOnesAreNot) {
  TrainOptions options;
  EXPECT_EQ(settle(options, true, MissingChoice::indicator, {.all = 10, .filled = 5}),
            ScalingKind::standard);
  EXPECT_EQ(settle(options, true, MissingChoice::indicator, {.all = 10, .filled = 4}),
            ScalingKind::none);
  options.representation.scaling = ScalingKind::minmax;
  EXPECT_EQ(settle(options, false, MissingChoice::median, {.all = 10, .filled = 4}), std::nullopt);
  EXPECT_EQ(options.representation.scaling, ScalingKind::minmax);
  EXPECT_EQ(options.representation.missing, MissingKind::median);
}

TEST(Settle, BothCountsOfCellsAgree) {
  const Dataset data = rows_with_missing();
  const FirstReading reading = read_first(data, {.filled = true}, 1);
  const Cells counted = count_cells(data);
  const Cells found = cells_of(data, reading);
  EXPECT_EQ(found.all, counted.all);
  EXPECT_EQ(found.filled, counted.filled);
  EXPECT_EQ(found.missing, counted.missing);
  EXPECT_EQ(counted.missing, (std::vector<std::size_t>{1, 1}));
}

TEST(Settle, DroppedRowsKeepTheirPlaces) {
  const Dataset data = rows_with_missing();
  const RowsToTrainOn rows(data, MissingChoice::drop);
  ASSERT_EQ(rows.problem().size(), 6U);
  EXPECT_EQ(rows.problem().weights[1], 3);
  EXPECT_EQ(rows.numbers({0, 1, 5}), (std::vector<std::size_t>{0, 2, 7}));
  const std::vector<double> spread = rows.spread({10, 11, 12, 13, 14, 15});
  EXPECT_EQ(spread[2], 11);
  EXPECT_TRUE(std::isnan(spread[1]));
  EXPECT_TRUE(std::isnan(spread[5]));
  EXPECT_TRUE(RowsToTrainOn(data, MissingChoice::indicator).are_all());
  EXPECT_THROW(RowsToTrainOn(data, MissingChoice::refuse), InputError);
}

TEST(Settle, TrainingAsSetIsTrainingWithTheSettledOptions) {
  const Dataset data = rows_with_missing();
  TrainingSettings settings;
  settings.set("scale", "minmax");
  TrainOptions options = settings.method();
  EXPECT_EQ(train_as_set(data, settings).model, train(data, options).model);
  settings.set("missing", "drop");
  const Dataset complete = data.subset(complete_rows(data));
  const Trained dropped = train_as_set(data, settings);
  EXPECT_EQ(dropped.model, train(complete, options).model);
  EXPECT_TRUE(std::isnan(dropped.scores[1]));
  for (const std::size_t row : dropped.support) EXPECT_NE(row, 1U);
}

}  // namespace
}  // namespace rampart
