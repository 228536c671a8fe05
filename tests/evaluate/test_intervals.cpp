#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "evaluate/intervals.hpp"
#include "rampart/errors.hpp"
#include "rampart/metrics.hpp"

namespace rampart {
namespace {

/// P(first ≤ X ≤ last) for X ~ Binomial(trials, p), term by term.
double chance(std::size_t first, std::size_t last, std::size_t trials, double p) {
  const auto n = static_cast<long double>(trials);
  long double sum = 0;
  for (std::size_t i = first; i <= last; ++i) {
    const auto k = static_cast<long double>(i);
    const long double ways = std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
    sum += std::exp(ways) * std::pow(static_cast<long double>(p), k) *
           std::pow(1 - static_cast<long double>(p), n - k);
  }
  return static_cast<double>(sum);
}

struct Tried {
  std::size_t successes;
  std::size_t trials;
  double confidence;
};

Tried any_tried(std::size_t most) {
  const auto trials = *rc::gen::inRange<std::size_t>(1, most);
  const auto successes = *rc::gen::inRange<std::size_t>(0, trials + 1);
  const auto confidence = *rc::gen::element(0.01, 0.5, 0.8, 0.95, 0.99, 0.9999);
  return {successes, trials, confidence};
}

Interval interval_of(const Tried& tried) {
  return clopper_pearson(tried.successes, tried.trials, tried.confidence);
}

RC_GTEST_PROP(ClopperPearson, AtEachEndWhatWasSeenIsAsUnlikelyAsTheConfidenceSays, ()) {
  const Tried tried = any_tried(200);
  const auto [k, n, confidence] = tried;
  const double tail = (1 - confidence) / 2;
  const Interval interval = interval_of(tried);
  if (k > 0) RC_ASSERT(std::abs(chance(k, n, n, interval.low) / tail - 1) < 1e-9);
  if (k < n) RC_ASSERT(std::abs(chance(0, k, n, interval.high) / tail - 1) < 1e-9);
}

RC_GTEST_PROP(ClopperPearson, CoversTheTruthWithAtLeastTheConfidence, ()) {
  const Tried tried = any_tried(60);
  const double p = *rc::gen::inRange(0, 1001) / 1000.0;
  double covered = 0;
  for (std::size_t k = 0; k <= tried.trials; ++k) {
    const Interval interval = clopper_pearson(k, tried.trials, tried.confidence);
    if (interval.low <= p && p <= interval.high) covered += chance(k, k, tried.trials, p);
  }
  RC_ASSERT(covered >= tried.confidence - 1e-12);
}

RC_GTEST_PROP(ClopperPearson, FailuresAreMirroredSuccesses, ()) {
  const Tried tried = any_tried(100000);
  const Interval interval = interval_of(tried);
  const Interval mirrored =
      clopper_pearson(tried.trials - tried.successes, tried.trials, tried.confidence);
  RC_ASSERT(std::abs(mirrored.low - (1 - interval.high)) < 1e-14);
  RC_ASSERT(std::abs(mirrored.high - (1 - interval.low)) < 1e-14);
}

RC_GTEST_PROP(ClopperPearson, HoldsWhatWasSeenAndShrinksWithConfidence, ()) {
  const Tried tried = any_tried(100000);
  const Interval interval = interval_of(tried);
  const double seen = static_cast<double>(tried.successes) / static_cast<double>(tried.trials);
  RC_ASSERT(0 <= interval.low && interval.low <= seen);
  RC_ASSERT(seen <= interval.high && interval.high <= 1);
  const Interval less = clopper_pearson(tried.successes, tried.trials, tried.confidence / 2);
  RC_ASSERT(interval.low <= less.low && less.high <= interval.high);
  RC_ASSERT(less.high - less.low < interval.high - interval.low);
}

RC_GTEST_PROP(ClopperPearson, NoneAndAllHaveTheirClosedForm, ()) {
  const auto [unused, n, confidence] = any_tried(100000);
  const double end = std::pow((1 - confidence) / 2, 1 / static_cast<double>(n));
  const Interval none = clopper_pearson(0, n, confidence);
  const Interval all = clopper_pearson(n, n, confidence);
  RC_ASSERT(none.low == 0);
  RC_ASSERT(std::abs(none.high - (1 - end)) < 1e-14);
  RC_ASSERT(all.high == 1);
  RC_ASSERT(std::abs(all.low - end) < 1e-14);
}

TEST(ClopperPearson, WithoutTrialsItIsFromZeroToOne) {
  EXPECT_EQ(clopper_pearson(0, 0), (Interval{0, 1}));
  EXPECT_EQ(clopper_pearson(0, 0, 0.001), (Interval{0, 1}));
}

TEST(ClopperPearson, ABillionRowsAreNotTooMany) {
  const Interval interval = clopper_pearson(300'000'000, 1'000'000'000);
  const double deviation = std::sqrt(0.3 * 0.7 / 1e9);
  EXPECT_NEAR(interval.low, 0.3 - 1.959964 * deviation, 1e-3 * deviation);
  EXPECT_NEAR(interval.high, 0.3 + 1.959964 * deviation, 1e-3 * deviation);
}

TEST(ClopperPearson, RefusesWhatIsNoConfidenceOrNoCount) {
  for (const double confidence : {0.0, 1.0, -0.5, 95.0, std::nan("")}) {
    EXPECT_THROW(static_cast<void>(clopper_pearson(1, 2, confidence)), OptionError) << confidence;
    EXPECT_THROW(static_cast<void>(clopper_pearson(0, 0, confidence)), OptionError) << confidence;
  }
  EXPECT_THAT([] { static_cast<void>(clopper_pearson(1, 2, 95)); },
              testing::ThrowsMessage<OptionError>(
                  "confidence = 95: must be greater than 0 and less than 1"));
  EXPECT_THAT([] { static_cast<void>(clopper_pearson(3, 2)); },
              testing::ThrowsMessage<OptionError>("successes = 3: must be at most the 2 trials"));
}

TEST(NormalQuantile, InvertsTheDistributionFunction) {
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-12);
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-15);
  for (const double p : {1e-9, 0.01, 0.3, 0.8, 0.999}) {
    EXPECT_NEAR(0.5 * std::erfc(-normal_quantile(p) / std::sqrt(2.0)), p, 1e-12);
  }
  EXPECT_THROW((void)normal_quantile(0), OptionError);
  EXPECT_THROW((void)normal_quantile(1), OptionError);
}

}  // namespace
}  // namespace rampart
