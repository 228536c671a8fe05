#include "kernel/matrix_storage.hpp"

#include <algorithm>
#include <utility>

#include "kernel/panels.hpp"
#include "util/assert.hpp"

namespace rampart {

template <class Real>
MatrixStorage<Real>::MatrixStorage(RowsView matrix) : size_(matrix.size()) {
  RAMPART_ASSERT(matrix.is_dense() && matrix.size() == matrix.columns(),
                 "a precomputed kernel is a dense square matrix");
}

template <class Real>
typename MatrixStorage<Real>::Queries MatrixStorage<Real>::prepare(
    RowsView x, std::vector<std::size_t> which) const {
  RAMPART_ASSERT(x.is_dense() && x.columns() == size_, "a value for each row of the matrix");
  return {x, std::move(which)};
}

template <class Real>
void MatrixStorage<Real>::values(const Queries& queries, std::size_t first, std::size_t count,
                                 std::size_t begin, std::size_t end, Real* const* out) const {
  for (std::size_t q = 0; q < count; ++q) {
    queries.x.with_dense_row(queries.which[first + q], [&](auto row) {
      const auto wanted = row.subspan(begin, end - begin);
      std::ranges::transform(wanted, out[q], [](auto value) { return static_cast<Real>(value); });
    });
  }
}

template <class Real>
void MatrixStorage<Real>::matrix(RowsView x, Real* const* out, unsigned threads) const {
  matrix_by_rows(*this, x, out, threads);
}

template <class Real>
void MatrixStorage<Real>::add_weighted_values(const Queries& queries, std::span<const double> c,
                                              std::size_t begin, std::size_t end,
                                              double* sums) const {
  std::vector<Real> row(end - begin);
  Real* out = row.data();
  for (std::size_t q = 0; q < queries.size(); ++q) {
    values(queries, q, 1, begin, end, &out);
    const Real* in = out;
    add_weighted(&in, &c[q], 1, end - begin, sums);
  }
}

template <class Real>
std::vector<double> MatrixStorage<Real>::diagonal(RowsView x) const {
  std::vector<double> values(x.size());
  for (std::size_t n = 0; n < x.size(); ++n) {
    x.with_dense_row(n, [&](auto row) { values[n] = static_cast<Real>(row[n]); });
  }
  return values;
}

template <class Real>
void MatrixStorage<Real>::between(const Queries& one, const Queries& other,
                                  Real* const* out) const {
  for (std::size_t q = 0; q < one.size(); ++q) {
    one.x.with_dense_row(one.which[q], [&](auto row) {
      for (std::size_t k = 0; k < other.size(); ++k) {
        out[q][k] = static_cast<Real>(row[other.which[k]]);
      }
    });
  }
}

template class MatrixStorage<float>;
template class MatrixStorage<double>;

}  // namespace rampart
