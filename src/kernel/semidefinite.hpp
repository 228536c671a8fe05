#pragma once

#include <optional>

#include "rampart/dataset.hpp"
#include "rampart/kernel.hpp"

namespace rampart {

/// How nearly the matrix of these kernel values is known to be positive semidefinite, which is what
/// makes a dual value a lower bound of R: with this share of its diagonal added, it is. Nothing if
/// it is not known to be.
///
/// Linear, RBF and polynomial kernels with coef0 ≥ 0 are semidefinite but for rounding. Others may
/// or may not be: their matrix is factorised, up to 2048 rows; beyond that, where it would take
/// longer than to train, nothing is known. Precomputed kernels: x is the matrix.
[[nodiscard]] std::optional<double> semidefinite_up_to(const Kernel& kernel, const Rows& x,
                                                       unsigned threads);

}  // namespace rampart
