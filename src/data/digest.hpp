#pragma once

#include <string>

namespace rampart {

/// SHA-256 of the file on the disk, as 64 hexadecimal digits, to identify a data set. Throws
/// InputError if it cannot be read.
[[nodiscard]] std::string sha256_of_file(const std::string& path);

}  // namespace rampart
