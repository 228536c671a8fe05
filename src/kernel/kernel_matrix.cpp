#include "kernel/kernel_matrix.hpp"

#include "util/parallel.hpp"

namespace rampart {
namespace {

constexpr std::size_t rows_per_task = 48;

}  // namespace

KernelMatrix::KernelMatrix(const Kernel& kernel, const Rows& x, unsigned threads)
    : size_(x.size()), values_(x.size() * x.size()) {
  const KernelSweep<double> sweep(kernel, x);
  parallel_blocks(size_, rows_per_task, threads, [&](std::size_t begin, std::size_t end) {
    std::vector<std::size_t> which(end - begin);
    std::vector<double*> out(end - begin);
    for (std::size_t n = begin; n < end; ++n) {
      which[n - begin] = n;
      out[n - begin] = values_.data() + n * size_;
    }
    sweep.values(sweep.prepare(x, std::move(which)), 0, size_, out.data());
  });
}

}  // namespace rampart
