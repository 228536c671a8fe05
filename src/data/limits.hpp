#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace rampart {

/// The most columns a file may have. A file with more is taken for a damaged one.
inline constexpr std::size_t most_columns = 16'777'216;

/// From this share of stored values on, dense rows need hardly more memory (8 bytes a value against
/// 12) and are much faster.
inline constexpr double dense_share = 0.3;

/// "256 MiB"; "1000 bytes" where it is not a whole number of them.
[[nodiscard]] inline std::string size_in_words(std::uint64_t bytes) {
  constexpr std::uint64_t mebibyte = 1 << 20;
  if (bytes == 0 || bytes % mebibyte != 0) return std::to_string(bytes) + " bytes";
  return std::to_string(bytes / mebibyte) + " MiB";
}

}  // namespace rampart
