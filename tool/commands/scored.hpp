#pragma once

#include <string>
#include <vector>

#include "options/common.hpp"
#include "rampart/dataset.hpp"
#include "rampart/model.hpp"

namespace rampart::tool {

/// Labelled rows, and the model's answer to each.
struct Scored {
  Dataset data;
  std::vector<Answer> answers;
};

/// Reads the rows in the layout of the model and answers them; shows progress.
[[nodiscard]] Scored read_and_score(const Model& model, const std::string& path, ReadOptions read,
                                    const CommonOptions& common);

}  // namespace rampart::tool
