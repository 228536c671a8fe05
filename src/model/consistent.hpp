#pragma once

#include "rampart/model.hpp"

namespace rampart {

/// Throws ModelError unless the parts of the model fit together, as those of trained and loaded
/// models do.
void require_consistent(const Model& model);

}  // namespace rampart
