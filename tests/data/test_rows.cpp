#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "data/support.hpp"
#include "rampart/errors.hpp"

namespace rampart {
namespace {

using testing_support::row;

RC_GTEST_PROP(RowsTest, DenseAndSparseFormsHoldTheSameValues, (const Rows& x)) {
  const Rows dense = x.to_dense();
  RC_ASSERT(dense.is_dense());
  RC_ASSERT(dense.size() == x.size());
  RC_ASSERT(dense.columns() == x.columns());
  for (std::size_t n = 0; n < x.size(); ++n) RC_ASSERT(row(dense, n) == row(x, n));
}

RC_GTEST_PROP(RowsTest, ASubsetHasTheRowsAskedForInThatOrder, (const Rows& x)) {
  const auto wanted =
      *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, x.size()));
  const Rows some = x.subset(wanted);
  RC_ASSERT(some.size() == wanted.size());
  RC_ASSERT(some.columns() == x.columns());
  RC_ASSERT(some.is_dense() == x.is_dense());
  for (std::size_t k = 0; k < wanted.size(); ++k) RC_ASSERT(row(some, k) == row(x, wanted[k]));
}

RC_GTEST_PROP(DatasetTest, ASubsetHasAllThatBelongsToTheRowsAskedFor, (Dataset data)) {
  for (std::size_t n = 0; n < data.size(); ++n) {
    data.weights.push_back(static_cast<double>(n));
    data.groups.push_back(std::to_string(n));
  }
  const auto wanted =
      *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, data.size()));
  const Dataset some = data.subset(wanted);
  RC_ASSERT(some.size() == wanted.size());
  RC_ASSERT(some.x == data.x.subset(wanted));
  RC_ASSERT(some.classes == data.classes);
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    RC_ASSERT(some.y[k] == data.y[wanted[k]]);
    RC_ASSERT(some.weights[k] == data.weights[wanted[k]]);
    RC_ASSERT(some.groups[k] == data.groups[wanted[k]]);
  }
}

TEST(RowsTest, RowsWithoutColumnsStillHaveANumber) {
  const Rows x = Rows::dense(0, {}, 3);
  EXPECT_EQ(x.size(), 3u);
  EXPECT_EQ(x.subset(std::vector<std::size_t>{0, 2}).size(), 2u);
}

TEST(RowsTest, WhatIsNotWholeRowsIsRefused) {
  const auto refuses = [](auto make, const std::string& why) {
    EXPECT_THAT([&] { static_cast<void>(make()); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr(why)));
  };
  refuses([] { return Rows::dense(10, std::vector<double>(11)); },
          "dense rows: 11 values are not rows of 10 columns");
  refuses([] { return Rows::dense(2, {1, 2, 3, 4}, 3); }, "4 values are not 3 rows of 2 columns");
  refuses([] { return Rows::dense(0, {1}); }, "1 values");
  refuses([] { return Rows::sparse(2, {}, {}, {}); }, "starts must run from 0");
  refuses([] { return Rows::sparse(2, {0, 2}, {0}, {1}); }, "starts must run from 0");
  refuses([] { return Rows::sparse(2, {0, 2, 1, 2}, {0, 1}, {1, 2}); }, "must not decrease");
  refuses([] { return Rows::sparse(2, {0, 1}, {0, 1}, {1}); }, "each value must have an index");
  refuses([] { return Rows::sparse(2, {0, 1}, {2}, {1}); }, "less than columns");
  refuses([] { return Rows::sparse(2, {0, 2}, {1, 1}, {1, 2}); }, "must increase");
}

TEST(RowsTest, TheFirstValueThatIsNotFiniteIsNamed) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NO_THROW(Rows::dense(2, {1, 2, 3, 4}).require_finite());
  EXPECT_THAT(
      [&] {
        Rows::dense(2, {1, 2, 3, nan}).require_finite();
      },
      testing::ThrowsMessage<InputError>("row 2: feature 2 is nan"));
  EXPECT_THAT(
      [&] {
        Rows::sparse(5, {0, 0, 1}, {3}, {-1 / 0.0}).require_finite();
      },
      testing::ThrowsMessage<InputError>("row 2: feature 4 is -inf"));
}

}  // namespace
}  // namespace rampart
