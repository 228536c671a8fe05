#pragma once

#include <optional>

#include "train/dca.hpp"

namespace rampart {

/// What to keep instead of what the rounds found, if it is cheaper: w = 0 with its best offsets, a
/// rule that looks at no feature. Nothing if it is not.
///
/// The optimum of a convex loss is never dearer, but what was found to a tolerance may be. With a
/// kernel that is not positive semidefinite, or where rounding kept the rounds from converging, it
/// may be dearer by any factor. A double ramp that converged is left alone: the paper's algorithm
/// ends at stationary points, of which w = 0 is another.
///
/// Where the bound that was found holds for w = 0 too, it is kept, with the violation of the dual
/// point that it comes from.
[[nodiscard]] std::optional<DcaResult> zero_if_cheaper(const RampSum& sum, const DcaResult& found);

}  // namespace rampart
