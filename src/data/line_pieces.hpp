#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace rampart {

/// How much text is parsed at once. Only speed and memory depend on it, never what is read.
struct BlockSizes {
  std::size_t first = std::size_t{1}
                      << 16U;  ///< bytes of a block at first; 0: nothing is parsed ahead
  std::size_t most = std::size_t{1} << 23U;   ///< blocks double up to this
  std::size_t piece = std::size_t{1} << 17U;  ///< bytes of a block that one task parses
};

/// How often a character occurs.
[[nodiscard]] std::size_t count_of(char c, std::string_view text) noexcept;

[[nodiscard]] inline bool holds(std::string_view text, char c) noexcept {
  return !text.empty() && std::memchr(text.data(), c, text.size()) != nullptr;
}

/// Cuts whole lines into pieces of about this size, of whole lines again.
[[nodiscard]] std::vector<std::string_view> cut_at_lines(std::string_view lines, std::size_t size);

/// Calls parse(line, line end included) for every line of whole lines.
template <class Parse>
void for_each_line(std::string_view lines, const Parse& parse) {
  while (!lines.empty()) {
    const auto* end = static_cast<const char*>(std::memchr(lines.data(), '\n', lines.size()));
    const auto size = static_cast<std::size_t>(end - lines.data()) + 1;
    parse(lines.substr(0, size));
    lines.remove_prefix(size);
  }
}

/// The size of the next block: small at first, since what the first rows say about their columns
/// changes how the others are parsed, and then larger.
class BlockGrowth {
 public:
  explicit BlockGrowth(const BlockSizes& sizes) : sizes_(sizes), next_(sizes.first) {}

  /// The size of the next block; the one after it is twice as large.
  [[nodiscard]] std::size_t take() noexcept {
    const std::size_t size = next_;
    next_ = next_ < sizes_.most / 2 ? 2 * next_ : std::max(sizes_.most, sizes_.first);
    return size;
  }
  void start_again() noexcept { next_ = sizes_.first; }

 private:
  BlockSizes sizes_;
  std::size_t next_;
};

}  // namespace rampart
