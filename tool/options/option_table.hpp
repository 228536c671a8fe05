#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace rampart::tool {

/// The options of the commands as plain values, for what is generated from them: completion for
/// shells and manual pages.

struct OptionEntry {
  std::vector<std::string> short_names;  ///< "c"
  std::vector<std::string> long_names;   ///< "C"; both empty: an argument by its place
  std::string value;                     ///< what follows it, "linear|rbf"; empty: nothing
  std::vector<std::string> choices;      ///< the values it may have, if these are few
  bool takes_file = false;
  std::string about;
  std::string group;

  /// "-c", "--C"
  [[nodiscard]] std::vector<std::string> names() const;
};

struct CommandEntry {
  std::string name;
  std::string about;  ///< the first line of its description
  std::string text;   ///< the others
  std::vector<OptionEntry> arguments;
  std::vector<OptionEntry> options;
};

/// Every command that --help lists, and its options.
[[nodiscard]] std::vector<CommandEntry> command_table(const CLI::App& app);

/// The application itself.
[[nodiscard]] CommandEntry entry_of(const CLI::App& command);

}  // namespace rampart::tool
