#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel/kernel_matrix.hpp"
#include "kernel/row_cache.hpp"
#include "random_rows.hpp"

namespace rampart {
namespace {

using testing_support::random_rows;
using testing_support::without_zeros;

const std::vector<Kernel> kernels{LinearKernel{}, RbfKernel{0.5}, PolynomialKernel{0.5, 1, 3},
                                  SigmoidKernel{0.25, 0.5}};

/// Rows of any number and form, some of them equal: distances of sparse rows then cancel.
Rows any_rows() {
  const std::size_t count = *rc::gen::inRange<std::size_t>(1, 60);
  const std::size_t columns = *rc::gen::inRange<std::size_t>(1, 12);
  Rows x = random_rows(count, columns, *rc::gen::arbitrary<std::uint32_t>());
  std::vector<std::size_t> which(count + 3);
  for (std::size_t k = 0; k < which.size(); ++k) which[k] = k % count;
  x = x.subset(which);
  return *rc::gen::arbitrary<bool>() ? without_zeros(x) : x;
}

std::vector<std::size_t> any_subset(std::size_t of) {
  std::vector<std::size_t> which;
  for (std::size_t n = 0; n < of; ++n) {
    if (*rc::gen::arbitrary<bool>()) which.push_back(n);
  }
  if (which.empty()) which.push_back(of - 1);
  return which;
}

std::vector<double> copy(std::span<const double> row) { return {row.begin(), row.end()}; }

std::vector<double> row(RowCache<double>& cache, std::size_t n) {
  std::vector<double> values(cache.size(), 0.0);
  const auto which = static_cast<std::uint32_t>(n);
  const double one = 1;
  cache.add_rows({&which, 1}, {&one, 1}, values);
  return values;
}

RC_GTEST_PROP(KernelMatrix, HoldsTheRowsOfTheCacheToTheBit, ()) {
  const Rows x = any_rows();
  const Kernel kernel = *rc::gen::elementOf(kernels);
  const KernelMatrix matrix(kernel, x, *rc::gen::inRange(0U, 4U));
  RowCache<double> cache(kernel, x, 1 << 20);
  RC_ASSERT(matrix.size() == x.size());
  for (std::size_t n = 0; n < x.size(); ++n) RC_ASSERT(copy(matrix.row(n)) == row(cache, n));
}

RC_GTEST_PROP(KernelMatrix, ItsPartsAreWhatTheirRowsAloneGive, ()) {
  const Rows x = any_rows();
  const Kernel kernel = *rc::gen::elementOf(kernels);
  const KernelMatrix matrix(kernel, x, 1);
  const std::vector<std::size_t> which = any_subset(x.size());
  const Rows alone = x.subset(which);
  KernelSubmatrix part(matrix, which);
  RowCache<double> cache(kernel, alone, 1 << 20);
  RC_ASSERT(part.size() == which.size());
  for (std::size_t n = 0; n < which.size(); ++n) {
    RC_ASSERT(part.diagonal(n) == cache.diagonal(n));
    RC_ASSERT(copy(part.row(n)) == row(cache, n));
  }
  std::vector<std::uint32_t> some;
  for (std::uint32_t n = 0; n < which.size(); n += 2) some.push_back(n);
  std::vector<double> of_part(some.size() * some.size());
  std::vector<double> of_cache = of_part;
  std::vector<double*> out_part;
  std::vector<double*> out_cache;
  for (std::size_t k = 0; k < some.size(); ++k) {
    out_part.push_back(&of_part[k * some.size()]);
    out_cache.push_back(&of_cache[k * some.size()]);
  }
  part.block(some, some, out_part);
  cache.block(some, some, out_cache);
  RC_ASSERT(of_part == of_cache);
}

TEST(KernelMatrix, ARowOfAPartIsGatheredOnceAndKeepsItsAddress) {
  const Rows x = random_rows(10, 3, 1);
  const KernelMatrix matrix(RbfKernel{1}, x, 1);
  KernelSubmatrix part(matrix, {1, 4, 7});
  const double* first = part.row(2).data();
  static_cast<void>(part.row(0));
  static_cast<void>(part.row(1));
  EXPECT_EQ(part.row(2).data(), first);
  EXPECT_EQ(part.rows_computed(), 3U);
}

}  // namespace
}  // namespace rampart
