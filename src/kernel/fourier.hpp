#pragma once

#include <span>

namespace rampart {

/// Replaces every value t by cos t + sin t, with the widest vector instructions this machine has.
///
/// Why this sum: features cos(v·x) + sin(v·x) of frequencies v and −v have the products
/// 2·cos(v·(x − z)), whose mean over normal frequencies is an RBF kernel, so that neither phases
/// nor two functions are needed.
///
/// Off by at most a few units in the last place of 1. A value has the same result wherever it
/// stands; results may differ in the last bit between instruction sets. NaN if t is not finite.
void cosines_plus_sines(std::span<double> values);
void cosines_plus_sines(std::span<float> values);

}  // namespace rampart
