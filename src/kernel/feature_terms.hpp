#pragma once

#include <array>
#include <cstddef>

namespace rampart {

/// Adds the terms of a few features to every sum, one feature after the other, with the widest
/// vector instructions this machine has: sums[i] += z[j][i]·x[j], or (z[j][i] − x[j])² for
/// distances. Several features at a time, so that the sums travel to memory less often; every sum
/// is rounded as a plain loop would, so that the result does not depend on the instruction set.
template <class Real, std::size_t features>
void add_terms(bool distances, const Real* x, const std::array<const Real*, features>& z,
               std::size_t count, Real* sums);

}  // namespace rampart
