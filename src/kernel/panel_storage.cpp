#include "kernel/panel_storage.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <type_traits>

#include "util/assert.hpp"
#include "util/parallel.hpp"

namespace rampart {
namespace {

constexpr std::size_t few_queries = 24;       // their values stay in the first-level cache
constexpr std::size_t queries_together = 48;  // few enough to write each of their rows in order
constexpr std::size_t rows_together = 96;     // of a whole matrix
constexpr std::size_t more_than_caches = 64 << 20;  // bytes

template <class Real>
constexpr std::size_t padded(std::size_t rows) {
  return (rows + panel_rows<Real> - 1) / panel_rows<Real> * panel_rows<Real>;
}

std::vector<double> column_means(RowsView z) {
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
void compute_half_norms(const Real* x, std::size_t columns, std::span<Real> half_norms) {
  squared_norms(x, half_norms.size(), columns, half_norms.data());
  for (Real& norm : half_norms) norm /= 2;
}

}  // namespace

template <class Real>
PackedRows<Real>::PackedRows(std::size_t rows, std::size_t columns)
    : columns_(columns), values_(padded<Real>(rows) * columns), half_norms_(padded<Real>(rows)) {
  const std::size_t last = rows / panel_rows<Real> * panel_rows<Real>;  // a panel not full, if any
  std::fill(values_.data() + last * columns, values_.data() + values_.size(), Real{0});
  std::fill(half_norms_.data() + last, half_norms_.data() + half_norms_.size(), Real{0});
}

template <class Real>
void PackedRows<Real>::set(std::size_t n, std::span<const Real> values, Real half_norm) {
  const std::size_t within = n % panel_rows<Real>;
  Real* panel = values_.data() + (n - within) * columns_ + within;
  for (std::size_t j = 0; j < columns_; ++j) panel[j * panel_rows<Real>] = values[j];
  half_norms_.data()[n] = half_norm;
  largest_half_norm_ = std::max(largest_half_norm_, half_norm);
}

template <class Real>
PanelStorage<Real>::PanelStorage(const Kernel& kernel, RowsView z)
    : kernel_(row_kernel(kernel)), size_(z.size()), columns_(z.columns()) {
  pack(z, [](std::size_t k) { return k; });
}

template <class Real>
PanelStorage<Real>::PanelStorage(const Kernel& kernel, RowsView z,
                                 std::span<const std::size_t> which)
    : kernel_(row_kernel(kernel)), size_(which.size()), columns_(z.columns()) {
  pack(z, [&](std::size_t k) { return which[k]; });
}

template <class Real>
template <class RowAt>
void PanelStorage<Real>::pack(RowsView z, const RowAt& row_at) {
  if (z.is_dense() && sums_distances() && std::is_same_v<Real, float>) centre_ = column_means(z);
  rows_ = PackedRows<Real>(size_, columns_);
  constexpr std::size_t together = panel_rows<Real>;
  std::vector<Real> rows(together * columns_);
  std::array<Real, together> half_norms{};
  for (std::size_t begin = 0; begin < size_; begin += together) {
    const std::size_t count = std::min(together, size_ - begin);
    for (std::size_t r = 0; r < count; ++r) {
      const std::size_t n = row_at(begin + r);
      Real* row = rows.data() + r * columns_;
      n == no_row ? std::fill(row, row + columns_, Real{0}) : fill_row(z, n, row);
    }
    if (sums_distances()) {
      compute_half_norms(rows.data(), columns_, std::span(half_norms).first(count));
    }
    for (std::size_t r = 0; r < count; ++r) {
      rows_.set(begin + r, std::span(rows).subspan(r * columns_, columns_), half_norms[r]);
    }
  }
}

/// Writes all columns. Columns that x does not store are 0, which centring moves too.
template <class Real>
void PanelStorage<Real>::fill_row(RowsView x, std::size_t n, Real* row) const {
  const double* centre = centre_.data();
  if (centre_.empty()) {
    if (x.stored_values(n) < columns_) std::fill(row, row + columns_, Real{0});
    x.for_each(n, [=](std::size_t j, double value) { row[j] = static_cast<Real>(value); });
    return;
  }
  if (x.stored_values(n) < columns_) {
    for (std::size_t j = 0; j < columns_; ++j) row[j] = static_cast<Real>(-centre[j]);
  }
  x.for_each(n,
             [=](std::size_t j, double value) { row[j] = static_cast<Real>(value - centre[j]); });
}

template <class Real>
typename PanelStorage<Real>::Queries PanelStorage<Real>::prepare(
    RowsView x, std::span<const std::size_t> which) const {
  RAMPART_ASSERT(x.columns() <= columns_, "a row has no more columns than the rows it meets");
  Queries queries;
  queries.half_norms.resize(which.size());
  if (!x.is_dense() && centre_.empty()) {
    queries.starts.push_back(0);
    for (std::size_t q = 0; q < which.size(); ++q) {
      x.for_each(which[q], [&](std::size_t j, double value) {
        queries.columns.push_back(static_cast<std::uint32_t>(j));
        queries.values.push_back(static_cast<Real>(value));
      });
      const std::size_t begin = queries.starts.back();
      compute_half_norms(queries.values.data() + begin, queries.values.size() - begin,
                         std::span(queries.half_norms).subspan(q, 1));
      queries.starts.push_back(queries.values.size());
    }
  } else {
    queries.dense.resize(which.size() * columns_);
    for (std::size_t q = 0; q < which.size(); ++q) {
      fill_row(x, which[q], queries.dense.data() + q * columns_);
    }
    if (sums_distances()) {
      compute_half_norms(queries.dense.data(), columns_, std::span(queries.half_norms));
    }
  }
  for (const Real norm : queries.half_norms) {
    queries.largest_half_norm = std::max(queries.largest_half_norm, norm);
  }
  return queries;
}

template <class Real>
std::vector<double> PanelStorage<Real>::diagonal(RowsView x) const {
  std::vector<double> values(x.size(), rampart::diagonal(kernel_, Real{0}));
  if (sums_distances()) return values;  // ‖x − x‖² is 0 for every row
  for (std::size_t n = 0; n < x.size(); ++n) {
    const Queries query = prepare(x, {&n, 1});
    const std::vector<Real>& stored = query.starts.empty() ? query.dense : query.values;
    Real squared_norm = 0;
    squared_norms(stored.data(), 1, stored.size(), &squared_norm);
    values[n] = rampart::diagonal(kernel_, squared_norm);
  }
  return values;
}

template <class Real>
void PanelStorage<Real>::values(const Queries& queries, std::size_t first, std::size_t count,
                                std::size_t begin, std::size_t end, Real* const* out) const {
  RAMPART_ASSERT(begin <= end && end <= size_, "a range of the rows");
  RAMPART_ASSERT(first + count <= queries.size(), "some of the queries");
  range_values(queries, first, count, rows_, begin, end, out);
}

/// Half of it is copied from the other half while that is in the cache.
template <class Real>
void PanelStorage<Real>::matrix(RowsView x, Real* const* out, unsigned threads) const {
  constexpr std::size_t width = panel_rows<Real>;
  static_assert(rows_together % width == 0);
  const bool streaming = size_ * size_ >= more_than_caches / sizeof(Real);
  parallel_blocks(size_, rows_together, threads, [&](std::size_t begin, std::size_t end) {
    std::vector<std::size_t> which(end - begin);
    std::iota(which.begin(), which.end(), begin);
    const Queries queries = prepare(x, which);
    BigBuffer<Real> values(rows_together * width);
    std::array<Real*, rows_together> rows;
    for (std::size_t q = 0; q < rows_together; ++q) rows[q] = values.data() + q * width;
    const PanelTile<Real> tile{values.data(), queries.size(), streaming};
    for (std::size_t from = begin; from < size_; from += width) {
      const std::size_t count = std::min(width, size_ - from);
      panel_values(queries, 0, queries.size(), rows_, from / width, rows.data(), 0);
      copy_tile(tile, count, out + begin, from);
      if (from >= end) copy_tile_mirrored(tile, count, out + from, begin);
    }
    if (streaming) end_streaming();
  });
}

template <class Real>
void PanelStorage<Real>::add_weighted_values(const Queries& queries, std::span<const double> c,
                                             std::size_t begin, std::size_t end,
                                             double* sums) const {
  constexpr std::size_t width = panel_rows<Real>;
  for (std::size_t panel = begin / width; panel * width < end; ++panel) {
    const std::size_t from = std::max(begin, panel * width);
    const std::size_t to = std::min(end, (panel + 1) * width);
    for_few_queries(queries, panel, [&](std::size_t first, std::size_t count, Real* const* values) {
      std::array<const Real*, few_queries> wanted;
      for (std::size_t q = 0; q < count; ++q) wanted[q] = values[q] + (from - panel * width);
      add_weighted(wanted.data(), c.data() + first, count, to - from, sums + (from - begin));
    });
  }
}

template <class Real>
double PanelStorage<Real>::weighted_sum(
    std::span<const Real> x, std::span<const double> c) const requires std::same_as<Real, double> {
  RAMPART_ASSERT(x.size() == columns_ && c.size() == size_, "one value a column, one factor a row");
  constexpr std::size_t width = panel_rows<Real>;
  Real half_norm = 0;
  if (sums_distances()) compute_half_norms(x.data(), columns_, std::span(&half_norm, 1));
  // A few panels at a time: adding up their values overlaps with computing the next ones.
  constexpr std::size_t panels_together = 4;
  std::array<Real, panels_together * width> values;
  double sum = 0;
  for (std::size_t begin = 0; begin < size_; begin += panels_together * width) {
    const std::size_t count = std::min(panels_together * width, size_ - begin);
    RowTask task{.x = x.data(),
                 .x_norm = half_norm,
                 .columns = columns_,
                 .panels = rows_.panel(begin / width),
                 .panel_norms = rows_.half_norms(begin / width),
                 .count = (count + width - 1) / width,
                 .out = values.data()};
    row_values(kernel_, task, half_norm + rows_.largest_half_norm());
    sum = add_in_order(values.data(), c.data() + begin, count, sum);
  }
  return sum;
}

template <class Real>
void PanelStorage<Real>::add_both_ways(const Queries& queries, std::span<const double> c,
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

/// Calls use(first, count, values) for a few queries at a time against a panel.
template <class Real>
template <class Use>
void PanelStorage<Real>::for_few_queries(const Queries& queries, std::size_t panel,
                                         const Use& use) const {
  std::array<Real, few_queries * panel_rows<Real>> values;
  std::array<Real*, few_queries> out;
  for (std::size_t q = 0; q < few_queries; ++q) out[q] = values.data() + q * panel_rows<Real>;
  for (std::size_t first = 0; first < queries.size(); first += few_queries) {
    const std::size_t count = std::min(few_queries, queries.size() - first);
    panel_values(queries, first, count, rows_, panel, out.data(), 0);
    use(first, count, out.data());
  }
}

template <class Real>
void PanelStorage<Real>::between(const Queries& one, const Queries& other, Real* const* out) const {
  PackedRows<Real> rows(other.size(), columns_);
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
    rows.set(k, row, other.half_norms[k]);
  }
  range_values(one, 0, one.size(), rows, 0, other.size(), out);
}

/// out[q][i] of some queries against rows `begin` … `end`.
template <class Real>
void PanelStorage<Real>::range_values(const Queries& queries, std::size_t first, std::size_t count,
                                      const PackedRows<Real>& rows, std::size_t begin,
                                      std::size_t end, Real* const* out) const {
  constexpr std::size_t width = panel_rows<Real>;
  std::array<Real, queries_together * width> whole_panel;
  for (std::size_t done = 0; done < count; done += queries_together) {
    const std::size_t together = std::min(queries_together, count - done);
    for (std::size_t panel = begin / width; panel * width < end; ++panel) {
      const std::size_t from = std::max(begin, panel * width);
      const std::size_t to = std::min(end, (panel + 1) * width);
      if (to - from == width) {
        panel_values(queries, first + done, together, rows, panel, out + done, from - begin);
        continue;
      }
      std::array<Real*, queries_together> aside;
      for (std::size_t q = 0; q < together; ++q) aside[q] = whole_panel.data() + q * width;
      panel_values(queries, first + done, together, rows, panel, aside.data(), 0);
      for (std::size_t q = 0; q < together; ++q) {
        const Real* wanted = aside[q] + (from - panel * width);
        std::copy(wanted, wanted + (to - from), out[done + q] + (from - begin));
      }
    }
  }
}

/// Of a whole panel, into out[q] + at.
template <class Real>
void PanelStorage<Real>::panel_values(const Queries& queries, std::size_t first, std::size_t count,
                                      const PackedRows<Real>& rows, std::size_t panel,
                                      Real* const* out, std::size_t at) const {
  const bool sparse = !queries.starts.empty();
  PanelTask<Real> task{.x = sparse ? nullptr : queries.dense.data() + first * columns_,
                       .x_norms = queries.half_norms.data() + first,
                       .rows = count,
                       .columns = columns_,
                       .panel = rows.panel(panel),
                       .panel_norms = rows.half_norms(panel),
                       .out = out,
                       .at = at,
                       .sparse = {sparse ? queries.starts.data() + first : nullptr,
                                  queries.columns.data(), queries.values.data()}};
  rampart::panel_values(kernel_, task, queries.largest_half_norm + rows.largest_half_norm());
}

template class PackedRows<float>;
template class PackedRows<double>;
template class PanelStorage<float>;
template class PanelStorage<double>;

}  // namespace rampart
