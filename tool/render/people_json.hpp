#pragma once

#include <vector>

#include "evaluate/original_columns.hpp"
#include "faces/results_json.hpp"
#include "rampart/dataset.hpp"
#include "rampart/model.hpp"

namespace rampart::tool {

/// The parts of a page for the person who decides: who is rejected, and what drives the answers.

/// `worklist`: the rejected rows, why, and what stands out in each.
[[nodiscard]] Json worklist_json(const Model& model, const Dataset& data,
                                 const std::vector<Answer>& answers,
                                 const std::vector<OriginalColumn>& columns);

/// `importance`: permutation importance by column, the most important first.
[[nodiscard]] Json importance_json(const Model& model, const Dataset& data,
                                   const std::vector<Answer>& answers, const Costs& costs,
                                   const std::vector<OriginalColumn>& columns, unsigned threads);

/// `weights` of a linear model, the largest first; null for other models.
[[nodiscard]] Json weights_json(const Model& model, const std::vector<OriginalColumn>& columns);

}  // namespace rampart::tool
