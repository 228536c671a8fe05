// Every storage, kernel and precision against the definition, in every function.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "definition.hpp"
#include "kernel/kernel_matrix.hpp"
#include "kernel/kernel_product.hpp"
#include "kernel/kernel_sweep.hpp"
#include "kernel/row_cache.hpp"
#include "random_rows.hpp"

namespace rampart {
namespace {

using testing_support::matrix_by_definition;
using testing_support::random_rows;
using testing_support::without_zeros;

/// Sparse rows whose columns lie `apart` from each other, so that no row has most of them; the
/// first value of each row is moved by `offset`.
Rows spread(const Rows& dense, std::size_t apart, double offset) {
  std::vector<std::size_t> starts{0};
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  for (std::size_t n = 0; n < dense.size(); ++n) {
    dense.for_each(n, [&](std::size_t j, double value) {
      if (j == 0) value += offset;
      if (value == 0) return;
      indices.push_back(static_cast<std::uint32_t>(j * apart + (j > 1 ? n % 7 : 0)));
      values.push_back(value);
    });
    starts.push_back(values.size());
  }
  return Rows::sparse(dense.columns() * apart, starts, indices, values);
}

Rows moved(const Rows& dense, double by) {
  std::vector<double> values;
  for (std::size_t n = 0; n < dense.size(); ++n) {
    for (const double value : dense.dense_row(n)) values.push_back(value + by);
  }
  return Rows::dense(dense.columns(), values);
}

/// Some of the rows twice: their distance is 0.
Rows with_duplicates(const Rows& x) {
  std::vector<std::size_t> which;
  for (std::size_t n = 0; n < x.size(); ++n) which.insert(which.end(), n % 5 == 0 ? 2 : 1, n);
  return x.subset(which);
}

struct Case {
  std::string name;
  Kernel kernel;
  Rows z;
  Rows x;
  double rounding = 1e-12;  ///< of values in double precision
};

std::vector<Case> cases() {
  const std::vector<std::pair<std::string, Kernel>> kernels{
      {"linear", LinearKernel{}},
      {"RBF", RbfKernel{0.3}},
      {"narrow RBF", RbfKernel{40}},
      {"polynomial", PolynomialKernel{0.125, 1, 3}},
      {"sigmoid", SigmoidKernel{0.2, -0.1}}};
  const Rows z = with_duplicates(random_rows(75, 9, 1));
  const Rows x = random_rows(21, 9, 2);
  std::vector<Case> all;
  for (const auto& [name, kernel] : kernels) {
    all.push_back({name + ", dense", kernel, z, x});
    all.push_back({name + ", sparse", kernel, without_zeros(z), without_zeros(x)});
    all.push_back({name + ", sparse against dense", kernel, z, without_zeros(x)});
    all.push_back({name + ", dense against sparse", kernel, without_zeros(z), x});
    const Rows wide_z = spread(z, 120, 0);
    const Rows wide_x = spread(x, 120, 0);
    all.push_back({name + ", wide", kernel, wide_z, wide_x});
    all.push_back({name + ", dense against wide", kernel, wide_z, wide_x.to_dense()});
    all.push_back({name + ", wide against dense", kernel, wide_z.to_dense(), wide_x});
  }
  const Kernel rbf = RbfKernel{0.3};
  // Distances may cancel in products up to 1e-10 of a value (largest_cancellation, `cancelled`).
  all.push_back({"RBF, far from the origin", rbf, moved(z, 500), moved(x, 500), 1e-10});
  all.push_back({"RBF, wide and far", rbf, spread(z, 120, 5000), spread(x, 120, 5000), 1e-10});
  all.push_back({"no columns", rbf, Rows::dense(0, {}, 40), Rows::dense(0, {}, 3)});
  return all;
}

/// A given matrix of more rows than are solved at once.
Case given_matrix() {
  const Rows half = random_rows(1100, 1100, 5);
  std::vector<double> k;
  for (std::size_t n = 0; n < half.size(); ++n) {
    for (std::size_t m = 0; m < half.size(); ++m) {
      k.push_back(half.dense_row(n)[m] + half.dense_row(m)[n]);
    }
  }
  Rows matrix = Rows::dense(half.size(), std::move(k));
  return {"given matrix", PrecomputedKernel{}, matrix, matrix};
}

template <class Real>
double bound(const Case& c, double truth) {
  return (sizeof(Real) == sizeof(float) ? 3e-5 : c.rounding) * (1 + std::abs(truth));
}

template <class Real>
std::vector<Real*> row_pointers(std::vector<Real>& values, std::size_t columns) {
  std::vector<Real*> rows;
  for (std::size_t at = 0; at < values.size(); at += columns) rows.push_back(values.data() + at);
  return rows;
}

template <class Real>
void expect_values(const Case& c, const std::vector<double>& truth) {
  const KernelSweep<Real> sweep(c.kernel, c.z);
  ASSERT_EQ(sweep.size(), c.z.size());
  const std::size_t columns = c.z.size();
  std::vector<std::size_t> all(c.x.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const auto queries = sweep.prepare(c.x, all);
  ASSERT_EQ(queries.size(), c.x.size());
  const std::size_t skip = 1;
  for (const auto& [begin, end] : {std::pair{std::size_t{0}, columns}, {7, columns - 2}}) {
    std::vector<Real> found((all.size() - skip) * (end - begin));
    sweep.values(queries, skip, all.size() - skip, begin, end,
                 row_pointers(found, end - begin).data());
    std::vector<double> factors;
    for (const std::size_t n : all) factors.push_back(std::sin(1.0 + static_cast<double>(n)));
    std::vector<double> sums(end - begin, 0.5);
    sweep.add_weighted_values(queries, factors, begin, end, sums.data());
    for (std::size_t m = begin; m < end; ++m) {
      double expected = 0.5;
      double size = 0;
      for (const std::size_t n : all) {
        const double entry = truth[n * columns + m];
        expected += factors[n] * entry;
        size += std::abs(entry);
        if (n < skip) continue;
        ASSERT_NEAR(found[(n - skip) * (end - begin) + (m - begin)], entry, bound<Real>(c, entry))
            << c.name << ' ' << n << ' ' << m;
      }
      ASSERT_NEAR(sums[m - begin], expected, bound<Real>(c, size)) << c.name << ' ' << m;
    }
  }
}

template <class Real>
void expect_matrix(const Case& c, const std::vector<double>& truth) {
  const KernelSweep<Real> sweep(c.kernel, c.z);
  const std::size_t size = c.z.size();
  std::vector<Real> found(size * size);
  sweep.matrix(c.z, row_pointers(found, size).data(), 2);
  const std::vector<double> diagonal = sweep.diagonal(c.z);
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> columns;
  for (std::uint32_t n = 0; n < size; n += 2) rows.push_back(n);
  for (std::uint32_t n = 1; n < size; n += 3) columns.push_back(n);
  RowCache<Real> cache(c.kernel, c.z, 8 * size * sizeof(Real), 2);
  std::vector<Real> block(rows.size() * columns.size());
  cache.block(rows, columns, row_pointers(block, columns.size()));
  for (std::size_t n = 0; n < size; ++n) {
    ASSERT_NEAR(diagonal[n], truth[n * size + n], bound<Real>(c, truth[n * size + n])) << c.name;
    for (std::size_t m = 0; m < size; ++m) {
      const double entry = truth[n * size + m];
      ASSERT_NEAR(found[n * size + m], entry, bound<Real>(c, entry))
          << c.name << ' ' << n << ' ' << m;
    }
  }
  for (std::size_t q = 0; q < rows.size(); ++q) {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      ASSERT_EQ(block[q * columns.size() + k], found[rows[q] * size + columns[k]]) << c.name;
    }
  }
}

void expect_product(const Case& c, const std::vector<double>& truth) {
  const std::size_t size = c.z.size();
  std::vector<double> v(size, 0.0);
  for (std::size_t n = 0; n < size; ++n) {
    if (n % 3 != 0) v[n] = std::cos(static_cast<double>(n));
  }
  const std::vector<double> product = kernel_product(c.kernel, c.z, v, 2);
  ASSERT_EQ(product.size(), size);
  for (std::size_t n = 0; n < size; ++n) {
    double expected = 0;
    double scale = 0;
    for (std::size_t m = 0; m < size; ++m) {
      expected += truth[n * size + m] * v[m];
      scale += std::abs(truth[n * size + m]);
    }
    ASSERT_NEAR(product[n], expected, bound<double>(c, scale)) << c.name << ' ' << n;
  }
}

TEST(KernelStorage, ValuesAndTheirSumsAreThoseOfTheDefinition) {
  for (const Case& c : cases()) {
    const std::vector<double> truth = matrix_by_definition(c.kernel, c.x, c.z);
    expect_values<float>(c, truth);
    expect_values<double>(c, truth);
  }
}

TEST(KernelStorage, MatricesDiagonalsBlocksAndProductsAreThoseOfTheDefinition) {
  for (const Case& c : cases()) {
    const std::vector<double> truth = matrix_by_definition(c.kernel, c.z, c.z);
    expect_matrix<float>(c, truth);
    expect_matrix<double>(c, truth);
    expect_product(c, truth);
  }
}

TEST(KernelStorage, AGivenMatrixIsReadOff) {
  const Case c = given_matrix();
  const std::size_t size = c.z.size();
  const auto entry = [&](std::size_t n, std::size_t m) { return c.z.dense_row(n)[m]; };
  const KernelMatrix whole(c.kernel, c.z, 2);
  const KernelSweep<float> single(c.kernel, c.z);
  const std::vector<double> diagonal = KernelSweep<double>(c.kernel, c.z).diagonal(c.z);
  const std::vector<std::size_t> which{3, 1099, 0};
  const auto queries = single.prepare(c.z, which);
  std::vector<float> found(which.size() * size);
  single.values(queries, 0, which.size(), 0, size, row_pointers(found, size).data());
  std::vector<float> among(which.size() * which.size());
  single.between(queries, queries, row_pointers(among, which.size()).data());
  std::vector<double> sums(size - 9, 0.0);
  single.add_weighted_values(queries, std::vector<double>{0, 1, 0}, 9, size, sums.data());
  for (std::size_t n = 0; n < size; ++n) {
    ASSERT_EQ(diagonal[n], entry(n, n));
    for (std::size_t m = 0; m < size; ++m) ASSERT_EQ(whole.row(n)[m], entry(n, m));
    if (n < 9) continue;
    ASSERT_EQ(sums[n - 9], static_cast<float>(entry(1099, n)));
  }
  for (std::size_t q = 0; q < which.size(); ++q) {
    for (std::size_t m = 0; m < size; ++m) {
      ASSERT_EQ(found[q * size + m], static_cast<float>(entry(which[q], m)));
    }
    for (std::size_t k = 0; k < which.size(); ++k) {
      ASSERT_EQ(among[q * which.size() + k], static_cast<float>(entry(which[q], which[k])));
    }
  }
  std::vector<double> v(size, 0.0);
  v[7] = 2;
  v[1050] = -1;
  const std::vector<double> product = kernel_product(c.kernel, c.z, v, 2);
  for (std::size_t n = 0; n < size; ++n) {
    ASSERT_NEAR(product[n], 2 * entry(n, 7) - entry(n, 1050), 1e-14);
  }
}

/// Enough support vectors for several tasks, which also compute each other's values.
TEST(KernelStorage, ProductsOfManyRowsAreThoseOfTheDefinition) {
  const Rows dense = random_rows(900, 4, 6);
  for (const Rows& z : {dense, without_zeros(dense)}) {
    const Case c{.name = "many rows", .kernel = RbfKernel{0.3}, .z = z, .x = {}};
    expect_product(c, matrix_by_definition(c.kernel, z, z));
  }
}

/// Larger than the processor's caches: it is written past them.
TEST(KernelStorage, ALargeMatrixIsThatOfTheDefinition) {
  const Rows z = random_rows(4200, 3, 6);
  const Kernel kernel = RbfKernel{0.3};
  std::vector<float> found(z.size() * z.size());
  KernelSweep<float>(kernel, z).matrix(z, row_pointers(found, z.size()).data(), 2);
  for (std::size_t k = 0; k < 20000; ++k) {
    const std::size_t n = k * 7919 % z.size();
    const std::size_t m = k * 104729 % z.size();
    ASSERT_NEAR(found[n * z.size() + m], testing_support::by_definition(kernel, z, n, z, m), 1e-5);
  }
}

/// What is prepared for one part of the rows may be used with another, if the storage says so.
TEST(KernelStorage, QueriesFitOtherRowsOfPanels) {
  const Rows x = random_rows(8, 5, 1);
  const Rows z = random_rows(40, 5, 2);
  const std::vector<std::size_t> which{0, 3, 7};
  for (const Kernel& kernel : {Kernel(LinearKernel{}), Kernel(RbfKernel{0.5})}) {
    const KernelSweep<double> one(kernel, RowsView(z).range(0, 10));
    const KernelSweep<double> other(kernel, RowsView(z).range(10, 40));
    ASSERT_TRUE(one.queries_fit_other_rows());
    std::vector<double> found(which.size() * 30);
    std::vector<double> expected = found;
    other.values(one.prepare(x, which), 0, 3, 0, 30, row_pointers(found, 30).data());
    other.values(other.prepare(x, which), 0, 3, 0, 30, row_pointers(expected, 30).data());
    EXPECT_EQ(found, expected);
  }
  EXPECT_FALSE(KernelSweep<double>(LinearKernel{}, spread(z, 300, 0)).queries_fit_other_rows());
}

/// Some rows of a set, seen through a view of single precision, have the values of a copy.
TEST(KernelStorage, ViewsAreReadWhereTheyAre) {
  const Rows dense = random_rows(60, 5, 8);
  std::vector<float> singles;
  for (std::size_t n = 0; n < dense.size(); ++n) {
    for (const double value : dense.dense_row(n)) singles.push_back(static_cast<float>(value));
  }
  const std::vector<std::size_t> which{4, 17, 3, 59, 3};
  const RowsView view = RowsView::dense(singles, 60, 5).rows(which);
  const Rows copy = view.to_rows();
  for (const Kernel& kernel : {Kernel(LinearKernel{}), Kernel(RbfKernel{0.5})}) {
    const KernelMatrix of_view(kernel, view, 1);
    const KernelMatrix of_copy(kernel, copy, 1);
    const std::vector<double> v{1, 0, -2, 3, 0.5};
    EXPECT_EQ(kernel_product(kernel, view, v, 1), kernel_product(kernel, copy, v, 1));
    for (std::size_t n = 0; n < which.size(); ++n) {
      for (std::size_t m = 0; m < which.size(); ++m) {
        EXPECT_EQ(of_view.row(n)[m], of_copy.row(n)[m]);
      }
    }
  }
  std::vector<float> matrix(singles.begin(), singles.begin() + 25);
  const RowsView given = RowsView::dense(matrix, 5, 5);
  const KernelMatrix read(PrecomputedKernel{}, given, 1);
  for (std::size_t n = 0; n < 5; ++n) {
    for (std::size_t m = 0; m < 5; ++m) EXPECT_EQ(read.row(n)[m], matrix[n * 5 + m]);
  }
}

}  // namespace
}  // namespace rampart
