#pragma once

#include <span>
#include <vector>

#include "rampart/kernel.hpp"
#include "rampart/rows.hpp"

namespace rampart {

/// Kv for the kernel matrix of x with itself, in double precision and without storing any of it.
///
/// Rows with v = 0 take no part, and nearly every pair of the others is evaluated once. Sums have
/// one order, whatever the number of threads.
[[nodiscard]] std::vector<double> kernel_product(const Kernel& kernel, RowsView x,
                                                 std::span<const double> v, unsigned threads);

}  // namespace rampart
