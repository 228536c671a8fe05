#pragma once

#include <span>
#include <string>
#include <string_view>

#include "rampart/io.hpp"

namespace rampart {

/// How many lines a guess is made from.
inline constexpr std::size_t sniffed_lines = 10;

/// What kind of file starts with these lines, as LineReader::preview() gives them; never automatic.
///
/// The first line that can only be one of the two decides: "label index:…" is LIBSVM, anything else
/// with two words or a delimiter is CSV. The name's extension decides only what the lines leave
/// open, such as a file that starts with rows of zeros.
[[nodiscard]] Format sniff_format(std::span<const std::string_view> lines, std::string_view name);

/// What separates the fields of a CSV file that starts with these lines; ' ' is white space.
///
/// The first of tab ; | , that occurs outside quotes, equally often on every line. Where there is
/// none, the rows may still be columns of words, or a row may be ragged, which is for the reader to
/// say.
[[nodiscard]] char sniff_delimiter(std::span<const std::string_view> lines);

}  // namespace rampart
