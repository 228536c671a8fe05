#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "data/survey.hpp"
#include "rampart/familiar.hpp"
#include "rampart/rows.hpp"

namespace rampart {

/// Learns from training rows what is familiar, so that at most `share` of further rows like them is
/// not; 0: nothing is learnt. Columns with categories are not judged; an empty list: none has any.
/// Rows may miss values (NaN).
///
/// If the rows, in any order, and one more row are exchangeable, that row is unfamiliar with a
/// probability of at most Familiar::promise(). docs/answers.md has the proof.
[[nodiscard]] Familiar learn_familiar(RowsView x,
                                      std::span<const std::vector<std::string>> categories,
                                      double share);

/// The same of rows that have been surveyed.
[[nodiscard]] Familiar learn_familiar(RowsView x,
                                      std::span<const std::vector<std::string>> categories,
                                      double share, const Survey& survey, unsigned threads);

/// The rows, of so many, that choose the scales of the columns and the relations, dealt at random.
/// The others are ranked.
[[nodiscard]] std::vector<std::size_t> sampled_rows(std::size_t rows, double share);

}  // namespace rampart
