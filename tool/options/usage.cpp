#include "options/usage.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "options/libsvm_words.hpp"
#include "rampart/errors.hpp"

namespace rampart::tool {

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::string no_command(const CLI::App& app, const std::string& name) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  const auto meant = nearest_word(name, names);
  return fmt::format("no command '{}'; {}see rampart --help", name,
                     meant ? fmt::format("did you mean '{}'? Else ", *meant) : "");
}

std::string explain(const CLI::App& app, const CLI::ParseError& error,
                    const std::vector<std::string>& arguments) {
  const auto commands = app.get_subcommands();
  const CLI::App& at = commands.empty() ? app : *commands.front();
  const std::string help =
      commands.empty() ? "rampart --help" : fmt::format("rampart {} --help", at.get_name());
  std::string message = error.what();

  // CLI11 distinguishes its errors by codes; their names may be those of commands.
  const auto code = static_cast<CLI::ExitCodes>(error.get_exit_code());
  if (code == CLI::ExitCodes::ExtrasError || code == CLI::ExitCodes::RequiredError) {
    if (commands.empty() && !arguments.empty() && !arguments.front().starts_with('-')) {
      return no_command(app, arguments.front());
    }
    if (!commands.empty()) {
      if (const auto words = libsvm_words(at.get_name(), option_names(at), arguments)) {
        return fmt::format("{}; see {}", *words, help);
      }
    }
    const bool only_words = std::ranges::none_of(
        arguments, [](const std::string& word) { return word.size() > 1 && word[0] == '-'; });
    if (at.get_name() == "predict" && code == CLI::ExitCodes::ExtrasError && only_words) {
      return fmt::format(
          "predict takes MODEL DATA, in this order, and writes to -o OUT: rampart "
          "predict model.json data.csv -o answers.csv; see {}",
          help);
    }
    for (const std::string& argument : arguments) {
      const std::string name = argument.substr(0, argument.find('='));
      const auto known = option_names(at);
      const bool is_option = name.size() > 1 && name[0] == '-' && (name[1] < '0' || name[1] > '9');
      // -c2 is -c 2. What is missing may be what was misspelt.
      const std::string option = name.starts_with("--") ? name : name.substr(0, 2);
      const bool unexpected =
          code == CLI::ExitCodes::RequiredError || message.find(name) != std::string::npos;
      if (is_option && name != "--" && std::ranges::find(known, option) == known.end() &&
          unexpected) {
        const auto meant = nearest_word(name, known);
        return fmt::format("no option {}; {}see {}", name,
                           meant ? fmt::format("did you mean {}? Else ", *meant) : "", help);
      }
    }
  }
  std::ranges::replace(message, '\n', ' ');
  return fmt::format("{}; see {}", message, help);
}

}  // namespace rampart::tool
