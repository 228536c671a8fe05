#include <fmt/format.h>

#include "commands/command.hpp"
#include "files/target.hpp"
#include "options/option_table.hpp"
#include "options/usage.hpp"
#include "options/values.hpp"
#include "rampart/errors.hpp"
#include "render/completion.hpp"
#include "render/manual.hpp"

// Commands about the command: help, and what is generated from its options for installation.

namespace rampart::tool {
namespace {

/// The command of this name. Throws OptionError.
const CLI::App& command_called(const CLI::App& app, const std::string& name) {
  const auto called = [&](const CLI::App* command) { return command->get_name() == name; };
  const auto found = app.get_subcommands(called);
  if (found.empty()) throw OptionError(no_command(app, name));
  return *found.front();
}

void write_file(const std::string& path, const std::string& text) {
  Target target(path);
  target.write(text);
  target.commit();
}

enum class Shell { bash, zsh, fish };
const std::map<std::string, Shell> shells = {
    {"bash", Shell::bash}, {"zsh", Shell::zsh}, {"fish", Shell::fish}};

}  // namespace

Run add_help(CLI::App& app) {
  auto* command = app.add_subcommand("help", R"(Help for a command: 'help train' is 'train --help'.

Examples:
  rampart help
  rampart help train)");
  auto name = std::make_shared<std::string>();
  command->add_option("COMMAND", *name, "A command; default: the list of them");
  return [&app, name] {
    const CLI::App& about = name->empty() ? app : command_called(app, *name);
    const std::string called = name->empty() ? "rampart" : "rampart " + *name;
    print_data(about.get_formatter()->make_help(&about, called, CLI::AppFormatMode::Normal));
    return exit_done;
  };
}

Run add_completion(CLI::App& app) {
  auto* command =
      app.add_subcommand("completion", R"(Print a script for a shell to complete commands.

Examples:
  source <(rampart completion bash)
  rampart completion fish > ~/.config/fish/completions/rampart.fish)");
  command->group("");
  auto shell = std::make_shared<Shell>();
  add_choice(*command, "SHELL", *shell, shells, "The shell")->required();
  return [&app, shell] {
    const CommandEntry whole = entry_of(app);
    const std::vector<CommandEntry> commands = command_table(app);
    switch (*shell) {
      case Shell::bash:
        print_data(bash_completion(whole, commands));
        break;
      case Shell::zsh:
        print_data(zsh_completion(whole, commands));
        break;
      case Shell::fish:
        print_data(fish_completion(whole, commands));
        break;
    }
    return exit_done;
  };
}

Run add_manual(CLI::App& app) {
  auto* command = app.add_subcommand("manual", R"(Print a page for man(1).

Examples:
  rampart manual train | man -l -
  rampart manual --folder man1     # a file for every command)");
  command->group("");
  auto name = std::make_shared<std::string>();
  auto folder = std::make_shared<std::string>();
  auto* one = command->add_option("COMMAND", *name, "A command; default: the page about them all");
  command->add_option("--folder", *folder, "Write all pages there instead")
      ->type_name("DIR")
      ->excludes(one);
  return [&app, name, folder] {
    if (!folder->empty()) {
      write_file(*folder + "/rampart.1", manual_of_all(entry_of(app), command_table(app)));
      for (const CommandEntry& entry : command_table(app)) {
        write_file(fmt::format("{}/rampart-{}.1", *folder, entry.name), manual_of_command(entry));
      }
    } else if (!name->empty()) {
      print_data(manual_of_command(entry_of(command_called(app, *name))));
    } else {
      print_data(manual_of_all(entry_of(app), command_table(app)));
    }
    return exit_done;
  };
}

}  // namespace rampart::tool
