#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "kernel/kernel_matrix.hpp"
#include "kernel/kernel_sweep.hpp"
#include "kernel/row_cache.hpp"
#include "rampart/dataset.hpp"
#include "rampart/options.hpp"
#include "rampart/scaling.hpp"

namespace rampart {

/// The rows of a training, scaled, with the kernel between them: what does not depend on the loss,
/// its costs, C or μ, and is therefore prepared once for many trainings.
struct TrainingRows {
  Scaling scaling;
  Rows x;              ///< scaled
  bool moved = false;  ///< whether features far from 0 were moved though no scaling was asked for
  Kernel kernel;
  std::optional<double> semidefinite;  ///< how nearly: see semidefinite_up_to()

  /// Throws InputError for rows that nothing can be learnt from.
  static TrainingRows prepare(const Dataset& data, const TrainOptions& options);
};

/// Whether the kernel rows of such a training are kept in double precision.
[[nodiscard]] bool wants_double(const TrainOptions& options, const Kernel& kernel,
                                std::size_t rows);
/// The same, also looking at the rows: numbers may be too large for float.
[[nodiscard]] bool wants_double(const TrainOptions& options, const TrainingRows& rows);

/// w = Σ vₙxₙ of a linear kernel.
[[nodiscard]] std::vector<double> weights_of(const Rows& x, std::span<const double> v);

/// Kv for a linear kernel, through w.
[[nodiscard]] std::vector<double> linear_product(const Rows& x, std::span<const double> v,
                                                 unsigned threads);

/// Kernel rows computed when they are asked for, and products with the matrix in double precision.
///
/// Products have one order of adding, whatever the number of threads: for double rows that of the
/// rows, as SharedKernel has it, for float rows that of kernel_product().
template <class Real>
class OwnKernel {
 public:
  OwnKernel(const TrainingRows& rows, std::size_t cache_bytes, unsigned threads)
      : rows_(rows), cache_(rows.kernel, rows.x, cache_bytes, threads), threads_(threads) {}

  [[nodiscard]] RowCache<Real>& rows() { return cache_; }
  [[nodiscard]] std::vector<double> product(std::span<const double> v);

 private:
  const TrainingRows& rows_;
  RowCache<Real> cache_;
  unsigned threads_;
};

extern template class OwnKernel<float>;
extern template class OwnKernel<double>;

/// The same from a matrix that other trainings share.
class SharedKernel {
 public:
  SharedKernel(const TrainingRows& rows, const KernelMatrix& whole, std::vector<std::size_t> which)
      : rows_(rows), part_(whole, std::move(which)) {}

  [[nodiscard]] KernelSubmatrix& rows() { return part_; }
  [[nodiscard]] std::vector<double> product(std::span<const double> v);

 private:
  const TrainingRows& rows_;
  KernelSubmatrix part_;
};

}  // namespace rampart
