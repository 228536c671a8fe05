#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "evaluate/intervals.hpp"
#include "evaluate/risk_coverage.hpp"
#include "evaluate/trivial_rules.hpp"
#include "faces/results_json.hpp"
#include "model/fingerprint.hpp"
#include "rampart/dataset.hpp"
#include "rampart/metrics.hpp"
#include "rampart/model.hpp"

namespace rampart::tool {

/// How a model does on labelled rows: all that `evaluate` and `report` show of it. Takes eight
/// bytes a row, for the order of the rows by certainty.
struct Evaluation {
  Metrics metrics;
  TrivialRules trivial;
  double never_reject = 0;                ///< risk of the same surface without its band
  CertaintyOrder by_certainty;            ///< risk against coverage
  double confidence = 0.95;               ///< of the intervals
  std::map<Reason, std::size_t> reasons;  ///< why rows were rejected, and how many
  Overlap overlap;                        ///< with the training rows

  [[nodiscard]] Interval rejection_interval() const;
  [[nodiscard]] std::optional<Interval> accuracy_interval() const;  ///< nothing without an answer
  [[nodiscard]] std::optional<Interval> class_rejection_interval(std::size_t class_index) const;
};

/// Evaluates a model on rows that come in batches. Of a row it keeps eight bytes.
class Evaluator {
 public:
  /// `costs` may differ from those the model was trained for. The model must outlive it.
  Evaluator(const Model& model, const Costs& costs, double confidence);

  /// `answers` are the model's to these rows.
  void add(const Problem& rows, std::span<const Answer> answers);

  /// All that was added. Once, and not without rows.
  [[nodiscard]] Evaluation finish();

 private:
  const Model& model_;
  double confidence_;
  Metrics metrics_;
  Metrics without_band_;
  std::map<Reason, std::size_t> reasons_;
  Overlap overlap_;
  std::vector<double> margins_;  // y·f
};

/// The same of all rows at once.
[[nodiscard]] Evaluation evaluate_answers(const Model& model, const Problem& data,
                                          const std::vector<Answer>& answers, const Costs& costs,
                                          double confidence);

/// A warning if rows were trained on; otherwise empty.
[[nodiscard]] std::string overlap_in_words(const Overlap& overlap);

using rampart::to_json;  // of other results
[[nodiscard]] Json to_json(const Evaluation& evaluation, const ClassNames& classes);
[[nodiscard]] std::string evaluation_in_words(const Evaluation& evaluation,
                                              const ClassNames& classes);

}  // namespace rampart::tool
