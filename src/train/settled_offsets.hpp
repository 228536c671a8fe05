#pragma once

#include <span>

#include "train/ramp_sum.hpp"

namespace rampart {

/// Moves every offset to where R is lowest for this w, as far as that leaves the flat sets as they
/// are: to the middle, where that is an interval, near its end, where it has only one. So an offset
/// which the rows leave open does not depend on the path of a solver. Never raises R. Takes linear
/// time on average.
void settle_offsets(const RampSum& sum, std::span<const double> u, std::span<double> offsets);

}  // namespace rampart
