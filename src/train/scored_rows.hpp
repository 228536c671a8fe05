#pragma once

#include <cstdint>
#include <span>

namespace rampart {

/// Throws InputError unless there is a row, and every row has a finite score and a label.
void require_scored_rows(std::span<const double> scores, std::span<const std::int8_t> y);

}  // namespace rampart
