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
using testing_support::subset;

bool ends_in_a_tie(const Trained& trained, const Dataset& data, const TrainOptions& options) {
  return testing_support::ends_in_a_tie(trained.report.history, data.y, options);
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-5 * (1 + std::abs(b)); }

RC_GTEST_PROP(Train, NamingTheClassesTheOtherWayRoundMirrorsTheClassifier, ()) {
  Dataset data = noisy_line(60, *rc::gen::arbitrary<std::uint32_t>());
  const TrainOptions options = any_training_options();
  const Trained one = train(data, options);
  RC_PRE(!ends_in_a_tie(one, data, options));
  std::swap(data.classes.negative, data.classes.positive);
  for (std::int8_t& label : data.y) label = static_cast<std::int8_t>(-label);
  const Trained other = train(data, options);
  RC_ASSERT(near(other.model.surface().band.b, -one.model.surface().band.b));
  RC_ASSERT(near(other.model.surface().band.rho, one.model.surface().band.rho));
  RC_ASSERT(near(other.report.objective, one.report.objective));
  for (std::size_t n = 0; n < data.size(); ++n) RC_ASSERT(near(other.scores[n], -one.scores[n]));
}

RC_GTEST_PROP(Train, TheOrderOfTheRowsDoesNotMatter, ()) {
  const Dataset data = noisy_line(60, *rc::gen::arbitrary<std::uint32_t>());
  const TrainOptions options = any_training_options();
  std::vector<std::size_t> order(data.size());
  for (std::size_t n = 0; n < order.size(); ++n) order[n] = (n * 37 + 11) % order.size();
  const Trained one = train(data, options);
  RC_PRE(!ends_in_a_tie(one, data, options));
  const Trained other = train(subset(data, order), options);
  RC_ASSERT(near(other.model.surface().band.b, one.model.surface().band.b));
  RC_ASSERT(near(other.model.surface().band.rho, one.model.surface().band.rho));
  RC_ASSERT(near(other.report.objective, one.report.objective));
}

RC_GTEST_PROP(Train, RIsNeverBelowWhatTheAnswersCost, ()) {  // thm1 (1), summed
  const Dataset data = noisy_line(60, *rc::gen::arbitrary<std::uint32_t>());
  TrainOptions options = any_training_options();
  options.objective.loss = LossKind::double_ramp;
  const Trained trained = train(data, options);
  const Metrics metrics =
      measure(trained.scores, data.y, trained.model.surface().band.rho, options.objective.costs);
  const double paid = options.objective.C * metrics.risk() * static_cast<double>(data.size());
  RC_ASSERT(trained.report.objective >= paid - 1e-9);
}

RC_GTEST_PROP(Train, FeaturesInOtherUnitsGiveTheSameClassifierForTheMatchingC, ()) {
  // x → c·x with C → C/c² leaves f as it is, if the kernel is linear.
  Dataset data = noisy_line(50, *rc::gen::arbitrary<std::uint32_t>());
  TrainOptions options = any_training_options();
  options.representation.kernel.type = KernelType::linear;
  options.representation.scaling = ScalingKind::none;
  const Trained one = train(data, options);
  RC_PRE(!ends_in_a_tie(one, data, options));
  const double unit = *rc::gen::element(1e-3, 1e3, 1e6);
  std::vector<double> values;
  for (std::size_t n = 0; n < data.size(); ++n) {
    for (const double value : data.x.dense_row(n)) values.push_back(unit * value);
  }
  data.x = Rows::dense(2, std::move(values));
  options.objective.C /= unit * unit;
  const Trained other = train(data, options);
  for (std::size_t n = 0; n < data.size(); ++n) RC_ASSERT(near(other.scores[n], one.scores[n]));
}

TEST(Train, LargeFeaturesDoNotMakeAnEmptyModel) {
  // Separable with a wide margin: w is tiny, and so are the dual variables, yet nothing is zero.
  Dataset data = noisy_line(60, 4);
  std::vector<double> values;
  for (std::size_t n = 0; n < data.size(); ++n) {
    values.push_back(1e7 * (data.y[n] + 0.3 * data.x.dense_row(n)[0]));
    values.push_back(1e7 * data.x.dense_row(n)[1]);
  }
  data.x = Rows::dense(2, std::move(values));
  for (const LossKind loss : {LossKind::hinge, LossKind::double_ramp}) {
    const Trained trained = train(
        data, {.objective = {.loss = loss}, .representation = {.kernel = {KernelType::linear}}});
    EXPECT_EQ(trained.report.status, TrainStatus::converged);
    EXPECT_GT(trained.report.support_vectors, 1U);
    EXPECT_LT(trained.report.objective, 1e-6);
  }
}

TEST(Train, AKernelThatIsNotSemidefiniteIsNeverCertified) {
  const Dataset data = generate(SyntheticSet::synthetic2, 200, 1);
  for (const LossKind loss : {LossKind::double_ramp, LossKind::double_hinge,
                              LossKind::generalized_hinge, LossKind::hinge}) {
    const Trained trained =
        train(data, {.objective = {.loss = loss, .C = 10},
                     .representation = {.kernel = {.type = KernelType::sigmoid, .gamma = 1.0}}});
    EXPECT_NE(trained.report.status, TrainStatus::converged);
    EXPECT_FALSE(trained.report.gap);
    EXPECT_FALSE(trained.model.surface().certificate.gap);
  }
}

TEST(Train, WithoutAnythingBetterTheSurfaceStaysZero) {
  // K = −I: every w makes R larger than w = 0 does, which costs 2.
  Dataset data{.x = Rows::dense(2, {-1, 0, 0, -1}), .y = {1, -1}};
  const Trained hinge =
      train(data, {.objective = {.loss = LossKind::hinge},
                   .representation = {.kernel = {.type = KernelType::precomputed}}});
  EXPECT_EQ(hinge.report.objective, 2);
  EXPECT_EQ(hinge.report.support_vectors, 0U);
  EXPECT_NE(hinge.report.status, TrainStatus::converged);

  // With this kernel the rounds end at a point that costs nine times as much.
  data = generate(SyntheticSet::square, 400, 1);
  const Trained sigmoid =
      train(data, {.objective = {.loss = LossKind::generalized_hinge},
                   .representation = {.kernel = {.type = KernelType::sigmoid}}});
  EXPECT_LE(sigmoid.report.objective, 400);
  const auto& history = sigmoid.report.history;
  EXPECT_TRUE(std::ranges::is_sorted(history, std::greater(), &Round::objective));
}

TEST(Train, APrecomputedKernelThatIsSemidefiniteIsCertified) {
  const Dataset data{.x = Rows::dense(3, {2, 1, 0, 1, 2, 1, 0, 1, 2}), .y = {1, -1, 1}};
  const Trained trained =
      train(data, {.representation = {.kernel = {.type = KernelType::precomputed}}});
  EXPECT_EQ(trained.report.status, TrainStatus::converged);
  ASSERT_TRUE(trained.report.gap);
  EXPECT_LE(*trained.report.gap, 1e-4);
}

/// The same rows with another feature in front.
Rows behind(double constant, const Rows& x) {
  std::vector<double> values;
  for (std::size_t n = 0; n < x.size(); ++n) {
    values.push_back(constant);
    for (const double value : x.dense_row(n)) values.push_back(value);
  }
  return Rows::dense(x.columns() + 1, std::move(values));
}

RC_GTEST_PROP(Train, AConstantFeatureDoesNotChangeABitOfALinearModel, ()) {
  Dataset data = noisy_line(60, *rc::gen::arbitrary<std::uint32_t>());
  TrainOptions options = any_training_options();
  options.representation.kernel.type = KernelType::linear;
  const Trained one = train(data, options);
  data.x = behind(*rc::gen::element(0.1, -3.0, 5e6, 1.7e9, -1e12, 1e100), data.x);
  const Trained other = train(data, options);
  RC_ASSERT(other.model.scaling.kind == options.representation.scaling);
  RC_ASSERT(other.scores == one.scores);
  RC_ASSERT(other.report.objective == one.report.objective);
  RC_ASSERT(other.model.surface().band.b == one.model.surface().band.b);
  RC_ASSERT(other.model.surface().band.rho == one.model.surface().band.rho);
  RC_ASSERT(Predictor(other.model).scores(data.x) == other.scores);
}

RC_GTEST_PROP(Train, WhereZeroIsDoesNotMatterToALinearModel, ()) {
  // Numbers that can be moved by 2⁴⁰ without rounding.
  Dataset data = noisy_line(60, *rc::gen::arbitrary<std::uint32_t>());
  const double far = *rc::gen::element(0x1p20, -0x1p30, 0x1p40);
  std::vector<double> here;
  std::vector<double> there;
  for (std::size_t n = 0; n < data.size(); ++n) {
    for (const double value : data.x.dense_row(n)) {
      here.push_back(std::round(value * 1024) / 1024);
      there.push_back(here.back() + far);
    }
  }
  TrainOptions options = any_training_options();
  options.representation.kernel.type = KernelType::linear;
  options.representation.scaling = ScalingKind::none;
  data.x = Rows::dense(2, std::move(here));
  const Trained one = train(data, options);
  RC_PRE(!ends_in_a_tie(one, data, options));
  data.x = Rows::dense(2, std::move(there));
  const Trained other = train(data, options);
  RC_ASSERT(near(other.report.objective, one.report.objective));
  for (std::size_t n = 0; n < data.size(); ++n) RC_ASSERT(near(other.scores[n], one.scores[n]));
  RC_ASSERT(Predictor(other.model).scores(data.x) == other.scores);
  data.x = Rows::sparse(2, {0, 2}, {0, 1}, {far + 0.5, far - 0.25});  // any row, in either form
  const Rows dense = data.x.to_dense();
  RC_ASSERT(Predictor(other.model).scores(data.x) == Predictor(other.model).scores(dense));
}

TEST(Train, AStartForOtherClassesOrFeaturesIsRefused) {
  const Dataset data = noisy_line(40, 2);
  const Trained first = train(data, {});
  Dataset mirrored = data;
  std::swap(mirrored.classes.negative, mirrored.classes.positive);
  EXPECT_THROW(static_cast<void>(train(mirrored, {}, {}, &first.model)), ModelError);
  EXPECT_THROW(static_cast<void>(train(noisy_line(40, 2, 3), {}, {}, &first.model)), ModelError);
}

RC_GTEST_PROP(Train, AWeightOfTwoIsTheRowTwice, ()) {
  Dataset weighted = noisy_line(50, *rc::gen::arbitrary<std::uint32_t>());
  TrainOptions options = any_training_options();
  std::vector<std::size_t> rows;
  for (std::size_t n = 0; n < weighted.size(); ++n) {
    const auto times = static_cast<std::size_t>(*rc::gen::inRange(0, 3)) + (n < 2 ? 1 : 0);
    weighted.weights.push_back(static_cast<double>(times));
    rows.insert(rows.end(), times, n);
  }
  Dataset repeated = subset(weighted, rows);
  repeated.weights.clear();
  const Trained one = train(weighted, options);
  const Trained other = train(repeated, options);
  RC_PRE(!ends_in_a_tie(other, repeated, options));
  RC_ASSERT(near(other.report.objective, one.report.objective));
  RC_ASSERT(near(other.model.surface().band.b, one.model.surface().band.b));
  RC_ASSERT(near(other.model.surface().band.rho, one.model.surface().band.rho));
}

RC_GTEST_PROP(Train, ClassWeightsAreRowWeightsInTheLoss, ()) {
  Dataset data = noisy_line(50, *rc::gen::arbitrary<std::uint32_t>());
  TrainOptions options = any_training_options();
  // What is learnt of the columns goes by the weights of rows: means, deviations, γ, medians.
  options.representation.scaling = *rc::gen::element(ScalingKind::none, ScalingKind::minmax);
  options.representation.kernel.gamma = 0.5;
  options.objective.class_weights = {{"1", 2.5}};
  const Trained one = train(data, options);
  for (const std::int8_t label : data.y) data.weights.push_back(label > 0 ? 2.5 : 1);
  options.objective.class_weights.clear();
  Trained other = train(data, options);
  other.model.surface().objective.class_weights = {{"1", 2.5}};  // stored in the file
  other.model.encoding = one.model.encoding;
  RC_ASSERT(to_json(one.model) == to_json(other.model));
}

RC_GTEST_PROP(Train, TheBestOffsetsAreNotBeatenNearby, ()) {
  // R as a function of b and ρ alone, from the loss itself, has a local minimum there.
  const Dataset data = noisy_line(60, *rc::gen::arbitrary<std::uint32_t>());
  TrainOptions options = any_training_options();
  options.objective.loss = LossKind::double_ramp;
  const Trained trained = train(data, options);
  const DoubleRampLoss loss{options.objective.costs.reject_positive, options.objective.mu};
  const auto loss_with = [&](double shift, double widen) {
    double sum = 0;
    for (std::size_t n = 0; n < data.size(); ++n) {
      sum +=
          loss(data.y[n] * (trained.scores[n] + shift), trained.model.surface().band.rho + widen);
    }
    return sum;
  };
  RC_PRE(trained.model.surface().band.rho > 1e-3);
  const double here = loss_with(0, 0);
  for (const double step : {1e-5, -1e-5}) {
    RC_ASSERT(loss_with(step, 0) >= here - 1e-7);
    RC_ASSERT(loss_with(0, step) >= here - 1e-7);
  }
}

RC_GTEST_PROP(Train, ScoresAreWhatTheModelPredicts, ()) {
  const Dataset data = noisy_line(40, *rc::gen::arbitrary<std::uint32_t>());
  TrainOptions options = any_training_options();
  options.representation.kernel.type = KernelType::rbf;
  const Trained trained = train(data, options);
  RC_ASSERT(Predictor(trained.model).scores(data.x) == trained.scores);  // to the bit
}

TEST(Train, CachesThreadsAndRepetitionDoNotChangeABit) {
  const Dataset data = generate(SyntheticSet::synthetic2, 2500, 4);
  for (const Precision precision : {Precision::single_rows, Precision::double_rows}) {
    TrainOptions options{
        .objective = {.C = 2}, .exactness = {.precision = precision}, .resources = {.threads = 1}};
    const std::string once = to_json(train(data, options).model);
    options.resources.threads = 2;
    EXPECT_EQ(to_json(train(data, options).model), once);
    options.resources.cache_bytes = 0;
    EXPECT_EQ(to_json(train(data, options).model), once);
    options.resources.cache_bytes = 1 << 20;
    EXPECT_EQ(to_json(train(data, options).model), once);
  }
}

TEST(Train, SingleAndDoubleRowsAgreeToTheTolerance) {
  const Dataset data = generate(SyntheticSet::synthetic2, 600, 5);
  TrainOptions options{.objective = {.C = 2}, .exactness = {.precision = Precision::single_rows}};
  const double single = train(data, options).report.objective;
  options.exactness.precision = Precision::double_rows;
  EXPECT_NEAR(single, train(data, options).report.objective, 1e-3 * single);
}

TEST(Train, AtOneHalfThereIsNoBand) {
  const Trained trained =
      train(noisy_line(60, 1), {.objective = {.costs = Costs::symmetric(0.5)},
                                .representation = {.kernel = {KernelType::linear}}});
  EXPECT_EQ(trained.model.surface().band.rho, 0);
}

TEST(Train, TheRoundsContinueFromAStart) {
  const Dataset data = noisy_line(100, 8);
  const TrainOptions options{.objective = {.costs = Costs::symmetric(0.2), .C = 4},
                             .exactness = {.tolerance = 1e-8}};
  const Trained first = train(data, options);
  ASSERT_GT(first.report.history.size(), 1U);
  const Trained again = train(data, options, {}, &first.model);
  EXPECT_EQ(again.report.history.size(), 1U);
  EXPECT_NEAR(again.report.objective, first.report.objective, 1e-6 * first.report.objective);
}

TEST(Train, TheObserverCanStopIt) {
  const Dataset data = generate(SyntheticSet::synthetic1, 2000, 2);
  int calls = 0;
  const Trained trained = train(data, {.objective = {.C = 100}, .exactness = {.tolerance = 1e-7}},
                                [&](const TrainProgress&) { return ++calls < 3; });
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(trained.report.status, TrainStatus::cancelled);
}

TEST(Train, ATimeLimitEndsItWithAModelThatSaysSo) {
  const Dataset data = generate(SyntheticSet::synthetic1, 2000, 2);
  const Trained trained =
      train(data, {.objective = {.C = 100}, .exactness = {.tolerance = 1e-7, .max_seconds = 1e-6}});
  EXPECT_EQ(trained.report.status, TrainStatus::time_limit);
  EXPECT_EQ(trained.model.surface().certificate.status, TrainStatus::time_limit);
  EXPECT_EQ(Predictor(trained.model).scores(data.x), trained.scores);
  EXPECT_EQ(model_from_json(to_json(trained.model), "it").surface().certificate,
            trained.model.surface().certificate);
}

TEST(Train, OnlyRowsWithACoefficientAreInTheModel) {
  const Dataset data = noisy_line(100, 9);
  const Trained trained = train(data, {.objective = {.costs = Costs::symmetric(0.2), .C = 4}});
  EXPECT_EQ(trained.model.surface().coefficients.size(), trained.report.support_vectors);
  EXPECT_LT(trained.report.support_vectors, data.size());
  EXPECT_THAT(trained.model.surface().coefficients, testing::Each(testing::Ne(0.0)));
}

TEST(Train, APrecomputedKernelGivesTheSameClassifier) {
  const Dataset data = noisy_line(40, 10);
  const TrainOptions options{.representation = {.kernel = {.type = KernelType::rbf, .gamma = 0.7}},
                             .exactness = {.tolerance = 1e-9}};
  const Trained direct = train(data, options);
  std::vector<double> k;
  for (std::size_t n = 0; n < data.size(); ++n) {
    for (std::size_t m = 0; m < data.size(); ++m) {
      double distance = 0;
      for (std::size_t j = 0; j < 2; ++j) {
        distance += std::pow(data.x.dense_row(n)[j] - data.x.dense_row(m)[j], 2);
      }
      k.push_back(std::exp(-0.7 * distance));
    }
  }
  Dataset by_kernel = data;
  by_kernel.x = Rows::dense(data.size(), std::move(k));
  const Trained given =
      train(by_kernel, {.representation = {.kernel = {.type = KernelType::precomputed}},
                        .exactness = {.tolerance = 1e-9}});
  EXPECT_NEAR(given.report.objective, direct.report.objective, 1e-6);
  const std::vector<double> scores = Predictor(given.model).scores(by_kernel.x);
  for (std::size_t n = 0; n < scores.size(); ++n) EXPECT_NEAR(scores[n], direct.scores[n], 1e-6);
}

TEST(Train, BadDataIsRefused) {
  const auto refuses = [](const Dataset& data, const TrainOptions& options,
                          const std::string& why) {
    EXPECT_THAT([&] { static_cast<void>(train(data, options)); },
                ThrowsMessage<InputError>(HasSubstr(why)));
  };
  Dataset data = noisy_line(10, 1);
  data.weights = {1};
  refuses(data, {}, "10 rows, 10 labels and 1 weights");
  data.weights.assign(10, 1);
  data.weights[3] = -1;
  refuses(data, {}, "row 4: weight -1");
  data.weights.clear();
  data.y.assign(10, 1);
  refuses(data, {}, "two classes are needed");
  data = noisy_line(10, 1);
  data.x = Rows::dense(1, {1, 2, 3, -HUGE_VAL, 5, 6, 7, 8, 9, 10});
  refuses(data, {}, "row 4: feature 1 is -inf");
  data.x = Rows::sparse(1, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, std::vector<std::uint32_t>(10, 0),
                        {1, 2, 3, std::nan(""), 5, 6, 7, 8, 9, 10});
  refuses(data, {}, "row 4: feature 1 is nan");
  data = noisy_line(10, 1);
  data.categories = {{"a", "b"}, {}};
  refuses(data, {}, "which is no code of its 2 categories");
  data = noisy_line(2, 1);
  data.x = Rows::dense(2, {1, std::nan(""), std::nan(""), 1});
  refuses(data, {.representation = {.kernel = {KernelType::precomputed}}}, "no missing value");
  data = noisy_line(10, 1);
  refuses(data, {.representation = {.kernel = {KernelType::precomputed}}},
          "needs as many columns, not 2");
  data = noisy_line(2, 1);
  data.x = Rows::dense(2, {1, 0.5, 0.4, 1});
  refuses(data, {.representation = {.kernel = {KernelType::precomputed}}}, "symmetric");
  data.x = Rows::dense(2, {1, 1e308, 1e308, 1});
  refuses(data, {.representation = {.kernel = {KernelType::precomputed}}},
          "k(2, 1) = 1e+308: too large");
  data.x = Rows::dense(0, {}, 2);
  refuses(data, {}, "no features");
  data = noisy_line(10, 1);
  data.classes = {"", ""};
  refuses(data, {}, "the classes '' and '' must be two different names");
  data.classes = {"no", "no"};
  refuses(data, {}, "the classes 'no' and 'no' must be two different names");
}

TEST(Train, HoweverSmallItsValuesAKernelMustBeSymmetric) {
  const Dataset data{.x = Rows::dense(2, {1e-7, 0, 9e-7, 1e-7}), .y = {1, -1}};
  const TrainOptions options{.objective = {.loss = LossKind::hinge},
                             .representation = {.kernel = {.type = KernelType::precomputed}}};
  EXPECT_THAT([&] { static_cast<void>(train(data, options)); },
              ThrowsMessage<InputError>(HasSubstr("symmetric")));
}

TEST(Train, WhatIsNearlySymmetricIsScoredAsItWasGiven) {
  const Dataset data{.x = Rows::dense(2, {1, 0.5, 0.5 + 4e-7, 1}), .y = {1, -1}};
  const Trained trained =
      train(data, {.objective = {.loss = LossKind::hinge, .C = 1e6},
                   .representation = {.kernel = {.type = KernelType::precomputed}}});
  EXPECT_EQ(Predictor(trained.model).scores(data.x), trained.scores);
}

TEST(Train, WeightsTooLargeToComputeWithAreRefused) {
  Dataset data = noisy_line(10, 1);
  data.weights.assign(10, 1.7e308);
  EXPECT_THAT([&] { static_cast<void>(train(data, {})); },
              ThrowsMessage<OptionError>(HasSubstr("too large to compute with")));
}

TEST(Train, ClassesWithoutNamesAreMinusOneAndOne) {
  const Dataset data{.x = Rows::dense(1, {1, 2}), .y = {-1, 1}};
  EXPECT_EQ(train(data, {}).model.class_names(), (ClassNames{"-1", "1"}));
}

TEST(Train, AnUnknownLabelInTheClassWeightsIsRefused) {
  EXPECT_THAT(
      [] {
        static_cast<void>(
            train(noisy_line(10, 1), {.objective = {.class_weights = {{"maybe", 2}}}}));
      },
      ThrowsMessage<OptionError>("class weight maybe=2: the classes are '-1' and '1'"));
}

TEST(Train, APlusBeforeANumberDoesNotCountInClassWeights) {
  Dataset data = noisy_line(30, 1);
  data.classes = {"-1", "+1"};
  const Trained one = train(data, {.objective = {.class_weights = {{"1", 2}}}});
  EXPECT_EQ(train(data, {.objective = {.class_weights = {{"+1", 2}}}}).scores, one.scores);
}

TEST(Train, AClassHasOneWeight) {
  EXPECT_THAT(
      [] {
        static_cast<void>(
            train(noisy_line(10, 1), {.objective = {.class_weights = {{"1", 2}, {"+1", 3}}}}));
      },
      ThrowsMessage<OptionError>(HasSubstr("given twice")));
}

TEST(Train, BalancedClassesHaveTheWeightsThatTheModelNames) {
  Dataset data = noisy_line(60, 2);
  for (const std::size_t folds : {std::size_t{0}, std::size_t{3}}) {
    for (const bool weighted : {true, false}) {
      if (weighted) {
        data.weights.clear();
        for (std::size_t n = 0; n < data.size(); ++n) data.weights.push_back(n % 3 == 0 ? 0.5 : 2);
      } else {
        data.weights.clear();
      }
      double of_class[2] = {0, 0};
      for (std::size_t n = 0; n < data.size(); ++n) {
        of_class[data.y[n] > 0 ? 1 : 0] += weighted ? data.weights[n] : 1;
      }
      const double all = of_class[0] + of_class[1];
      const Trained found = train(data, {.objective = {.balanced = true}, .band = {folds}});
      const Objective& objective = found.model.surface().objective;
      EXPECT_FALSE(objective.balanced);
      const std::map<std::string, double> expected = {{"-1", all / (2 * of_class[0])},
                                                      {"1", all / (2 * of_class[1])}};
      EXPECT_EQ(objective.class_weights, expected);
      if (folds > 0) continue;  // there every inner fold has weights of its own
      EXPECT_EQ(train(data, {.objective = {.class_weights = expected}}).scores, found.scores);
    }
  }
}

TEST(Train, NumbersTooLargeForFloatAreTrainedInDouble) {
  const Dataset small = noisy_line(2100, 3);  // more than are always double
  Dataset large = small;
  std::vector<double> values;
  for (std::size_t n = 0; n < small.size(); ++n) {
    for (const double value : small.x.dense_row(n)) values.push_back(1e22 * value);
  }
  large.x = Rows::dense(small.x.columns(), std::move(values));
  const Trained one = train(small, {.exactness = {.precision = Precision::double_rows}});
  const Trained other = train(large, {});
  EXPECT_EQ(other.report.status, TrainStatus::converged);
  EXPECT_NEAR(other.report.objective, one.report.objective, 1e-4 * one.report.objective);
}

}  // namespace
}  // namespace rampart
