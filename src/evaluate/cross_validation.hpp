#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "evaluate/risk_coverage.hpp"
#include "rampart/dataset.hpp"
#include "rampart/errors.hpp"
#include "rampart/metrics.hpp"
#include "rampart/train.hpp"
#include "train/folds.hpp"

namespace rampart {

/// How one method did on one fold that it did not learn from.
struct FoldResult {
  std::size_t method = 0;  ///< which of the methods, from 0
  std::size_t repeat = 0;  ///< from 0
  std::size_t fold = 0;    ///< from 0
  Metrics metrics;
  Metrics without_band;  ///< the same surface, made to answer always
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
  std::optional<double> sd;  ///< nothing with a single repetition
};

/// One method over all folds. Within a repetition the counts of its folds are added up, so that
/// every row counts once; mean and sd are over the repetitions.
struct CvSummary {
  MeanSd risk;
  MeanSd rejection_rate;
  std::optional<MeanSd> accepted_accuracy;  ///< over the repetitions that answered at all
  MeanSd never_reject;                      ///< risk of the same surfaces without their bands
  MeanSd aurc;                              ///< mean over the folds of a repetition
  std::size_t not_converged = 0;            ///< trainings
  std::size_t stationary = 0;               ///< those of them with this status
};

struct CvReport {
  FoldOptions folds;
  std::vector<FoldResult> results;  ///< by method, then repetition, then fold

  /// The results of one method.
  [[nodiscard]] std::span<const FoldResult> of_method(std::size_t method) const;
  [[nodiscard]] CvSummary summary(std::size_t method) const;
};

/// The observer of a long computation said stop.
class Cancelled : public Error {
 public:
  using Error::Error;
};

/// What a caller may want to know or to add while it runs. All are called one at a time, from any
/// thread.
struct CvHooks {
  /// After each training, and now and then during one; false: stop, by throwing Cancelled.
  std::function<bool(std::size_t done, std::size_t of)> progress;
  /// With every result as it comes, in no particular order.
  std::function<void(const FoldResult&)> found;
  /// Results that are already there, from an earlier run of the same problem: not computed again.
  std::vector<FoldResult> known;
};

/// Repeated k-fold cross-validation of many methods on the same folds (those of the data's groups,
/// if it has any).
///
/// Methods that share kernel and scaling share kernel values: one matrix for all folds where the
/// kernel does not depend on the training rows, else one a fold. Every result equals that of
/// train() on the training rows and measure() on the others, bit for bit, on any number of threads.
[[nodiscard]] CvReport cross_validate(const Problem& data, std::span<const TrainOptions> methods,
                                      const FoldOptions& folds, unsigned threads = 0,
                                      const CvHooks& hooks = {});

}  // namespace rampart
