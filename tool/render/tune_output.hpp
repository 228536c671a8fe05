#pragma once

#include <string>
#include <vector>

#include "evaluate/trivial_rules.hpp"
#include "evaluate/tune.hpp"
#include "faces/results_json.hpp"
#include "rampart/train.hpp"

namespace rampart::tool {

/// What a tuning found at one reject cost.
struct Tuned {
  TuneReport search;
  std::vector<FoldResult> outer;     ///< of a nested estimate; empty: there was none
  std::vector<TrainOptions> chosen;  ///< in each outer fold
  Trained trained;
  TrivialRules trivial;
  std::string file;

  [[nodiscard]] const TrainOptions& best() const { return search.points[search.best]; }
  [[nodiscard]] const CvSummary& summary() const { return search.summaries[search.best]; }
  [[nodiscard]] double estimate() const;      ///< of the risk; nested, if there is one
  [[nodiscard]] double never_reject() const;  ///< without the band, by the same folds
  [[nodiscard]] bool trivial_rule_is_better() const;
};

/// Every point of every search, a line each, with a header.
[[nodiscard]] std::string tune_csv(const std::vector<Tuned>& all);

[[nodiscard]] Json tune_json(const Tuned& tuned, std::size_t rows, const FoldOptions& folds);

/// The summary: of one reject cost a few lines, of several a table.
[[nodiscard]] std::string tune_text(const std::vector<Tuned>& all, const FoldOptions& folds);

}  // namespace rampart::tool
