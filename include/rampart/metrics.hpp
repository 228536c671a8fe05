#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "rampart/options.hpp"

namespace rampart {

/// How a classifier did on labelled rows, each counted once whatever its weight. Counts first;
/// everything else follows from them.
struct Metrics {
  /// table[class][decision]: class − then +; decision −, reject, +.
  std::array<std::array<std::size_t, 3>, 2> table{};
  Costs costs;

  [[nodiscard]] std::size_t rows() const;
  [[nodiscard]] std::size_t rejected() const;
  [[nodiscard]] std::size_t errors() const;

  [[nodiscard]] double risk() const;            ///< mean cost per row (the 0-d-1 risk)
  [[nodiscard]] double rejection_rate() const;  ///< fraction of the rows
  /// Right answers among the answers; nothing where there was no answer.
  [[nodiscard]] std::optional<double> accepted_accuracy() const;
};

/// `scores` are f(x), finite; `y` ±1. No rows is an InputError.
[[nodiscard]] Metrics measure(std::span<const double> scores, std::span<const std::int8_t> y,
                              double rho, const Costs& costs);

/// Area under the risk–coverage curve: rows are accepted in the order of falling |f|, and the error
/// rate among the accepted is averaged over the N coverages 1/N … 1. Rows of equal |f| enter as a
/// block: inside it the expected number of errors grows linearly.
[[nodiscard]] double aurc(std::span<const double> scores, std::span<const std::int8_t> y);

}  // namespace rampart
