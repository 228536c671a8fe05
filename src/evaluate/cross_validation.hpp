#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "rampart/dataset.hpp"
#include "rampart/errors.hpp"
#include "rampart/metrics.hpp"
#include "rampart/train.hpp"
#include "train/folds.hpp"

namespace rampart {

/// The decisions on rows that have weights: as Metrics::table, each row counts by its weight.
struct WeightedTable {
  std::array<std::array<double, 3>, 2> table{};

  [[nodiscard]] double risk(const Costs& costs) const;  ///< mean cost
  WeightedTable& operator+=(const WeightedTable& other);
};

/// The result of one method on one test fold.
struct FoldResult {
  std::size_t method = 0;  ///< which of the methods, from 0
  std::size_t repeat = 0;  ///< from 0
  std::size_t fold = 0;    ///< from 0
  Metrics metrics;
  std::optional<WeightedTable> weighted;  ///< if the rows have weights
  Metrics without_band;                   ///< the same surface with ρ = 0
  double aurc = 0;
  std::size_t training_rows = 0;
  double b = 0;
  double rho = 0;
  double objective = 0;
  std::size_t rounds = 0;
  std::size_t support_vectors = 0;
  TrainStatus status = TrainStatus::converged;
};

/// Mean and standard deviation (divisor n − 1) over repetitions.
struct MeanSd {
  double mean = 0;
  std::optional<double> sd;  ///< absent with a single repetition
};

/// One method over all folds. The counts of the folds of a repetition are added, so that every row
/// counts once; mean and sd are over the repetitions.
struct CvSummary {
  MeanSd risk;
  std::optional<double> weighted_risk;  ///< mean, by the weights of the rows, if they have any
  MeanSd rejection_rate;
  std::optional<MeanSd> accepted_accuracy;  ///< over the repetitions with any answer
  MeanSd never_reject;                      ///< risk of the same surfaces with ρ = 0
  MeanSd aurc;                              ///< mean over the folds of a repetition
  std::size_t not_converged = 0;            ///< number of trainings
  std::size_t stationary = 0;               ///< of these, trainings with this status
};

struct CvReport {
  FoldOptions folds;
  std::vector<FoldResult> results;  ///< by method, then repetition, then fold

  /// The results of one method.
  [[nodiscard]] std::span<const FoldResult> of_method(std::size_t method) const;
  [[nodiscard]] CvSummary summary(std::size_t method) const;
};

/// Thrown when an observer returns false.
class Cancelled : public Error {
 public:
  using Error::Error;
};

/// Callbacks and known results. Calls come from any thread, but never two at a time.
struct CvHooks {
  /// Called after each training and during long ones. Returning false throws Cancelled.
  std::function<bool(std::size_t done, std::size_t of)> progress;
  /// Called with every result, in no particular order.
  std::function<void(const FoldResult&)> found;
  /// Results of an earlier run of the same problem. They are not computed again.
  std::vector<FoldResult> known;
};

/// Repeated k-fold cross-validation of many methods on the same folds (grouped, if the data have
/// groups).
///
/// Methods with the same kernel and scaling share kernel values: one matrix for all folds if the
/// kernel does not depend on the training rows, otherwise one per fold. Every result equals that of
/// train() on the training rows and measure() on the others, bit for bit, on any number of threads.
[[nodiscard]] CvReport cross_validate(const Problem& data, std::span<const TrainOptions> methods,
                                      const FoldOptions& folds, unsigned threads = 0,
                                      const CvHooks& hooks = {});

}  // namespace rampart
