#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <vector>

#include "evaluate/cross_validation.hpp"
#include "evaluate/fold_results.hpp"
#include "evaluate/report.hpp"
#include "evaluate/risk_coverage.hpp"
#include "kernel/random_rows.hpp"
#include "rampart/errors.hpp"
#include "train/noisy_line.hpp"

namespace rampart {
namespace {

using testing_support::expect_same;
using testing_support::learn_and_measure;
using testing_support::noisy_line;
using testing_support::without_zeros;

constexpr FoldOptions three_twice{.folds = 3, .repeats = 2, .seed = 5};

TrainOptions rbf(double C = 2, double d = 0.2) {
  TrainOptions method;
  method.objective.C = C;
  method.objective.costs = Costs::symmetric(d);
  method.representation.kernel.gamma = 0.5;
  return method;
}

TrainOptions linear() {
  TrainOptions method = rbf();
  method.representation.kernel = {.type = KernelType::linear};
  return method;
}

TrainOptions hinge(double d = 0.2) {
  TrainOptions method = rbf(2, d);
  method.objective.loss = LossKind::hinge;
  method.band.folds = 3;
  return method;
}

Dataset sparse_line(std::size_t rows, std::uint32_t seed) {
  Dataset data = noisy_line(rows, seed, 5);
  data.x = testing_support::random_rows(rows, 5, seed);
  for (std::size_t n = 2; n < rows; ++n) {
    const auto row = data.x.dense_row(n);
    data.y[n] = row[0] + row[1] - row[2] > (n % 7 == 0 ? 1 : 0) ? 1 : -1;
  }
  data.x = without_zeros(data.x);
  return data;
}

/// The features become a kernel matrix.
Dataset precomputed(const Dataset& data, bool sparse) {
  Dataset made = data;
  std::vector<double> values;
  for (std::size_t n = 0; n < data.size(); ++n) {
    for (std::size_t m = 0; m < data.size(); ++m) {
      double squares = 0;
      for (std::size_t j = 0; j < data.x.columns(); ++j) {
        const double difference = data.x.dense_row(n)[j] - data.x.dense_row(m)[j];
        squares += difference * difference;
      }
      values.push_back(squares > 1 ? 0 : (1 - squares) * (1 - squares));
    }
  }
  made.x = Rows::dense(data.size(), std::move(values));
  if (sparse) made.x = without_zeros(made.x);
  return made;
}

/// Every result from its definition, one by one.
CvReport one_by_one(const Dataset& data, const std::vector<TrainOptions>& methods,
                    const FoldOptions& folds) {
  CvReport report{.folds = folds, .results = {}};
  for (std::size_t m = 0; m < methods.size(); ++m) {
    for (std::size_t repeat = 0; repeat < folds.repeats; ++repeat) {
      const auto fold_of = assign_folds(data.y, data.groups, folds, repeat);
      for (std::size_t fold = 0; fold < folds.folds; ++fold) {
        FoldResult result = learn_and_measure(data, methods[m], split_at(fold_of, fold));
        result.method = m;
        result.repeat = repeat;
        result.fold = fold;
        report.results.push_back(result);
      }
    }
  }
  return report;
}

void expect_same_as_one_by_one(const Dataset& data, const std::vector<TrainOptions>& methods,
                               const FoldOptions& folds = three_twice) {
  const CvReport expected = one_by_one(data, methods, folds);
  for (const unsigned threads : {1U, 2U, 3U}) {
    SCOPED_TRACE(std::to_string(threads) + " threads");
    const CvReport report = cross_validate(data, methods, folds, threads);
    EXPECT_EQ(report.folds, folds);
    expect_same(report.results, expected.results);
  }
}

TEST(CrossValidation, WithSharedKernelValuesIsLearningFromEachFoldAlone) {
  expect_same_as_one_by_one(noisy_line(90, 1), {rbf(2, 0.2), rbf(8, 0.2), rbf(2, 0.4)});
}

TEST(CrossValidation, WithAGammaOfEachFoldsOwnIsLearningFromEachFoldAlone) {
  TrainOptions method = rbf();
  method.representation.kernel.gamma = GammaRule::scale;
  expect_same_as_one_by_one(noisy_line(90, 2), {method});
}

TEST(CrossValidation, WithALinearKernelIsLearningFromEachFoldAlone) {
  expect_same_as_one_by_one(noisy_line(90, 3), {linear()});
}

TEST(CrossValidation, WithScalingIsLearningFromEachFoldAlone) {
  TrainOptions narrow = linear();
  narrow.representation.scaling = ScalingKind::minmax;
  TrainOptions standard = rbf();
  standard.representation.scaling = ScalingKind::standard;
  expect_same_as_one_by_one(noisy_line(90, 4), {narrow, standard});
}

TEST(CrossValidation, OfSparseRowsIsLearningFromEachFoldAlone) {
  TrainOptions polynomial = rbf();
  polynomial.representation.kernel = {.type = KernelType::polynomial, .gamma = 0.25, .coef0 = 1};
  expect_same_as_one_by_one(sparse_line(90, 5), {rbf(), linear(), polynomial});
}

TEST(CrossValidation, OfWeightedRowsAndClassesIsLearningFromEachFoldAlone) {
  Dataset data = noisy_line(90, 6);
  for (std::size_t n = 0; n < data.size(); ++n) {
    data.weights.push_back(static_cast<double>(n % 4 + 1) / 2);
  }
  TrainOptions method = rbf();
  method.objective.class_weights = {{"1", 3.0}};
  expect_same_as_one_by_one(data, {rbf(), method});
}

TEST(CrossValidation, OfGroupsIsLearningFromEachFoldAlone) {
  Dataset data = noisy_line(90, 7);
  for (std::size_t n = 0; n < data.size(); ++n) data.groups.push_back(std::to_string(n / 4));
  expect_same_as_one_by_one(data, {rbf(), hinge()});
}

TEST(CrossValidation, OfAPrecomputedKernelIsLearningFromEachFoldAlone) {
  TrainOptions method = rbf();
  method.representation.kernel = {.type = KernelType::precomputed};
  TrainOptions with_band = hinge();
  with_band.representation.kernel = {.type = KernelType::precomputed};
  for (const bool sparse : {false, true}) {
    expect_same_as_one_by_one(precomputed(noisy_line(60, 8), sparse), {method, with_band});
  }
}

TEST(CrossValidation, WithABandOfInnerFoldsIsLearningFromEachFoldAlone) {
  TrainOptions ramp = rbf();
  ramp.band.folds = 4;
  TrainOptions scaled = hinge();
  scaled.representation.scaling = ScalingKind::standard;
  scaled.representation.kernel.gamma = GammaRule::scale;
  expect_same_as_one_by_one(noisy_line(90, 9), {hinge(), ramp, scaled});
}

TEST(CrossValidation, OfASupportVectorMachineWithManyCostsIsThatOfEachAlone) {
  TrainOptions table = hinge();
  table.objective.costs = {};
  table.band.decide_for = Costs{1, 3, 0.3, 0.2};
  TrainOptions other = hinge();
  other.objective.C = 0.5;
  expect_same_as_one_by_one(noisy_line(90, 10), {hinge(0.1), hinge(0.3), other, table, hinge(0.45)},
                            {.folds = 3, .repeats = 1});
}

TEST(CrossValidation, DecidingForOtherCostsThanInTrainingIsLearningFromEachFoldAlone) {
  TrainOptions method = rbf(2, 0.3);
  method.band.decide_for = Costs::symmetric(0.1);
  TrainOptions with_band = method;
  with_band.band.folds = 3;
  const Dataset data = noisy_line(90, 11);
  expect_same_as_one_by_one(data, {method, with_band});
  const CvReport report = cross_validate(data, std::vector{method}, three_twice);
  EXPECT_EQ(report.results.front().metrics.costs, Costs::symmetric(0.1));
}

TEST(CrossValidation, WithoutMemoryToShareKernelValuesIsTheSame) {
  TrainOptions method = rbf();
  method.resources.cache_bytes = 4096;  // less than the 90² numbers of the matrix
  expect_same_as_one_by_one(noisy_line(90, 12), {method, rbf()});
  TrainOptions nothing = rbf();
  nothing.resources.cache_bytes = 0;
  expect_same(cross_validate(noisy_line(90, 12), std::vector{nothing}, three_twice).results,
              cross_validate(noisy_line(90, 12), std::vector{rbf()}, three_twice).results);
}

TEST(CrossValidation, WithSingleRowsIsLearningFromEachFoldAlone) {
  TrainOptions single = rbf();
  single.exactness.precision = Precision::single_rows;
  TrainOptions in_double = rbf();
  in_double.exactness.precision = Precision::double_rows;
  expect_same_as_one_by_one(noisy_line(90, 13), {single, in_double});
}

TEST(CrossValidation, OfFoldsThatLeaveTheClassesToChanceIsLearningFromEachFoldAlone) {
  FoldOptions folds = three_twice;
  folds.stratified = false;
  expect_same_as_one_by_one(noisy_line(90, 14), {rbf()}, folds);
}

TEST(CrossValidation, CountsTrainingsThatDidNotConverge) {
  TrainOptions method = rbf(100);
  method.exactness.max_rounds = 1;
  const Dataset data = noisy_line(90, 15);
  expect_same_as_one_by_one(data, {method});
  const CvReport report = cross_validate(data, std::vector{method}, three_twice);
  const auto stopped = std::ranges::count_if(report.results, [](const FoldResult& result) {
    return result.status != TrainStatus::converged;
  });
  EXPECT_GT(stopped, 0);
  EXPECT_EQ(report.summary(0).not_converged, static_cast<std::size_t>(stopped));
}

// Known results, progress, cancelling

using Place = std::tuple<std::size_t, std::size_t, std::size_t>;
Place place(const FoldResult& result) { return {result.method, result.repeat, result.fold}; }

TEST(CrossValidation, ReportsEveryResultOnce) {
  const Dataset data = noisy_line(60, 20);
  const std::vector<TrainOptions> methods{rbf(), rbf(4), linear()};
  for (const unsigned threads : {1U, 3U}) {
    std::vector<FoldResult> told;
    std::vector<std::size_t> done;
    CvHooks hooks;
    hooks.found = [&](const FoldResult& result) { told.push_back(result); };
    hooks.progress = [&](std::size_t count, std::size_t of) {
      EXPECT_EQ(of, 18U);
      done.push_back(count);
      return true;
    };
    const CvReport report = cross_validate(data, methods, three_twice, threads, hooks);
    std::ranges::sort(told, {}, place);
    expect_same(told, report.results);
    EXPECT_TRUE(std::ranges::is_sorted(done));
    EXPECT_EQ(done.back(), 18U);
  }
}

TEST(CrossValidation, DoesNotComputeAgainWhatIsKnown) {
  const Dataset data = noisy_line(60, 21);
  const std::vector<TrainOptions> methods{rbf(), hinge(), rbf(4)};
  const CvReport expected = cross_validate(data, methods, three_twice);
  for (const std::size_t step : {1U, 2U, 5U}) {
    CvHooks hooks;
    std::set<Place> known;
    for (std::size_t k = 0; k < expected.results.size(); k += step) {
      hooks.known.push_back(expected.results[k]);
      known.insert(place(expected.results[k]));
    }
    std::size_t computed = 0;
    std::size_t least_done = expected.results.size();
    hooks.found = [&](const FoldResult& result) {
      ++computed;
      EXPECT_FALSE(known.contains(place(result)));
    };
    hooks.progress = [&](std::size_t done, std::size_t) {
      least_done = std::min(least_done, done);
      return true;
    };
    const CvReport report = cross_validate(data, methods, three_twice, 2, hooks);
    expect_same(report.results, expected.results);
    EXPECT_EQ(computed, expected.results.size() - known.size());
    EXPECT_GE(least_done, known.size());
  }
}

TEST(CrossValidation, ReturnsKnownResultsUnchanged) {
  const Dataset data = noisy_line(60, 22);
  CvHooks hooks;
  FoldResult strange;
  strange.fold = 1;
  strange.objective = -77;
  hooks.known = {strange};
  const CvReport report = cross_validate(data, std::vector{rbf()}, three_twice, 1, hooks);
  EXPECT_EQ(report.results[1].objective, -77);
}

TEST(CrossValidation, RefusesKnownResultsOfAnother) {
  const Dataset data = noisy_line(60, 23);
  for (const Place& outside : {Place{1, 0, 0}, Place{0, 2, 0}, Place{0, 0, 3}}) {
    CvHooks hooks;
    FoldResult result;
    std::tie(result.method, result.repeat, result.fold) = outside;
    hooks.known = {result};
    EXPECT_THROW(static_cast<void>(cross_validate(data, std::vector{rbf()}, three_twice, 1, hooks)),
                 InputError);
  }
}

TEST(CrossValidation, StopsWhenAHookReturnsFalse) {
  const Dataset data = noisy_line(60, 24);
  for (const unsigned threads : {1U, 2U}) {
    std::size_t told = 0;
    CvHooks hooks;
    hooks.progress = [](std::size_t done, std::size_t) { return done < 4; };
    hooks.found = [&](const FoldResult& result) {
      ++told;
      EXPECT_NE(result.status, TrainStatus::cancelled);
    };
    EXPECT_THROW(static_cast<void>(cross_validate(data, std::vector{rbf(), linear(), hinge()},
                                                  three_twice, threads, hooks)),
                 Cancelled);
    EXPECT_EQ(told, 4U);
  }
}

TEST(CrossValidation, StopsInTheMiddleOfALongTraining) {
  const Dataset data = noisy_line(500, 25);
  TrainOptions slow = rbf(1e5);
  slow.exactness.tolerance = 1e-6;
  std::size_t asked = 0;
  CvHooks hooks;
  hooks.progress = [&](std::size_t done, std::size_t) {
    ++asked;
    EXPECT_EQ(done, 0U);
    return asked < 3;
  };
  hooks.found = [](const FoldResult&) { FAIL() << "a training that was cut short is no result"; };
  EXPECT_THROW(static_cast<void>(cross_validate(data, std::vector{slow}, three_twice, 1, hooks)),
               Cancelled);
  EXPECT_EQ(asked, 3U);
}

TEST(CrossValidation, RethrowsTheExceptionOfAHook) {
  CvHooks hooks;
  hooks.found = [](const FoldResult&) { throw OutputError("disk full"); };
  for (const unsigned threads : {1U, 2U}) {
    EXPECT_THROW(static_cast<void>(cross_validate(noisy_line(60, 26), std::vector{rbf()},
                                                  three_twice, threads, hooks)),
                 OutputError);
  }
}

// Bad input

template <class Problem>
void expect_refusal(const Dataset& data, const std::vector<TrainOptions>& methods,
                    const FoldOptions& folds, const std::string& words) {
  EXPECT_THAT([&] { static_cast<void>(cross_validate(data, methods, folds, 1)); },
              testing::ThrowsMessage<Problem>(testing::HasSubstr(words)));
}

TEST(CrossValidation, NeedsMethodsAndRepetitions) {
  expect_refusal<OptionError>(noisy_line(60, 27), {}, three_twice, "no methods");
  expect_refusal<OptionError>(noisy_line(60, 27), {rbf()}, {.folds = 3, .repeats = 0},
                              "repeats = 0: must be at least 1");
  expect_refusal<OptionError>(noisy_line(60, 27), {rbf(-1)}, three_twice, "C = -1");
  TrainOptions method = rbf();
  method.band.folds = 1;
  expect_refusal<OptionError>(noisy_line(60, 27), {method}, three_twice,
                              "band folds = 1: must be 0 or at least 2");
  method = rbf();
  method.band.decide_for = Costs::symmetric(0.7);
  expect_refusal<OptionError>(noisy_line(60, 27), {method}, three_twice, "0.7");
}

TEST(CrossValidation, SaysWhichFoldHasOnlyOneClass) {
  Dataset data = noisy_line(60, 28);
  for (std::size_t n = 0; n < data.size(); ++n) {
    data.groups.push_back(std::to_string(n % 6));
    data.y[n] = n % 6 == 0 ? 1 : -1;  // one group has all positives
  }
  expect_refusal<InputError>(data, {rbf()}, three_twice, "repetition 1: no row of class 1");
}

TEST(CrossValidation, ABandOfFewRowsHasAsManyFoldsAsTheSmallerClassHasRows) {
  Dataset data = noisy_line(60, 29);
  for (std::size_t n = 0; n < data.size(); ++n) data.y[n] = n < 4 ? 1 : -1;
  TrainOptions method = hinge();
  method.band.folds = 4;
  const Model four = train(data, method).model;
  method.band.folds = 5;
  const Model five = train(data, method).model;
  EXPECT_EQ(four.surface().band.b, five.surface().band.b);
  EXPECT_EQ(four.surface().band.rho, five.surface().band.rho);
}

TEST(CrossValidation, AChosenBandLeavesTheSurfaceThatTrainingFound) {
  const Dataset data = noisy_line(80, 31);
  TrainOptions method = hinge();
  method.band.folds = 0;
  const Trained plain = train(data, method);
  method.band.folds = 5;
  const Trained chosen = train(data, method);
  EXPECT_EQ(chosen.model.surface().own_band(), plain.model.surface().band);
  EXPECT_NE(chosen.model.surface().band.rho, plain.model.surface().band.rho);
  const std::vector<double> own = chosen.model.surface().own_scores(chosen.scores);
  for (std::size_t n = 0; n < own.size(); ++n) EXPECT_NEAR(own[n], plain.scores[n], 1e-12);

  // What the surface costs without a band does not depend on which one was chosen.
  TrainOptions without = method;
  without.band.folds = 0;
  const CvReport report = cross_validate(data, std::vector{method, without}, three_twice);
  for (std::size_t k = 0; k < report.of_method(0).size(); ++k) {
    EXPECT_EQ(report.of_method(0)[k].without_band.table, report.of_method(1)[k].without_band.table);
  }
}

TEST(CrossValidation, TheZonesOfADoubleRampAreThoseOfItsTraining) {
  const Dataset data = noisy_line(80, 37);
  TrainOptions method = rbf();
  const Trained plain = train(data, method);
  method.band.folds = 5;
  const Trained chosen = train(data, method);
  ASSERT_NE(chosen.model.surface().band.rho, plain.model.surface().band.rho);
  EXPECT_EQ(zones_of(chosen.model, chosen.scores, data.y),
            zones_of(plain.model, plain.scores, data.y));
}

TEST(CrossValidation, FailsWithTheSameErrorInEveryRun) {
  Dataset data = noisy_line(60, 41);
  data.groups.assign(60, "");
  // One class in each of two groups: some training has a single class.
  for (std::size_t n = 0; n < 60; ++n) data.groups[n] = data.y[n] > 0 ? "a" : "b";
  const TrainOptions method = rbf();
  std::set<std::string> texts;
  for (int run = 0; run < 10; ++run) {
    try {
      static_cast<void>(
          cross_validate(data, std::vector{method}, {.folds = 2, .repeats = 20, .seed = 1}, 2));
    } catch (const InputError& error) {
      texts.insert(error.what());
    }
  }
  ASSERT_EQ(texts.size(), 1U);
  EXPECT_THAT(*texts.begin(), testing::StartsWith("training without fold 1 of repetition 1"));
}

TEST(Trainer, GivesWhatEachMethodAloneGives) {
  Dataset data = noisy_line(90, 43);
  TrainOptions other = rbf(4, 0.1);
  other.band.decide_for = Costs{1, 2, 0.3, 0.2};
  TrainOptions banded = rbf(1, 0.3);
  banded.band.folds = 4;
  const std::vector<std::vector<TrainOptions>> sets = {
      {rbf(), rbf(8, 0.1), other},
      {hinge(0.1), hinge(0.2), hinge(0.4)},
      {hinge(0.1), rbf(), banded, hinge(0.3)},
  };
  for (const std::vector<TrainOptions>& methods : sets) {
    Trainer trainer(data, methods.front());
    for (const TrainOptions& method : methods) {
      const Trained together = trainer.train(method);
      const Trained alone = train(data, method);
      EXPECT_EQ(to_json(together.model), to_json(alone.model));
      EXPECT_EQ(together.scores, alone.scores);
    }
  }
}

TEST(Trainer, RefusesMethodsWithoutACommonKernel) {
  const Dataset data = noisy_line(60, 4);
  for (const bool bands : {false, true}) {
    const TrainOptions first = bands ? hinge() : rbf();
    Trainer trainer(data, first);
    EXPECT_THROW(static_cast<void>(trainer.train(linear())), OptionError);
  }
}

TEST(CrossValidation, SaysThatABandNeedsTwoRowsOfEachClass) {
  Dataset data = noisy_line(60, 29);
  for (std::size_t n = 0; n < data.size(); ++n) data.y[n] = n < 1 ? 1 : -1;
  TrainOptions method = hinge();
  method.band.folds = 5;
  EXPECT_THROW(static_cast<void>(train(data, method)), InputError);
}

TEST(CrossValidation, OfAPrecomputedKernelNeedsASquareOne) {
  TrainOptions method = rbf();
  method.representation.kernel = {.type = KernelType::precomputed};
  expect_refusal<InputError>(noisy_line(60, 30), {method}, three_twice,
                             "a precomputed kernel of 60 rows needs as many columns, not 2");
}

TEST(CrossValidation, NeedsLabelsWeightsAndGroupsThatBelongToTheRows) {
  Dataset labels = noisy_line(60, 31);
  labels.y.push_back(1);
  expect_refusal<InputError>(labels, {rbf()}, three_twice, "do not belong together");
  Dataset weights = noisy_line(60, 31);
  weights.weights = {1, 2};
  expect_refusal<InputError>(weights, {rbf()}, three_twice, "do not belong together");
  Dataset groups = noisy_line(60, 31);
  groups.groups = {"a", "b", "c"};
  expect_refusal<InputError>(groups, {rbf()}, three_twice, "groups");
}

// Summaries

FoldResult made(std::size_t repeat, std::size_t fold, Metrics metrics, double aurc) {
  FoldResult result;
  result.repeat = repeat;
  result.fold = fold;
  result.metrics = metrics;
  result.without_band = {.table = {{{metrics.class_rows(0), 0, 0}, {metrics.class_rows(1), 0, 0}}},
                         .costs = metrics.costs};
  result.aurc = aurc;
  return result;
}

TEST(CvSummary, PoolsTheRowsOfARepetitionAndThenAverages) {
  const Costs costs = Costs::symmetric(0.25);
  const Metrics first{.table = {{{3, 1, 0}, {0, 1, 3}}}, .costs = costs};   // 8 rows, cost 0.5
  const Metrics second{.table = {{{1, 0, 1}, {0, 0, 2}}}, .costs = costs};  // 4 rows, cost 1
  const Metrics third{.table = {{{0, 4, 0}, {0, 4, 0}}}, .costs = costs};   // 8 rows, cost 2
  const Metrics fourth{.table = {{{1, 1, 0}, {1, 0, 1}}}, .costs = costs};  // 4 rows, cost 1.25
  CvReport report{.folds = {.folds = 2, .repeats = 2}, .results = {}};
  report.results = {made(0, 0, first, 0.1), made(0, 1, second, 0.2), made(1, 0, third, 0.5),
                    made(1, 1, fourth, 0.25)};
  report.results[2].status = TrainStatus::step_limit;
  const CvSummary summary = report.summary(0);

  const double one = 1.5 / 12;
  const double other = 3.25 / 12;
  EXPECT_DOUBLE_EQ(summary.risk.mean, (one + other) / 2);
  EXPECT_DOUBLE_EQ(*summary.risk.sd, std::abs(one - other) / std::sqrt(2));
  EXPECT_DOUBLE_EQ(summary.rejection_rate.mean, (2.0 / 12 + 9.0 / 12) / 2);
  EXPECT_DOUBLE_EQ(*summary.rejection_rate.sd, (9.0 - 2) / 12 / std::sqrt(2));
  ASSERT_TRUE(summary.accepted_accuracy);
  EXPECT_DOUBLE_EQ(summary.accepted_accuracy->mean, (9.0 / 10 + 2.0 / 3) / 2);
  EXPECT_DOUBLE_EQ(summary.never_reject.mean, 0.5);  // every positive is wrong
  EXPECT_DOUBLE_EQ(*summary.never_reject.sd, 0);
  EXPECT_DOUBLE_EQ(summary.aurc.mean, (0.15 + 0.375) / 2);
  EXPECT_EQ(summary.not_converged, 1U);
}

TEST(CvSummary, OfEqualRepetitionsIsExact) {
  const Metrics metrics{.table = {{{0, 7, 0}, {0, 5, 0}}}, .costs = Costs::symmetric(0.2)};
  for (std::size_t repeats = 2; repeats < 12; ++repeats) {
    CvReport report{.folds = {.folds = 1, .repeats = repeats}, .results = {}};
    for (std::size_t k = 0; k < repeats; ++k) report.results.push_back(made(k, 0, metrics, 0.1));
    EXPECT_EQ(report.summary(0).risk.mean, metrics.risk());
    EXPECT_EQ(report.summary(0).risk.sd, 0);
  }
}

TEST(CvSummary, HasNoDeviationOfASingleRepetition) {
  const Metrics metrics{.table = {{{3, 1, 0}, {0, 1, 3}}}, .costs = Costs::symmetric(0.25)};
  CvReport report{.folds = {.folds = 2, .repeats = 1}, .results = {}};
  report.results = {made(0, 0, metrics, 0.1), made(0, 1, metrics, 0.2)};
  const CvSummary summary = report.summary(0);
  EXPECT_FALSE(summary.risk.sd);
  EXPECT_FALSE(summary.accepted_accuracy->sd);
  EXPECT_DOUBLE_EQ(summary.risk.mean, 0.5 / 8);
}

TEST(CvSummary, HasNoAccuracyWhereNothingWasAnswered) {
  const Metrics nothing{.table = {{{0, 4, 0}, {0, 4, 0}}}, .costs = Costs::symmetric(0.25)};
  const Metrics something{.table = {{{1, 3, 0}, {0, 4, 0}}}, .costs = Costs::symmetric(0.25)};
  CvReport report{.folds = {.folds = 2, .repeats = 2}, .results = {}};
  report.results = {made(0, 0, nothing, 0), made(0, 1, nothing, 0), made(1, 0, nothing, 0),
                    made(1, 1, nothing, 0)};
  EXPECT_FALSE(report.summary(0).accepted_accuracy);
  EXPECT_EQ(report.summary(0).rejection_rate.mean, 1);
  EXPECT_EQ(report.summary(0).risk.mean, 0.25);
  report.results[3] = made(1, 1, something, 0);  // over the repetitions that answered at all
  ASSERT_TRUE(report.summary(0).accepted_accuracy);
  EXPECT_EQ(report.summary(0).accepted_accuracy->mean, 1);
  EXPECT_FALSE(report.summary(0).accepted_accuracy->sd);
}

TEST(CvSummary, IsOfOneMethodAtATime) {
  const Dataset data = noisy_line(60, 32);
  const std::vector<TrainOptions> methods{rbf(2, 0.1), rbf(2, 0.4)};
  const CvReport both = cross_validate(data, methods, three_twice);
  for (std::size_t m = 0; m < methods.size(); ++m) {
    const CvReport alone = cross_validate(data, std::span(methods).subspan(m, 1), three_twice);
    EXPECT_EQ(both.of_method(m).size(), 6U);
    EXPECT_EQ(both.of_method(m).front().method, m);
    EXPECT_EQ(both.summary(m).risk.mean, alone.summary(0).risk.mean);
    EXPECT_EQ(both.summary(m).risk.sd, alone.summary(0).risk.sd);
  }
}

TEST(CrossValidation, LeavesOutRowsOfWeightZero) {
  Dataset data = noisy_line(90, 11);
  std::vector<std::size_t> kept;
  for (std::size_t n = 0; n < data.size(); ++n) {
    data.weights.push_back(n % 3 == 0 ? 0 : 2);
    if (n % 3 != 0) kept.push_back(n);
  }
  const Dataset part = testing_support::subset(data, kept);
  const std::vector<TrainOptions> methods{rbf(), linear(), hinge()};
  const CvReport one = cross_validate(data, methods, three_twice, 1);
  const CvReport other = cross_validate(part, methods, three_twice, 1);
  ASSERT_EQ(one.results.size(), other.results.size());
  for (std::size_t k = 0; k < one.results.size(); ++k) {
    EXPECT_EQ(one.results[k].objective, other.results[k].objective);
    EXPECT_EQ(one.results[k].metrics.risk(), other.results[k].metrics.risk());
  }
}

}  // namespace
}  // namespace rampart
