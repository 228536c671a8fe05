#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

#include "faces/option_text.hpp"
#include "faces/training_settings.hpp"

namespace rampart::tool {

/// Options that the command shares with the other faces of the core: names and texts come from
/// their table.

/// "-c,--C"
[[nodiscard]] std::string names_on_the_command_line(const OptionText& option);

/// What the help says: what the option is, what larger values do, and the default.
[[nodiscard]] std::string help_text(const OptionText& option);
[[nodiscard]] std::string help_text(std::string_view name);
/// The same with another default.
[[nodiscard]] std::string help_text(OptionText option, const std::string& standard);

/// Checks for what a single value must look like.
[[nodiscard]] CLI::Validator check_of(const OptionText& option);

/// Adds an option whose value goes to the settings.
CLI::Option* add_shared(CLI::App& command, std::string_view name, TrainingSettings& settings);

}  // namespace rampart::tool
