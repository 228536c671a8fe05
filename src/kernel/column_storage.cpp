#include "kernel/column_storage.hpp"

#include <algorithm>

#include "kernel/panels.hpp"
#include "util/assert.hpp"

namespace rampart {
namespace {

/// Of ‖x‖² + ‖z‖²: a squared distance below it has lost digits to cancellation.
constexpr double cancelled = 1e-6;

/// Adds up ‖a − b‖² of two sparse rows. The values of b are given one by one, columns increasing.
class SquaredDifferences {
 public:
  /// The columns of a are positions in `columns`.
  SquaredDifferences(std::span<const std::uint32_t> columns, std::span<const std::uint32_t> a,
                     std::span<const double> a_values)
      : columns_(columns), a_(a), a_values_(a_values) {}

  void next_of_b(std::size_t column, double value) {
    while (at_ < a_.size() && columns_[a_[at_]] < column) add(a_values_[at_++]);
    const bool in_both = at_ < a_.size() && columns_[a_[at_]] == column;
    add((in_both ? a_values_[at_++] : 0) - value);
  }
  [[nodiscard]] double total() {
    while (at_ < a_.size()) add(a_values_[at_++]);
    return sum_;
  }

 private:
  void add(double difference) { sum_ += difference * difference; }

  std::span<const std::uint32_t> columns_;
  std::span<const std::uint32_t> a_;
  std::span<const double> a_values_;
  std::size_t at_ = 0;
  double sum_ = 0;
};

}  // namespace

template <class Real>
ColumnStorage<Real>::ColumnStorage(const Kernel& kernel, RowsView z)
    : kernel_(row_kernel(kernel)), z_(z) {
  RAMPART_ASSERT(!z.is_dense(), "dense rows have nothing to leave out");
  squared_norms_.reserve(z.size());
  for (std::size_t n = 0; n < z.size(); ++n) {
    double squares = 0;
    z.for_each(n, [&](std::size_t, double value) { squares += value * value; });
    squared_norms_.push_back(squares);
  }
  find_used_columns();
  sort_by_columns();
}

template <class Real>
void ColumnStorage<Real>::find_used_columns() {
  for (std::size_t n = 0; n < size(); ++n) {
    z_.for_each(
        n, [&](std::size_t j, double) { used_columns_.push_back(static_cast<std::uint32_t>(j)); });
  }
  std::ranges::sort(used_columns_);
  used_columns_.erase(std::ranges::unique(used_columns_).begin(), used_columns_.end());
}

template <class Real>
std::size_t ColumnStorage<Real>::position_of(std::size_t column) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(used_columns_, column) -
                                  used_columns_.begin());
}

template <class Real>
void ColumnStorage<Real>::sort_by_columns() {
  column_starts_.assign(used_columns_.size() + 1, 0);
  for (std::size_t n = 0; n < size(); ++n) {
    z_.for_each(n, [&](std::size_t j, double) { ++column_starts_[position_of(j) + 1]; });
  }
  for (std::size_t c = 1; c < column_starts_.size(); ++c) {
    column_starts_[c] += column_starts_[c - 1];
  }
  row_of_.resize(column_starts_.back());
  value_of_.resize(column_starts_.back());
  std::vector<std::size_t> next(column_starts_.begin(), column_starts_.end());
  for (std::size_t n = 0; n < size(); ++n) {
    z_.for_each(n, [&](std::size_t j, double value) {
      const std::size_t at = next[position_of(j)]++;
      row_of_[at] = static_cast<std::uint32_t>(n);
      value_of_[at] = value;
    });
  }
}

template <class Real>
typename ColumnStorage<Real>::Queries ColumnStorage<Real>::prepare(
    RowsView x, const std::vector<std::size_t>& which) const {
  RAMPART_ASSERT(x.columns() <= z_.columns(), "a row has no more columns than the rows it meets");
  Queries queries;
  queries.rows.reserve(which.size());
  for (const std::size_t n : which) {
    Query& query = queries.rows.emplace_back();
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
  return queries;
}

template <class Real>
void ColumnStorage<Real>::values(const Queries& queries, std::size_t first, std::size_t count,
                                 std::size_t begin, std::size_t end, Real* const* out) const {
  std::vector<double> products;
  for (std::size_t q = 0; q < count; ++q) {
    row_values(queries.rows[first + q], begin, end, products, out[q]);
  }
}

template <class Real>
void ColumnStorage<Real>::matrix(RowsView x, Real* const* out, unsigned threads) const {
  matrix_by_rows(*this, x, out, threads);
}

template <class Real>
void ColumnStorage<Real>::add_weighted_values(const Queries& queries, std::span<const double> c,
                                              std::size_t begin, std::size_t end,
                                              double* sums) const {
  std::vector<Real> row(end - begin);
  std::vector<double> products;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    row_values(queries.rows[q], begin, end, products, row.data());
    const Real* in = row.data();
    add_weighted(&in, &c[q], 1, end - begin, sums);
  }
}

template <class Real>
std::vector<double> ColumnStorage<Real>::diagonal(RowsView x) const {
  std::vector<double> values(x.size());
  for (std::size_t n = 0; n < x.size(); ++n) {
    double squared_norm = 0;
    x.for_each(n, [&](std::size_t, double value) { squared_norm += value * value; });
    values[n] = rampart::diagonal(kernel_, static_cast<Real>(squared_norm));
  }
  return values;
}

template <class Real>
void ColumnStorage<Real>::between(const Queries& one, const Queries& other,
                                  Real* const* out) const {
  for (std::size_t q = 0; q < one.size(); ++q) {
    for (std::size_t k = 0; k < other.size(); ++k) {
      out[q][k] = static_cast<Real>(sum_of(one.rows[q], other.rows[k]));
    }
    finish(kernel_, std::span(out[q], other.size()));
  }
}

/// k(x, z) of a query x and rows `begin` … `end` of z. `products` is memory to work in.
template <class Real>
void ColumnStorage<Real>::row_values(const Query& query, std::size_t begin, std::size_t end,
                                     std::vector<double>& products, Real* out) const {
  products.assign(end - begin, 0.0);
  for (std::size_t k = 0; k < query.columns.size(); ++k) {
    const std::size_t c = query.columns[k];
    const auto rows =
        std::span(row_of_).subspan(column_starts_[c], column_starts_[c + 1] - column_starts_[c]);
    const auto first = std::ranges::lower_bound(rows, begin);
    const double* value = value_of_.data() + column_starts_[c] + (first - rows.begin());
    for (auto row = first; row != rows.end() && *row < end; ++row, ++value) {
      products[*row - begin] += query.values[k] * *value;
    }
  }
  const bool distances = sums_distances();
  for (std::size_t i = 0; i < end - begin; ++i) {
    double sum = products[i];
    if (distances) {
      const double norms = query.squared_norm + squared_norms_[begin + i];
      sum = norms - 2 * sum;
      if (sum < cancelled * norms) {
        SquaredDifferences differences(used_columns_, query.columns, query.values);
        z_.for_each(begin + i, [&](std::size_t j, double z) { differences.next_of_b(j, z); });
        sum = query.outside + differences.total();
      }
    }
    out[i] = static_cast<Real>(sum);
  }
  finish(kernel_, std::span(out, end - begin));
}

/// What row_values() finds for two rows, one of them a row z.
template <class Real>
double ColumnStorage<Real>::sum_of(const Query& a, const Query& b) const {
  double sum = 0;
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < a.columns.size() && k < b.columns.size()) {
    if (a.columns[i] == b.columns[k]) {
      sum += a.values[i++] * b.values[k++];
    } else if (a.columns[i] < b.columns[k]) {
      ++i;
    } else {
      ++k;
    }
  }
  if (!sums_distances()) return sum;
  const double norms = a.squared_norm + b.squared_norm;
  sum = norms - 2 * sum;
  if (sum < cancelled * norms) {
    SquaredDifferences differences(used_columns_, a.columns, a.values);
    for (k = 0; k < b.columns.size(); ++k) {
      differences.next_of_b(used_columns_[b.columns[k]], b.values[k]);
    }
    sum = a.outside + differences.total();
  }
  return sum;
}

template class ColumnStorage<float>;
template class ColumnStorage<double>;

}  // namespace rampart
