#pragma once

#include <limits>
#include <optional>

#include "rampart/kernel.hpp"
#include "rampart/rows.hpp"

namespace rampart {

/// The least error that a computed kernel value is taken to have, in units of √k(x, x)·√k(z, z).
inline constexpr double least_kernel_rounding = 16 * std::numeric_limits<double>::epsilon();

/// Whether the kernel matrix K of x is positive semidefinite up to rounding; only then is a dual
/// value a lower bound of R. Returns a bound e of that rounding: K + e·diag(K) is semidefinite, and
/// no value of K is off by more than e·√k(x, x)·√k(z, z). Returns nothing if K is not known to be
/// semidefinite.
///
/// Linear, RBF and polynomial kernels with coef0 ≥ 0 always give semidefinite matrices. Others may
/// or may not: their matrix is factorised, up to 2048 rows; beyond that, where it would take longer
/// than to train, nothing is known. Precomputed kernels: x is the matrix.
[[nodiscard]] std::optional<double> semidefinite_up_to(const Kernel& kernel, RowsView x,
                                                       unsigned threads);

}  // namespace rampart
