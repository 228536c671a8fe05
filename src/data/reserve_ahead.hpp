#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace rampart {

/// Reserves memory for `more` values behind those that are there. `share` is the part of a file
/// that these come from, if the values of the whole file will be kept: then memory for all of them
/// is reserved at once.
///
/// Growing step by step takes longer than reading the numbers, and while the values are copied they
/// are in memory twice. Memory that is reserved but never written takes none.
inline void reserve_ahead(std::vector<double>& values, std::size_t more,
                          std::optional<double> share) {
  constexpr std::size_t enough_to_estimate = 1 << 13;  // values; fewer say little about a file
  constexpr double spare = 1.05;                       // since later lines may be shorter
  const std::size_t least = values.size() + more;
  if (least <= values.capacity()) return;
  double wanted = 2.0 * static_cast<double>(std::max(values.size(), enough_to_estimate));
  if (share && values.size() >= enough_to_estimate) {
    wanted = spare * static_cast<double>(values.size()) / *share;
  }
  values.reserve(std::max(least, static_cast<std::size_t>(wanted)));
}

}  // namespace rampart
