#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernel/kernel_storage.hpp"
#include "rampart/rows.hpp"

namespace rampart {

/// A given kernel matrix: the features of a row are its kernel values with rows 1, 2, …, N. Nothing
/// is computed or copied; queries view the rows that they were made from.
template <class Real>
class MatrixStorage {
 public:
  using Value = Real;
  struct Queries {
    RowsView x;
    std::vector<std::size_t> which;  // rows of x

    [[nodiscard]] std::size_t size() const noexcept { return which.size(); }
  };
  static constexpr std::size_t piece = 8192;
  static constexpr bool queries_fit_other_rows = true;

  /// The matrix must be dense and square.
  explicit MatrixStorage(RowsView matrix);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] Queries prepare(RowsView x, std::vector<std::size_t> which) const;
  void values(const Queries& queries, std::size_t first, std::size_t count, std::size_t begin,
              std::size_t end, Real* const* out) const;
  void matrix(RowsView x, Real* const* out, unsigned threads) const;
  void add_weighted_values(const Queries& queries, std::span<const double> c, std::size_t begin,
                           std::size_t end, double* sums) const;
  [[nodiscard]] std::vector<double> diagonal(RowsView x) const;
  void between(const Queries& one, const Queries& other, Real* const* out) const;

 private:
  std::size_t size_;
};

static_assert(KernelStorage<MatrixStorage<float>> && KernelStorage<MatrixStorage<double>>);
extern template class MatrixStorage<float>;
extern template class MatrixStorage<double>;

}  // namespace rampart
