#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "kernel/kernel_sweep.hpp"
#include "linear/row_map.hpp"
#include "rampart/kernel.hpp"
#include "rampart/options.hpp"
#include "rampart/rows.hpp"

namespace rampart {

/// An explicit map to features whose inner products are an RBF kernel, or nearly: φ(x) = W·k(V, x)
/// for some vectors V. A linear function of it is a kernel expansion, w·φ(x) = (Wᵀw)·k(V, x), so
/// that a model needs nothing but V and Wᵀw.
class FeatureMap : public RowMap {
 public:
  /// Nyström's map for landmarks among the rows: k(V, V) = LLᵀ and W = L⁻¹, so that φ(x)·φ(z) is
  /// k(x, z) as far as the functions k(v, ·) span it. There may be fewer features than landmarks
  /// were asked for, where fewer give the same. `single`: φ is rounded to float.
  [[nodiscard]] static FeatureMap of_landmarks(const RbfKernel& kernel, RowsView x,
                                               std::size_t landmarks, bool single,
                                               unsigned threads);

  /// Random Fourier features: V are frequencies v, −v drawn from a fixed seed, k(v, x) is
  /// cos(v·x) + sin(v·x), and W = 1/√features.
  [[nodiscard]] static FeatureMap of_frequencies(const RbfKernel& kernel, std::size_t columns,
                                                 std::size_t features, bool single);

  [[nodiscard]] std::size_t columns() const override { return columns_; }
  void apply(RowsView x, std::span<double> out) const override;

  [[nodiscard]] const Kernel& kernel() const { return kernel_; }
  [[nodiscard]] const Rows& vectors() const { return *vectors_; }

  /// Wᵀw: one coefficient a vector.
  [[nodiscard]] std::vector<double> coefficients(std::span<const double> w) const;

 private:
  FeatureMap(Kernel kernel, Rows vectors, bool single);
  void multiply(std::span<const double> values, std::size_t rows, std::span<double> out) const;

  Kernel kernel_;
  std::unique_ptr<const Rows> vectors_;  // views of them must survive a move of the map
  KernelSweep<double> sweep_;
  std::size_t columns_;
  bool single_;
  double scale_ = 1;            // W, if it is a number
  std::vector<double> matrix_;  // W, row after row; lower triangle
  /// W again, some rows at a time, without the zeros to the right of them.
  struct Part {
    std::size_t first;
    std::size_t columns;
    PanelStorage<double> rows;
  };
  std::vector<Part> parts_;
};

}  // namespace rampart
