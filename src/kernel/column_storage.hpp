#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernel/kernel_storage.hpp"
#include "kernel/recipe.hpp"
#include "rampart/rows.hpp"

namespace rampart {

/// Sparse rows of many columns, stored by columns: a zero in either of two rows costs neither time
/// nor memory. Sums are double, whatever the precision of the values.
template <class Real>
class ColumnStorage {
 public:
  using Value = Real;
  struct Query {
    std::vector<std::uint32_t> columns;  // positions in used_columns_, increasing
    std::vector<double> values;
    double squared_norm = 0;
    double outside = 0;  // its part in columns that no row z has
  };
  struct Queries {
    std::vector<Query> rows;

    [[nodiscard]] std::size_t size() const noexcept { return rows.size(); }
  };
  static constexpr std::size_t piece = 8192;
  static constexpr bool queries_fit_other_rows = false;  // they refer to used_columns_

  /// Rows z must live as long as the storage.
  ColumnStorage(const Kernel& kernel, RowsView z);

  [[nodiscard]] std::size_t size() const noexcept { return z_.size(); }
  [[nodiscard]] Queries prepare(RowsView x, const std::vector<std::size_t>& which) const;
  void values(const Queries& queries, std::size_t first, std::size_t count, std::size_t begin,
              std::size_t end, Real* const* out) const;
  void matrix(RowsView x, Real* const* out, unsigned threads) const;
  void add_weighted_values(const Queries& queries, std::span<const double> c, std::size_t begin,
                           std::size_t end, double* sums) const;
  [[nodiscard]] std::vector<double> diagonal(RowsView x) const;
  void between(const Queries& one, const Queries& other, Real* const* out) const;

 private:
  void find_used_columns();
  void sort_by_columns();
  [[nodiscard]] std::size_t position_of(std::size_t column) const;
  void row_values(const Query& query, std::size_t begin, std::size_t end,
                  std::vector<double>& products, Real* out) const;
  [[nodiscard]] double sum_of(const Query& a, const Query& b) const;
  [[nodiscard]] bool sums_distances() const {
    return accumulated_by(kernel_) == Accumulate::squared_distances;
  }

  RowKernel kernel_;
  RowsView z_;
  std::vector<std::uint32_t> used_columns_;  // those with any value, increasing
  std::vector<std::size_t> column_starts_;   // of each of them, in the two below
  std::vector<std::uint32_t> row_of_;
  std::vector<double> value_of_;
  std::vector<double> squared_norms_;
};

static_assert(KernelStorage<ColumnStorage<float>> && KernelStorage<ColumnStorage<double>>);
extern template class ColumnStorage<float>;
extern template class ColumnStorage<double>;

}  // namespace rampart
