#pragma once

#include <algorithm>
#include <cstddef>
#include <new>
#include <optional>
#include <vector>

namespace rampart {

/// Makes the system provide these bytes of memory, which nobody has used yet; a hint.
void touch_memory(const void* begin, std::size_t bytes) noexcept;

/// Asks for large pages for memory that nobody has used yet, if it is large: passes over the rows
/// then wait less for addresses, and fewer pages have to be provided. A hint.
void prefer_large_pages(const void* begin, std::size_t bytes) noexcept;

/// Which part of the data a file is, for estimates of how much is still to come.
struct FilePart {
  double before = 0;  ///< the part of the files before it, from 0 to 1
  double size = 1;    ///< its own part; 0: not known

  /// The part of all data that has been read with this part of the file.
  [[nodiscard]] std::optional<double> share(std::optional<double> of_file) const noexcept {
    if (!of_file || size == 0) return std::nullopt;
    return before + size * *of_file;
  }
};

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
  try {
    values.reserve(std::max(least, static_cast<std::size_t>(wanted)));
  } catch (const std::bad_alloc&) {  // the estimate may be far too large
    values.reserve(least);
  }
  prefer_large_pages(values.data() + values.size(),
                     (values.capacity() - values.size()) * sizeof(double));
}

/// Asks the system for the memory behind the values that are there, which has been reserved and is
/// written soon. Another thread may call it meanwhile: nothing is read or written. Memory that is
/// new costs as much as parsing a third of what it will hold.
template <class Value>
void touch_ahead(const std::vector<Value>& values, std::size_t more) noexcept {
  const std::size_t room = std::min(more, values.capacity() - values.size());
  touch_memory(values.data() + values.size(), room * sizeof(Value));
}

}  // namespace rampart
