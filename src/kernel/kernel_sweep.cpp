#include "kernel/kernel_sweep.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <variant>

#include "kernel/exponential.hpp"
#include "kernel/panels.hpp"
#include "util/assert.hpp"
#include "util/parallel.hpp"

namespace rampart {
namespace {

constexpr double cancelled = 1e-6;  // of ‖x‖² + ‖z‖²: a distance below it has lost digits
constexpr std::size_t most_panel_columns = 1024;  // of sparse rows: zeros take memory in panels
constexpr std::size_t few_queries = 24;
constexpr std::size_t rows_together = 96;           // of a whole matrix, at a time
constexpr std::size_t more_than_caches = 64 << 20;  // bytes
constexpr std::size_t queries_together = 48;  // few enough to write each of their rows in order

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

/// ½‖x‖² of rows one after the other, rounded as panels round a product of x with itself:
/// k(x, x) = 1 exactly.
template <class Real>
void half_norms(const Real* x, std::size_t columns, std::span<Real> norms) {
  squared_norms(x, norms.size(), columns, norms.data());
  for (Real& norm : norms) norm /= 2;
}

/// ‖a − b‖² of two sparse rows.
double squared_differences(std::span<const std::uint32_t> a_columns,
                           std::span<const double> a_values,
                           std::span<const std::uint32_t> b_columns,
                           std::span<const double> b_values) {
  double sum = 0;
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < a_columns.size() || k < b_columns.size()) {
    const bool from_a =
        k == b_columns.size() || (i < a_columns.size() && a_columns[i] <= b_columns[k]);
    const bool from_b =
        i == a_columns.size() || (k < b_columns.size() && b_columns[k] <= a_columns[i]);
    const double difference = (from_a ? a_values[i++] : 0) - (from_b ? b_values[k++] : 0);
    sum += difference * difference;
  }
  return sum;
}

}  // namespace

bool packs_into_panels(const Kernel& kernel, const Rows& z) {
  if (std::holds_alternative<PrecomputedKernel>(kernel)) return false;
  return z.is_dense() || z.columns() <= most_panel_columns;
}

template <class Real>
KernelSweep<Real>::Panels::Panels(std::size_t rows, std::size_t columns_of)
    : columns(columns_of),
      values((rows + panel_rows<Real> - 1) / panel_rows<Real> * panel_rows<Real> * columns_of),
      norms((rows + panel_rows<Real> - 1) / panel_rows<Real> * panel_rows<Real>) {
  // Only the last panel can have room left: rows of zeros.
  const std::size_t last = rows / panel_rows<Real> * panel_rows<Real>;
  std::fill(values.data() + last * columns, values.data() + values.size(), Real{0});
  std::fill(norms.data() + last, norms.data() + norms.size(), Real{0});
}

template <class Real>
void KernelSweep<Real>::Panels::set(std::size_t row, std::span<const Real> from, Real norm) {
  const std::size_t within = row % panel_rows<Real>;
  Real* panel = values.data() + (row - within) * columns + within;
  for (std::size_t j = 0; j < columns; ++j) panel[j * panel_rows<Real>] = from[j];
  norms.data()[row] = norm;
  largest_norm = std::max(largest_norm, norm);
}

template <class Real>
KernelSweep<Real>::KernelSweep(const Kernel& kernel, const Rows& z)
    : kernel_(kernel),
      distances_(std::holds_alternative<RbfKernel>(kernel)),
      by_panels_(packs_into_panels(kernel, z)),
      size_(z.size()),
      columns_(z.columns()) {
  if (const auto* rbf = std::get_if<RbfKernel>(&kernel)) {
    rate_ = static_cast<Real>(rbf_rate(rbf->gamma));
  }
  if (std::holds_alternative<PrecomputedKernel>(kernel)) {
    RAMPART_ASSERT(z.is_dense() && size_ == columns_,
                   "a precomputed kernel is a dense square matrix");
    return;
  }
  if (by_panels_) {
    if (z.is_dense() && distances_ && std::is_same_v<Real, float>) centre_ = column_means(z);
    panels_ = Panels(size_, columns_);
    constexpr std::size_t together = panel_rows<Real>;
    std::vector<Real> rows(together * columns_);
    std::array<Real, together> norms{};
    for (std::size_t begin = 0; begin < size_; begin += together) {
      const std::size_t count = std::min(together, size_ - begin);
      for (std::size_t r = 0; r < count; ++r) fill_row(z, begin + r, rows.data() + r * columns_);
      if (distances_) half_norms(rows.data(), columns_, std::span(norms).first(count));
      for (std::size_t r = 0; r < count; ++r) {
        panels_.set(begin + r, std::span(rows).subspan(r * columns_, columns_), norms[r]);
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

/// Writes all columns. A sparse x leaves features out: they are 0, which centring moves too.
template <class Real>
void KernelSweep<Real>::fill_row(const Rows& x, std::size_t n, Real* row) const {
  if (!x.is_dense() || x.columns() < columns_) {
    std::fill(row, row + columns_, Real{0});
    for (std::size_t j = 0; j < centre_.size(); ++j) row[j] = static_cast<Real>(-centre_[j]);
  } else if (!centre_.empty()) {
    const double* from = x.dense_row(n).data();
    const double* centre = centre_.data();
    for (std::size_t j = 0; j < columns_; ++j) row[j] = static_cast<Real>(from[j] - centre[j]);
    return;
  }
  x.for_each(n, [&](std::size_t j, double value) {
    row[j] = static_cast<Real>(centre_.empty() ? value : value - centre_[j]);
  });
}

template <class Real>
typename KernelSweep<Real>::Queries KernelSweep<Real>::prepare(
    const Rows& x, std::vector<std::size_t> which) const {  // NOLINT: it is moved from
  RAMPART_ASSERT(x.columns() <= columns_, "a row has no more features than the rows it meets");
  Queries queries;
  queries.which = std::move(which);
  if (std::holds_alternative<PrecomputedKernel>(kernel_)) {
    for (const std::size_t n : queries.which) {
      const auto row = x.dense_row(n);
      queries.dense.insert(queries.dense.end(), row.begin(), row.end());
    }
    return queries;
  }
  if (by_panels_) {
    queries.norms.resize(queries.size());
    if (!x.is_dense() && centre_.empty()) {
      queries.starts.push_back(0);
      for (std::size_t q = 0; q < queries.size(); ++q) {
        const Rows::Sparse row = x.sparse_row(queries.which[q]);
        queries.columns.insert(queries.columns.end(), row.indices.begin(), row.indices.end());
        for (const double value : row.values) queries.values.push_back(static_cast<Real>(value));
        half_norms(queries.values.data() + queries.starts.back(), row.values.size(),
                   std::span(queries.norms).subspan(q, 1));
        queries.starts.push_back(queries.values.size());
      }
    } else {
      queries.dense.resize(queries.size() * columns_);
      for (std::size_t q = 0; q < queries.size(); ++q) {
        fill_row(x, queries.which[q], queries.dense.data() + q * columns_);
      }
      if (distances_) half_norms(queries.dense.data(), columns_, std::span(queries.norms));
    }
    for (const Real norm : queries.norms) {
      queries.largest_norm = std::max(queries.largest_norm, norm);
    }
    return queries;
  }
  for (const std::size_t n : queries.which) {
    auto& query = queries.wide.emplace_back();
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
std::vector<double> KernelSweep<Real>::diagonal(const Rows& x) const {
  if (distances_) return std::vector<double>(x.size(), 1.0);
  std::vector<double> values(x.size());
  for (std::size_t n = 0; n < x.size(); ++n) {
    const Queries query = prepare(x, {n});
    if (std::holds_alternative<PrecomputedKernel>(kernel_)) {
      values[n] = query.dense[n];
      continue;
    }
    Real value = 0;
    if (by_panels_) {
      const std::vector<Real>& stored = query.starts.empty() ? query.dense : query.values;
      squared_norms(stored.data(), 1, stored.size(), &value);
    } else {
      value = static_cast<Real>(query.wide[0].squared_norm);
    }
    finish(kernel_, std::span(&value, 1));
    values[n] = value;
  }
  return values;
}

template <class Real>
void KernelSweep<Real>::values(const Queries& queries, std::size_t first, std::size_t count,
                               std::size_t begin, std::size_t end, Real* const* out) const {
  RAMPART_ASSERT(begin <= end && end <= size_, "a range of the rows");
  RAMPART_ASSERT(first + count <= queries.size(), "some of the queries");
  if (by_panels_) {
    dense_values(queries, first, count, panels_, begin, end, out);
    return;
  }
  std::vector<double> products;
  for (std::size_t q = 0; q < count; ++q) {
    if (std::holds_alternative<PrecomputedKernel>(kernel_)) {
      const Real* row = queries.dense.data() + (first + q) * columns_;
      std::copy(row + begin, row + end, out[q]);
    } else {
      wide_values(queries.wide[first + q], begin, end, products, out[q]);
      finish(kernel_, std::span(out[q], end - begin));
    }
  }
}

/// By panels, half of it is copied from the other half while that is in the cache.
template <class Real>
void KernelSweep<Real>::matrix(const Rows& x, Real* const* out, unsigned threads) const {
  static_assert(rows_together % panel_rows<Real> == 0);
  const bool streaming = size_ * size_ >= more_than_caches / sizeof(Real);
  parallel_blocks(size_, rows_together, threads, [&](std::size_t begin, std::size_t end) {
    std::vector<std::size_t> which(end - begin);
    std::iota(which.begin(), which.end(), begin);
    const Queries queries = prepare(x, std::move(which));
    if (!by_panels_) {
      values(queries, 0, queries.size(), 0, size_, out + begin);
      return;
    }
    constexpr std::size_t width = panel_rows<Real>;
    BigBuffer<Real> values(rows_together * width);
    std::array<Real*, rows_together> rows;
    for (std::size_t q = 0; q < rows_together; ++q) rows[q] = values.data() + q * width;
    const PanelTile<Real> tile{values.data(), queries.size(), streaming};
    for (std::size_t from = begin; from < size_; from += width) {
      const std::size_t count = std::min(width, size_ - from);
      panel_values(queries, 0, queries.size(), panels_, from / width, rows.data(), 0);
      copy_tile(tile, count, out + begin, from);
      if (from >= end) copy_tile_mirrored(tile, count, out + from, begin);
    }
    if (streaming) end_streaming();
  });
}

template <class Real>
void KernelSweep<Real>::add_weighted_values(const Queries& queries, std::span<const double> c,
                                            std::size_t begin, std::size_t end,
                                            double* sums) const {
  if (by_panels_) {
    constexpr std::size_t width = panel_rows<Real>;
    for (std::size_t panel = begin / width; panel * width < end; ++panel) {
      const std::size_t from = std::max(begin, panel * width);
      const std::size_t to = std::min(end, (panel + 1) * width);
      for_few_queries(
          queries, panel, [&](std::size_t first, std::size_t count, Real* const* values) {
            std::array<const Real*, few_queries> wanted;
            for (std::size_t q = 0; q < count; ++q) wanted[q] = values[q] + (from - panel * width);
            add_weighted(wanted.data(), c.data() + first, count, to - from, sums + (from - begin));
          });
    }
    return;
  }
  std::vector<Real> values(end - begin);
  std::vector<double> products;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    if (std::holds_alternative<PrecomputedKernel>(kernel_)) {
      const Real* row = queries.dense.data() + q * columns_;
      std::copy(row + begin, row + end, values.begin());
    } else {
      wide_values(queries.wide[q], begin, end, products, values.data());
      finish(kernel_, std::span(values));
    }
    const Real* in = values.data();
    add_weighted(&in, &c[q], 1, end - begin, sums);
  }
}

template <class Real>
void KernelSweep<Real>::add_both_ways(const Queries& queries, std::span<const double> c,
                                      std::size_t first, std::size_t last, const double* c_panel,
                                      double* sums, double* of_queries) const {
  constexpr std::size_t width = panel_rows<Real>;
  for (std::size_t panel = first; panel < last; ++panel) {
    for_few_queries(queries, panel, [&](std::size_t q, std::size_t count, Real* const* values) {
      add_weighted<Real>(values, c.data() + q, count, width, sums + panel * width);
      add_panel_dots<Real>(values, c_panel + panel * width, count, of_queries + q);
    });
  }
}

/// Calls use(first, count, values) for a few queries at a time against a panel: their values stay
/// in the first-level cache.
template <class Real>
template <class Use>
void KernelSweep<Real>::for_few_queries(const Queries& queries, std::size_t panel,
                                        const Use& use) const {
  std::array<Real, few_queries * panel_rows<Real>> room;
  std::array<Real*, few_queries> out;
  for (std::size_t q = 0; q < few_queries; ++q) out[q] = room.data() + q * panel_rows<Real>;
  for (std::size_t first = 0; first < queries.size(); first += few_queries) {
    const std::size_t count = std::min(few_queries, queries.size() - first);
    panel_values(queries, first, count, panels_, panel, out.data(), 0);
    use(first, count, out.data());
  }
}

template <class Real>
void KernelSweep<Real>::between(const Queries& one, const Queries& other, Real* const* out) const {
  if (std::holds_alternative<PrecomputedKernel>(kernel_)) {
    for (std::size_t q = 0; q < one.size(); ++q) {
      const Real* row = one.dense.data() + q * columns_;
      for (std::size_t k = 0; k < other.size(); ++k) out[q][k] = row[other.which[k]];
    }
    return;
  }
  if (by_panels_) {
    Panels panels(other.size(), columns_);
    std::vector<Real> row(columns_);
    for (std::size_t k = 0; k < other.size(); ++k) {
      if (other.starts.empty()) {
        std::copy_n(other.dense.data() + k * columns_, columns_, row.begin());
      } else {
        std::ranges::fill(row, Real{0});
        for (std::size_t i = other.starts[k]; i < other.starts[k + 1]; ++i) {
          row[other.columns[i]] = other.values[i];
        }
      }
      panels.set(k, row, other.norms[k]);
    }
    dense_values(one, 0, one.size(), panels, 0, other.size(), out);
    return;
  }
  for (std::size_t q = 0; q < one.size(); ++q) {
    for (std::size_t k = 0; k < other.size(); ++k) {
      out[q][k] = static_cast<Real>(wide_sum(one.wide[q], other.wide[k]));
    }
    finish(kernel_, std::span(out[q], other.size()));
  }
}

template <class Real>
void KernelSweep<Real>::dense_values(const Queries& queries, std::size_t first, std::size_t count,
                                     const Panels& panels, std::size_t begin, std::size_t end,
                                     Real* const* out) const {
  constexpr std::size_t width = panel_rows<Real>;
  std::array<Real, queries_together * width> room;
  for (std::size_t done = 0; done < count; done += queries_together) {
    const std::size_t together = std::min(queries_together, count - done);
    for (std::size_t panel = begin / width; panel * width < end; ++panel) {
      const std::size_t from = std::max(begin, panel * width);
      const std::size_t to = std::min(end, (panel + 1) * width);
      if (to - from == width) {
        panel_values(queries, first + done, together, panels, panel, out + done, from - begin);
        continue;
      }
      std::array<Real*, queries_together> aside;
      for (std::size_t q = 0; q < together; ++q) aside[q] = room.data() + q * width;
      panel_values(queries, first + done, together, panels, panel, aside.data(), 0);
      for (std::size_t q = 0; q < together; ++q) {
        const Real* wanted = aside[q] + (from - panel * width);
        std::copy(wanted, wanted + (to - from), out[done + q] + (from - begin));
      }
    }
  }
}

/// Of a whole panel, into out[q] + at.
template <class Real>
void KernelSweep<Real>::panel_values(const Queries& queries, std::size_t first, std::size_t count,
                                     const Panels& panels, std::size_t panel, Real* const* out,
                                     std::size_t at) const {
  constexpr std::size_t width = panel_rows<Real>;
  const bool sparse = !queries.starts.empty();
  const PanelTask<Real> task{
      .x = sparse ? nullptr : queries.dense.data() + first * columns_,
      .x_norms = queries.norms.data() + first,
      .rows = count,
      .columns = columns_,
      .panel = panels.values.data() + panel * width * columns_,
      .panel_norms = panels.norms.data() + panel * width,
      .out = out,
      .at = at,
      .sparse = {sparse ? queries.starts.data() + first : nullptr, queries.columns.data(),
                 queries.values.data()},
      .far = !(rate_ * (queries.largest_norm + panels.largest_norm) <= largest_cancellation<Real>)};
  if (distances_) {
    panel_rbf(task, rate_);
    return;
  }
  panel_products(task);
  if (std::holds_alternative<LinearKernel>(kernel_)) return;
  for (std::size_t q = 0; q < count; ++q) finish(kernel_, std::span(out[q] + at, width));
}

template <class Real>
void KernelSweep<Real>::wide_values(const typename Queries::WideRow& query, std::size_t begin,
                                    std::size_t end, std::vector<double>& products,
                                    Real* out) const {
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
  for (std::size_t i = 0; i < end - begin; ++i) {
    double sum = products[i];
    if (distances_) {
      const double norms = query.squared_norm + squared_norms_[begin + i];
      sum = norms - 2 * sum;
      if (sum < cancelled * norms) {
        const Rows::Sparse z = rows_.sparse_row(begin + i);
        sum = query.outside + squared_differences(query.columns, query.values, z.indices, z.values);
      }
    }
    out[i] = static_cast<Real>(sum);
  }
}

/// What wide_values() finds for two rows, one of them a row z.
template <class Real>
double KernelSweep<Real>::wide_sum(const typename Queries::WideRow& a,
                                   const typename Queries::WideRow& b) const {
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
  if (!distances_) return sum;
  const double norms = a.squared_norm + b.squared_norm;
  sum = norms - 2 * sum;
  if (sum < cancelled * norms) {
    sum = a.outside + squared_differences(a.columns, a.values, b.columns, b.values);
  }
  return sum;
}

template class KernelSweep<float>;
template class KernelSweep<double>;

}  // namespace rampart
