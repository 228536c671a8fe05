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

/// Rows by how certain the answer to them is. Takes eight bytes a row.
class CertaintyOrder {
 public:
  /// `margins`: y·f of every row, which is < 0 for an error. Throws InputError unless there are
  /// rows and all are finite.
  explicit CertaintyOrder(std::vector<double> margins);

  [[nodiscard]] std::size_t rows() const { return margins_.size(); }

  /// The risk–coverage curve: one point for every |f| that occurs, falling; rows of equal |f| enter
  /// together. The last point has all rows.
  [[nodiscard]] std::vector<CoveragePoint> curve() const;

  /// Area under the risk–coverage curve: the error rate among the k most certain rows, averaged
  /// over k = 1 … N. Inside a block of equal |f| the errors grow linearly, as they do on average
  /// over the orders of its rows.
  [[nodiscard]] double aurc() const;

  /// aurc() minus its value for the best order of the same rows: correct ones first, then half
  /// errors, then errors. Never negative.
  [[nodiscard]] double excess_aurc() const;

 private:
  template <class Visit>
  void for_each_point(const Visit& visit) const;
  template <class Visit>
  void for_each_count(const Visit& visit) const;

  std::vector<double> margins_;  // |y·f| falls
};

/// The same of rows with these f and labels.
[[nodiscard]] CertaintyOrder certainty_order(std::span<const double> scores,
                                             std::span<const std::int8_t> y);
[[nodiscard]] std::vector<CoveragePoint> risk_coverage_curve(std::span<const double> scores,
                                                             std::span<const std::int8_t> y);
[[nodiscard]] double aurc(std::span<const double> scores, std::span<const std::int8_t> y);
[[nodiscard]] double excess_aurc(std::span<const double> scores, std::span<const std::int8_t> y);

}  // namespace rampart
