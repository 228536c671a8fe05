#include "kernel/semidefinite.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

#include "random_rows.hpp"

namespace rampart {
namespace {

using testing_support::random_rows;

/// Σ λⱼ·qⱼqⱼᵀ with orthonormal qⱼ: the reflections of the unit vectors at a random plane.
Rows with_eigenvalues(const std::vector<double>& eigenvalues, std::uint32_t seed) {
  const std::size_t size = eigenvalues.size();
  std::vector<double> normal;
  double squares = 0;
  const Rows random = random_rows(1, size, seed);
  for (const double value : random.dense_row(0)) {
    normal.push_back(value + 3);
    squares += normal.back() * normal.back();
  }
  std::vector<double> k(size * size, 0.0);
  for (std::size_t j = 0; j < size; ++j) {
    std::vector<double> q(size);
    for (std::size_t i = 0; i < size; ++i) {
      q[i] = (i == j ? 1 : 0) - 2 * normal[i] * normal[j] / squares;
    }
    for (std::size_t n = 0; n < size; ++n) {
      for (std::size_t m = 0; m < size; ++m) k[n * size + m] += eigenvalues[j] * q[n] * q[m];
    }
  }
  return Rows::dense(size, std::move(k));
}

RC_GTEST_PROP(Semidefinite, OneNegativeEigenvalueIsFound, ()) {
  const std::size_t size = *rc::gen::inRange<std::size_t>(1, 60);
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  std::vector<double> eigenvalues(size);
  for (double& value : eigenvalues) value = *rc::gen::element(0.0, 1e-9, 0.1, 1.0, 5.0);
  const double unit = *rc::gen::element(1e-100, 1.0, 1e100);
  for (double& value : eigenvalues) value *= unit;
  RC_ASSERT(semidefinite_up_to(PrecomputedKernel{}, with_eigenvalues(eigenvalues, seed), 1));
  eigenvalues[*rc::gen::inRange<std::size_t>(0, size)] = -1e-6 * unit;
  RC_ASSERT(!semidefinite_up_to(PrecomputedKernel{}, with_eigenvalues(eigenvalues, seed), 1));
}

TEST(Semidefinite, MatricesOfProductsAreWhateverTheirRank) {
  const Rows x = random_rows(300, 3, 5);
  std::vector<double> products;
  for (std::size_t n = 0; n < x.size(); ++n) {
    for (std::size_t m = 0; m < x.size(); ++m) {
      double sum = 0;
      for (std::size_t j = 0; j < 3; ++j) sum += x.dense_row(n)[j] * x.dense_row(m)[j];
      products.push_back(sum);
    }
  }
  EXPECT_TRUE(semidefinite_up_to(PrecomputedKernel{}, Rows::dense(300, std::move(products)), 1));
}

TEST(Semidefinite, ValuesThatOverflowOnTheWayDoNotPass) {
  for (const double large : {1e10, 1e150}) {
    const Rows k = Rows::dense(3, {1e-300, 0, large, 0, 1e-300, 0, large, 0, 1e-300});
    EXPECT_FALSE(semidefinite_up_to(PrecomputedKernel{}, k, 1));
  }
  EXPECT_FALSE(semidefinite_up_to(PrecomputedKernel{}, Rows::dense(2, {0, 1, 1, 5}), 1));
  EXPECT_TRUE(semidefinite_up_to(PrecomputedKernel{}, Rows::dense(2, {0, 0, 0, 5}), 1));
}

TEST(Semidefinite, KernelsThatAlwaysAreNeedNoMatrix) {
  const Rows many = Rows::dense(1, std::vector<double>(3000, 1.0));
  EXPECT_TRUE(semidefinite_up_to(LinearKernel{}, many, 1));
  EXPECT_TRUE(semidefinite_up_to(RbfKernel{2}, many, 1));
  EXPECT_TRUE(semidefinite_up_to(PolynomialKernel{1, 0, 3}, many, 1));
}

TEST(Semidefinite, OthersDependOnTheRows) {
  const Rows x = Rows::dense(1, {-1, 0, 2});
  EXPECT_FALSE(semidefinite_up_to(SigmoidKernel{1, 0.5}, x, 1));
  EXPECT_FALSE(semidefinite_up_to(PolynomialKernel{1, -1, 1}, x, 1));
  EXPECT_TRUE(semidefinite_up_to(SigmoidKernel{1, 0.5}, Rows::dense(1, {0}), 1));
  const Rows many = Rows::dense(1, std::vector<double>(3000, 0.0));
  EXPECT_FALSE(semidefinite_up_to(SigmoidKernel{1, 0.5}, many, 1)) << "not known";
}

}  // namespace
}  // namespace rampart
