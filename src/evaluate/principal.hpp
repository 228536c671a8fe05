#pragma once

#include <array>
#include <cstddef>
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

/// `features` ≥ 2 may exceed the columns of the rows: what is not stored is 0. Nothing if the rows
/// do not differ.
[[nodiscard]] std::optional<PrincipalPlane> principal_plane(const Rows& x, std::size_t features);

}  // namespace rampart
