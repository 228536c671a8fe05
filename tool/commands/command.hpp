#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>

namespace rampart::tool {

inline constexpr int exit_done = 0;
inline constexpr int exit_bad_input = 1;
inline constexpr int exit_usage = 2;
inline constexpr int exit_not_converged = 3;

/// Each sub-command adds itself to the application. What it returns is run after parsing, and
/// returns the exit code.
using Run = std::function<int()>;

/// Adds a command that declares its options in add_to() and works in run().
template <class Command>
Run add(CLI::App& app, const char* name, const char* about) {
  auto state = std::make_shared<Command>();
  state->add_to(*app.add_subcommand(name, about));
  return [state] { return state->run(); };
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
Run add_split(CLI::App& app);
Run add_describe(CLI::App& app);

}  // namespace rampart::tool
