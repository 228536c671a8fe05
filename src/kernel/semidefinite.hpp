#pragma once

#include <limits>
#include <optional>

#include "rampart/kernel.hpp"
#include "rampart/rows.hpp"

namespace rampart {

/// How far a computed kernel value may be off, in units of √k(x, x)·√k(z, z), at the least.
inline constexpr double least_kernel_rounding = 16 * std::numeric_limits<double>::epsilon();

/// Says that the matrix of these kernel values is positive semidefinite but for rounding, which is
/// what makes a dual value a lower bound of R. The number is a bound of that rounding: K plus so
/// many times its diagonal is semidefinite, and no value is off by more, in units of
/// √k(x, x)·√k(z, z). Nothing if the matrix is not known to be semidefinite.
///
/// Linear, RBF and polynomial kernels with coef0 ≥ 0 always give semidefinite matrices. Others may
/// or may not: their matrix is factorised, up to 2048 rows; beyond that, where it would take longer
/// than to train, nothing is known. Precomputed kernels: x is the matrix.
[[nodiscard]] std::optional<double> semidefinite_up_to(const Kernel& kernel, RowsView x,
                                                       unsigned threads);

}  // namespace rampart
