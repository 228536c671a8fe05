#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "evaluate/cross_validation.hpp"
#include "rampart/dataset.hpp"
#include "rampart/train.hpp"

namespace rampart {

/// What is tried. An empty list: only what the base method has.
struct TuneGrid {
  std::vector<double> C;
  std::vector<Gamma> gamma;           ///< kernels with a γ
  std::vector<double> mu;             ///< double ramp
  std::vector<double> training_cost;  ///< d′: training is told d′, the answers cost d

  /// log₂C = −3, −1, …, 9 and log₂γ = −9, −7, …, 3 (the latter for kernels that have a γ).
  [[nodiscard]] static TuneGrid standard(const KernelOptions& kernel);
};

/// Every combination of the grid, C fastest: neighbours share a kernel.
/// Throws OptionError if one of them is out of range or the grid does not fit the method.
[[nodiscard]] std::vector<TrainOptions> grid_points(const TrainOptions& base, const TuneGrid& grid);

struct TuneReport {
  std::vector<TrainOptions> points;
  std::vector<CvSummary> summaries;  ///< one per point
  std::size_t best = 0;
};

/// The point of least risk. Of equals: the smaller C, then the smaller γ, then the earlier point.
[[nodiscard]] std::size_t best_point(const std::vector<TrainOptions>& points,
                                     const std::vector<CvSummary>& summaries);

/// Cross-validates every point on the same folds, and says which is best. The risk of the best is
/// too good to be true, since it was chosen for it: see nested_estimate().
[[nodiscard]] TuneReport tune(const Problem& data, std::vector<TrainOptions> points,
                              const FoldOptions& folds, unsigned threads = 0,
                              const CvHooks& hooks = {});

/// An honest estimate of tuning: for each outer fold, everything (folds, grid, choice, training) is
/// done on the other rows, and the outcome is measured on the fold. One result per outer fold;
/// `method` says which point was chosen there.
///
/// `hooks_of(outer)` are the hooks of the inner cross-validation of an outer fold.
[[nodiscard]] std::vector<FoldResult> nested_estimate(
    const Problem& data, const std::vector<TrainOptions>& points, const FoldOptions& folds,
    unsigned threads = 0, const std::function<CvHooks(std::size_t outer)>& hooks_of = {});

}  // namespace rampart
