#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "evaluate/cross_validation.hpp"
#include "rampart/dataset.hpp"
#include "rampart/options.hpp"

namespace rampart::tool {

/// What the paper prints for one loss and one d.
struct PublishedCell {
  MeanSd risk;
  MeanSd rejection_rate;
  std::optional<MeanSd> accepted_accuracy;
};

/// One of the paper's tables of comparisons: how it was measured, and what it says.
struct Experiment {
  std::string set;    ///< "ionosphere"
  std::string name;   ///< "Ionosphere"
  std::string table;  ///< "Table 5"
  KernelOptions kernel;
  ScalingKind scaling = ScalingKind::none;
  std::map<LossKind, double> C;
  std::map<std::pair<LossKind, double>, PublishedCell> published;  ///< by loss and d
};

/// All four, from data/experiments.csv and data/published.csv, which the command carries with it.
[[nodiscard]] std::vector<Experiment> paper_experiments();

/// The ten costs of the paper: .05, .1, … .5.
[[nodiscard]] std::vector<double> paper_costs();

/// The rows of an experiment, or how to get them.
struct PaperData {
  std::optional<Dataset> rows;
  std::string missing;
};

/// Whether the rows are drawn by a recipe. The paper's own draw is not known.
[[nodiscard]] bool is_generated(const Experiment& experiment);

/// Generated (with `seed` also what they are drawn from: the centres of synthetic2), or read from
/// `folder`. Throws InputError if a file there is not the one it should be.
[[nodiscard]] PaperData paper_data(const Experiment& experiment, const std::string& folder,
                                   std::uint64_t seed);

}  // namespace rampart::tool
