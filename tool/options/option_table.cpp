#include "options/option_table.hpp"

#include <algorithm>
#include <cctype>
#include <regex>
#include <string_view>

namespace rampart::tool {
namespace {

/// The names in "linear|rbf" or "double-ramp|hinge,…"; none if the value is something else.
std::vector<std::string> names_in(std::string value) {
  constexpr std::string_view several = ",…";
  if (value.ends_with(several)) value.erase(value.size() - several.size());
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= value.size();) {
    const std::size_t end = std::min(value.find('|', begin), value.size());
    const std::string name = value.substr(begin, end - begin);
    const auto is_of_a_name = [](char c) {
      return std::islower(static_cast<unsigned char>(c)) != 0 ||
             std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '-';
    };
    // Words in capitals stand for a value of the user's.
    if (!name.empty() && std::ranges::all_of(name, is_of_a_name)) names.push_back(name);
    begin = end + 1;
  }
  return names;
}

bool is_file(const std::string& value) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"FILE", "MODEL", "OUT", "DIR", "DATA", "INPUT"},
      [&](std::string_view word) { return value.find(word) != std::string::npos; });
}

/// What the help says of this machine is not for a text that is installed on others.
std::string for_any_machine(const std::string& about) {
  static const std::regex here(R"( \([0-9]+ here\))");
  return std::regex_replace(about, here, "");
}

OptionEntry entry_of(const CLI::Option& option) {
  OptionEntry entry{.short_names = option.get_snames(),
                    .long_names = option.get_lnames(),
                    .value = {},
                    .choices = {},
                    .takes_file = false,
                    .about = for_any_machine(option.get_description()),
                    .group = option.get_group()};
  const bool by_place = option.get_positional();
  if (by_place || option.get_items_expected_max() > 0) {
    const std::string type = option.get_type_name();
    const std::string name = by_place ? option.get_name(true) : "";
    entry.choices = names_in(type);
    entry.takes_file = is_file(by_place ? name : type);
    entry.value = by_place ? name : type.empty() ? "VALUE" : type;
  }
  return entry;
}

}  // namespace

std::vector<std::string> OptionEntry::names() const {
  std::vector<std::string> all;
  for (const std::string& name : short_names) all.push_back("-" + name);
  for (const std::string& name : long_names) all.push_back("--" + name);
  return all;
}

CommandEntry entry_of(const CLI::App& command) {
  const std::string text = command.get_description();
  const std::size_t end = std::min(text.find('\n'), text.size());
  CommandEntry entry{.name = command.get_name(),
                     .about = text.substr(0, end),
                     .text = text.substr(std::min(text.find_first_not_of('\n', end), text.size())),
                     .arguments = {},
                     .options = {}};
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;  // hidden
    const bool named = !option->get_lnames().empty() || !option->get_snames().empty();
    (named ? entry.options : entry.arguments).push_back(entry_of(*option));
  }
  return entry;
}

std::vector<CommandEntry> command_table(const CLI::App& app) {
  std::vector<CommandEntry> commands;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (!command->get_group().empty()) commands.push_back(entry_of(*command));
  }
  std::vector<std::string> names;
  for (const CommandEntry& command : commands) names.push_back(command.name);
  for (CommandEntry& command : commands) {
    for (OptionEntry& argument : command.arguments) {
      if (argument.value == "COMMAND") argument.choices = names;
    }
  }
  return commands;
}

}  // namespace rampart::tool
