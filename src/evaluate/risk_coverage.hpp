#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "evaluate/intervals.hpp"

namespace rampart {

/// The result of answering exactly the rows with |f| ≥ threshold.
struct CoveragePoint {
  double threshold = 0;
  std::size_t accepted = 0;  ///< number of these rows, ≥ 1
  double errors = 0;         ///< among them; a row exactly at f = 0 is half an error

  [[nodiscard]] double coverage(std::size_t rows) const;
  [[nodiscard]] double risk() const;  ///< errors as a fraction of the accepted
  /// Clopper–Pearson for the risk. Half an error is rounded down for the lower end, up for the
  /// upper.
  [[nodiscard]] Interval risk_interval(double confidence = 0.95) const;
};

/// The risk–coverage curve: one point for every |f| that occurs, falling; rows of equal |f| enter
/// together. The last point has all rows.
[[nodiscard]] std::vector<CoveragePoint> risk_coverage_curve(std::span<const double> scores,
                                                             std::span<const std::int8_t> y);

/// Area under the risk–coverage curve: the error rate among the k most certain rows, averaged over
/// k = 1 … N. Inside a block of equal |f| the errors grow linearly, as they do on average over the
/// orders of its rows.
[[nodiscard]] double aurc(std::span<const CoveragePoint> curve);
[[nodiscard]] double aurc(std::span<const double> scores, std::span<const std::int8_t> y);

/// aurc() minus its value for the best order of the same rows: correct ones first, then half
/// errors, then errors. Never negative.
[[nodiscard]] double excess_aurc(std::span<const CoveragePoint> curve);
[[nodiscard]] double excess_aurc(std::span<const double> scores, std::span<const std::int8_t> y);

}  // namespace rampart
