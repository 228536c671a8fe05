#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

#include "definition.hpp"
#include "kernel/kernel_sweep.hpp"
#include "random_rows.hpp"

namespace rampart {
namespace {

using testing_support::by_definition;
using testing_support::random_rows;
using testing_support::without_zeros;

std::vector<Kernel> kernels() {
  return {LinearKernel{}, RbfKernel{0.3}, PolynomialKernel{0.5, 1, 3}, SigmoidKernel{0.2, -0.1}};
}

template <class Real>
std::vector<Real> row(const KernelSweep<Real>& sweep, const Rows& x, std::size_t n) {
  std::vector<Real> values(sweep.size());
  Real* out = values.data();
  sweep.values(sweep.prepare(x, {n}), 0, 1, 0, sweep.size(), &out);
  return values;
}

RC_GTEST_PROP(KernelSweep, AgreesWithTheDefinitionForEveryKernelAndStorage, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  const auto columns = *rc::gen::inRange<std::size_t>(1, 12);
  const Rows x = random_rows(5, columns, seed);
  const Rows z = random_rows(9, columns, seed + 1);
  for (const Kernel& kernel : kernels()) {
    for (const Rows& from : {x, without_zeros(x)}) {
      for (const Rows& to : {z, without_zeros(z)}) {
        const KernelSweep<double> fine(kernel, to);
        const KernelSweep<float> coarse(kernel, to);
        for (std::size_t n = 0; n < x.size(); ++n) {
          const auto exact = row(fine, from, n);
          const auto rounded = row(coarse, from, n);
          for (std::size_t m = 0; m < z.size(); ++m) {
            const double truth = by_definition(kernel, x, n, z, m);
            RC_ASSERT(std::abs(exact[m] - truth) <= 1e-12 * (1 + std::abs(truth)));
            RC_ASSERT(std::abs(rounded[m] - truth) <= 2e-5 * (1 + std::abs(truth)));
          }
        }
      }
    }
  }
}

template <class Real>
void expect_same_bits_in_any_range(const Kernel& kernel, const Rows& z) {
  const KernelSweep<Real> sweep(kernel, z);
  const std::vector<Real> whole = row(sweep, z, 3);
  for (const auto& [begin, end] : {std::pair{0, 1}, {1, 8}, {500, 530}, {511, 513}, {3, 700}}) {
    const auto from = static_cast<std::size_t>(begin);
    const auto count = static_cast<std::size_t>(end - begin);
    for (std::size_t neighbours = 0; neighbours < 5; ++neighbours) {  // rows before and after it
      std::vector<std::size_t> which(neighbours, 1);
      which.push_back(3);
      which.resize(2 * neighbours + 1, 2);
      std::vector<std::vector<Real>> parts(which.size(), std::vector<Real>(count));
      std::vector<Real*> out;
      for (auto& part : parts) out.push_back(part.data());
      sweep.values(sweep.prepare(z, which), 0, which.size(), from, from + count, out.data());
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(parts[neighbours][i], whole[from + i]);
    }
  }
}

TEST(KernelSweep, AnEntryHasTheSameBitsInWhateverRangeItIsComputed) {
  const Rows dense = random_rows(701, 7, 11);
  for (const Kernel& kernel : kernels()) {
    for (const Rows& z : {dense, without_zeros(dense)}) {
      expect_same_bits_in_any_range<float>(kernel, z);
      expect_same_bits_in_any_range<double>(kernel, z);
    }
  }
}

TEST(KernelSweep, IsSymmetricToTheBit) {
  const Rows dense = random_rows(40, 9, 12);
  for (const Kernel& kernel : kernels()) {
    for (const Rows& z : {dense, without_zeros(dense)}) {
      const KernelSweep<float> sweep(kernel, z);
      for (std::size_t n = 0; n < z.size(); ++n) {
        const auto of_n = row(sweep, z, n);
        for (std::size_t m = 0; m < n; ++m) ASSERT_EQ(of_n[m], row(sweep, z, m)[n]);
      }
    }
  }
}

TEST(KernelSweep, ValuesAmongRowsAndTheDiagonalAreThoseOfTheRows) {
  const Rows dense = random_rows(150, 9, 13);
  std::vector<std::size_t> which;
  for (std::size_t n = 1; n < dense.size(); n += n % 3 + 1) which.push_back(n);
  which.push_back(0);
  for (const Kernel& kernel : kernels()) {
    for (const Rows& z : {dense, without_zeros(dense)}) {
      const KernelSweep<float> sweep(kernel, z);
      std::vector<float> among(which.size() * which.size());
      std::vector<float*> out;
      for (std::size_t k = 0; k < which.size(); ++k) out.push_back(&among[k * which.size()]);
      sweep.between(sweep.prepare(z, which), sweep.prepare(z, which), out.data());
      const std::vector<double> diagonal = sweep.diagonal(z);
      for (std::size_t k = 0; k < which.size(); ++k) {
        const auto of_k = row(sweep, z, which[k]);
        ASSERT_EQ(of_k[which[k]], diagonal[which[k]]);
        for (std::size_t m = 0; m < which.size(); ++m) {
          ASSERT_EQ(among[k * which.size() + m], of_k[which[m]]);
        }
      }
    }
  }
}

RC_GTEST_PROP(KernelSweep, TheRbfMatrixIsPositiveSemidefiniteWithOnesOnItsDiagonal, ()) {
  const Rows dense = random_rows(12, 3, *rc::gen::arbitrary<std::uint32_t>());
  const Rows z = *rc::gen::arbitrary<bool>() ? dense : without_zeros(dense);
  const KernelSweep<double> sweep(RbfKernel{0.7}, z);
  double form = 0;
  std::vector<double> v;
  for (std::size_t n = 0; n < z.size(); ++n) v.push_back(*rc::gen::inRange(-100, 100) / 50.0);
  for (std::size_t n = 0; n < z.size(); ++n) {
    const auto k = row(sweep, z, n);
    RC_ASSERT(k[n] == 1.0);
    for (std::size_t m = 0; m < z.size(); ++m) form += v[n] * v[m] * k[m];
  }
  RC_ASSERT(form >= -1e-12);
}

TEST(KernelSweep, KeepsItsDigitsOnDataFarFromTheOrigin) {
  // 1000 ± 0.5: in single precision ‖x‖² + ‖z‖² − 2x·z would be off by more than the distance.
  Rows near = random_rows(6, 4, 5);
  std::vector<double> shifted;
  for (std::size_t n = 0; n < near.size(); ++n) {
    for (const double value : near.dense_row(n)) shifted.push_back(1000 + value / 4);
  }
  const Rows far = Rows::dense(4, shifted);
  const KernelSweep<float> sweep(RbfKernel{1}, far);
  for (std::size_t n = 0; n < far.size(); ++n) {
    const auto k = row(sweep, far, n);
    for (std::size_t m = 0; m < far.size(); ++m) {
      EXPECT_NEAR(k[m], by_definition(RbfKernel{1}, far, n, far, m), 1e-6);
    }
  }
}

TEST(KernelSweep, ValuesAreRightWhereProductsOfRowsCancel) {
  // Norms of 10²⁸ against distances of 10⁷: what is left of a product is rounding alone, and may
  // look like rows far apart.
  const double far = 1e14;
  const Rows x = Rows::dense(2, {0.5, far, 0.25, far + 3718.25, 0, far - 5561, 0.5, far + 0.25});
  const KernelSweep<double> sweep(RbfKernel{1e-8}, x);
  for (std::size_t n = 0; n < x.size(); ++n) {
    const auto k = row(sweep, x, n);
    for (std::size_t m = 0; m < x.size(); ++m) {
      EXPECT_NEAR(k[m], by_definition(RbfKernel{1e-8}, x, n, x, m), 1e-9) << n << ' ' << m;
    }
  }
}

TEST(KernelSweep, SparseRowsKeepTheirDigitsToo) {
  const double far = 1.6e9;
  const Rows x =
      Rows::sparse(9, {0, 2, 3, 5}, {2, 5, 2, 2, 7}, {far + 0.25, 0.5, far + 1, far + 0.25, 2});
  const KernelSweep<double> sweep(RbfKernel{0.5}, x);
  for (std::size_t n = 0; n < x.size(); ++n) {
    const auto k = row(sweep, x, n);
    for (std::size_t m = 0; m < x.size(); ++m) {
      EXPECT_NEAR(k[m], by_definition(RbfKernel{0.5}, x, n, x, m), 1e-12);
    }
  }
}

TEST(KernelSweep, RowsWithoutColumnsAreAllEqual) {
  const Rows none = Rows::dense(0, {}, 5);
  for (const Kernel& kernel : kernels()) {
    const double expected = by_definition(kernel, none, 0, none, 1);
    for (const float value : row(KernelSweep<float>(kernel, none), none, 2)) {
      EXPECT_FLOAT_EQ(value, static_cast<float>(expected));
    }
  }
}

TEST(KernelSweep, ATinyGammaStillSeparatesLargeNumbers) {
  const Rows x = Rows::dense(2, {1e160, 0, 0, 1e160, 3e160, 4e160});
  const KernelSweep<double> sweep(RbfKernel{1e-300}, x);
  const auto k = row(sweep, x, 0);
  EXPECT_EQ(k, (std::vector<double>{1, 0, 0}));  // the squares are not numbers of double precision
}

TEST(KernelSweep, APrecomputedKernelIsReadOff) {
  const Rows k = Rows::dense(2, {1, 0.5, 0.5, 2});
  const KernelSweep<double> sweep(PrecomputedKernel{}, k);
  EXPECT_EQ(row(sweep, k, 1), (std::vector<double>{0.5, 2}));
}

}  // namespace
}  // namespace rampart
