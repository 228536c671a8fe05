#pragma once

#include <string>

namespace rampart {

/// SHA-256 of the file as it is on the disk, as 64 hexadecimal digits: whether data are the ones
/// that somebody else used. Throws InputError if it cannot be read.
[[nodiscard]] std::string sha256_of_file(const std::string& path);

}  // namespace rampart
