#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rampart/dataset.hpp"
#include "rampart/kernel.hpp"

namespace rampart {

/// Kernel values k(x, zₘ) of one row x against a whole range of rows z.
///
/// The rows z are kept by columns, so that one feature of x meets many rows at a time: adjacent
/// memory, no search, loops that compilers turn into vector code. An entry is computed by the same
/// operations in the same order wherever its range begins or ends, and k(x, z) like k(z, x): that
/// is what makes training independent of cache sizes and threads.
///
/// Distances of dense rows are sums of squared differences, not ‖x‖² + ‖z‖² − 2x·z, which loses all
/// digits of near rows far from the origin. For the same reason dense features are centred before
/// they are rounded to float. Sparse rows are computed in double, by products, since that skips
/// what is zero in either row; where digits cancel, the distance is computed again by differences.
template <class Real>
class KernelSweep {
 public:
  /// One row x, made ready to be compared.
  struct Query {
    std::vector<Real> dense;
    std::vector<std::uint32_t> columns;  // sparse: positions in used_columns_, increasing
    std::vector<double> values;
    double squared_norm = 0;
    double outside = 0;            // its part in columns that no row z has
    std::vector<double> products;  // room for the sparse sums
  };

  /// Precomputed kernels: z is the kernel matrix itself.
  KernelSweep(const Kernel& kernel, const Rows& z);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  void prepare(const Rows& x, std::size_t n, Query& query) const;

  /// out[i] = k(x, z of row begin + i) for begin ≤ row < end.
  void operator()(Query& query, std::size_t begin, std::size_t end, Real* out) const;

 private:
  void dense_sums(const Query& query, std::size_t begin, std::size_t end, Real* out) const;
  void sparse_sums(Query& query, std::size_t begin, std::size_t end, Real* out) const;
  double distance_by_differences(const Query& query, std::size_t m) const;

  Kernel kernel_;
  bool distances_;  // sums are ‖x − z‖² rather than x·z
  bool dense_;
  std::size_t size_;
  std::size_t columns_;
  std::vector<double> centre_;  // dense distances in float: subtracted from every row; else empty
  std::vector<Real> by_column_;

  std::vector<std::uint32_t> used_columns_;  // sparse: those with any value, increasing
  std::vector<std::size_t> column_starts_;
  std::vector<std::uint32_t> row_of_;
  std::vector<double> value_of_;
  std::vector<double> squared_norms_;
  Rows rows_;  // sparse distances: the rows once more, columns numbered as in used_columns_
};

extern template class KernelSweep<float>;
extern template class KernelSweep<double>;

}  // namespace rampart
