#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rampart/dataset.hpp"
#include "rampart/names.hpp"

namespace rampart {

enum class ScalingKind { none, minmax, standard, centre };
[[nodiscard]] std::span<const Named<ScalingKind>> names_of(ScalingKind);

/// x′ⱼ = (xⱼ − offsetⱼ)·factorⱼ, learnt from the training rows and kept in the model.
///
///   minmax     offset = min, factor = 1/(max − min): training features lie in [0, 1]
///   standard   offset = mean, factor = 1/standard deviation (divisor N)
///   centre     offset = (min + max)/2 of the features that lie far from 0, which every row stores;
///              0 of the others; factor = 1; none if there are none. Linear models that are not
///              scaled otherwise have it where they need it: they stay the same, but lose fewer
///              digits.
///
/// A feature that is constant in training gets factor 0: it is ignored, also in other rows.
struct Scaling {
  ScalingKind kind = ScalingKind::none;
  std::vector<double> offset;  ///< one per feature; empty for none
  std::vector<double> factor;

  /// Learns offsets and factors from these rows.
  [[nodiscard]] static Scaling fit(ScalingKind kind, RowsView x);

  /// One value of feature j, scaled.
  [[nodiscard]] double value(std::size_t j, double x) const {
    if (kind == ScalingKind::none) return x;
    return factor[j] == 0 ? 0.0 : (x - offset[j]) * factor[j];
  }

  /// The scaled rows. Sparse rows stay sparse if offsets change the zeros of at most a tenth of the
  /// columns.
  [[nodiscard]] Rows apply(RowsView x) const;

  friend bool operator==(const Scaling&, const Scaling&) = default;
};

}  // namespace rampart
