#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evaluate/tune.hpp"
#include "options/common.hpp"
#include "rampart/options.hpp"

namespace rampart::tool {

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

/// What a command trains with, at one or several reject costs: one loss, a list of losses to
/// compare, or a grid to choose from (C, gamma, mu and training costs).
struct TrainingOptions {
  enum class Choice { costs, several, grid };

  void add_to(CLI::App& command, Choice choice);

  /// Every combination of losses and reject costs. All throw OptionError.
  [[nodiscard]] std::vector<TrainOptions> methods(const CommonOptions& common) const;
  [[nodiscard]] TrainOptions method(const CommonOptions& common) const {
    return methods(common).front();
  }
  [[nodiscard]] TuneGrid grid() const;

  /// Whether the scaling is to be chosen by the data: see settle().
  [[nodiscard]] bool scales_automatically() const { return !scaling_; }

 private:
  void add_grid(CLI::App& command);

  CostOptions cost_;
  TrainOptions options_;
  std::optional<ScalingKind> scaling_;  // nothing: by the data
  std::vector<LossKind> losses_ = {LossKind::double_ramp};
  std::string gamma_ = "scale";
  std::optional<std::size_t> band_folds_;
  std::vector<std::string> class_weights_;
  std::optional<std::size_t> landmarks_;
  std::optional<std::size_t> features_;
  std::optional<std::uint64_t> max_steps_;
  std::optional<double> max_seconds_;
  std::optional<double> cache_mb_;

  TuneGrid grid_;
};

}  // namespace rampart::tool
