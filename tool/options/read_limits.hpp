#pragma once

#include <CLI/CLI.hpp>

#include "rampart/io.hpp"

namespace rampart::tool {

/// Options for the limits on files of rows: length of a line, size of a cell, ratio of unpacking.
void add_data_limits(CLI::App& command, ReadLimits& limits);

/// --max-model-mb, for commands that read a model.
void add_model_limit(CLI::App& command, ReadLimits& limits);

}  // namespace rampart::tool
