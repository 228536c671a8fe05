#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

#include "kernel/row_cache.hpp"
#include "random_rows.hpp"

namespace rampart {
namespace {

using testing_support::random_rows;
using testing_support::without_zeros;

constexpr std::size_t rows = 10;
constexpr std::size_t row_bytes = 128;  // with the padding of a row

std::vector<double> sum_of_rows(RowCache<float>& cache, const std::vector<std::uint32_t>& which) {
  std::vector<double> u(cache.size(), 0.25);
  std::vector<double> c;
  for (std::size_t k = 0; k < which.size(); ++k) c.push_back(1.0 / static_cast<double>(k + 3));
  cache.add_rows(which, c, u);
  return u;
}

void use(RowCache<float>& cache, std::initializer_list<std::uint32_t> which) {
  for (const std::uint32_t n : which) static_cast<void>(sum_of_rows(cache, {n}));
}

RC_GTEST_PROP(RowCache, AnyBudgetAndAnyNumberOfThreadsGivesTheSameSums, ()) {
  const std::size_t size = *rc::gen::elementOf(std::vector<std::size_t>{rows, 1500});
  const Rows dense = random_rows(size, 4, 7);
  const Rows x = *rc::gen::arbitrary<bool>() ? dense : without_zeros(dense);
  RowCache<float> everything(RbfKernel{0.5}, x, 1 << 24, 1, 1);
  RowCache<float> little(RbfKernel{0.5}, x,
                         *rc::gen::inRange<std::size_t>(0, 6) * (size * sizeof(float) + 128),
                         *rc::gen::inRange(1U, 4U), *rc::gen::inRange<std::uint8_t>(0, 4));
  for (int call = 0; call < 4; ++call) {
    const auto which = *rc::gen::unique<std::vector<std::uint32_t>>(
        rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(size)));
    RC_ASSERT(sum_of_rows(everything, which) == sum_of_rows(little, which));
  }
}

TEST(RowCache, AddsUpItsRowsOverMoreRowsThanItTakesAtATime) {
  const Rows x = random_rows(1500, 3, 5);
  RowCache<double> cache(RbfKernel{0.5}, x, 40 * 1500 * sizeof(double), 2, 1);
  std::vector<std::uint32_t> all(x.size());
  std::vector<double> c(x.size());
  for (std::size_t n = 0; n < x.size(); ++n) {
    all[n] = static_cast<std::uint32_t>(n);
    c[n] = static_cast<double>(n % 7) - 3;
  }
  std::vector<double> u(x.size(), 0.0);
  cache.add_rows(all, c, u);
  for (std::size_t n = 0; n < x.size(); n += 61) {
    double expected = 0;
    for (std::size_t m = 0; m < x.size(); ++m) {
      double distance = 0;
      for (std::size_t j = 0; j < x.columns(); ++j) {
        distance += std::pow(x.dense_row(n)[j] - x.dense_row(m)[j], 2);
      }
      expected += c[m] * std::exp(-0.5 * distance);
    }
    EXPECT_NEAR(u[n], expected, 1e-10);
  }
}

TEST(RowCache, ARowIsComputedOnceWhileItIsKept) {
  const Rows x = random_rows(rows, 4, 9);
  RowCache<float> cache(RbfKernel{0.5}, x, 3 * row_bytes, 1, 1);
  EXPECT_EQ(cache.capacity(), 3U);
  use(cache, {0, 1, 2, 0, 1, 2});
  EXPECT_EQ(cache.rows_computed(), 3U);
}

TEST(RowCache, ARowIsKeptOnceItWasNeededOftenEnough) {
  const Rows x = random_rows(rows, 4, 9);
  RowCache<float> cache(RbfKernel{0.5}, x, 3 * row_bytes, 1, 3);
  use(cache, {0, 1, 0, 2, 0});
  EXPECT_EQ(cache.rows_computed(), 5U);
  use(cache, {0, 0});
  EXPECT_EQ(cache.rows_computed(), 5U);
  use(cache, {1});
  EXPECT_EQ(cache.rows_computed(), 6U);
}

TEST(RowCache, TheLeastRecentlyUsedRowGivesWay) {
  const Rows x = random_rows(rows, 4, 9);
  RowCache<float> cache(RbfKernel{0.5}, x, 3 * row_bytes, 1, 1);
  use(cache, {0, 1, 2, 0, 3});  // 3 replaces 1
  EXPECT_EQ(cache.rows_computed(), 4U);
  use(cache, {0, 2, 3});
  EXPECT_EQ(cache.rows_computed(), 4U);
  use(cache, {1});
  EXPECT_EQ(cache.rows_computed(), 5U);
}

}  // namespace
}  // namespace rampart
