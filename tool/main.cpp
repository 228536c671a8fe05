#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <iostream>
#include <new>
#include <vector>

#include "commands/command.hpp"
#include "files/interrupts.hpp"
#include "options/setting_names.hpp"
#include "rampart/errors.hpp"
#include "rampart/version.hpp"
#include "render/output.hpp"

namespace rampart::tool {
namespace {

constexpr const char* about = R"(Rampart learns classifiers that know when not to answer.

Examples:
  rampart generate square -o train.csv
  rampart train train.csv -o model.json --kernel linear -c 100 --reject-cost 0.2
  rampart evaluate model.json train.csv
  rampart predict model.json train.csv -o answers.csv
  rampart cv train.csv --kernel linear -c 100 --reject-cost 0.05:0.5:0.05
  rampart tune train.csv -o tuned.json --reject-cost 0.2
  rampart report tuned.json train.csv -o report.html

Exit codes: 0 done, 1 bad input or a file that cannot be read or written, 2 wrong usage,
3 not converged (train --strict); interrupted, with no file half-written: 129 hung up (SIGHUP),
130 Ctrl-C (SIGINT), 143 terminated (SIGTERM).)";

/// In the list of commands each has one line; its examples are for its own help.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() {
    column_width(34);
    label("REQUIRED", "");
    label("TEXT", "");
  }
  std::string make_subcommand(const CLI::App* command) const override {
    const std::string text = command->get_description();
    return fmt::format("  {:<12}{}\n", command->get_name(), text.substr(0, text.find('\n')));
  }
};

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

/// What the user got wrong, in one line, with what they probably meant.
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
      std::vector<std::string> names;
      for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
      const auto meant = nearest_word(arguments.front(), names);
      return fmt::format("no command '{}'; {}see {}", arguments.front(),
                         meant ? fmt::format("did you mean '{}'? Else ", *meant) : "", help);
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

/// If one of the three streams is closed, the next file opened would take its place, and messages
/// would end up in it. /dev/null takes its place, opened in the wrong direction: using the closed
/// stream is still an error.
void occupy_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) == -1 && errno == EBADF) {
      open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
  }
}

/// A pipe without a reader (SIGPIPE) and a limit on the size of files (SIGXFSZ) would end the
/// process. With the signals ignored they are errors of writing: a message, and no file.
void survive_failing_writes() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

int run(int argc, char** argv) {
  CLI::App app{about, "rampart"};
  app.set_help_all_flag("--help-all", "Help for every command");
  app.set_version_flag("--version", std::string("rampart ") + version);
  app.formatter(std::make_shared<HelpFormatter>());
  app.require_subcommand(1);
  app.fallthrough(false);

  std::vector<std::pair<std::string, Run>> commands;
  commands.emplace_back("train", add_train(app));
  commands.emplace_back("predict", add_predict(app));
  commands.emplace_back("evaluate", add_evaluate(app));
  commands.emplace_back("cv", add_cv(app));
  commands.emplace_back("tune", add_tune(app));
  commands.emplace_back("inspect", add_inspect(app));
  commands.emplace_back("report", add_report(app));
  commands.emplace_back("generate", add_generate(app));
  commands.emplace_back("reproduce", add_reproduce(app));
  commands.emplace_back("describe", add_describe(app));
  commands.emplace_back("split", add_split(app));
  commands.emplace_back("convert", add_convert(app));

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    app.exit(help);
    if (!std::cout.flush()) throw OutputError("standard output: cannot be written");
    return exit_done;
  } catch (const CLI::ParseError& error) {
    note(explain(app, error, {argv + std::min(1, argc), argv + argc}));
    return exit_usage;
  }
  for (const auto& [name, command] : commands) {
    if (app.got_subcommand(name)) return command();
  }
  return exit_usage;
}

}  // namespace
}  // namespace rampart::tool

int main(int argc, char** argv) {
  using namespace rampart::tool;
  occupy_closed_streams();
  survive_failing_writes();
  handle_interrupts();
  try {
    return run(argc, argv);
  } catch (const rampart::OptionError& error) {
    note(message_with_option(error));
    return exit_usage;
  } catch (const rampart::Error& error) {
    note(message_with_option(error));
    return exit_bad_input;
  } catch (const std::bad_alloc&) {
    note("not enough memory");
    return exit_bad_input;
  } catch (const std::exception& error) {
    note(error.what());
    return exit_bad_input;
  }
}
