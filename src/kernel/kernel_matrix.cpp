#include "kernel/kernel_matrix.hpp"

#include "util/parallel.hpp"

namespace rampart {
namespace {

constexpr std::size_t rows_per_task = 16;

}  // namespace

KernelMatrix::KernelMatrix(const Kernel& kernel, const Rows& x, unsigned threads)
    : size_(x.size()), values_(x.size() * x.size()) {
  const KernelSweep<double> sweep(kernel, x);
  parallel_blocks(size_, rows_per_task, threads, [&](std::size_t begin, std::size_t end) {
    KernelSweep<double>::Query query;
    for (std::size_t n = begin; n < end; ++n) {
      sweep.prepare(x, n, query);
      sweep(query, 0, size_, values_.data() + n * size_);
    }
  });
}

}  // namespace rampart
