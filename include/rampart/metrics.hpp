#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rampart/model.hpp"
#include "rampart/options.hpp"

// The measures of docs/metrics.md. Every row counts once, whatever its weight. `scores` are finite
// f(x), `y` is ±1. Throws InputError for no rows, or for other than one score per label.

namespace rampart {

/// Counts of the decisions of a classifier on labelled rows, and the measures that follow from
/// them.
struct Metrics {
  /// table[class][decision]: class − then +; decision −, reject, +.
  std::array<std::array<std::size_t, 3>, 2> table{};
  Costs costs;

  [[nodiscard]] std::size_t rows() const;
  [[nodiscard]] std::size_t answered() const;
  [[nodiscard]] std::size_t rejected() const;
  [[nodiscard]] std::size_t errors() const;

  [[nodiscard]] double risk() const;            ///< mean cost per row (the 0-d-1 risk)
  [[nodiscard]] double coverage() const;        ///< answered rows, as a fraction of all
  [[nodiscard]] double rejection_rate() const;  ///< 1 − coverage
  /// Share of correct answers among all answers; nothing if there was none.
  [[nodiscard]] std::optional<double> accepted_accuracy() const;

  /// Rows of one class: 0 is the negative, 1 the positive one.
  [[nodiscard]] std::size_t class_rows(std::size_t class_index) const;
  /// Share of rejected rows of the class; nothing if it has no row.
  [[nodiscard]] std::optional<double> class_rejection_rate(std::size_t class_index) const;

  /// Adds the counts. Both must have the same costs.
  Metrics& operator+=(const Metrics& other);
};

[[nodiscard]] Metrics measure(std::span<const double> scores, std::span<const std::int8_t> y,
                              double rho, const Costs& costs);

/// Metrics of a model on labelled rows, at the costs of its decisions.
[[nodiscard]] Metrics evaluate(const Model& model, const Problem& data, unsigned threads = 0);

}  // namespace rampart
