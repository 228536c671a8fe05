#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "data/support.hpp"

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

TEST(RowsTest, RowsWithoutColumnsStillHaveANumber) {
  const Rows x = Rows::dense(0, {}, 3);
  EXPECT_EQ(x.size(), 3u);
  EXPECT_EQ(x.subset(std::vector<std::size_t>{0, 2}).size(), 2u);
}

}  // namespace
}  // namespace rampart
