#include "util/text.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <numeric>

#include "rampart/errors.hpp"

namespace rampart {
namespace {

constexpr std::size_t longest_compared = 64;

constexpr char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Length of the well-formed UTF-8 character at the start of the text that is safe to show; 0 if
// there is none. C1 controls, which some terminals obey, are not safe, nor are the characters that
// break lines or turn the direction of writing.
std::size_t shown_length(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f;
  const std::size_t length = first < 0xc2   ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
  if (length == 0 || length > text.size()) return 0;
  unsigned code = first & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return 0;
    code = code << 6U | (byte(i) & 0x3fU);
  }
  if (length == 3 && code < 0x800) return 0;
  if (length == 4 && (code < 0x10000 || code > 0x10ffff)) return 0;
  if (code < 0xa0 || (code >= 0xd800 && code < 0xe000)) return 0;
  const auto between = [&](unsigned least, unsigned most) { return least <= code && code <= most; };
  const bool invisible = code == 0xad || code == 0x061c || code == 0xfeff ||
                         between(0x200b, 0x200f) || between(0x2028, 0x202e) ||
                         between(0x2060, 0x206f) || between(0xe0000, 0xe007f);
  return invisible ? 0 : length;
}

}  // namespace

std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view take_word(std::string_view& text) noexcept {
  const auto first = std::find_if_not(text.begin(), text.end(), is_space);
  const auto last = std::find_if(first, text.end(), is_space);
  const std::string_view word(first, last);
  text = {last, text.end()};
  return word;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept {
  return std::ranges::equal(a, b, {}, lower, lower);
}

std::string printable(std::string_view text, std::size_t longest) {
  std::string shown;
  std::size_t width = 0;
  std::size_t kept = 0;  // what still leaves room for the mark that something is left out
  while (!text.empty()) {
    const std::size_t length = shown_length(text);
    const std::size_t needed = length > 0 ? 1 : 4;
    if (width + needed > longest) {
      shown.resize(kept);
      return shown + "…";
    }
    if (length > 0) {
      shown += text.substr(0, length);
    } else {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
    width += needed;
    if (width < longest) kept = shown.size();
  }
  return shown;
}

std::string quoted(std::string_view text) { return fmt::format("'{}'", printable(text)); }

std::size_t edit_distance(std::string_view a, std::string_view b) {
  a = a.substr(0, longest_compared);
  b = b.substr(0, longest_compared);
  // One row of the usual table: row[j] is the distance of the part of `a` seen so far to b[0…j).
  std::array<std::size_t, longest_compared + 1> row{};
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (lower(a[i]) != lower(b[j]));
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

std::optional<std::string> nearest_word(std::string_view word,
                                        const std::vector<std::string>& words) {
  std::optional<std::string> best;
  std::size_t least = (word.size() + 1) / 2;  // so that a letter is like itself only
  for (const std::string& candidate : words) {
    const std::size_t away = edit_distance(word, candidate);
    if (away < least) {
      least = away;
      best = candidate;
    }
  }
  return best;
}

bool is_utf8(std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xC2 ? 0
                               : lead < 0xE0 ? 2
                               : lead < 0xF0 ? 3
                               : lead < 0xF5 ? 4
                                             : 0;
    if (length == 0 || i + length > text.size()) return false;
    for (std::size_t k = 1; k < length; ++k) {
      if ((static_cast<unsigned char>(text[i + k]) & 0xC0) != 0x80) return false;
    }
    const auto second = static_cast<unsigned char>(length > 1 ? text[i + 1] : 0);
    // Overlong forms, surrogates and what lies beyond Unicode.
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second >= 0xA0) ||
        (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second >= 0x90)) {
      return false;
    }
    i += length;
  }
  return true;
}

}  // namespace rampart
