#pragma once

#include <string>
#include <vector>

namespace rampart::tool {

/// Which files and streams a command may use together. "-" is standard input or output.

/// Throws OptionError if the model and --json are both to go to standard output.
void require_own_stdout(bool json, const std::string& output);

/// Throws OptionError if the output would take the place of one of the inputs, which are paths or
/// "-", standard input.
void require_other_file(const std::string& output, const std::vector<std::string>& inputs);

/// Throws OptionError if two outputs are the same file: only one of them would be left.
void require_different_outputs(const std::vector<std::string>& outputs);

/// Throws OptionError if both the model and the data are to come from standard input.
void require_one_stdin(const std::string& model, const std::string& data);

}  // namespace rampart::tool
