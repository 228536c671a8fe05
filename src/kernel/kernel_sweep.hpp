#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rampart/dataset.hpp"
#include "rampart/kernel.hpp"
#include "util/big_buffer.hpp"

namespace rampart {

/// Whether rows z are packed into panels by KernelSweep. It depends on the form and the number of
/// columns only, so that a part of the rows is treated like all of them.
[[nodiscard]] bool packs_into_panels(const Kernel& kernel, const Rows& z);

/// Kernel values k(x, zₘ) of some rows x against a range of rows z.
///
/// Dense rows z, and sparse ones of up to a thousand columns, are packed into panels (see
/// kernel/panels.hpp); a sparse x then costs only what it stores. Wider sparse rows z are kept by
/// columns: what is zero in either row costs nothing, and no memory. An entry is computed by the
/// same operations in the same order wherever its range begins or ends, and k(x, z) like k(z, x):
/// that is what makes training independent of cache sizes and threads.
///
/// Dense features of an RBF kernel are centred before they are rounded to float: far from the
/// origin that would cost all digits of near rows. Wide sparse rows are computed in double.
template <class Real>
class KernelSweep {
 public:
  /// Rows x, made ready to be compared.
  struct Queries {
    struct WideRow {
      std::vector<std::uint32_t> columns;  // positions in used_columns_, increasing
      std::vector<double> values;
      double squared_norm = 0;
      double outside = 0;  // its part in columns that no row z has
    };
    std::vector<std::size_t> which;   // their numbers in x
    std::vector<Real> dense;          // row after row; or, of sparse rows,
    std::vector<std::size_t> starts;  // the stored values, one row after the other
    std::vector<std::uint32_t> columns;
    std::vector<Real> values;
    std::vector<Real> norms;  // ½‖x‖², for distances
    Real largest_norm = 0;
    std::vector<WideRow> wide;

    [[nodiscard]] std::size_t size() const noexcept { return which.size(); }
  };

  /// Precomputed kernels: z is the kernel matrix itself.
  KernelSweep(const Kernel& kernel, const Rows& z);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool uses_panels() const noexcept { return by_panels_; }

  /// Rows `which` of x.
  [[nodiscard]] Queries prepare(const Rows& x, std::vector<std::size_t> which) const;

  /// out[q][i] = k(row first + q of the queries, z of row begin + i) for q < count and
  /// begin ≤ row < end.
  void values(const Queries& queries, std::size_t first, std::size_t count, std::size_t begin,
              std::size_t end, Real* const* out) const;

  /// The whole matrix: out[n][m] = k(row n of x, row m of x), x being the rows z.
  void matrix(const Rows& x, Real* const* out, unsigned threads) const;

  /// sums[i] += Σ c[q]·k(row q of the queries, z of row begin + i), in the order of the queries.
  void add_weighted_values(const Queries& queries, std::span<const double> c, std::size_t begin,
                           std::size_t end, double* sums) const;

  /// The same for each of its panels from `first` up to `last`, and the other way round: to
  /// of_queries[q] is added Σ c_panel·k(row q, z) over them. For dense rows; a panel is panel_rows
  /// rows, sums and c_panel are counted from the beginning of the first panel there is.
  void add_both_ways(const Queries& queries, std::span<const double> c, std::size_t first,
                     std::size_t last, const double* c_panel, double* sums,
                     double* of_queries) const;

  /// k(x, x) of every row.
  [[nodiscard]] std::vector<double> diagonal(const Rows& x) const;

  /// out[q][k] = k(row q of one, row k of other). Both must be rows of z.
  void between(const Queries& one, const Queries& other, Real* const* out) const;

 private:
  struct Panels {
    Panels() = default;
    Panels(std::size_t rows, std::size_t columns);
    void set(std::size_t row, std::span<const Real> from, Real norm);

    std::size_t columns = 0;
    BigBuffer<Real> values;
    BigBuffer<Real> norms;
    Real largest_norm = 0;
  };
  /// out[q][i] of some queries against rows `begin` … `end` of the panels.
  void dense_values(const Queries& queries, std::size_t first, std::size_t count,
                    const Panels& panels, std::size_t begin, std::size_t end,
                    Real* const* out) const;
  void panel_values(const Queries& queries, std::size_t first, std::size_t count,
                    const Panels& panels, std::size_t panel, Real* const* out,
                    std::size_t at) const;
  template <class Use>
  void for_few_queries(const Queries& queries, std::size_t panel, const Use& use) const;
  void fill_row(const Rows& x, std::size_t n, Real* row) const;
  void wide_values(const typename Queries::WideRow& query, std::size_t begin, std::size_t end,
                   std::vector<double>& products, Real* out) const;
  double wide_sum(const typename Queries::WideRow& a, const typename Queries::WideRow& b) const;

  Kernel kernel_;
  bool distances_;  // sums are ‖x − z‖² rather than x·z
  bool by_panels_;
  std::size_t size_;
  std::size_t columns_;
  Real rate_ = 0;               // of panel_rbf()
  std::vector<double> centre_;  // dense distances in float: subtracted from every row; else empty
  Panels panels_;

  std::vector<std::uint32_t> used_columns_;  // wide: those with any value, increasing
  std::vector<std::size_t> column_starts_;
  std::vector<std::uint32_t> row_of_;
  std::vector<double> value_of_;
  std::vector<double> squared_norms_;
  Rows rows_;  // wide distances: the rows once more, columns numbered as in used_columns_
};

extern template class KernelSweep<float>;
extern template class KernelSweep<double>;

}  // namespace rampart
