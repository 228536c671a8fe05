#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace rampart::tool {

/// Options of every command.
struct CommonOptions {
  bool json = false;
  bool quiet = false;
  unsigned threads = 0;

  void add_to(CLI::App& command);
};

/// --confidence: of intervals.
struct ConfidenceOption {
  double level = 0.95;

  void add_to(CLI::App& command);
  void validate() const;  ///< throws OptionError
};

/// Arguments that commands which train have in common.
void add_training_data(CLI::App& command, std::string& path);
void add_model_outputs(CLI::App& command, std::string& path);

}  // namespace rampart::tool
