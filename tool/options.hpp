#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rampart/io.hpp"
#include "rampart/options.hpp"

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
  std::optional<double> reject_cost;
  std::vector<double> table;

  void add_to(CLI::App& command, const std::string& otherwise);
  [[nodiscard]] bool given() const { return reject_cost.has_value() || !table.empty(); }
  [[nodiscard]] Costs costs() const;
};

/// Everything that TrainOptions holds.
struct TrainingOptions {
  void add_to(CLI::App& command);

  /// Throws OptionError.
  [[nodiscard]] TrainOptions get(const CommonOptions& common) const;

 private:
  CostOptions cost_;
  TrainOptions options_;
  std::string gamma_ = "scale";
  std::vector<std::string> class_weights_;
  std::optional<std::uint64_t> max_steps_;
  double cache_mb_ = 1024;
};

/// Throws OptionError if the output would take the place of one of the inputs.
void require_other_file(const std::string& output, std::initializer_list<std::string> inputs);

/// Throws OptionError if both the model and the data are to come from standard input.
void require_one_stdin(const std::string& model, const std::string& data);

/// What an option's value must look like, checked before it is converted: the message then says so.
[[nodiscard]] CLI::Validator a_number();
[[nodiscard]] CLI::Validator a_whole_number(std::uint64_t most = UINT64_MAX);  ///< 0 … most

}  // namespace rampart::tool
