#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "evaluate/intervals.hpp"
#include "evaluate/risk_coverage.hpp"
#include "evaluate/trivial_rules.hpp"
#include "rampart/dataset.hpp"
#include "rampart/metrics.hpp"
#include "rampart/model.hpp"
#include "render/json.hpp"

namespace rampart::tool {

/// How a model does on labelled rows: all that `evaluate` and `report` show of it.
struct Evaluation {
  Metrics metrics;
  TrivialRules trivial;
  double never_reject = 0;           ///< risk of the same surface without its band
  std::vector<CoveragePoint> curve;  ///< risk against coverage
  double confidence = 0.95;          ///< of the intervals

  [[nodiscard]] Interval rejection_interval() const;
  [[nodiscard]] std::optional<Interval> accuracy_interval() const;  ///< nothing without an answer
  [[nodiscard]] std::optional<Interval> class_rejection_interval(std::size_t class_index) const;
};

/// `scores` are f of the rows; `costs` may differ from those the model was trained for.
[[nodiscard]] Evaluation evaluate_scores(const Model& model, const Dataset& data,
                                         const std::vector<double>& scores, const Costs& costs,
                                         double confidence);

[[nodiscard]] Json to_json(const Evaluation& evaluation, const ClassNames& classes);
[[nodiscard]] std::string evaluation_in_words(const Evaluation& evaluation,
                                              const ClassNames& classes);

}  // namespace rampart::tool
