#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rampart/dataset.hpp"
#include "rampart/options.hpp"
#include "rampart/train.hpp"

namespace rampart {

/// One way to get a classifier from labelled rows: a line of a table, a point of a grid.
struct Method {
  TrainOptions train;

  /// Folds whose scores choose the rejection band, or as many as the smaller class has rows; 0: the
  /// band that training finds, or that the loss prescribes. A support vector machine (hinge) has no
  /// band of its own: it needs them to reject.
  std::size_t band_folds = 0;

  /// What the answers will cost, where that is not what training was told (d′ ≠ d).
  std::optional<Costs> decide_for;

  [[nodiscard]] const Costs& costs() const { return decide_for ? *decide_for : train.costs; }

  /// Throws OptionError for the first field out of range.
  void validate() const;

  friend bool operator==(const Method&, const Method&) = default;
};

/// Folds for the band of a loss unless the user says otherwise.
[[nodiscard]] constexpr std::size_t default_band_folds(LossKind loss) {
  return loss == LossKind::hinge ? 5 : 0;
}

/// train(), and then the band. The band is chosen on the scores that models of the other folds
/// (stratified, seed 1) give to each row, at the least mean cost; the model then has b and ρ
/// accordingly. The report is about training, which knew nothing of it.
[[nodiscard]] Trained learn(const Dataset& data, const Method& method,
                            const TrainObserver& observe = {});

/// learn() for each of these methods, whose training may differ in loss, costs, C and μ only, with
/// the kernel rows in common; see train_each().
[[nodiscard]] std::vector<Trained> learn_each(const Dataset& data, std::span<const Method> methods,
                                              const TrainObserver& observe = {});

/// Answer − below `low`, + above `high`, nothing between.
struct Thresholds {
  double low;
  double high;
};

/// The cheapest thresholds for these scores: Chow's rule, on ranks instead of probabilities.
///
/// As in training, the cost splits into one part for each surface, so that one scan of the sorted
/// scores finds the global optimum. A threshold lies midway between two scores, or far beyond them
/// all; of equally cheap ones the smallest `high` is taken, then the largest `low`.
[[nodiscard]] Thresholds best_thresholds(std::span<const double> scores,
                                         std::span<const std::int8_t> y, const Costs& costs);

}  // namespace rampart
