#pragma once

#include <cstddef>
#include <vector>

#include "rampart/dataset.hpp"
#include "rampart/model.hpp"
#include "rampart/options.hpp"
#include "train/ramp_sum.hpp"

namespace rampart {

// What both kinds of training make of the options and the rows.

/// The options with the class weights that they stand for.
[[nodiscard]] TrainOptions with_class_weights(TrainOptions options, const Problem& data);

/// Throws OptionError for a class weight of a class that the data do not have.
[[nodiscard]] RowWeights row_weights(const Problem& data, const Objective& objective);

/// Throws OptionError for a loss that is too large: coefficients are at most the caps and R at most
/// their sum, and products of them must not overflow.
void require_computable(const RampSum& sum);

/// A tolerance must be small against the width μ + μ² of a ramp, not only against f.
[[nodiscard]] double largest_tolerance(const TrainOptions& options);
[[nodiscard]] double tolerance_of(const TrainOptions& options);

/// Scores of a model to start from, with the offsets of its band. Throws ModelError if it is not
/// for these classes and columns.
[[nodiscard]] std::vector<double> start_scores(const Model& model, const Problem& data,
                                               unsigned threads);
[[nodiscard]] std::vector<double> start_offsets(const Model& model, std::size_t offsets);

}  // namespace rampart
