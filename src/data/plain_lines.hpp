#pragma once

#include <cstddef>
#include <cstdint>

#include "data/libsvm.hpp"

namespace rampart {

/// How many characters behind the end of a line parse_plain_line() may read.
inline constexpr std::size_t read_behind_line = 8;

/// As parse_libsvm_line(), for the line that begins at text[begin] and looks like "+1 3:0.25
/// 17:-4": nearly all lines of nearly all files. `places`: those that find_word_ends() has found in
/// the text, from the first of this line on, with a line end among them. Returns how many of them
/// belong to the line; 0 if it is not plain, or has a fault: then nothing is known of it.
[[nodiscard]] std::size_t parse_plain_line(const char* text, std::size_t begin,
                                           const std::uint32_t* places, const LibsvmRules& rules,
                                           LibsvmLine& found, std::uint32_t* indices,
                                           double* values) noexcept;

}  // namespace rampart
