#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "evaluate/cross_validation.hpp"
#include "evaluate/intervals.hpp"
#include "evaluate/trivial_rules.hpp"
#include "rampart/dataset.hpp"
#include "rampart/metrics.hpp"
#include "rampart/model.hpp"
#include "rampart/options.hpp"
#include "rampart/train.hpp"
#include "train/folds.hpp"

namespace rampart {

using Json = nlohmann::ordered_json;  // keeps the order of keys

/// JSON in one line; what is not UTF-8 is replaced.
[[nodiscard]] std::string text_of(const Json& json);

/// The JSON of each type of result: one form, which the output of --json, the pages and the journal
/// share. What is absent is null.
[[nodiscard]] Json to_json(const std::optional<double>& value);
[[nodiscard]] Json to_json(const Interval& interval);
[[nodiscard]] Json to_json(const MeanSd& value);
[[nodiscard]] Json to_json(const std::optional<MeanSd>& value);
[[nodiscard]] Json to_json(const ClassNames& classes);
[[nodiscard]] Json to_json(const Costs& costs);
[[nodiscard]] Json to_json(const FoldOptions& options);
[[nodiscard]] Json to_json(const Metrics& metrics);  ///< counts and rates
[[nodiscard]] Json to_json(const TrivialRules& trivial, const ClassNames& classes);
[[nodiscard]] Json to_json(const CvSummary& summary);
/// Folds that hold every row once, counted together.
[[nodiscard]] Json pooled_json(std::span<const FoldResult> results);
[[nodiscard]] Json to_json(const Trained& trained);  ///< how training went, and its band

/// All options that decide the result of a training: every group but the resources.
[[nodiscard]] Json to_json(const TrainOptions& options);

/// d, where the costs are 1, 1, d, d.
[[nodiscard]] Json reject_cost_json(const Costs& costs);

/// What distinguishes a method from the others of a table or a grid; options it does not use are
/// left out.
[[nodiscard]] Json method_json(const TrainOptions& method);
/// The same, and what came of it.
[[nodiscard]] Json summary_json(const TrainOptions& method, const CvSummary& summary);

/// A model without its weights, coefficients and vectors.
[[nodiscard]] Json model_summary_json(const Model& model);

}  // namespace rampart
