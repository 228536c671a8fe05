#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernel/kernel_rows.hpp"

namespace rampart {

/// The kernel matrix among the working rows, small enough to stay in the processor's cache.
template <KernelRows Kernel>
class WorkingMatrix {
 public:
  using Value = typename Kernel::Value;

  [[nodiscard]] const Value* row(std::size_t a) const { return rows_[a]; }
  [[nodiscard]] double diagonal(std::size_t a) const { return diagonal_[a]; }
  [[nodiscard]] const double* diagonal() const { return diagonal_.data(); }

  /// Updates the matrix for changed working rows; those at the positions `fresh` are new. Copies
  /// nothing if the working set has all rows and the kernel keeps its whole matrix.
  void follow(Kernel& kernel, std::span<const std::uint32_t> working,
              std::span<const std::size_t> fresh) {
    if (fresh.empty()) return;
    diagonal_.resize(working.size());
    for (const std::size_t a : fresh) diagonal_[a] = kernel.diagonal(working[a]);
    rows_.clear();
    if (working.size() == kernel.size()) rows_ = kernel.whole();
    if (rows_.empty()) fill(kernel, working, fresh);
  }

 private:
  void fill(Kernel& kernel, std::span<const std::uint32_t> working,
            std::span<const std::size_t> fresh) {
    const std::size_t size = working.size();
    values_.resize(size * size);
    rows_.resize(size);
    for (std::size_t a = 0; a < size; ++a) rows_[a] = values_.data() + a * size;
    std::vector<std::uint32_t> numbers;
    std::vector<Value*> out;
    for (const std::size_t a : fresh) {
      numbers.push_back(working[a]);
      out.push_back(values_.data() + a * size);
    }
    kernel.block(numbers, working, out);
    // Fills the columns of the new rows by symmetry, several rows at a time: their values are
    // adjacent.
    constexpr std::size_t together = 64 / sizeof(Value);
    for (std::size_t begin = 0; begin < size; begin += together) {
      const std::size_t end = std::min(size, begin + together);
      for (const std::size_t k : fresh) {
        for (std::size_t a = begin; a < end; ++a) values_[a * size + k] = values_[k * size + a];
      }
    }
  }

  std::vector<const Value*> rows_;
  std::vector<Value> values_;  // empty if the kernel keeps its whole matrix
  std::vector<double> diagonal_;
};

}  // namespace rampart
