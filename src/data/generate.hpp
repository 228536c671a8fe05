#pragma once

#include <cstddef>
#include <cstdint>

#include "rampart/dataset.hpp"

namespace rampart {

/// The paper's artificial data sets, any size, the same bytes on every platform: Boost's generators
/// are specified to the bit, and coordinates are rounded to six decimals.
///
///   synthetic1   linear with 10 % of the labels flipped; half of the rows from each of
///                f₁ = .45 U([−1,0]×[−1,1]) + .5 U([−4,−3]×[0,1]) + .05 U([−10,0]×[−5,5])
///                f₂ = .45 U([0,1]×[−1,1]) + .5 U([9,10]×[−1,0]) + .05 U([0,10]×[−5,5])
///                (the paper lost the minus signs), labelled by the sign of x₁
///   synthetic2   two mixtures of ten Gaussians N(m, I/5), centres m drawn from N((1,0), I) for −1
///                and N((0,1), I) for +1 (Hastie, Tibshirani and Friedman)
///   square       uniform on [0,1]², +1 above the diagonal; a fifth of all labels flipped, chosen
///                among the points with |x₂ − x₁| < .225 (the paper's Section 3.4: 80 of 400)
enum class SyntheticSet { synthetic1, synthetic2, square };

/// As many rows as in the paper.
[[nodiscard]] std::size_t paper_size(SyntheticSet set);

/// `seed` draws the rows. `problem_seed` draws what they are drawn from (the centres of
/// synthetic2), so that another seed with the same problem seed gives a fresh test set.
[[nodiscard]] Dataset generate(SyntheticSet set, std::size_t rows, std::uint64_t seed,
                               std::uint64_t problem_seed = 1);

}  // namespace rampart
