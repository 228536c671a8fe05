#pragma once

#include <cstdint>

#include "faces/results_json.hpp"

namespace rampart::tool {

/// Adds the paper's figures to the data of a page: the losses, the square set with its band and
/// support vectors, Synthetic 1 with the learnt and the true boundary; and everything a report has
/// to say about the model of the square set, on rows it has not seen.
void add_paper_figures(Json& page, std::uint64_t seed, unsigned threads);

}  // namespace rampart::tool
