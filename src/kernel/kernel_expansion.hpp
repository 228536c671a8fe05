#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "kernel/panel_storage.hpp"
#include "rampart/kernel.hpp"
#include "rampart/rows.hpp"

namespace rampart {

/// u(x) = Σᵢ cᵢ·k(vᵢ, x), the kernel expansion of a surface, for one dense row x at a time.
///
/// The vectors v are prepared once; a call allocates nothing. Its result has the bits that
/// KernelSweep<double>::add_weighted_values() gives for dense rows x: a kernel value has the same
/// bits whichever of its two rows is in a panel, and the sum has the order of the vectors.
class KernelExpansion {
 public:
  /// One coefficient a vector. Keeps copies. Not for precomputed kernels, which have no vectors.
  KernelExpansion(const Kernel& kernel, RowsView vectors, std::vector<double> coefficients);

  [[nodiscard]] std::size_t columns() const noexcept { return columns_; }

  /// x has columns() values.
  [[nodiscard]] double operator()(std::span<const double> x) const noexcept;

 private:
  /// Vectors of many columns, most of them zero, which would take too much memory in panels.
  class SparseVectors {
   public:
    SparseVectors(const Kernel& kernel, RowsView vectors);
    [[nodiscard]] double weighted_sum(std::span<const double> x, std::span<const double> c) const;

   private:
    RowKernel kernel_;
    std::vector<std::size_t> starts_;  // empty rows fill up the last panel
    std::vector<std::uint32_t> columns_;
    std::vector<double> values_;
    std::vector<double> half_norms_;  // ½‖v‖²
    double largest_half_norm_ = 0;
  };

  std::size_t columns_;
  std::vector<double> coefficients_;
  std::variant<PanelStorage<double>, SparseVectors> vectors_;
};

}  // namespace rampart
