#include "rampart/train.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "any_training_options.hpp"
#include "data/generate.hpp"
#include "model/loss.hpp"
#include "noisy_line.hpp"
#include "rampart/errors.hpp"
#include "rampart/metrics.hpp"
#include "rampart/model.hpp"

namespace rampart {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using testing_support::any_training_options;
using testing_support::noisy_line;

SmoReport smo(const Trained& trained) { return std::get<SmoReport>(trained.report.solver); }

/// What the solver counts: pair steps, or passes over the rows.
std::uint64_t steps(const Trained& trained) {
  const SolverReport& report = trained.report.solver;
  if (const auto* linear = std::get_if<LinearReport>(&report)) return linear->passes;
  return std::get<SmoReport>(report).steps;
}

/// One trainer for all of them.
std::vector<Trained> train_each(const Dataset& data, const std::vector<TrainOptions>& options,
                                const TrainObserver& observe = {}, const Model* start = nullptr) {
  Trainer trainer(data, options.front());
  std::vector<Trained> all;
  for (const TrainOptions& one : options) all.push_back(trainer.train(one, observe, start));
  return all;
}

/// The same to the last bit, except for the counts of work in the report.
void expect_same(const Trained& one, const Trained& other, const std::string& where) {
  EXPECT_EQ(to_json(one.model), to_json(other.model)) << where;
  EXPECT_EQ(one.scores, other.scores) << where;
  EXPECT_EQ(steps(one), steps(other)) << where;
  EXPECT_EQ(one.report.gap, other.report.gap) << where;
  EXPECT_EQ(one.report.history.size(), other.report.history.size()) << where;
}

RC_GTEST_PROP(Trainer, GivesWhatEachTrainingAloneGives, ()) {
  const Dataset data = noisy_line(80, *rc::gen::arbitrary<std::uint32_t>());
  TrainOptions common = any_training_options();
  common.exactness.precision = *rc::gen::element(Precision::single_rows, Precision::double_rows);
  common.exactness.tolerance = common.exactness.precision == Precision::single_rows ? 1e-3 : 1e-7;
  common.resources.cache_bytes = *rc::gen::element<std::size_t>(0, 1 << 14, 1 << 30);
  std::vector<TrainOptions> options;
  for (const double d : {0.1, 0.21, 0.4}) {
    for (const double C : {0.5, 8.0}) {
      TrainOptions one = common;
      one.objective.costs = Costs::symmetric(d);
      one.objective.C = C;
      one.objective.mu = d < 0.2 ? 0.5 : 1;
      one.objective.loss = C < 1 ? LossKind::double_ramp : any_training_options().objective.loss;
      options.push_back(one);
    }
  }
  const std::vector<Trained> together = train_each(data, options);
  RC_ASSERT(together.size() == options.size());
  for (std::size_t k = 0; k < options.size(); ++k) {
    expect_same(together[k], train(data, options[k]), "training " + std::to_string(k));
  }
}

TEST(Trainer, ComputesAKernelRowOnce) {
  const Dataset data = noisy_line(300, 3);
  const std::vector<TrainOptions> options(4, TrainOptions{.objective = {.C = 4}});
  const std::vector<Trained> together = train_each(data, options);
  EXPECT_GT(smo(together.front()).kernel_rows, 0U);
  for (std::size_t k = 1; k < together.size(); ++k) {
    EXPECT_EQ(smo(together[k]).kernel_rows, 0U);
  }
}

TEST(Trainer, StartsEveryTrainingFromTheModelItIsGiven) {
  const Dataset data = noisy_line(200, 8);
  const Model start = train(data, {.objective = {.C = 1}}).model;
  const std::vector<TrainOptions> options = {
      {.objective = {.costs = Costs::symmetric(0.1), .C = 4}},
      {.objective = {.costs = Costs::symmetric(0.4), .C = 4}}};
  const std::vector<Trained> together = train_each(data, options, {}, &start);
  for (std::size_t k = 0; k < options.size(); ++k) {
    expect_same(together[k], train(data, options[k], {}, &start), "training " + std::to_string(k));
  }
}

TEST(Trainer, RefusesOptionsThatDifferInMoreThanTheObjectiveAndTheBand) {
  const Dataset data = noisy_line(60, 4);
  std::vector<TrainOptions> options(8);
  options[1].representation.kernel.gamma = 0.3;
  options[2].representation.scaling = ScalingKind::standard;
  options[3].exactness.tolerance = 1e-6;
  options[4].exactness.precision = Precision::single_rows;
  options[5].exactness.max_rounds = 3;
  options[6].resources.cache_bytes = 0;
  options[7].exactness.max_seconds = 60;
  for (std::size_t k = 1; k < options.size(); ++k) {
    EXPECT_THAT(([&] {
                  static_cast<void>(train_each(data, std::vector{options[0], options[k]}));
                }),
                ThrowsMessage<OptionError>(
                    HasSubstr("what is minimised and in the choice of the band only")))
        << k;
  }
}

TEST(Trainer, RefusesWhatIsOutOfRangeBeforeItBegins) {
  const Dataset data = noisy_line(60, 4);
  int calls = 0;
  const auto count = [&](const TrainProgress&) { return ++calls > 0; };
  Trainer trainer(data, {});
  EXPECT_THROW(static_cast<void>(trainer.train({.objective = {.C = -1}}, count)), OptionError);
  EXPECT_THROW(Trainer(data, {.objective = {.C = -1}}), OptionError);
  EXPECT_EQ(calls, 0);
}

TEST(Trainer, TrainsOnArraysOfTheCallerWithoutNames) {
  const Dataset data = noisy_line(80, 12);
  std::vector<float> values;  // with a stride: the rows of a larger table
  std::vector<double> rounded;
  for (std::size_t n = 0; n < data.size(); ++n) {
    for (const double value : data.x.dense_row(n)) {
      values.push_back(static_cast<float>(value));
      rounded.push_back(values.back());
    }
    values.push_back(-99);
  }
  const std::size_t columns = data.x.columns();
  values.pop_back();
  const Problem problem(RowsView::dense(values, data.size(), columns, columns + 1), data.y);
  const Dataset copy{.x = Rows::dense(columns, rounded), .y = data.y};
  for (const KernelType type : {KernelType::linear, KernelType::rbf}) {
    const TrainOptions options{.representation = {.kernel = {.type = type}}};
    expect_same(train(problem, options), train(copy, options), "arrays");
  }
}

TEST(Trainer, ACancelledTrainingLeavesNothingBehind) {
  const Dataset data = noisy_line(300, 6);
  const TrainOptions options{.objective = {.loss = LossKind::hinge, .C = 100},
                             .exactness = {.tolerance = 1e-7},
                             .band = {.folds = 2}};
  Trainer trainer(data, options);
  const Trained cancelled = trainer.train(options, [](const TrainProgress&) { return false; });
  ASSERT_EQ(cancelled.report.status, TrainStatus::cancelled);
  expect_same(trainer.train(options), train(data, options), "after a cancelled training");
}

TEST(Trainer, RefusesNamesAndGroupsThatDoNotBelongToTheRows) {
  Dataset data = noisy_line(20, 1);
  data.features = {"only one"};
  EXPECT_THROW(static_cast<void>(train(data, {})), InputError);
  data.features.clear();
  data.groups = {"a"};
  EXPECT_THROW(static_cast<void>(train(data, {})), InputError);
}

}  // namespace
}  // namespace rampart
