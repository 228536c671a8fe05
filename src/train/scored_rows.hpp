#pragma once

#include <cstdint>
#include <span>

namespace rampart {

/// Throws InputError unless there is at least one row and every row has a label and a finite score.
void require_scored_rows(std::span<const double> scores, std::span<const std::int8_t> y);

}  // namespace rampart
