#include "kernel/kernel_expansion.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numeric>
#include <string_view>
#include <vector>

#include "count_allocations.hpp"
#include "definition.hpp"
#include "kernel/kernel_sweep.hpp"
#include "random_rows.hpp"
#include "util/every_target.hpp"

namespace rampart {
namespace {

using testing_support::allocations;
using testing_support::by_definition;
using testing_support::random_rows;
using testing_support::with_every_target;
using testing_support::without_zeros;

const std::vector<Kernel> kernels{LinearKernel{}, RbfKernel{0.3}, RbfKernel{50},
                                  PolynomialKernel{0.125, 1, 3}, SigmoidKernel{0.2, -0.1}};

std::vector<double> some_coefficients(std::size_t count) {
  std::vector<double> c;
  for (std::size_t i = 0; i < count; ++i) c.push_back(std::sin(1.0 + static_cast<double>(i)));
  return c;
}

/// u of dense rows x as a batch: the vectors are swept over panels of the rows.
std::vector<double> batch(const Kernel& kernel, const Rows& vectors, const std::vector<double>& c,
                          const Rows& x) {
  const KernelSweep<double> sweep(kernel, x);
  std::vector<std::size_t> all(vectors.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<double> u(x.size(), 0.0);
  sweep.add_weighted_values(sweep.prepare(vectors, all), c, 0, x.size(), u.data());
  return u;
}

/// Rows with values in the first columns only, all `offset` from the origin, and columns in all.
Rows padded(const Rows& dense, std::size_t columns, double offset) {
  std::vector<double> values(dense.size() * columns, 0.0);
  for (std::size_t n = 0; n < dense.size(); ++n) {
    for (std::size_t j = 0; j < dense.columns(); ++j) {
      const double value = dense.dense_row(n)[j];
      values[n * columns + j] = value == 0 ? 0 : value + offset;
    }
  }
  return Rows::dense(columns, std::move(values));
}

RC_GTEST_PROP(KernelExpansion, HasTheBitsOfABatchOnEveryInstructionSet, ()) {
  const auto count = *rc::gen::element<std::size_t>(1, 15, 16, 17, 100, 150);
  const auto stored = *rc::gen::inRange<std::size_t>(1, 12);
  const auto columns = *rc::gen::elementOf(std::vector<std::size_t>{stored, 1024, 1025, 1300});
  const auto offset = *rc::gen::element(0.0, 3.0, 3000.0, 1e9);
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  const Rows dense = padded(random_rows(count, stored, seed), columns, offset);
  const Rows x = padded(random_rows(5, stored, seed + 1), columns, offset);
  const std::vector<double> c = some_coefficients(count);
  const Kernel kernel = *rc::gen::elementOf(kernels);
  const Rows vectors = *rc::gen::arbitrary<bool>() ? dense : without_zeros(dense);
  with_every_target([&](std::string_view name) {
    RC_LOG() << name;
    const KernelExpansion expansion(kernel, vectors, c);
    RC_ASSERT(expansion.columns() == columns);
    const std::vector<double> expected = batch(kernel, vectors, c, x);
    for (std::size_t n = 0; n < x.size(); ++n) RC_ASSERT(expansion(x.dense_row(n)) == expected[n]);
  });
}

TEST(KernelExpansion, IsTheSumOfTheDefinition) {
  const Rows dense = random_rows(40, 6, 3);
  const Rows x = random_rows(7, 6, 4);
  const std::vector<double> c = some_coefficients(dense.size());
  for (const Kernel& kernel : kernels) {
    for (const Rows& vectors : {dense, without_zeros(dense), without_zeros(dense).widened(2000)}) {
      const KernelExpansion expansion(kernel, vectors, c);
      const Rows wide = x.widened(vectors.columns());
      for (std::size_t n = 0; n < x.size(); ++n) {
        double expected = 0;
        for (std::size_t i = 0; i < dense.size(); ++i) {
          expected += c[i] * by_definition(kernel, dense, i, x, n);
        }
        EXPECT_NEAR(expansion(wide.dense_row(n)), expected, 1e-11);
      }
    }
  }
}

TEST(KernelExpansion, WithoutVectorsIsZero) {
  EXPECT_EQ(KernelExpansion(RbfKernel{1}, Rows::dense(3, {}), {})(std::vector<double>(3)), 0);
}

TEST(KernelExpansion, AllocatesNothing) {
  const Rows dense = random_rows(525, 10, 3);
  const Rows far = padded(dense, 1100, 1e9);
  for (const Kernel& kernel : kernels) {
    for (const Rows& vectors : {dense, without_zeros(dense), far, without_zeros(far)}) {
      const KernelExpansion expansion(kernel, vectors, some_coefficients(vectors.size()));
      const std::vector<double> x(vectors.columns(), 0.25);
      const std::size_t before = allocations();
      const double u = expansion(x);
      EXPECT_EQ(allocations(), before);
      EXPECT_FALSE(std::isnan(u));
    }
  }
}

}  // namespace
}  // namespace rampart
