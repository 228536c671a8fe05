#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>

#include "files/interrupts.hpp"
#include "options/config_file.hpp"

namespace rampart::tool {

inline constexpr int exit_done = 0;
inline constexpr int exit_bad_input = 1;
inline constexpr int exit_usage = 2;
inline constexpr int exit_not_converged = 3;

/// Each sub-command adds itself to the application. What it returns is run after parsing, and
/// returns the exit code.
using Run = std::function<int()>;

/// An option that may be repeated takes one word each time: DATA may follow it.
inline void take_one_word_each(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    if (option->nonpositional()) option->allow_extra_args(false);
  }
}

/// Adds a command that declares its options in add_to(), those of `common` among them, and works in
/// run().
template <class Command>
Run add(CLI::App& app, const char* name, const char* about) {
  auto state = std::make_shared<Command>();
  CLI::App& command = *app.add_subcommand(name, about);
  state->add_to(command);
  take_one_word_each(command);
  show_config_file(command);
  return [state] {
    if (state->common.quiet) if_interrupted_say("");
    return state->run();
  };
}

Run add_train(CLI::App& app);
Run add_predict(CLI::App& app);
Run add_evaluate(CLI::App& app);
Run add_cv(CLI::App& app);
Run add_tune(CLI::App& app);
Run add_inspect(CLI::App& app);
Run add_report(CLI::App& app);
Run add_generate(CLI::App& app);
Run add_reproduce(CLI::App& app);
Run add_convert(CLI::App& app);
Run add_help(CLI::App& app);
Run add_completion(CLI::App& app);
Run add_manual(CLI::App& app);
Run add_split(CLI::App& app);
Run add_describe(CLI::App& app);

}  // namespace rampart::tool
