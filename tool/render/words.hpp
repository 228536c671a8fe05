#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rampart/dataset.hpp"
#include "rampart/model.hpp"

namespace rampart::tool {

/// Parts of a model in words. Names from files are made printable and short.

[[nodiscard]] std::string kernel_in_words(const Kernel& kernel);
[[nodiscard]] std::string costs_in_words(const Costs& costs);
[[nodiscard]] std::string answers_in_words(
    const Model& model);  ///< the rule: which label for which score
/// What is familiar to a model of so many columns, and what it promises.
[[nodiscard]] std::string familiar_in_words(const Familiar& familiar, std::size_t columns);
[[nodiscard]] std::string surface_in_words(const Model& model);   ///< what f consists of
[[nodiscard]] std::string training_in_words(const Model& model);  ///< how it ended

/// "R = 12.5, certified gap 3.1e-05": what is known of the optimum.
[[nodiscard]] std::string certificate_in_words(double objective, std::optional<double> gap);

/// What the user calls features of the model (from 0): "age", "sex = F", "age is missing".
[[nodiscard]] std::vector<std::string> feature_names(const Model& model,
                                                     std::span<const std::size_t> features);

/// "300 rows x 2 features; label column 'y': -1 is 'no' (120 rows), +1 is 'yes' (180)", one line.
[[nodiscard]] std::string rows_in_words(const Problem& data);

}  // namespace rampart::tool
