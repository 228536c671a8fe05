#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace rampart {

/// Lets `more` values fit behind those that are there. `share` is how much of the file these come
/// from, if all of it will be kept: then room is made once, for the rest of it too.
///
/// Memory that is reserved and never touched costs nothing; what is touched, copied and given back
/// by growing step by step costs more than to read the numbers.
inline void make_room(std::vector<double>& values, std::size_t more, std::optional<double> share) {
  constexpr std::size_t telling = 1 << 13;  // values: fewer say little about a file
  const std::size_t least = values.size() + more;
  if (least <= values.capacity()) return;
  double room = 2.0 * static_cast<double>(std::max(values.size(), telling));
  if (share && values.size() >= telling) room = 1.05 * static_cast<double>(values.size()) / *share;
  values.reserve(std::max(least, static_cast<std::size_t>(room)));
}

}  // namespace rampart
