#pragma once

#include <cstddef>
#include <vector>

#include "rampart/kernel.hpp"
#include "rampart/rows.hpp"

namespace rampart {

/// Rows whose kernel functions span, nearly, those of all rows: at most `count`, fewer where fewer
/// do. In the order in which they were found, the most telling first; no two are the same row.
///
/// Randomly pivoted Cholesky factorisation (Chen, Epperly, Tropp and Webber, 2023) of the kernel
/// matrix of a random part of the rows: the next landmark is drawn with a probability in
/// proportion to what the landmarks so far leave of k(x, x). The numbers are drawn from a fixed
/// seed, so that the same rows give the same landmarks.
[[nodiscard]] std::vector<std::size_t> choose_landmarks(const Kernel& kernel, RowsView x,
                                                        std::size_t count, unsigned threads);

}  // namespace rampart
