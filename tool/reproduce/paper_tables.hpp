#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "evaluate/cross_validation.hpp"
#include "evaluate/trivial_rules.hpp"
#include "faces/results_json.hpp"
#include "rampart/metrics.hpp"
#include "reproduce/experiments.hpp"

namespace rampart::tool {

/// One of the paper's tables, measured.
struct PaperTable {
  Experiment experiment;
  std::string missing;  ///< how to get the data, where they are not there; then nothing else
  std::size_t rows = 0;
  std::size_t features = 0;
  std::vector<TrainOptions> methods;          ///< by loss, then reject cost
  std::vector<CvSummary> summaries;           ///< one a method, over all repetitions (draws)
  std::vector<TrivialRules> trivial;          ///< likewise; the mean over draws
  std::vector<std::vector<CvSummary>> draws;  ///< a generated set: by method, one a draw
  std::size_t folds = 0;                      ///< over all repetitions
  double seconds = 0;
};

/// The two losses of the paper with its C, the generalized hinge and the support vector machine
/// with the C of the double ramp; each at the ten costs.
[[nodiscard]] std::vector<TrainOptions> paper_methods(const Experiment& experiment);

[[nodiscard]] std::string text_of(const PaperTable& table);

/// Where measured and published differ, and why: a paragraph each.
[[nodiscard]] std::vector<std::string> findings(const std::vector<PaperTable>& tables);

[[nodiscard]] Json tables_json(const std::vector<PaperTable>& tables, const FoldOptions& folds);

/// The same for the page (`comparisons`).
[[nodiscard]] Json comparisons_json(const std::vector<PaperTable>& tables,
                                    const FoldOptions& folds);

}  // namespace rampart::tool
