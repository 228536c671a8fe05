#include "kernel/kernel_sweep.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <variant>

#include "kernel/exponential.hpp"
#include "kernel/feature_terms.hpp"
#include "util/assert.hpp"

namespace rampart {
namespace {

constexpr double cancelled = 1e-6;  // of ‖x‖² + ‖z‖²: a distance below it has lost digits
constexpr std::size_t block = 512;  // rows whose sums stay in the first-level cache

template <class Real>
Real power(Real base, int exponent) {
  Real result = 1;
  for (; exponent > 0; exponent /= 2, base *= base) {
    if (exponent % 2 == 1) result *= base;
  }
  return result;
}

/// From x·z, or ‖x − z‖² for the RBF kernel, to k(x, z).
template <class Real>
void finish(const Kernel& kernel, std::span<Real> sums) {
  std::visit(
      [&](const auto& k) {
        using K = std::decay_t<decltype(k)>;
        if constexpr (std::is_same_v<K, RbfKernel>) {
          exponentials(sums, static_cast<Real>(-k.gamma));
        } else if constexpr (std::is_same_v<K, PolynomialKernel>) {
          const auto gamma = static_cast<Real>(k.gamma);
          const auto coef0 = static_cast<Real>(k.coef0);
          for (Real& s : sums) s = power(gamma * s + coef0, k.degree);
        } else if constexpr (std::is_same_v<K, SigmoidKernel>) {
          const auto gamma = static_cast<Real>(k.gamma);
          const auto coef0 = static_cast<Real>(k.coef0);
          for (Real& s : sums) s = std::tanh(gamma * s + coef0);
        }
      },
      kernel);
}

std::vector<double> column_means(const Rows& z) {
  std::vector<double> mean(z.columns(), 0.0);
  for (std::size_t n = 0; n < z.size(); ++n) {
    z.for_each(n, [&](std::size_t j, double value) { mean[j] += value; });
  }
  for (double& m : mean) m /= static_cast<double>(z.size());
  return mean;
}

}  // namespace

template <class Real>
KernelSweep<Real>::KernelSweep(const Kernel& kernel, const Rows& z)
    : kernel_(kernel),
      distances_(std::holds_alternative<RbfKernel>(kernel)),
      dense_(z.is_dense()),
      size_(z.size()),
      columns_(z.columns()) {
  if (std::holds_alternative<PrecomputedKernel>(kernel)) {
    RAMPART_ASSERT(dense_ && size_ == columns_, "a precomputed kernel is a dense square matrix");
    return;
  }
  if (dense_) {
    if (distances_ && std::is_same_v<Real, float>) centre_ = column_means(z);
    by_column_.resize(size_ * columns_);
    for (std::size_t n = 0; n < size_; ++n) {
      const auto row = z.dense_row(n);
      for (std::size_t j = 0; j < columns_; ++j) {
        by_column_[j * size_ + n] =
            static_cast<Real>(centre_.empty() ? row[j] : row[j] - centre_[j]);
      }
    }
    return;
  }
  for (std::size_t n = 0; n < size_; ++n) {
    const auto row = z.sparse_row(n);
    used_columns_.insert(used_columns_.end(), row.indices.begin(), row.indices.end());
    double squares = 0;
    for (const double value : row.values) squares += value * value;
    squared_norms_.push_back(squares);
  }
  std::ranges::sort(used_columns_);
  used_columns_.erase(std::ranges::unique(used_columns_).begin(), used_columns_.end());

  const auto position = [&](std::uint32_t column) {
    return static_cast<std::size_t>(std::ranges::lower_bound(used_columns_, column) -
                                    used_columns_.begin());
  };
  column_starts_.assign(used_columns_.size() + 1, 0);
  for (std::size_t n = 0; n < size_; ++n) {
    for (const std::uint32_t j : z.sparse_row(n).indices) ++column_starts_[position(j) + 1];
  }
  for (std::size_t c = 1; c < column_starts_.size(); ++c)
    column_starts_[c] += column_starts_[c - 1];
  row_of_.resize(z.stored_values());
  value_of_.resize(z.stored_values());
  std::vector<std::size_t> next(column_starts_.begin(), column_starts_.end());
  for (std::size_t n = 0; n < size_; ++n) {
    const auto row = z.sparse_row(n);
    for (std::size_t k = 0; k < row.values.size(); ++k) {
      const std::size_t at = next[position(row.indices[k])]++;
      row_of_[at] = static_cast<std::uint32_t>(n);
      value_of_[at] = row.values[k];
    }
  }
  if (!distances_) return;
  std::vector<std::size_t> starts{0};
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  for (std::size_t n = 0; n < size_; ++n) {
    const auto row = z.sparse_row(n);
    for (const std::uint32_t j : row.indices) {
      columns.push_back(static_cast<std::uint32_t>(position(j)));
    }
    values.insert(values.end(), row.values.begin(), row.values.end());
    starts.push_back(values.size());
  }
  rows_ =
      Rows::sparse(used_columns_.size(), std::move(starts), std::move(columns), std::move(values));
}

template <class Real>
void KernelSweep<Real>::prepare(const Rows& x, std::size_t n, Query& query) const {
  RAMPART_ASSERT(x.columns() <= columns_, "a row has no more features than the rows it meets");
  if (std::holds_alternative<PrecomputedKernel>(kernel_)) {
    const auto row = x.dense_row(n);
    query.dense.assign(row.begin(), row.end());
    return;
  }
  if (dense_) {
    query.dense.assign(columns_, Real{0});
    // A sparse x leaves features out: they are 0, which centring moves too.
    for (std::size_t j = 0; j < centre_.size(); ++j)
      query.dense[j] = static_cast<Real>(-centre_[j]);
    x.for_each(n, [&](std::size_t j, double value) {
      query.dense[j] = static_cast<Real>(centre_.empty() ? value : value - centre_[j]);
    });
    return;
  }
  query.columns.clear();
  query.values.clear();
  query.squared_norm = 0;
  query.outside = 0;
  auto from = used_columns_.begin();
  x.for_each(n, [&](std::size_t j, double value) {
    query.squared_norm += value * value;
    from = std::lower_bound(from, used_columns_.end(), static_cast<std::uint32_t>(j));
    if (from != used_columns_.end() && *from == j) {
      query.columns.push_back(static_cast<std::uint32_t>(from - used_columns_.begin()));
      query.values.push_back(value);
    } else {
      query.outside += value * value;
    }
  });
}

template <class Real>
void KernelSweep<Real>::operator()(Query& query, std::size_t begin, std::size_t end,
                                   Real* out) const {
  RAMPART_ASSERT(begin <= end && end <= size_, "a range of the rows");
  if (std::holds_alternative<PrecomputedKernel>(kernel_)) {
    std::copy(query.dense.begin() + static_cast<std::ptrdiff_t>(begin),
              query.dense.begin() + static_cast<std::ptrdiff_t>(end), out);
    return;
  }
  if (dense_) {
    for (std::size_t first = begin; first < end; first += block) {
      const std::size_t last = std::min(end, first + block);
      dense_sums(query, first, last, out + (first - begin));
      finish(kernel_, std::span(out + (first - begin), last - first));
    }
  } else {
    sparse_sums(query, begin, end, out);
    finish(kernel_, std::span(out, end - begin));
  }
}

template <class Real>
void KernelSweep<Real>::dense_sums(const Query& query, std::size_t begin, std::size_t end,
                                   Real* out) const {
  const std::size_t count = end - begin;
  std::fill(out, out + count, Real{0});
  const auto column = [&](std::size_t j) { return by_column_.data() + j * size_ + begin; };
  const Real* x = query.dense.data();
  std::size_t j = 0;
  for (; j + 4 <= columns_; j += 4) {
    const std::array<const Real*, 4> z{column(j), column(j + 1), column(j + 2), column(j + 3)};
    add_terms(distances_, x + j, z, count, out);
  }
  for (; j < columns_; ++j) {
    const std::array<const Real*, 1> z{column(j)};
    add_terms(distances_, x + j, z, count, out);
  }
}

template <class Real>
void KernelSweep<Real>::sparse_sums(Query& query, std::size_t begin, std::size_t end,
                                    Real* out) const {
  query.products.assign(end - begin, 0.0);
  for (std::size_t k = 0; k < query.columns.size(); ++k) {
    const std::size_t c = query.columns[k];
    const auto rows =
        std::span(row_of_).subspan(column_starts_[c], column_starts_[c + 1] - column_starts_[c]);
    const auto first = std::ranges::lower_bound(rows, begin);
    const double* value = value_of_.data() + column_starts_[c] + (first - rows.begin());
    for (auto row = first; row != rows.end() && *row < end; ++row, ++value) {
      query.products[*row - begin] += query.values[k] * *value;
    }
  }
  for (std::size_t i = 0; i < end - begin; ++i) {
    double sum = query.products[i];
    if (distances_) {
      const double norms = query.squared_norm + squared_norms_[begin + i];
      sum = norms - 2 * sum;
      if (sum < cancelled * norms) sum = distance_by_differences(query, begin + i);
    }
    out[i] = static_cast<Real>(sum);
  }
}

template <class Real>
double KernelSweep<Real>::distance_by_differences(const Query& query, std::size_t m) const {
  const Rows::Sparse z = rows_.sparse_row(m);
  double sum = query.outside;
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < query.columns.size() || k < z.indices.size()) {
    const bool from_x =
        k == z.indices.size() || (i < query.columns.size() && query.columns[i] <= z.indices[k]);
    const bool from_z =
        i == query.columns.size() || (k < z.indices.size() && z.indices[k] <= query.columns[i]);
    const double difference = (from_x ? query.values[i++] : 0) - (from_z ? z.values[k++] : 0);
    sum += difference * difference;
  }
  return sum;
}

template class KernelSweep<float>;
template class KernelSweep<double>;

}  // namespace rampart
