#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace rampart::tool {

/// --config FILE: options in a file, for people who type the same ones every day.
///
///   scale = standard        # for every command that has this option
///   [tune]
///   reject-cost = 0.1,0.2   # for tune alone
///   quiet                   # an option without a value
///
/// What is typed wins over the file.

/// Adds the option to the application, which then reads the file while it parses. Throws
/// OptionError that names the line if the file holds what no command has.
void add_config_file(CLI::App& app);

/// Adds it to the help of a command.
void show_config_file(CLI::App& command);

/// The arguments with --config in front of the command, where the application looks for it.
[[nodiscard]] std::vector<std::string> with_config_first(std::vector<std::string> arguments);

}  // namespace rampart::tool
