#pragma once

#include <optional>

#include "train/dca.hpp"

namespace rampart {

/// w = 0 with its best offsets, a rule that uses no feature, if its R is lower than that of
/// `found`; otherwise nothing.
///
/// The optimum of a convex loss is never higher, but a solution to a tolerance may be. If the
/// kernel is not positive semidefinite, or rounding kept the rounds from converging, R may be
/// higher by any factor. A double ramp that converged is not replaced: the paper's algorithm ends
/// at stationary points, and w = 0 is only another one.
///
/// If the lower bound of `found` also holds for w = 0, the result has that bound, and the violation
/// of the dual point it comes from.
[[nodiscard]] std::optional<DcaResult> zero_if_cheaper(const RampSum& sum, const DcaResult& found);

}  // namespace rampart
