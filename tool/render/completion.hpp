#pragma once

#include <string>

#include "options/option_table.hpp"

namespace rampart::tool {

/// Scripts that let a shell complete commands, options and their values. `whole` is the command
/// without a sub-command.
[[nodiscard]] std::string bash_completion(const CommandEntry& whole,
                                          const std::vector<CommandEntry>& commands);
[[nodiscard]] std::string zsh_completion(const CommandEntry& whole,
                                         const std::vector<CommandEntry>& commands);
[[nodiscard]] std::string fish_completion(const CommandEntry& whole,
                                          const std::vector<CommandEntry>& commands);

}  // namespace rampart::tool
