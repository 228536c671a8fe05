#pragma once

#include <string>

#include "rampart/io.hpp"
#include "rampart/model.hpp"

namespace rampart::tool {

/// The command that trains such a model on the rows of train.csv, without its costs: the reader
/// adds them. `read` says how the rows of the report were read.
[[nodiscard]] std::string train_command(const Model& model, const ReadOptions& read);

/// A sentence, where training left out columns that neither the model nor `read` names; else empty.
[[nodiscard]] std::string what_the_command_lacks(const Model& model, const ReadOptions& read);

}  // namespace rampart::tool
