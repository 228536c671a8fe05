#pragma once

#include <string>
#include <vector>

#include "rampart/io.hpp"

namespace rampart {

/// The lines of a text file, one name each: white space around them and a last empty line do not
/// count.
[[nodiscard]] std::vector<std::string> read_lines(const std::string& path,
                                                  const ReadLimits& limits = {});

}  // namespace rampart
