#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rampart {

/// A piece of somebody's file as it may be shown to people: on one line, at most so many
/// characters, with whatever a terminal might obey or misread written as \xNN. Control characters
/// are such, those that turn the direction of writing, and bytes that are no UTF-8.
[[nodiscard]] std::string printable(std::string_view text, std::size_t longest = 40);

}  // namespace rampart
