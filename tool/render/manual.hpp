#pragma once

#include <string>
#include <vector>

#include "options/option_table.hpp"

namespace rampart::tool {

/// Pages for man(1): rampart(1), and rampart-train(1) and so on.
[[nodiscard]] std::string manual_of_command(const CommandEntry& command);
[[nodiscard]] std::string manual_of_all(const CommandEntry& whole,
                                        const std::vector<CommandEntry>& commands);

}  // namespace rampart::tool
