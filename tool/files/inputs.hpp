#pragma once

#include <string>
#include <vector>

namespace rampart::tool {

/// The files that DATA names, in the order of their names: a file, or "-", standard input, is
/// itself; a folder is all files in it but hidden ones; a pattern such as 'part-*.rows' is all
/// files that fit. Throws InputError if there are none.
[[nodiscard]] std::vector<std::string> files_of(const std::string& data);

}  // namespace rampart::tool
