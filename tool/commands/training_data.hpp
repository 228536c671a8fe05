#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "commands/labelled_rows.hpp"
#include "faces/results_json.hpp"
#include "faces/settle.hpp"
#include "options/common.hpp"
#include "options/data.hpp"
#include "rampart/dataset.hpp"
#include "rampart/model.hpp"
#include "rampart/options.hpp"
#include "train/first_reading.hpp"

namespace rampart::tool {

/// --holdout: rows that the model is not trained on, to measure it.
struct HoldoutOption {
  std::string source;  ///< a share of DATA, or a file; empty: none

  void add_to(CLI::App& command);

  /// The share, if it is one. Throws OptionError for one that is not between 0 and 1.
  [[nodiscard]] std::optional<double> share() const;
};

/// Labelled rows to train on.
struct TrainingData {
  LabelledRows rows;
  std::optional<LabelledRows> held_out;  ///< if some were asked for
};

/// Reads DATA, leaves out rows with missing values if that was asked for, and sets rows aside.
/// `check_now`: false if the caller's next step is read_first(), which checks rows of files.
[[nodiscard]] TrainingData read_training_data(const std::string& path, const DataOptions& data,
                                              const GroupOptions& groups,
                                              const HoldoutOption& holdout,
                                              const CommonOptions& common, bool check_now = true);

/// Says on standard error what is odd about the columns. A precomputed kernel has none, and large
/// files that are read in place are not looked at: that would read them once a column.
void warn_of_columns(const std::string& path, const LabelledRows& rows,
                     const CommonOptions& common);

/// Puts what depends on the rows into the methods. Says in a line each which scaling was chosen,
/// unless the user chose it, and how many values are missing, if any are.
[[nodiscard]] std::string settle(std::vector<TrainOptions>& methods, bool scaling_is_automatic,
                                 const DataOptions& data, const Problem& rows, const Cells& cells);

/// Models on the rows held out, as text and as JSON (an array of several); empty without such rows.
struct HoldoutReport {
  std::string text;
  Json json;
};
[[nodiscard]] HoldoutReport measure_holdout(const std::vector<const Model*>& models,
                                            const TrainingData& data, const CommonOptions& common);

}  // namespace rampart::tool
