#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

#include "data/generate.hpp"
#include "evaluate/risk_coverage.hpp"
#include "evaluate/scored.hpp"
#include "evaluate/trivial_rules.hpp"
#include "model/loss.hpp"
#include "rampart/errors.hpp"
#include "rampart/metrics.hpp"
#include "rampart/train.hpp"

namespace rampart {
namespace {

constexpr Costs uneven{
    .false_positive = 1, .false_negative = 7, .reject_positive = 0.5, .reject_negative = 0.25};

RC_GTEST_PROP(Metrics, TheRiskIsTheMeanOfTheZeroDOneLoss, ()) {
  const Scored scored = any_scored(40);
  const double rho = *rc::gen::inRange(0, 5) / 2.0;
  const double d = *rc::gen::element(0.05, 0.2, 0.5);
  const Metrics metrics = measure(scored.scores, scored.y, rho, Costs::symmetric(d));
  double sum = 0;
  for (std::size_t n = 0; n < scored.y.size(); ++n) {
    sum += ZeroDOneLoss{d}(scored.y[n] * scored.scores[n], rho);
  }
  RC_ASSERT(std::abs(metrics.risk() - sum / static_cast<double>(scored.y.size())) < 1e-12);
}

RC_GTEST_PROP(Metrics, CountsAndRatesAreThoseOfTheRowsCountedOneByOne, ()) {
  const Scored scored = any_scored(40);
  const double rho = *rc::gen::inRange(0, 5) / 2.0;
  std::size_t rows[2] = {0, 0};
  std::size_t rejected[2] = {0, 0};
  std::size_t right = 0;
  std::size_t wrong = 0;
  for (std::size_t n = 0; n < scored.y.size(); ++n) {
    const std::size_t c = scored.y[n] > 0 ? 1 : 0;
    const double t = scored.y[n] * scored.scores[n];
    ++rows[c];
    rejected[c] += std::abs(t) <= rho;
    right += t > rho;
    wrong += t < -rho;
  }
  const auto all = static_cast<double>(scored.y.size());
  const Metrics metrics = measure(scored.scores, scored.y, rho, Costs{});
  RC_ASSERT(metrics.rows() == scored.y.size());
  RC_ASSERT(metrics.answered() == right + wrong);
  RC_ASSERT(metrics.rejected() == rejected[0] + rejected[1]);
  RC_ASSERT(metrics.answered() + metrics.rejected() == metrics.rows());
  RC_ASSERT(metrics.errors() == wrong);
  RC_ASSERT(metrics.coverage() == static_cast<double>(right + wrong) / all);
  RC_ASSERT(std::abs(metrics.coverage() + metrics.rejection_rate() - 1) < 1e-15);
  const auto accuracy = metrics.accepted_accuracy();
  RC_ASSERT(accuracy.has_value() == (right + wrong > 0));
  if (accuracy) {
    RC_ASSERT(*accuracy == static_cast<double>(right) / static_cast<double>(right + wrong));
  }
  for (const std::size_t c : {0, 1}) {
    RC_ASSERT(metrics.class_rows(c) == rows[c]);
    const auto rate = metrics.class_rejection_rate(c);
    RC_ASSERT(rate.has_value() == (rows[c] > 0));
    if (rate) {
      RC_ASSERT(*rate == static_cast<double>(rejected[c]) / static_cast<double>(rows[c]));
    }
  }
}

RC_GTEST_PROP(Metrics, PooledPartsAreTheWhole, ()) {
  const Scored scored = any_scored(40);
  const auto cut = *rc::gen::inRange<std::size_t>(1, scored.y.size() + 1);
  const std::span scores(scored.scores);
  const std::span y(scored.y);
  Metrics pooled = measure(scores.first(cut), y.first(cut), 1, uneven);
  if (cut < y.size()) pooled += measure(scores.subspan(cut), y.subspan(cut), 1, uneven);
  const Metrics whole = measure(scores, y, 1, uneven);
  RC_ASSERT(pooled.table == whole.table);
  RC_ASSERT(pooled.risk() == whole.risk());
}

#ifndef NDEBUG
TEST(MetricsDeathTest, RowsOfDifferentCostsAreNotPooled) {
  Metrics one{.costs = Costs::symmetric(0.1)};
  EXPECT_DEATH(one += Metrics{.costs = Costs::symmetric(0.2)}, "different costs");
}
#endif

RC_GTEST_PROP(Metrics, RejectingEverythingCostsDAndHasNoAccuracy, ()) {
  const Scored scored = any_scored(40);
  const double d = *rc::gen::element(0.05, 0.3, 0.5);
  const Metrics metrics = measure(scored.scores, scored.y, 100, Costs::symmetric(d));
  RC_ASSERT(std::abs(metrics.risk() - d) < 1e-12);
  RC_ASSERT(metrics.rejection_rate() == 1);
  RC_ASSERT(metrics.coverage() == 0);
  RC_ASSERT(!metrics.accepted_accuracy().has_value());
}

TEST(Metrics, AsymmetricCostsAreChargedToTheirCells) {
  const std::vector<std::int8_t> y{-1, 1, 1, -1, 1};
  const std::vector<double> scores{2, -2, 0, 0, 2};
  EXPECT_DOUBLE_EQ(measure(scores, y, 1, uneven).risk(), (1 + 7 + 0.5 + 0.25 + 0) / 5);
}

TEST(Metrics, NoRowsIsAnError) {
  const auto no_rows = testing::ThrowsMessage<InputError>("no rows to measure on");
  EXPECT_THAT([] { static_cast<void>(measure({}, {}, 0, Costs{})); }, no_rows);
  EXPECT_THAT([] { static_cast<void>(risk_coverage_curve({}, {})); }, no_rows);
  EXPECT_THAT([] { static_cast<void>(trivial_rules(std::span<const std::int8_t>(), Costs{})); },
              no_rows);
}

TEST(Metrics, ScoresThatAreNotFiniteAreRefused) {
  const std::vector<double> scores{1, std::nan("")};
  const std::vector<std::int8_t> y{1, -1};
  EXPECT_THROW(static_cast<void>(measure(scores, y, 0, Costs{})), InputError);
  EXPECT_THROW(static_cast<void>(aurc(scores, y)), InputError);
}

TEST(Metrics, ScoresWithoutLabelsAreRefused) {
  const std::vector<double> scores{1, 2};
  const std::vector<std::int8_t> y{1};
  EXPECT_THROW(static_cast<void>(measure(scores, y, 0, Costs{})), InputError);
  EXPECT_THROW(static_cast<void>(risk_coverage_curve(scores, y)), InputError);
}

RC_GTEST_PROP(TrivialRules, AreThoseOfConstantScores, ()) {
  const std::vector<std::int8_t> y = any_scored(30).y;
  const Costs costs = *rc::gen::element(uneven, Costs::symmetric(0.2));
  const auto risk_of = [&](double score) {
    return measure(std::vector<double>(y.size(), score), y, 1, costs).risk();
  };
  const TrivialRules rules = trivial_rules(y, costs);
  RC_ASSERT(rules.reject_all == risk_of(0));
  RC_ASSERT(rules.always_negative == risk_of(-2));
  RC_ASSERT(rules.always_positive == risk_of(2));
  RC_ASSERT(rules.majority() == std::min(risk_of(-2), risk_of(2)));
  RC_ASSERT(rules.majority() == risk_of(rules.majority_is_positive() ? 2 : -2));
}

TEST(TrivialRules, WithACostTableTheMajorityIsTheCheaperAnswerNotTheCommonerClass) {
  const std::vector<std::int8_t> y{-1, -1, -1, 1};
  EXPECT_FALSE(trivial_rules(y, Costs{}).majority_is_positive());
  EXPECT_EQ(trivial_rules(y, Costs{}).majority(), 0.25);
  EXPECT_TRUE(trivial_rules(y, uneven).majority_is_positive());
  EXPECT_EQ(trivial_rules(y, uneven).majority(), 0.75);
}

TEST(Evaluate, MeasuresTheModelAtTheCostsOfItsDecisions) {
  const Dataset data = generate(SyntheticSet::synthetic2, 80, 4);
  Model model = train(data, {.objective = {.C = 4}}).model;
  model.surface().decide_for = Costs{1, 3, 0.25, 0.5};
  const Dataset fresh = generate(SyntheticSet::synthetic2, 120, 5);
  const Metrics metrics = evaluate(model, fresh);
  EXPECT_EQ(metrics.costs, *model.surface().decide_for);
  EXPECT_EQ(metrics.table, measure(Predictor(model).scores(fresh.x), fresh.y,
                                   model.surface().band.rho, metrics.costs)
                               .table);
  EXPECT_GT(metrics.errors(), 0U);
  EXPECT_GT(metrics.rejected(), 0U);
}

TEST(Evaluate, RefusesLabelsThatAreNotOfTheModel) {
  Dataset data = generate(SyntheticSet::square, 100, 1);
  const Model model = train(data, {}).model;
  EXPECT_NO_THROW(static_cast<void>(evaluate(model, data)));
  std::swap(data.classes.negative, data.classes.positive);
  EXPECT_THROW(static_cast<void>(evaluate(model, data)), ModelError);
  std::swap(data.classes.negative, data.classes.positive);
  data.y[3] = 0;
  EXPECT_THROW(static_cast<void>(evaluate(model, data)), InputError);
}

}  // namespace
}  // namespace rampart
