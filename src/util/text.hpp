#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rampart {

/// White space inside a line, line ends included.
[[nodiscard]] constexpr bool is_space(char c) noexcept {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/// The text without white space at its ends.
[[nodiscard]] std::string_view trimmed(std::string_view text) noexcept;

/// The first word of the text, which loses it together with the white space before it. Empty at
/// the end.
[[nodiscard]] std::string_view take_word(std::string_view& text) noexcept;

/// Whether two texts are equal when A–Z count as a–z.
[[nodiscard]] bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept;

/// printable() between single quotes.
[[nodiscard]] std::string quoted(std::string_view text);

/// Whether the text can be written to JSON as it is.
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

/// The fewest letters to insert, remove or replace that turn one text into the other; A–Z count as
/// a–z. Only the first 64 bytes are looked at, which is enough to suggest a name.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// Text of a file made safe to show: on one line, at most so many characters. Control characters,
/// characters that change the writing direction, and bytes that are not UTF-8 are written as \xNN.
[[nodiscard]] std::string printable(std::string_view text, std::size_t longest = 40);

}  // namespace rampart
