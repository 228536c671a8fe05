#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>

#include "commands/labelled_rows.hpp"
#include "faces/training_settings.hpp"
#include "rampart/io.hpp"
#include "train/folds.hpp"

namespace rampart::tool {

/// How DATA is read.
struct DataOptions {
  ReadOptions read;
  MissingChoice missing = MissingChoice::indicator;  ///< `refuse` is also in read.refuse_missing

  /// `labelled`: also --positive, --weight, --categorical, --max-categories and --missing, for
  /// commands that learn from the labels.
  void add_to(CLI::App& command, bool labelled);
};

/// --groups: the person, or whatever else, that a row belongs to.
struct GroupOptions {
  std::string source;  ///< a file, or the name of a column; empty: unknown

  void add_to(CLI::App& command, const std::string& group);

  /// Reads DATA, with the groups if there are any. `check_now`: see read_rows().
  [[nodiscard]] LabelledRows read(const std::string& path, ReadOptions options,
                                  bool check_now) const;
};

/// --folds, --repeats, --seed, --groups: how rows are dealt into folds.
struct FoldingOptions {
  FoldOptions folds;
  GroupOptions groups;

  void add_to(CLI::App& command, std::size_t default_folds, std::size_t default_repeats);
};

}  // namespace rampart::tool
