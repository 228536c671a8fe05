#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "../model/table.hpp"
#include "evaluate/cross_validation.hpp"
#include "rampart/encoding.hpp"
#include "rampart/io.hpp"
#include "rampart/train.hpp"

namespace rampart {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// Two groups of rows of one column, which is the label except where it is missing. In the first
/// group 20 of 80 positive rows miss it. The median of all rows is the value of the positive ones;
/// the median of the second group is that of the negative ones.
Dataset leaking_table() {
  Dataset data;
  std::vector<double> cells;
  const auto add = [&](std::size_t rows, const char* group, int y, double cell) {
    for (std::size_t n = 0; n < rows; ++n) {
      cells.push_back(cell);
      data.y.push_back(static_cast<std::int8_t>(y));
      data.groups.emplace_back(group);
    }
  };
  add(60, "first", 1, 1);
  add(20, "first", 1, missing);
  add(10, "first", -1, 0);
  add(30, "second", -1, 0);
  add(2, "second", -1, missing);
  add(25, "second", 1, 1);
  data.x = Rows::dense(1, cells);
  data.classes = {"no", "yes"};
  return data;
}

double risk_in_folds(const Dataset& data, const TrainOptions& options) {
  return cross_validate(data, std::vector{options}, {.folds = 2, .repeats = 1, .stratified = false})
      .summary(0)
      .risk.mean;
}

TEST(TablesInFolds, WhatStandsForMissingValuesIsLearntFromTrainingRowsOnly) {
  const TrainOptions options{
      .objective = {.costs = Costs::symmetric(0.4), .C = 10},
      .representation = {
          .kernel = {.type = KernelType::linear}, .missing = MissingKind::median, .unfamiliar = 0}};
  const Dataset data = leaking_table();
  Dataset outside = data;
  outside.x = Encoding::fit(data.x, {}, MissingKind::median).apply(data.x);
  const auto rows = static_cast<double>(data.size());
  EXPECT_LE(risk_in_folds(outside, options), 2 / rows);  // learnt from all rows it looks perfect
  EXPECT_GE(risk_in_folds(data, options), 20 * 0.4 / rows);
}

TEST(TablesInFolds, AResultIsThatOfTrainingOnTheOtherRows) {
  const Dataset data = testing_support::table(90, 4);
  TrainOptions options;
  options.representation.scaling = ScalingKind::standard;
  const FoldOptions folds{.folds = 3, .repeats = 1};
  const CvReport report = cross_validate(data, std::vector{options}, folds);
  const std::vector<std::size_t> fold_of = assign_folds(data.y, {}, folds, 0);
  for (std::size_t fold = 0; fold < folds.folds; ++fold) {
    const Split split = split_at(fold_of, fold);
    const Model model = train(data.subset(split.training), options).model;
    EXPECT_EQ(evaluate(model, data.subset(split.test)).table, report.results[fold].metrics.table);
  }
}

// A category of one row only is unseen when that row is left out.
TEST(TablesInFolds, ACategoryThatTheTrainingRowsDoNotHaveIsRejected) {
  Dataset data = testing_support::table(60, 4);
  data.categories[2].push_back("of one row");
  std::vector<double> cells;
  for (std::size_t n = 0; n < data.size(); ++n) {
    const auto row = data.x.dense_row(n);
    cells.insert(cells.end(), {row[0], row[1], n == 7 ? 3 : row[2]});
  }
  data.x = Rows::dense(3, cells);
  std::vector<std::size_t> others;
  for (std::size_t n = 0; n < data.size(); ++n) {
    if (n != 7) others.push_back(n);
  }
  const Model model = train(data.subset(others), {}).model;
  const std::vector<Answer> answers = Predictor(model).answers(data.x);
  EXPECT_EQ(answers[7].reason, Reason::unseen);
  EXPECT_EQ(answers[6].reason == Reason::unseen, false);
  const Model all = train(data, {}).model;
  EXPECT_NE(Predictor(all).answers(data.x)[7].reason, Reason::unseen);
}

/// A raw file with categories, missing values, quotes and ids.
std::string raw_file() {
  std::string text = "who,height,\"colour, or so\",y\n";
  for (int n = 0; n < 80; ++n) {
    text += "p" + std::to_string(n) + ",";
    text += n % 9 == 0 ? "NA" : std::to_string(150 + (n * 37) % 50) + ".25";
    text += n % 11 == 0  ? ",?"
            : n % 3 == 0 ? ",\"dark \"\"blue\"\"\""
            : n % 3 == 1 ? ",red"
                         : ",Grün";
    text += (n * 37) % 50 + n % 3 * 10 > 34 ? ",yes\n" : ",no\n";
  }
  return text;
}

TEST(Tables, PredictingTheTrainingFileGivesTheScoresOfTheModelBitForBit) {
  const std::string path = testing::TempDir() + "rampart_raw.csv";
  std::ofstream(path) << raw_file();
  const Dataset data = read_dataset(path, {.id = "who"});
  for (const KernelType kernel : {KernelType::linear, KernelType::rbf}) {
    const Trained trained = train(
        data, {.representation = {.kernel = {.type = kernel}, .scaling = ScalingKind::standard}});
    const std::vector<double> scores = Predictor(trained.model).scores(data.x);
    // Training sums f in the order of its own steps.
    for (std::size_t n = 0; n < scores.size(); ++n) {
      EXPECT_NEAR(scores[n], trained.scores[n], 1e-9 * (1 + std::abs(scores[n])));
    }
    const Model loaded = model_from_json(to_json(trained.model), "model");
    RowStream stream(path, {.expected = loaded.features});
    const RowBatch batch = stream.next(1000);
    ASSERT_EQ(batch.size(), data.size());
    EXPECT_EQ(Predictor(loaded).scores(batch.x), scores);
    EXPECT_EQ(batch.ids, data.ids);
  }
}

}  // namespace
}  // namespace rampart
