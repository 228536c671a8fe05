#include "util/text.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>

#include "rampart/errors.hpp"

namespace rampart {
namespace {

constexpr std::size_t longest_compared = 64;

constexpr char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

struct Character {
  std::uint32_t code = 0;
  std::size_t length = 0;  // in bytes; 0: what is there is not UTF-8
};

// The first character of a text that is not empty, by the rules of RFC 3629: no overlong forms, no
// surrogates, nothing beyond Unicode.
Character first_character(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::uint32_t first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first < 0xc2   ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
  if (length == 0 || length > text.size()) return {};
  std::uint32_t code = first & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return {};
    code = code << 6U | (byte(i) & 0x3fU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (overlong || surrogate || code > 0x10ffff) return {};
  return {code, length};
}

// Whether a terminal shows the character and does nothing else. It may obey control characters,
// those of C1 (0x80 … 0x9f) among them; others break lines, turn the direction of writing or are
// invisible.
bool is_safe_to_show(std::uint32_t code) noexcept {
  const auto between = [&](std::uint32_t least, std::uint32_t most) {
    return least <= code && code <= most;
  };
  return !(code < 0x20 || between(0x7f, 0x9f) || code == 0xad || code == 0x061c || code == 0xfeff ||
           between(0x200b, 0x200f) || between(0x2028, 0x202e) || between(0x2060, 0x206f) ||
           between(0xe0000, 0xe007f));
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
  std::size_t kept = 0;  // the bytes of `shown` that leave space for "…"
  while (!text.empty()) {
    const Character character = first_character(text);
    const bool as_it_is = character.length > 0 && is_safe_to_show(character.code);
    const std::size_t needed = as_it_is ? 1 : 4;
    if (width + needed > longest) {
      shown.resize(kept);
      return shown + "…";
    }
    if (as_it_is) {
      shown += text.substr(0, character.length);
    } else {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    }
    text.remove_prefix(as_it_is ? character.length : 1);
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
  std::size_t least = (word.size() + 1) / 2;  // so that one letter resembles only itself
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
  while (!text.empty()) {
    const std::size_t length = first_character(text).length;
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace rampart
