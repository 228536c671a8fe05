#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rampart/model.hpp"
#include "rampart/options.hpp"

// What docs/metrics.md defines. Rows count once each, whatever their weight; `scores` are f(x),
// finite; `y` ±1. No rows, or not as many scores as labels, is an InputError.

namespace rampart {

/// How a classifier did on labelled rows. Counts first; everything else follows from them.
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
  /// Right answers among the answers; nothing where there was no answer.
  [[nodiscard]] std::optional<double> accepted_accuracy() const;

  /// Of one class alone: 0 is the negative, 1 the positive one.
  [[nodiscard]] std::size_t class_rows(std::size_t class_index) const;
  /// Rejected rows among those of the class; nothing where it has no row.
  [[nodiscard]] std::optional<double> class_rejection_rate(std::size_t class_index) const;

  /// Pools the rows of both. They must have been measured under the same costs.
  Metrics& operator+=(const Metrics& other);
};

[[nodiscard]] Metrics measure(std::span<const double> scores, std::span<const std::int8_t> y,
                              double rho, const Costs& costs);

/// What a model does on labelled rows, at the costs it is meant for.
[[nodiscard]] Metrics evaluate(const Model& model, const Problem& data, unsigned threads = 0);

}  // namespace rampart
