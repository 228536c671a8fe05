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

/// train(), and then the band. The band is chosen on the scores that models of the other folds
/// (stratified, seed 1) give to each row, at the least mean cost; the model then has b and ρ
/// accordingly. The report is about training, which knew nothing of it.
[[nodiscard]] Trained learn(const Dataset& data, const TrainOptions& options,
                            const TrainObserver& observe = {});

/// learn() for each of these methods, whose training may differ in loss, costs, C and μ only, with
/// the kernel rows in common; see train_each().
[[nodiscard]] std::vector<Trained> learn_each(const Dataset& data,
                                              std::span<const TrainOptions> options,
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
