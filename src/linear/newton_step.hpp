#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "linear/block_pass.hpp"

namespace rampart {

/// A step of (w, τ) together: one number for every column, then one for every offset.
struct NewtonStep {
  std::vector<double> step;
  double decrement = 0;  ///< twice the fall that the quadratic model promises
};

/// Minimises ½ stepᵀ(diag(λ) + curvature)·step + gradient·step by Cholesky. λ has a number for
/// every column. `damping` times the largest entry is added to the diagonal, which shortens the
/// step where few rows have curvature. An offset without curvature gets some, in the size of its
/// own gradient.
[[nodiscard]] NewtonStep direct_step(std::span<const double> gradient,
                                     std::span<const double> lambda, const PassSums& sums,
                                     double damping);

/// The same by conjugate gradients, preconditioned by the diagonal, to a tenth of the gradient:
/// `product` multiplies the curvature by a vector.
[[nodiscard]] NewtonStep iterative_step(
    std::span<const double> gradient, std::span<const double> lambda, const PassSums& sums,
    double damping, const std::function<std::vector<double>(std::span<const double>)>& product);

}  // namespace rampart
