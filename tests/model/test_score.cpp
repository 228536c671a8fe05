// One row at a time: Predictor::score().

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>
#include <vector>

#include "models.hpp"
#include "rampart/errors.hpp"
#include "rampart/model.hpp"

namespace {
std::atomic<std::size_t> allocations{0};
}  // namespace

// Not inline: gcc would see free() of what new returned, and warn.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace rampart {
namespace {

using testing::ThrowsMessage;
using testing_support::models;

/// Rows of this many features, some of them zero.
Rows some_rows(std::size_t features) {
  const Dataset data = generate(SyntheticSet::square, 40, 9);
  std::vector<double> values;
  for (std::size_t n = 0; n < data.size(); ++n) {
    const auto row = data.x.dense_row(n);
    for (std::size_t j = 0; j < features; ++j) {
      values.push_back(j % 97 == 3 ? 0 : row[j % 2] + 0.01 * static_cast<double>(j % 5));
    }
  }
  return Rows::dense(features, std::move(values), data.size());
}

TEST(Score, HasTheBitsOfABatch) {
  for (const Model& model : models()) {
    const Predictor predictor(model);
    const Rows x = some_rows(model.features.count);
    const std::vector<double> together = predictor.scores(x);
    for (std::size_t n = 0; n < x.size(); ++n) {
      EXPECT_EQ(predictor.score(x.dense_row(n)), together[n]) << to_json(model);
    }
  }
}

TEST(Score, HasTheBitsOfABatchForManyScaledFeatures) {
  Model model{.features = {.count = 5000},
              .scaling = {.kind = ScalingKind::minmax,
                          .offset = std::vector<double>(5000, 0.25),
                          .factor = std::vector<double>(5000, 1.5)},
              .kernel = RbfKernel{1e-3}};
  model.scaling.factor[17] = 0;
  model.vectors = model.scaling.apply(some_rows(5000));
  for (std::size_t i = 0; i < model.vectors.size(); ++i) {
    model.surface().coefficients.push_back(i % 2 == 0 ? 1.5 : -0.75);
  }
  const Predictor predictor(model);
  const Rows x = some_rows(5000);
  const std::vector<double> together = predictor.scores(x);
  for (std::size_t n = 0; n < x.size(); ++n) {
    EXPECT_EQ(predictor.score(x.dense_row(n)), together[n]);
  }
}

TEST(Score, AllocatesNothing) {
  for (const Model& model : models()) {
    const Predictor predictor(model);
    const Rows x = some_rows(model.features.count);
    const std::size_t before = allocations;
    double sum = 0;
    for (std::size_t n = 0; n < x.size(); ++n) sum += predictor.score(x.dense_row(n));
    EXPECT_EQ(allocations, before) << to_json(model);
    EXPECT_TRUE(std::isfinite(sum));
  }
}

TEST(Score, AnotherNumberOfFeaturesIsRefused) {
  const Predictor predictor(models().front());
  for (const std::size_t features : {0U, 1U, 3U}) {
    const std::vector<double> row(features, 0.5);
    EXPECT_THAT([&] { static_cast<void>(predictor.score(row)); },
                ThrowsMessage<ModelError>("a row of " + std::to_string(features) +
                                          " features for a model of 2"));
  }
}

TEST(Score, WhatIsNotFiniteIsRefused) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const Model& model : models()) {
    for (const double value : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity}) {
      std::vector<double> row(model.features.count, 0.25);
      row.back() = value;
      EXPECT_THROW(static_cast<void>(Predictor(model).score(row)), InputError);
    }
  }
  Model steep{.features = {.count = 2}};
  steep.surface().weights = {1e308, 1e308};
  EXPECT_THROW(static_cast<void>(Predictor(steep).score(std::vector{10.0, 10.0})), ModelError);
}

TEST(Predict, DecidesByTheScoreAndTheBandIfEveryRowIsFamiliar) {
  for (Model model : models()) {
    model.familiar = {};
    const Rows x = some_rows(model.features.count);
    const std::vector<double> scores = Predictor(model).scores(x);
    const std::vector<Decision> decisions = predict(model, x);
    ASSERT_EQ(decisions.size(), x.size());
    for (std::size_t n = 0; n < x.size(); ++n) {
      EXPECT_EQ(decisions[n], decide(scores[n], model.surface().band.rho));
    }
  }
}

TEST(Predictor, ScoresTheArraysOfACaller) {
  for (const Model& model : models()) {
    const std::size_t features = model.features.count;
    const Rows x = some_rows(features);
    const Predictor predictor(model);
    std::vector<double> strided;
    std::vector<float> narrow;
    std::vector<double> rounded;
    for (std::size_t n = 0; n < x.size(); ++n) {
      const auto row = x.dense_row(n);
      strided.insert(strided.end(), row.begin(), row.end());
      strided.push_back(std::numeric_limits<double>::quiet_NaN());  // between the rows
      for (const double value : row) {
        narrow.push_back(static_cast<float>(value));
        rounded.push_back(static_cast<double>(narrow.back()));
      }
    }
    EXPECT_EQ(predictor.scores(RowsView::dense(strided, x.size(), features, features + 1)),
              predictor.scores(x));
    EXPECT_EQ(predictor.scores(RowsView::dense(narrow, x.size(), features)),
              predictor.scores(Rows::dense(features, rounded, x.size())));
  }
}

TEST(Predictor, AModelThatIsNotWholeIsRefused) {
  const auto refusal =
      ThrowsMessage<ModelError>(testing::HasSubstr("the parts of the model do not fit"));
  for (Model model : models()) {
    const auto is_refused = [&](const Model& changed) {
      EXPECT_THAT([&] { static_cast<void>(Predictor(changed)); }, refusal);
    };
    Model changed = model;
    changed.scaling = {.kind = ScalingKind::minmax, .offset = {1}, .factor = {}};
    is_refused(changed);
    changed = model;
    changed.surface().weights.push_back(1);
    is_refused(changed);
    if (std::holds_alternative<LinearKernel>(model.kernel)) continue;
    changed = model;
    changed.surface().coefficients.push_back(1);
    is_refused(changed);
  }
}

}  // namespace
}  // namespace rampart
