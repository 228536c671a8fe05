#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "kernel/row_cache.hpp"
#include "random_rows.hpp"

namespace rampart {
namespace {

using testing_support::random_rows;

constexpr std::size_t rows = 10;
constexpr std::size_t row_bytes = rows * sizeof(float);

RC_GTEST_PROP(RowCache, AnyBudgetGivesTheSameRows, ()) {
  const Rows x = random_rows(rows, 4, 7);
  RowCache<float> everything(RbfKernel{0.5}, x, 1 << 20);
  RowCache<float> little(RbfKernel{0.5}, x, *rc::gen::inRange<std::size_t>(0, 6 * row_bytes));
  for (const std::size_t n :
       *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, rows))) {
    const auto a = everything.row(n);
    const auto b = little.row(n);
    RC_ASSERT(std::vector(a.begin(), a.end()) == std::vector(b.begin(), b.end()));
    RC_ASSERT(static_cast<double>(a[n]) == little.diagonal(n));
  }
}

TEST(RowCache, TheLastTwoRowsStayValidInTheSmallestCache) {
  const Rows x = random_rows(rows, 4, 8);
  RowCache<float> cache(RbfKernel{0.5}, x, 0);
  EXPECT_EQ(cache.capacity(), 2U);
  const auto first = cache.row(3);
  const std::vector<float> copy(first.begin(), first.end());
  const auto second = cache.row(4);
  EXPECT_EQ(std::vector(first.begin(), first.end()), copy);
  EXPECT_NE(first.data(), second.data());
}

TEST(RowCache, ARowIsComputedOnceWhileItIsKept) {
  const Rows x = random_rows(rows, 4, 9);
  RowCache<float> cache(RbfKernel{0.5}, x, 3 * row_bytes);
  for (const std::size_t n : {0, 1, 2, 0, 1, 2}) static_cast<void>(cache.row(n));
  EXPECT_EQ(cache.rows_computed(), 3U);
}

TEST(RowCache, TheLeastRecentlyUsedRowGivesWay) {
  const Rows x = random_rows(rows, 4, 9);
  RowCache<float> cache(RbfKernel{0.5}, x, 3 * row_bytes);
  for (const std::size_t n : {0, 1, 2, 0, 3}) static_cast<void>(cache.row(n));  // 3 replaces 1
  EXPECT_EQ(cache.rows_computed(), 4U);
  for (const std::size_t n : {0, 2, 3}) static_cast<void>(cache.row(n));
  EXPECT_EQ(cache.rows_computed(), 4U);
  static_cast<void>(cache.row(1));
  EXPECT_EQ(cache.rows_computed(), 5U);
}

}  // namespace
}  // namespace rampart
