#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "evaluate/cross_validation.hpp"
#include "evaluate/tune_space.hpp"
#include "rampart/dataset.hpp"
#include "rampart/train.hpp"

namespace rampart {

/// One search.
struct TuneReport {
  std::vector<TrainOptions> points;  ///< that were tried
  std::vector<CvSummary> summaries;  ///< one per point
  std::size_t best = 0;
  GridEnds widened;  ///< where the grid was made longer, since its best point lay there
};

/// The point of least risk, by the weights of the rows if they have any; ties go to the smaller C,
/// then the smaller γ, then the earlier point.
[[nodiscard]] std::size_t best_point(const std::vector<TrainOptions>& points,
                                     const std::vector<CvSummary>& summaries);

/// Cross-validates every point on the same folds and selects the best of each search, which is the
/// one that the search finds alone. All searches share kernel values. The best point's risk is an
/// optimistic estimate, because the selection minimised it: see nested_estimate().
///
/// Results that the hooks know or are told of name a point by its number in the space.
[[nodiscard]] std::vector<TuneReport> tune(const Problem& data, const TuneSpace& space,
                                           const FoldOptions& folds, unsigned threads = 0,
                                           const CvHooks& hooks = {});

/// Nested cross-validation, an estimate without this bias: for each outer fold, grid search (with
/// its widening) and training use the other rows only, and the result is measured on the fold. For
/// each search one result per outer fold; `method` is the point of the space chosen there.
///
/// `hooks_of(outer)` are the hooks of the inner cross-validation of an outer fold.
[[nodiscard]] std::vector<std::vector<FoldResult>> nested_estimate(
    const Problem& data, const TuneSpace& space, const FoldOptions& folds, unsigned threads = 0,
    const std::function<CvHooks(std::size_t outer)>& hooks_of = {});

}  // namespace rampart
