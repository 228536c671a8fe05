#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "models.hpp"
#include "rampart/errors.hpp"
#include "rampart/model.hpp"

namespace rampart {
namespace {

TEST(Decide, RejectsOnTheEndsOfTheBand) {
  EXPECT_EQ(decide(1.5, 1), Decision::positive);
  EXPECT_EQ(decide(1, 1), Decision::reject);
  EXPECT_EQ(decide(-1, 1), Decision::reject);
  EXPECT_EQ(decide(-1.5, 1), Decision::negative);
  EXPECT_EQ(decide(0, 0), Decision::reject);
}

TEST(Predictor, WeightsAndSupportVectorsOfALinearModelAgree) {
  const Dataset data = generate(SyntheticSet::synthetic1, 80, 2);
  const Model linear = train(data, {.representation = {.kernel = {.type = KernelType::linear}},
                                    .exactness = {.tolerance = 1e-9}})
                           .model;
  const Model polynomial =
      train(data, {.representation = {.kernel = {.type = KernelType::polynomial,
                                                 .gamma = 1.0,
                                                 .degree = 1}},
                   .exactness = {.tolerance = 1e-9}})
          .model;
  const auto one = Predictor(linear).scores(data.x);
  const auto other = Predictor(polynomial).scores(data.x);
  for (std::size_t n = 0; n < one.size(); ++n) EXPECT_NEAR(one[n], other[n], 1e-6);
}

TEST(Predictor, TheNumberOfThreadsAndTheBatchDoNotChangeABit) {
  const Dataset data = generate(SyntheticSet::synthetic2, 300, 2);
  const Model model = train(data, {}).model;
  const auto together = Predictor(model, 1).scores(data.x);
  EXPECT_EQ(Predictor(model, 2).scores(data.x), together);
  const std::vector<std::size_t> some{250, 3, 77};
  const auto apart = Predictor(model).scores(data.x.subset(some));
  for (std::size_t i = 0; i < some.size(); ++i) EXPECT_EQ(apart[i], together[some[i]]);
}

TEST(Predictor, RowsWithTooManyFeaturesAreRefused) {
  const Model model = train(generate(SyntheticSet::square, 50, 1), {}).model;
  EXPECT_THAT(
      [&] {
        static_cast<void>(Predictor(model).scores(Rows::dense(3, {1, 2, 3})));
      },
      testing::ThrowsMessage<ModelError>("rows of 3 features for a model of 2"));
}

TEST(Predictor, DenseRowsWithTooFewFeaturesAreRefused) {
  const Model model = train(generate(SyntheticSet::square, 50, 1), {}).model;
  EXPECT_THAT(
      [&] {
        static_cast<void>(Predictor(model).scores(Rows::dense(1, {1, 2})));
      },
      testing::ThrowsMessage<ModelError>("rows of 1 features for a model of 2"));
}

TEST(Predictor, NoKernelAnswersWhatIsNotANumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const Model& model : testing_support::models()) {
    for (const double value : {nan, infinity, -infinity}) {
      std::vector<double> row(model.features.count, 0.25);
      row.back() = value;
      const Rows dense = Rows::dense(row.size(), row);
      EXPECT_THROW(static_cast<void>(Predictor(model).scores(dense)), InputError);
      const auto last = static_cast<std::uint32_t>(row.size() - 1);
      const Rows sparse = Rows::sparse(row.size(), {0, 1}, {last}, {value});
      EXPECT_THROW(static_cast<void>(Predictor(model).scores(sparse)), InputError);
    }
  }
}

TEST(Predictor, SparseRowsMayLeaveFeaturesOut) {
  const Model model = train(generate(SyntheticSet::square, 50, 1), {}).model;
  const Rows short_row = Rows::sparse(1, {0, 1}, {0}, {0.5});
  EXPECT_EQ(Predictor(model).scores(short_row), Predictor(model).scores(Rows::dense(2, {0.5, 0})));
}

TEST(Predictor, AModelWithoutSupportVectorsAnswersB) {
  Model model{.features = {.count = 3}, .kernel = RbfKernel{1}};
  model.surface().band.b = 0.25;
  EXPECT_EQ(Predictor(model).scores(Rows::dense(3, {1, 2, 3})), std::vector<double>{0.25});
}

}  // namespace
}  // namespace rampart
