#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "evaluate/tune.hpp"
#include "faces/training_settings.hpp"
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
  [[nodiscard]] TuneGrid grid() const { return settings_.tune_grid(); }

  /// Whether the scaling is to be chosen by the data: see settle().
  [[nodiscard]] bool scales_automatically() const { return !settings_.scaling; }

 private:
  void add_grid(CLI::App& command);

  CostOptions cost_;
  TrainingSettings settings_;
  std::vector<LossKind> losses_ = {LossKind::double_ramp};
};

}  // namespace rampart::tool
