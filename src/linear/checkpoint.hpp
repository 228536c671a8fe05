#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "linear/linear_state.hpp"

namespace rampart {

/// Where a long training can go on after a kill.
struct Checkpoint {
  LinearState state;
  std::vector<float> centres;  ///< of the rows
};

/// A number that trainings on other rows, or for another loss, tolerance, scaling (λ) or start, do
/// not have: from all labels and rows.
[[nodiscard]] std::uint64_t problem_number(const BlockRows& rows, const HingeForm& loss,
                                           std::span<const double> lambda,
                                           const LinearOptions& options,
                                           std::span<const double> start_scores,
                                           std::span<const double> start_offsets);

/// Writes the file whole or not at all. It holds numbers as this machine stores them.
void write_checkpoint(const std::string& path, std::uint64_t problem, const LinearState& state,
                      std::span<const float> centres);

/// Nothing if there is no such file. Throws InputError for a damaged one, and for one of another
/// training.
[[nodiscard]] std::optional<Checkpoint> read_checkpoint(const std::string& path,
                                                        std::uint64_t problem, std::size_t columns,
                                                        std::size_t centres);

}  // namespace rampart
