#pragma once

#include <string>
#include <vector>

#include "rampart/options.hpp"

namespace rampart::tool {

/// The file of each model of a command that trains several: {d} in the name stands for the reject
/// cost. Throws OptionError for several models without it, or more than can be open at a time.
[[nodiscard]] std::vector<std::string> output_names(const std::string& output,
                                                    const std::vector<TrainOptions>& methods);

}  // namespace rampart::tool
