#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace rampart {

/// The room that find_word_ends() needs for so many characters: it writes some places too many.
[[nodiscard]] constexpr std::size_t room_for_word_ends(std::size_t size) { return size + 16; }

/// Writes the places, from 0, of all white space, colons and number signs, and returns how many
/// there are. Many characters are looked at at a time, and there is no branch for each: it would
/// often be mispredicted, since words end at unpredictable places.
std::size_t find_word_ends(std::string_view text, std::uint32_t* places);

/// How often some characters occur in a text.
struct CharacterCounts {
  std::size_t line_ends = 0;
  std::size_t colons = 0;
  std::size_t nuls = 0;
};
[[nodiscard]] CharacterCounts count_characters(std::string_view text);

}  // namespace rampart
