#include "kernel/kernel_matrix.hpp"

namespace rampart {

KernelMatrix::KernelMatrix(const Kernel& kernel, RowsView x, unsigned threads)
    : size_(x.size()), values_(x.size() * x.size()) {
  std::vector<double*> rows(size_);
  for (std::size_t n = 0; n < size_; ++n) rows[n] = values_.data() + n * size_;
  KernelSweep<double>(kernel, x).matrix(x, rows.data(), threads);
}

}  // namespace rampart
