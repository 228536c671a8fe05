#pragma once

#include <span>

namespace rampart {

/// Replaces every value v by exp(factor·v), which must not be positive, with the widest vector
/// instructions this machine has.
///
/// Off by at most two units in the last place. A value has the same result wherever it stands, so
/// results do not depend on how rows are cut into ranges; they may differ in the last bit between
/// instruction sets.
void exponentials(std::span<float> values, float factor);
void exponentials(std::span<double> values, double factor);

}  // namespace rampart
