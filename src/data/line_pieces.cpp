#include "data/line_pieces.hpp"

namespace rampart {

std::size_t count_of(char c, std::string_view text) noexcept {
  // Sums of up to 255 ones fit into a byte, so that the compiler compares and adds many at a time.
  constexpr std::size_t stretch = 128;
  std::size_t count = 0;
  std::size_t k = 0;
  for (; k + stretch <= text.size(); k += stretch) {
    std::uint8_t sum = 0;
    for (std::size_t i = 0; i < stretch; ++i) {
      sum = static_cast<std::uint8_t>(sum + (text[k + i] == c));
    }
    count += sum;
  }
  for (; k < text.size(); ++k) count += text[k] == c;
  return count;
}

std::vector<std::string_view> cut_at_lines(std::string_view lines, std::size_t size) {
  std::vector<std::string_view> pieces;
  while (!lines.empty()) {
    const std::size_t least = std::min(size, lines.size());
    const std::size_t end = lines.find('\n', least == 0 ? 0 : least - 1);
    pieces.push_back(lines.substr(0, end == lines.npos ? end : end + 1));
    lines.remove_prefix(pieces.back().size());
  }
  return pieces;
}

}  // namespace rampart
