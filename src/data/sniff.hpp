#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rampart/io.hpp"

namespace rampart {

/// How many lines a guess is made from.
inline constexpr std::size_t sniffed_lines = 10;

/// What kind of file starts with these lines, as LineReader::preview() gives them; never automatic.
///
/// A file whose first line that is no comment (%) is @relation or @attribute is ARFF. Of others the
/// first line that fits only one format decides: "label index:…" is LIBSVM, any other line with two
/// words or a delimiter is CSV. If all lines fit both, as rows of zeros do, the extension of
/// the name decides.
[[nodiscard]] Format sniff_format(std::span<const std::string_view> lines, std::string_view name);

/// The delimiter that the first line "sep=;" names, as Excel reads and writes it; nothing if the
/// text starts otherwise.
[[nodiscard]] std::optional<char> named_delimiter(std::string_view start);

/// What separates the fields of a CSV file that starts with these lines; ' ' is white space.
///
/// The first of tab ; | , that occurs outside quotes, equally often on every line. Where there is
/// none, the file may be a table of words, or its rows may have different lengths, which the reader
/// reports.
[[nodiscard]] char sniff_delimiter(std::span<const std::string_view> lines);

}  // namespace rampart
