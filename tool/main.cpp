#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <iostream>
#include <new>
#include <vector>

#include "commands/command.hpp"
#include "files/interrupts.hpp"
#include "options/config_file.hpp"
#include "options/setting_names.hpp"
#include "options/usage.hpp"
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
  commands.emplace_back("help", add_help(app));
  commands.emplace_back("completion", add_completion(app));
  commands.emplace_back("manual", add_manual(app));
  add_config_file(app);

  const std::vector<std::string> arguments = {argv + std::min(1, argc), argv + argc};
  try {
    std::vector<std::string> reversed = with_config_first(arguments);  // as CLI11 wants them
    std::ranges::reverse(reversed);
    app.parse(std::move(reversed));
  } catch (const CLI::Success& help) {
    app.exit(help);
    if (!std::cout.flush()) throw OutputError("standard output: cannot be written");
    return exit_done;
  } catch (const CLI::ParseError& error) {
    note(explain(app, error, arguments));
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
  handle_vanishing_files();
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
