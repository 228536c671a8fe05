#pragma once

#include <vector>

#include "rampart/dataset.hpp"

namespace rampart {

enum class ScalingKind { none, minmax, standard, centre };

/// x′ⱼ = (xⱼ − offsetⱼ)·factorⱼ, learnt from the training rows and kept in the model.
///
///   minmax     offset = min, factor = 1/(max − min): training features lie in [0, 1]
///   standard   offset = mean, factor = 1/standard deviation (divisor N)
///   centre     offset = (min + max)/2 of the features that lie far from 0, which every row stores;
///              0 of the others; factor = 1; none if there are none. Linear models that are not
///              scaled otherwise have it where they need it: they stay the same, but lose fewer
///              digits.
///
/// A feature that is constant in training gets factor 0: it is ignored, also in rows where it
/// varies.
struct Scaling {
  ScalingKind kind = ScalingKind::none;
  std::vector<double> offset;  ///< one per feature; empty for none
  std::vector<double> factor;

  /// Learns offsets and factors from these rows.
  [[nodiscard]] static Scaling fit(ScalingKind kind, RowsView x);

  /// The scaled rows. Sparse rows stay sparse where offsets fill the zeros of no more than a tenth
  /// of the columns.
  [[nodiscard]] Rows apply(RowsView x) const;

  friend bool operator==(const Scaling&, const Scaling&) = default;
};

}  // namespace rampart
