#pragma once

#include <vector>

#include "faces/results_json.hpp"
#include "journal/journal_lines.hpp"
#include "journal/tuning_folds.hpp"
#include "rampart/dataset.hpp"
#include "rampart/options.hpp"
#include "train/folds.hpp"

namespace rampart::tool {

/// All that decides the results of a tuning: the version of the library, the data, the folds and
/// every option of every point. A journal belongs to one such problem.
[[nodiscard]] Json tuning_problem(const Problem& data, const std::vector<TrainOptions>& points,
                                  const FoldOptions& folds, bool nested);

/// The trainings that a cross-validation of these points, or a tuning, may have: one part for the
/// choice on all rows; nested, one more for each outer fold. `folds` must outlive it.
[[nodiscard]] JournalPlan journal_plan(const Problem& data, const std::vector<TrainOptions>& points,
                                       const FoldOptions& options, bool nested, TuningFolds& folds);

}  // namespace rampart::tool
