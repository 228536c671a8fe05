#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "evaluate/report.hpp"
#include "evaluate/scored.hpp"
#include "rampart/errors.hpp"
#include "train/noisy_line.hpp"
#include "train/zone.hpp"

namespace rampart {
namespace {

/// Scores of very different spreads, some of them outliers.
Scored any_spread() {
  Scored scored;
  const auto rows = *rc::gen::inRange(1, 200);
  const double unit = std::pow(10.0, *rc::gen::inRange(-8, 9));
  for (int n = 0; n < rows; ++n) {
    const bool far = *rc::gen::inRange(0, 20) == 0;
    scored.scores.push_back(*rc::gen::inRange(-1000, 1001) * unit * (far ? 100 : 1));
    scored.y.push_back(*rc::gen::element<std::int8_t>(-1, 1));
  }
  return scored;
}

double any_rho(const Scored& scored) {
  const double size = std::abs(scored.scores.front());
  return *rc::gen::element(0.0, 1e-12, 0.01, 0.3, 1.0, 3.0, 1e9) * (size > 0 ? size : 1);
}

RC_GTEST_PROP(ScoreHistogram, EveryRowIsCountedOnceInTheBinOfItsScore, ()) {
  const Scored scored = any_spread();
  const ScoreHistogram histogram = score_histogram(scored.scores, scored.y, any_rho(scored));
  const std::size_t bins = histogram.negative.size();
  RC_ASSERT(histogram.edges.size() == bins + 1 && histogram.positive.size() == bins);
  for (std::size_t i = 0; i < bins; ++i) {
    std::size_t negative = 0;
    std::size_t positive = 0;
    for (std::size_t n = 0; n < scored.y.size(); ++n) {
      const bool inside = scored.scores[n] >= histogram.edges[i] &&
                          (scored.scores[n] < histogram.edges[i + 1] ||
                           (i + 1 == bins && scored.scores[n] == histogram.edges[bins]));
      if (inside) ++(scored.y[n] > 0 ? positive : negative);
    }
    RC_ASSERT(histogram.negative[i] == negative && histogram.positive[i] == positive);
  }
  RC_ASSERT(std::accumulate(histogram.negative.begin(), histogram.negative.end(), 0U) +
                std::accumulate(histogram.positive.begin(), histogram.positive.end(), 0U) ==
            scored.y.size());
}

RC_GTEST_PROP(ScoreHistogram, HasTenToSixtyTwoBinsOfOneWidth, ()) {
  const Scored scored = any_spread();
  const ScoreHistogram histogram = score_histogram(scored.scores, scored.y, any_rho(scored));
  const auto& edges = histogram.edges;
  const auto bins = static_cast<double>(edges.size() - 1);
  RC_ASSERT(bins >= 10 && bins <= 62);
  const double width = edges[1] - edges[0];
  const double rounding = 1e-12 * std::max(std::abs(edges.front()), std::abs(edges.back()));
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    RC_ASSERT(edges[i + 1] > edges[i]);
    RC_ASSERT(std::abs(edges[i + 1] - edges[i] - width) <= 1e-9 * width + rounding);
  }
}

RC_GTEST_PROP(ScoreHistogram, NoBinIsHalfAccepted, ()) {
  const Scored scored = any_spread();
  const auto [least, most] = std::ranges::minmax(scored.scores);
  const double rho = *rc::gen::element(0.1, 0.5, 0.9) * std::max(-least, most);
  const auto edges = score_histogram(scored.scores, scored.y, rho).edges;
  RC_ASSERT(!(most > rho && least < rho) || std::ranges::count(edges, rho) == 1);
  RC_ASSERT(!(most > -rho && least < -rho) || std::ranges::count(edges, -rho) == 1);
}

TEST(ScoreHistogram, EqualScoresAreDrawnToo) {
  for (const double score : {0.0, -3.0, 1e-300, 1e200}) {
    const ScoreHistogram histogram =
        score_histogram(std::vector<double>(5, score), std::vector<std::int8_t>(5, 1), 1);
    EXPECT_EQ(std::ranges::max(histogram.positive), 5U);
    EXPECT_LT(histogram.edges.front(), score);
    EXPECT_GT(histogram.edges.back(), score);
  }
}

TEST(ScoreHistogram, WhatCannotBeDrawnIsRefused) {
  EXPECT_THROW(static_cast<void>(score_histogram({}, {}, 1)), InputError);
  const std::vector<double> scores{-1e308, 1e308};
  const std::vector<std::int8_t> y{1, -1};
  EXPECT_THAT([&] { static_cast<void>(score_histogram(scores, y, 1)); },
              testing::ThrowsMessage<InputError>("a score of 1e+308 is too large to draw"));
}

RC_GTEST_PROP(ZoneSummary, CountsEveryRowAndListsTheMostWrongOutliers, ()) {
  const Scored scored = any_spread();
  Model model;
  model.surface().band.rho = std::abs(scored.scores.front()) / 2;
  const auto most = *rc::gen::inRange<std::size_t>(0, 5);
  const ZoneSummary summary = summarise_zones(model, scored.scores, scored.y, most);
  const std::vector<Zone> zones = zones_of(model, scored.scores, scored.y);

  std::vector<double> margins;
  for (std::size_t z = 0; z < all_zones.size(); ++z) {
    for (const int label : {-1, 1}) {
      std::size_t count = 0;
      for (std::size_t n = 0; n < zones.size(); ++n) {
        if (zones[n] == all_zones[z] && scored.y[n] == label) ++count;
      }
      RC_ASSERT(summary.counts[z][label > 0 ? 1 : 0] == count);
    }
  }
  for (std::size_t n = 0; n < zones.size(); ++n) {
    RC_ASSERT(zones[n] == zone_of(scored.y[n] * scored.scores[n], model.surface().band.rho,
                                  model.surface().objective.mu, 1e-9));
    if (zones[n] == Zone::ignored_outlier) margins.push_back(scored.y[n] * scored.scores[n]);
  }
  std::ranges::sort(margins);
  RC_ASSERT(summary.outliers_total == margins.size());
  RC_ASSERT(summary.outliers.size() == std::min(most, margins.size()));
  for (std::size_t k = 0; k < summary.outliers.size(); ++k) {
    const Outlier& outlier = summary.outliers[k];
    RC_ASSERT(outlier.y * outlier.score == margins[k]);
    RC_ASSERT(outlier.score == scored.scores[outlier.row - 1]);
    RC_ASSERT(outlier.y == scored.y[outlier.row - 1]);
  }
}

TEST(ZoneSummary, BelongsToTheDoubleRampLoss) {
  Model model;
  model.surface().objective.loss = LossKind::hinge;
  EXPECT_THAT(
      [&] {
        static_cast<void>(
            summarise_zones(model, std::vector<double>{1}, std::vector<std::int8_t>{1}));
      },
      testing::ThrowsMessage<ModelError>(
          "zones belong to the double ramp loss, this model has hinge"));
}

}  // namespace
}  // namespace rampart
