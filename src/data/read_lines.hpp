#pragma once

#include <string>
#include <vector>

#include "rampart/io.hpp"

namespace rampart {

/// The lines of a text file, one name each, without surrounding white space and without a last
/// empty line.
[[nodiscard]] std::vector<std::string> read_lines(const std::string& path,
                                                  const ReadLimits& limits = {});

}  // namespace rampart
