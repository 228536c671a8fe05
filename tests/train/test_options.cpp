#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "rampart/errors.hpp"
#include "rampart/options.hpp"

namespace rampart {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

void expect_refused(const TrainOptions& options, const std::string& message) {
  EXPECT_THAT([&] { options.validate(); }, ThrowsMessage<OptionError>(HasSubstr(message)));
}

TEST(TrainOptions, TheDefaultsAreValid) { EXPECT_NO_THROW(TrainOptions{}.validate()); }

TEST(TrainOptions, MessagesNameTheOptionTheValueAndTheRule) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  expect_refused({.objective = {.C = -1}}, "C = -1: must be > 0");
  expect_refused({.objective = {.C = infinity}}, "C = inf: must be > 0 and finite");
  expect_refused({.objective = {.mu = 0}}, "mu = 0: must be greater than 0 and at most 1");
  expect_refused({.objective = {.mu = 1.5}}, "mu = 1.5");
  expect_refused({.exactness = {.tolerance = nan}}, "tolerance = nan");
  expect_refused({.objective = {.costs = Costs::symmetric(0)}},
                 "reject cost d = 0: must be greater than 0");
  expect_refused({.objective = {.costs = Costs::symmetric(0.6)}}, "reject cost d = 0.6");
  expect_refused({.objective = {.costs = Costs::symmetric(nan)}}, "nan");
  expect_refused({.objective = {.class_weights = {{"a", 0}}}}, "class weight a=0: must be > 0");
  expect_refused({.objective = {.class_weights = {{"a", 2}}, .balanced = true}}, "balanced: not");
  expect_refused({.exactness = {.max_rounds = 0}}, "max rounds = 0");
  expect_refused({.exactness = {.max_seconds = -1}}, "max seconds = -1: must be >= 0 and finite");
  expect_refused({.exactness = {.max_seconds = nan}}, "max seconds = nan");
}

TEST(TrainOptions, DefaultsAreEqual) {
  EXPECT_EQ(TrainOptions{}, TrainOptions{});
  EXPECT_EQ(TrainOptions{}.resources.cache_bytes, default_cache_bytes());
  EXPECT_GT(default_cache_bytes(), std::size_t{8} << 20);
}

TEST(TrainOptions, OnlyTheDoubleRampTakesATableOfCosts) {
  const Costs table{1, 5, 0.2, 0.1};
  EXPECT_NO_THROW((TrainOptions{.objective = {.costs = table}}.validate()));
  expect_refused({.objective = {.loss = LossKind::hinge, .costs = table}}, "only the double ramp");
}

TEST(TrainOptions, APrecomputedKernelHasNoFeaturesToScale) {
  expect_refused({.representation = {.kernel = {.type = KernelType::precomputed},
                                     .scaling = ScalingKind::standard}},
                 "a precomputed kernel cannot be scaled");
}

TEST(Costs, ImpossibleTablesAreRefused) {
  const auto refused = [](Costs costs, const std::string& message) {
    EXPECT_THAT([&] { costs.validate(); }, ThrowsMessage<OptionError>(HasSubstr(message)));
  };
  refused({2, 1, 0.2, 2}, "cost of rejecting a negative = 2: must be less");
  refused({1, 2, 2.5, 0.2}, "cost of rejecting a positive = 2.5: must be less");
  refused({0, 1, 0.2, 0.1}, "cost of a false positive = 0: must be > 0");
  refused({1, 2, 1.5, 0.5}, "must be at most 1");
}

TEST(Costs, RejectingPaysBelowOneHalfOnly) {
  EXPECT_TRUE(Costs::symmetric(0.49).rejecting_can_pay());
  EXPECT_FALSE(Costs::symmetric(0.5).rejecting_can_pay());
}

}  // namespace
}  // namespace rampart
