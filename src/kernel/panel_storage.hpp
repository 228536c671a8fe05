#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "kernel/kernel_storage.hpp"
#include "kernel/panels.hpp"
#include "kernel/recipe.hpp"
#include "rampart/rows.hpp"
#include "util/big_buffer.hpp"

namespace rampart {

/// Rows one after another, packed into panels (kernel/panels.hpp). The last panel is filled up with
/// rows of zeros.
template <class Real>
class PackedRows {
 public:
  PackedRows() = default;
  PackedRows(std::size_t rows, std::size_t columns);

  /// Row n. `half_norm` is ½‖x‖² of it, for kernels of distances.
  void set(std::size_t n, std::span<const Real> values, Real half_norm);

  [[nodiscard]] const Real* panel(std::size_t p) const {
    return values_.data() + p * panel_rows<Real> * columns_;
  }
  [[nodiscard]] const Real* half_norms(std::size_t p) const {
    return half_norms_.data() + p * panel_rows<Real>;
  }
  [[nodiscard]] std::size_t columns() const noexcept { return columns_; }
  [[nodiscard]] Real largest_half_norm() const noexcept { return largest_half_norm_; }

 private:
  std::size_t columns_ = 0;
  BigBuffer<Real> values_;
  BigBuffer<Real> half_norms_;
  Real largest_half_norm_ = 0;
};

/// Dense rows, or sparse ones of up to a thousand columns, packed into panels. A sparse x costs
/// only what it stores.
///
/// Dense features of an RBF kernel are centred before they are rounded to float: far from the
/// origin the rounding would cost all digits of the distance of near rows.
template <class Real>
class PanelStorage {
 public:
  using Value = Real;
  struct Queries {
    std::vector<Real> dense;          // row after row; or, of sparse rows,
    std::vector<std::size_t> starts;  // the stored values, one row after the other
    std::vector<std::uint32_t> columns;
    std::vector<Real> values;
    std::vector<Real> half_norms;  // ½‖x‖², for distances
    Real largest_half_norm = 0;

    [[nodiscard]] std::size_t size() const noexcept { return half_norms.size(); }
  };
  static constexpr std::size_t piece = 256;
  static constexpr bool queries_fit_other_rows = true;

  PanelStorage(const Kernel& kernel, RowsView z);

  /// Row k is row which[k] of z, or of zeros if that is `no_row`.
  static constexpr std::size_t no_row = std::numeric_limits<std::size_t>::max();
  PanelStorage(const Kernel& kernel, RowsView z, std::span<const std::size_t> which);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] Queries prepare(RowsView x, std::span<const std::size_t> which) const;
  void values(const Queries& queries, std::size_t first, std::size_t count, std::size_t begin,
              std::size_t end, Real* const* out) const;
  void matrix(RowsView x, Real* const* out, unsigned threads) const;
  void add_weighted_values(const Queries& queries, std::span<const double> c, std::size_t begin,
                           std::size_t end, double* sums) const;
  [[nodiscard]] std::vector<double> diagonal(RowsView x) const;
  void between(const Queries& one, const Queries& other, Real* const* out) const;

  /// Σ c[m]·k(x, zₘ) over all rows z, in their order, for one row x that has every column.
  /// Allocates nothing. In float, distances need rows x that were centred, so only in double.
  [[nodiscard]] double weighted_sum(
      std::span<const Real> x, std::span<const double> c) const requires std::same_as<Real, double>;

  /// add_weighted_values() of each panel from `first` up to `last`, and the other way round: to
  /// of_queries[q] is added Σ c_panel·k(row q, z) over them. A panel is panel_rows rows; sums and
  /// c_panel are counted from the beginning of the first panel there is.
  void add_both_ways(const Queries& queries, std::span<const double> c, std::size_t first,
                     std::size_t last, const double* c_panel, double* sums,
                     double* of_queries) const;

 private:
  template <class RowAt>
  void pack(RowsView z, const RowAt& row_at);
  void fill_row(RowsView x, std::size_t n, Real* row) const;
  void range_values(const Queries& queries, std::size_t first, std::size_t count,
                    const PackedRows<Real>& rows, std::size_t begin, std::size_t end,
                    Real* const* out) const;
  void panel_values(const Queries& queries, std::size_t first, std::size_t count,
                    const PackedRows<Real>& rows, std::size_t panel, Real* const* out,
                    std::size_t at) const;
  template <class Use>
  void for_few_queries(const Queries& queries, std::size_t panel, const Use& use) const;
  [[nodiscard]] bool sums_distances() const {
    return accumulated_by(kernel_) == Accumulate::squared_distances;
  }

  RowKernel kernel_;
  std::size_t size_;
  std::size_t columns_;
  std::vector<double> centre_;  // dense distances in float: subtracted from every row; else empty
  PackedRows<Real> rows_;
};

static_assert(KernelStorage<PanelStorage<float>> && KernelStorage<PanelStorage<double>>);
extern template class PackedRows<float>;
extern template class PackedRows<double>;
extern template class PanelStorage<float>;
extern template class PanelStorage<double>;

}  // namespace rampart
