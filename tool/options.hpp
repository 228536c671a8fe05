#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rampart/folds.hpp"
#include "rampart/io.hpp"
#include "rampart/train.hpp"
#include "rampart/options.hpp"
#include "rampart/tune.hpp"

namespace rampart::tool {

/// Options of every command.
struct CommonOptions {
  bool json = false;
  bool quiet = false;
  unsigned threads = 0;

  void add_to(CLI::App& command);
};

/// How DATA is read.
struct DataOptions {
  ReadOptions read;

  /// `labelled`: whether the command needs to know what the labels are.
  void add_to(CLI::App& command, bool labelled);
};

/// --reject-cost and --costs.
struct CostOptions {
  std::vector<double> reject_costs;
  std::vector<double> table;

  /// `several`: whether --reject-cost takes a list.
  void add_to(CLI::App& command, const std::string& otherwise, bool several = false);
  [[nodiscard]] bool given() const { return !reject_costs.empty() || !table.empty(); }
  [[nodiscard]] Costs costs() const { return all().front(); }
  [[nodiscard]] std::vector<Costs> all() const;
};

/// --confidence: of intervals.
struct ConfidenceOption {
  double level = 0.95;

  void add_to(CLI::App& command);
  void validate() const;  ///< throws OptionError
};

/// What a command trains with: one loss at one or several reject costs, a list to compare (losses
/// and reject costs), or a grid to choose from (C, gamma, mu and training costs too).
struct TrainingOptions {
  enum class Choice { costs, several, grid };

  void add_to(CLI::App& command, Choice choice);

  /// Every combination of losses and reject costs. All throw OptionError.
  [[nodiscard]] std::vector<TrainOptions> methods(const CommonOptions& common) const;
  [[nodiscard]] TrainOptions method(const CommonOptions& common) const {
    return methods(common).front();
  }
  [[nodiscard]] TuneGrid grid() const;

 private:
  void add_grid(CLI::App& command);

  CostOptions cost_;
  TrainOptions options_;
  std::vector<LossKind> losses_ = {LossKind::double_ramp};
  std::string gamma_ = "scale";
  std::optional<std::size_t> band_folds_;
  std::vector<std::string> class_weights_;
  std::optional<std::uint64_t> max_steps_;
  std::optional<double> max_seconds_;
  std::optional<double> cache_mb_;

  TuneGrid grid_;
};

/// --groups: who a row belongs to.
struct GroupOptions {
  std::string source;  ///< a file, or the name of a column; empty: unknown

  void add_to(CLI::App& command, const std::string& group);

  /// Reads DATA, with the groups if there are any.
  [[nodiscard]] Dataset read(const std::string& path, ReadOptions options) const;
};

/// --folds, --repeats, --seed, --groups: how rows are dealt into folds.
struct FoldingOptions {
  FoldOptions folds;
  GroupOptions groups;

  void add_to(CLI::App& command, std::size_t default_folds, std::size_t default_repeats);
};

/// Arguments that commands which train have in common.
void add_training_data(CLI::App& command, std::string& path);
void add_model_output(CLI::App& command, std::string& path);

/// What an option's value must look like, checked before it is converted: the message then says so.
[[nodiscard]] CLI::Validator a_number();
[[nodiscard]] CLI::Validator a_whole_number(std::uint64_t most = UINT64_MAX);  ///< 0 … most
[[nodiscard]] CLI::Validator a_file_name();  ///< of an output: not empty

}  // namespace rampart::tool
