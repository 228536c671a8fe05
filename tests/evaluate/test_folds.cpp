#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "rampart/errors.hpp"
#include "train/folds.hpp"

namespace rampart {
namespace {

using Labels = std::vector<std::int8_t>;

Labels labels(std::size_t negative, std::size_t positive) {
  Labels y(negative, -1);
  y.insert(y.end(), positive, 1);
  return y;
}

/// Labels in any order, at least `least` of each class.
Labels any_labels(std::size_t least, std::size_t most) {
  Labels y = labels(*rc::gen::inRange(least, most + 1), *rc::gen::inRange(least, most + 1));
  for (std::size_t k = y.size(); k > 1; --k) {
    std::swap(y[k - 1], y[*rc::gen::inRange<std::size_t>(0, k)]);
  }
  return y;
}

FoldOptions any_options(std::size_t most_folds) {
  return {.folds = *rc::gen::inRange<std::size_t>(2, most_folds + 1),
          .repeats = 10,
          .seed = *rc::gen::arbitrary<std::uint64_t>(),
          .stratified = *rc::gen::arbitrary<bool>()};
}

/// How many rows of a class (0: of both) each fold has.
std::vector<std::size_t> sizes(const std::vector<std::size_t>& fold_of, std::size_t folds,
                               const Labels& y, int label) {
  std::vector<std::size_t> count(folds, 0);
  for (std::size_t n = 0; n < fold_of.size(); ++n) {
    if (label == 0 || y[n] == label) ++count.at(fold_of[n]);
  }
  return count;
}

std::size_t spread(const std::vector<std::size_t>& count) {
  return *std::ranges::max_element(count) - *std::ranges::min_element(count);
}

RC_GTEST_PROP(Folds, DifferByAtMostOneRow, ()) {
  const Labels y = any_labels(5, 30);
  const FoldOptions options = any_options(5);
  const auto fold_of = assign_folds(y, {}, options, *rc::gen::inRange<std::size_t>(0, 10));
  RC_ASSERT(fold_of.size() == y.size());
  RC_ASSERT(spread(sizes(fold_of, options.folds, y, 0)) <= 1U);
}

RC_GTEST_PROP(Folds, StratifiedDifferByAtMostOneRowInEachClass, ()) {
  const Labels y = any_labels(5, 30);
  FoldOptions options = any_options(5);
  options.stratified = true;
  const auto fold_of = assign_folds(y, {}, options, *rc::gen::inRange<std::size_t>(0, 10));
  RC_ASSERT(spread(sizes(fold_of, options.folds, y, -1)) <= 1U);
  RC_ASSERT(spread(sizes(fold_of, options.folds, y, 1)) <= 1U);
}

TEST(Folds, NotStratifiedLeaveTheClassesToChance) {
  const Labels y = labels(20, 20);
  std::size_t most = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const FoldOptions options{.folds = 4, .repeats = 1, .seed = seed, .stratified = false};
    most = std::max(most, spread(sizes(assign_folds(y, {}, options, 0), 4, y, 1)));
  }
  EXPECT_GT(most, 1U);
}

RC_GTEST_PROP(Folds, SplitIntoTestAndTrainingInTheOrderOfTheData, ()) {
  const Labels y = any_labels(5, 30);
  const FoldOptions options = any_options(5);
  const auto fold_of = assign_folds(y, {}, options, 0);
  std::vector<std::size_t> tested;
  for (std::size_t fold = 0; fold < options.folds; ++fold) {
    const Split split = split_at(fold_of, fold);
    RC_ASSERT(std::ranges::is_sorted(split.training));
    RC_ASSERT(std::ranges::is_sorted(split.test));
    std::vector<std::size_t> both;
    std::ranges::merge(split.training, split.test, std::back_inserter(both));
    std::vector<std::size_t> all(y.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    RC_ASSERT(both == all);
    tested.insert(tested.end(), split.test.begin(), split.test.end());
  }
  std::ranges::sort(tested);
  RC_ASSERT(std::ranges::adjacent_find(tested) == tested.end());  // every row is tested once
  RC_ASSERT(tested.size() == y.size());
}

/// A group for every row: some large, some of a single row.
std::vector<std::string> any_groups(std::size_t rows, std::size_t groups) {
  std::vector<std::string> names;
  for (std::size_t n = 0; n < rows; ++n) {
    const std::size_t of = *rc::gen::inRange<std::size_t>(1, groups + 1);
    names.push_back(std::to_string(n < groups ? n : *rc::gen::inRange<std::size_t>(0, of)));
  }
  return names;
}

RC_GTEST_PROP(GroupedFolds, NeverSplitAGroupAndAreNeverEmpty, ()) {
  const Labels y = any_labels(5, 30);
  const FoldOptions options = any_options(5);
  const std::size_t groups = *rc::gen::inRange<std::size_t>(options.folds, 11);
  const std::vector<std::string> names = any_groups(y.size(), groups);
  const auto fold_of = assign_folds(y, names, options, *rc::gen::inRange<std::size_t>(0, 10));
  std::map<std::string, std::set<std::size_t>> folds_of_group;
  for (std::size_t n = 0; n < y.size(); ++n) folds_of_group[names[n]].insert(fold_of[n]);
  for (const auto& [name, folds] : folds_of_group) RC_ASSERT(folds.size() == 1U);
  RC_ASSERT(std::ranges::min(sizes(fold_of, options.folds, y, 0)) > 0U);
}

RC_GTEST_PROP(GroupedFolds, AsManyGroupsAsFoldsAreOneEach, ()) {
  const Labels y = any_labels(5, 30);
  const FoldOptions options = any_options(8);
  const std::vector<std::string> names = any_groups(y.size(), options.folds);
  const auto fold_of = assign_folds(y, names, options, 0);
  for (std::size_t n = 0; n < y.size(); ++n) {
    for (std::size_t m = 0; m < n; ++m) {
      RC_ASSERT((fold_of[n] == fold_of[m]) == (names[n] == names[m]));
    }
  }
}

TEST(GroupedFolds, OfEqualGroupsAreEquallyLarge) {
  const Labels y = labels(30, 30);
  std::vector<std::string> names;
  for (std::size_t n = 0; n < y.size(); ++n) names.push_back(std::to_string(n % 15));
  const auto fold_of = assign_folds(y, names, {.folds = 5, .repeats = 1}, 0);
  EXPECT_EQ(spread(sizes(fold_of, 5, y, 0)), 0U);
  EXPECT_EQ(spread(sizes(fold_of, 5, y, -1)), 0U);
}

TEST(GroupedFolds, ShareTheClassesWhereGroupsHaveOneEach) {
  const Labels y = labels(24, 12);
  std::vector<std::string> names;  // 3 rows each: 8 groups of one class, 4 of the other
  for (std::size_t n = 0; n < y.size(); ++n) names.push_back(std::to_string(n / 3));
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto fold_of = assign_folds(y, names, {.folds = 4, .repeats = 1, .seed = seed}, 0);
    EXPECT_EQ(spread(sizes(fold_of, 4, y, -1)), 0U) << seed;
    EXPECT_EQ(spread(sizes(fold_of, 4, y, 1)), 0U) << seed;
  }
}

TEST(GroupedFolds, DoNotDependOnWhatTheGroupsAreCalled) {
  const Labels y = labels(20, 20);
  std::vector<std::string> names;
  std::vector<std::string> others;
  for (std::size_t n = 0; n < y.size(); ++n) {
    names.push_back(std::to_string(n % 9));
    others.push_back("patient " + std::to_string(100 - n % 9));
  }
  EXPECT_EQ(assign_folds(y, names, {.folds = 3}, 1), assign_folds(y, others, {.folds = 3}, 1));
}

TEST(Folds, TheSeedDecidesEverything) {
  const Labels y = labels(30, 20);
  const FoldOptions one{.folds = 5, .repeats = 3, .seed = 7};
  const FoldOptions more_often{.folds = 5, .repeats = 9, .seed = 7};
  const FoldOptions other{.folds = 5, .repeats = 3, .seed = 8};
  EXPECT_EQ(assign_folds(y, {}, one, 1), assign_folds(y, {}, one, 1));
  EXPECT_EQ(assign_folds(y, {}, one, 1), assign_folds(y, {}, more_often, 1));
  EXPECT_NE(assign_folds(y, {}, one, 1), assign_folds(y, {}, other, 1));
}

TEST(Folds, RepetitionsAndSeedsAllDealAnew) {
  const Labels y = labels(30, 20);
  std::vector<std::string> names;
  for (std::size_t n = 0; n < y.size(); ++n) names.push_back(std::to_string(n / 2));
  for (const std::vector<std::string>& groups : {std::vector<std::string>{}, names}) {
    std::set<std::vector<std::size_t>> seen;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      for (std::size_t repeat = 0; repeat < 5; ++repeat) {
        seen.insert(assign_folds(y, groups, {.folds = 5, .repeats = 5, .seed = seed}, repeat));
      }
    }
    EXPECT_EQ(seen.size(), 25U);
  }
}

/// Folds of a seed never change, on any machine and in any later version, so that published folds
/// can be repeated.
TEST(Folds, AreAFormat) {
  const Labels y{-1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1};
  const std::vector<std::string> groups{"a", "b", "c", "d", "e", "f", "a", "a", "b", "c", "d", "e"};
  using testing::ElementsAre;
  const FoldOptions options{.folds = 3, .repeats = 2, .seed = 1};
  EXPECT_THAT(assign_folds(y, {}, options, 0), ElementsAre(2, 2, 0, 1, 1, 1, 1, 2, 0, 0, 2, 0));
  EXPECT_THAT(assign_folds(y, {}, options, 1), ElementsAre(0, 0, 0, 1, 2, 0, 1, 1, 1, 2, 2, 2));
  EXPECT_THAT(assign_folds(y, groups, options, 0), ElementsAre(0, 1, 1, 2, 2, 0, 0, 0, 1, 1, 2, 2));
}

template <class Call>
void expect_refusal(const Call& call, const std::string& message) {
  EXPECT_THAT([&] { static_cast<void>(call()); }, testing::ThrowsMessage<OptionError>(message));
}

TEST(Folds, MustBeAtLeastTwo) {
  for (const std::size_t folds : {0, 1}) {
    expect_refusal([&] { return assign_folds(labels(9, 9), {}, {.folds = folds}, 0); },
                   "folds = " + std::to_string(folds) + ": must be at least 2");
  }
}

TEST(Folds, MustNotBeMoreThanTheRowsOfTheSmallerClass) {
  expect_refusal(
      [] { return assign_folds(labels(30, 4), {}, {.folds = 5}, 0); },
      "folds = 5: the smaller class has only 4 rows, and every fold must have its share");
  EXPECT_EQ(assign_folds(labels(30, 5), {}, {.folds = 5}, 0).size(), 35U);
  EXPECT_EQ(assign_folds(labels(30, 4), {}, {.folds = 5, .stratified = false}, 0).size(), 34U);
}

TEST(Folds, MustNotBeMoreThanTheRows) {
  expect_refusal(
      [] { return assign_folds(labels(3, 4), {}, {.folds = 8, .stratified = false}, 0); },
      "folds = 8: there are only 7 rows");
}

TEST(GroupedFolds, MustNotBeMoreThanTheGroups) {
  expect_refusal(
      [] {
        return assign_folds(labels(2, 2), std::vector<std::string>{"a", "b", "a", "b"},
                            {.folds = 3}, 0);
      },
      "folds = 3: there are only 2 groups");
}

TEST(GroupedFolds, NeedAGroupForEveryRow) {
  EXPECT_THROW(static_cast<void>(
                   assign_folds(labels(2, 2), std::vector<std::string>{"a", "b"}, {.folds = 2}, 0)),
               InputError);
}

RC_GTEST_PROP(HoldOut, TakesTheShareOfEachClass, ()) {
  const auto positives = *rc::gen::inRange<std::size_t>(2, 60);
  const auto negatives = *rc::gen::inRange<std::size_t>(2, 60);
  const double share = *rc::gen::inRange(1, 99) / 100.0;
  std::vector<std::int8_t> y(positives, 1);
  y.insert(y.end(), negatives, -1);
  const Split split = hold_out(y, {}, share, *rc::gen::inRange<std::uint64_t>(0, 5));
  std::vector<std::size_t> all = split.training;
  all.insert(all.end(), split.test.begin(), split.test.end());
  std::ranges::sort(all);
  for (std::size_t n = 0; n < y.size(); ++n) RC_ASSERT(all[n] == n);
  RC_ASSERT(all.size() == y.size());
  for (const int label : {-1, 1}) {
    const auto of_label = [&](std::size_t n) { return y[n] == label; };
    const auto held = static_cast<double>(std::ranges::count_if(split.test, of_label));
    const auto rows = static_cast<double>(label > 0 ? positives : negatives);
    RC_ASSERT(held >= 1 && held <= rows - 1);
    const double wanted = std::clamp(share * rows, 1.0, rows - 1);
    RC_ASSERT(std::abs(held - wanted) <= 0.5);
  }
}

TEST(HoldOut, KeepsGroupsTogether) {
  std::vector<std::int8_t> y;
  std::vector<std::string> groups;
  for (int n = 0; n < 200; ++n) {
    y.push_back(n % 3 == 0 ? 1 : -1);
    groups.push_back(std::to_string(n / 5));
  }
  const Split split = hold_out(y, groups, 0.25, 1);
  std::set<std::string> training;
  for (const std::size_t n : split.training) training.insert(groups[n]);
  for (const std::size_t n : split.test) EXPECT_FALSE(training.contains(groups[n]));
  EXPECT_EQ(split.test.size(), 50U);
}

TEST(HoldOut, RefusesSharesThatLeaveNothing) {
  const std::vector<std::int8_t> y{1, -1, 1, -1};
  for (const double share : {0.0, 1.0, -0.5, std::nan("")}) {
    EXPECT_THROW(static_cast<void>(hold_out(y, {}, share, 1)), OptionError) << share;
  }
  EXPECT_THROW(static_cast<void>(hold_out(y, std::vector<std::string>(4, "one"), 0.5, 1)),
               OptionError);
}

}  // namespace
}  // namespace rampart
