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

/// The risk of rules that use no feature.
struct TrivialRules {
  double reject_all = 0;
  double always_negative = 0;
  double always_positive = 0;

  /// Whether + is the cheaper answer on these rows; also if both cost the same.
  [[nodiscard]] bool majority_is_positive() const { return always_positive <= always_negative; }
  [[nodiscard]] double majority() const {
    return majority_is_positive() ? always_positive : always_negative;
  }
};

[[nodiscard]] TrivialRules trivial_rules(std::span<const std::int8_t> y, const Costs& costs);

struct Interval {
  double low = 0;
  double high = 1;

  friend bool operator==(const Interval&, const Interval&) = default;
};

/// The exact interval of Clopper and Pearson for the probability p of a success: all p at which
/// neither this many successes or more, nor this many or fewer, have a probability below (1 −
/// confidence)/2. It is [0, 1] for no trials. Throws OptionError unless 0 < confidence < 1 and
/// successes ≤ trials.
[[nodiscard]] Interval clopper_pearson(std::size_t successes, std::size_t trials,
                                       double confidence = 0.95);

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
