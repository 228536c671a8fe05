#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "evaluate/cross_validation.hpp"
#include "rampart/dataset.hpp"
#include "rampart/train.hpp"

namespace rampart {

/// The values to try. An empty list stands for the value of the base method.
struct TuneGrid {
  std::vector<double> C;
  std::vector<Gamma> gamma;           ///< kernels with a γ
  std::vector<double> mu;             ///< double ramp
  std::vector<double> training_cost;  ///< d′: training uses d′, decisions cost d

  /// log₂C = −3, −1, …, 9 and log₂γ = −9, −7, …, 3 (the latter for kernels that have a γ).
  [[nodiscard]] static TuneGrid standard(const KernelOptions& kernel);
};

/// Every combination of the grid, C varying fastest, so that neighbours share a kernel. Throws
/// OptionError if a value is out of range or the grid does not fit the method.
[[nodiscard]] std::vector<TrainOptions> grid_points(const TrainOptions& base, const TuneGrid& grid);

struct TuneReport {
  std::vector<TrainOptions> points;
  std::vector<CvSummary> summaries;  ///< one per point
  std::size_t best = 0;
};

/// The point of least risk; ties go to the smaller C, then the smaller γ, then the earlier point.
[[nodiscard]] std::size_t best_point(const std::vector<TrainOptions>& points,
                                     const std::vector<CvSummary>& summaries);

/// Cross-validates every point on the same folds and selects the best. Its risk is an optimistic
/// estimate, because the selection minimised it: see nested_estimate().
[[nodiscard]] TuneReport tune(const Problem& data, std::vector<TrainOptions> points,
                              const FoldOptions& folds, unsigned threads = 0,
                              const CvHooks& hooks = {});

/// Nested cross-validation, an estimate without this bias: for each outer fold, grid search and
/// training use the other rows only, and the result is measured on the fold. One result per outer
/// fold; `method` is the point chosen there.
///
/// `hooks_of(outer)` are the hooks of the inner cross-validation of an outer fold.
[[nodiscard]] std::vector<FoldResult> nested_estimate(
    const Problem& data, const std::vector<TrainOptions>& points, const FoldOptions& folds,
    unsigned threads = 0, const std::function<CvHooks(std::size_t outer)>& hooks_of = {});

}  // namespace rampart
