#pragma once

#include <string>

#include "rampart/model.hpp"

namespace rampart::tool {

/// Parts of a model, as they are told to people.

[[nodiscard]] std::string kernel_in_words(const Kernel& kernel);
[[nodiscard]] std::string costs_in_words(const Costs& costs);
[[nodiscard]] std::string answers_in_words(const Model& model);   ///< when it gives which
[[nodiscard]] std::string surface_in_words(const Model& model);   ///< what f is made of
[[nodiscard]] std::string training_in_words(const Model& model);  ///< how it ended

/// What the user calls feature j (from 0).
[[nodiscard]] std::string feature_name(const Model& model, std::size_t j);

}  // namespace rampart::tool
