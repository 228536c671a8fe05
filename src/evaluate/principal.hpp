#pragma once

#include <array>
#include <optional>
#include <vector>

#include "rampart/dataset.hpp"

namespace rampart {

/// The plane through the mean of some rows that holds most of their variance.
struct PrincipalPlane {
  std::vector<double> mean;
  std::array<std::vector<double>, 2> directions;  ///< orthonormal; their largest entry is positive
  double variance_share = 1;                      ///< of the rows' variance
};

/// For rows of at least two columns; nothing if the rows do not differ. Takes some dozen passes
/// over the rows, and the memory of the rows.
[[nodiscard]] std::optional<PrincipalPlane> principal_plane(const Rows& x);

}  // namespace rampart
