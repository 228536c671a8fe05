#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace rampart::tool {

/// The options of a command as they are typed: "-c", "--C".
[[nodiscard]] std::vector<std::string> option_names(const CLI::App& app);

/// What the user got wrong, in one line, with what they probably meant.
[[nodiscard]] std::string explain(const CLI::App& app, const CLI::ParseError& error,
                                  const std::vector<std::string>& arguments);

/// "no command 'tran'; did you mean 'train'? Else see rampart --help"
[[nodiscard]] std::string no_command(const CLI::App& app, const std::string& name);

}  // namespace rampart::tool
