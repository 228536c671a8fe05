#pragma once

#include <string>
#include <vector>

#include "evaluate/paired_costs.hpp"
#include "evaluate/report.hpp"
#include "faces/results_json.hpp"
#include "rampart/dataset.hpp"
#include "rampart/model.hpp"

namespace rampart::tool {

/// The data of a page as JSON: its title, and its sections about a model.

/// A page without sections yet: title, subtitle, generator.
[[nodiscard]] Json page_json(const std::string& title, const std::string& subtitle);

struct ModelReportOptions {
  std::string name;          ///< of the section
  Costs costs;               ///< of the answers; may differ from those of training
  double confidence = 0.95;  ///< of the intervals
  ReadOptions read;          ///< how the rows were read
  unsigned threads = 0;
};

/// An entry of `models`: everything about a model on labelled rows. `answers` are the model's.
[[nodiscard]] Json model_json(const Model& model, const Dataset& data,
                              const std::vector<Answer>& answers,
                              const ModelReportOptions& options);

/// The entry of `compared` for the second of two models on the same rows. The interval is the
/// normal one of the mean difference.
[[nodiscard]] Json compared_json(const PairedCosts& paired, double confidence);

/// A figure of decision regions; `text` comes before the description of the plane.
[[nodiscard]] Json plane_json(const Plane& plane, double rho, const std::string& name,
                              const std::string& text = "");

/// Throws OutputError if there is a number that JSON cannot hold.
void require_finite(const Json& json);

}  // namespace rampart::tool
