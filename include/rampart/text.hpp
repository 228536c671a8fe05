#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rampart {

/// Text of a file made safe to show: on one line, at most so many characters. Control characters,
/// characters that change the writing direction, and bytes that are not UTF-8 are written as \xNN.
[[nodiscard]] std::string printable(std::string_view text, std::size_t longest = 40);

}  // namespace rampart
