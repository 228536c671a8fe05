#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "rampart/dataset.hpp"
#include "rampart/model.hpp"
#include "rampart/options.hpp"

namespace rampart {

/// One convex problem solved.
struct Round {
  double objective = 0;     ///< R(Θ) after it
  std::uint64_t steps = 0;  ///< of the solver, in its own unit
  double violation = 0;     ///< largest KKT violation left
  std::size_t flat = 0;     ///< ramps linearised in this round (eq:sets)
  bool swapped = false;     ///< whether ρ was negative and the offsets were swapped (lemma1)
};

/// What sequential minimal optimisation did.
struct SmoReport {
  std::uint64_t steps = 0;        ///< pairs of dual variables moved
  std::uint64_t kernel_rows = 0;  ///< rows of the kernel matrix computed

  friend SmoReport operator-(const SmoReport& a, const SmoReport& b) {
    return {a.steps - b.steps, a.kernel_rows - b.kernel_rows};
  }
};

/// What the linear solver did.
struct LinearReport {
  std::uint64_t passes = 0;  ///< over all rows
};

/// The report of the solver of the convex problems. Every kind of solver has its own.
using SolverReport = std::variant<SmoReport, LinearReport>;

struct TrainReport {
  std::vector<Round> history;
  double objective = 0;       ///< R(Θ) of the model, in double precision
  std::optional<double> gap;  ///< certified: (value − dual bound) / R; see Certificate
  double violation = 0;       ///< largest KKT violation, in units of f(x)
  SolverReport solver;
  std::size_t support_vectors = 0;  ///< of up to 512 rows, equal ones are one
  TrainStatus status = TrainStatus::converged;
};

/// Progress of a training.
struct TrainProgress {
  std::size_t round = 0;    ///< from 1
  std::uint64_t steps = 0;  ///< of this round, in the solver's own unit
  double violation = 0;     ///< current; the round ends at the tolerance
  double objective = 0;     ///< R after the last complete round; NaN in the first
};

/// Called at least once per thousand steps of a round. Returning false ends training with the best
/// Θ so far.
using TrainObserver = std::function<bool(const TrainProgress&)>;

struct Trained {
  Model model;
  TrainReport report;
  std::vector<double> scores;  ///< f(x) of the training rows, also of those of weight 0
  /// Which training rows are the model's vectors, from 0, one for each; empty for linear models and
  /// for explicit features.
  std::vector<std::size_t> support;
};

struct TrainerSetup;

/// Trains decision surfaces and rejection bands on the same rows with different options: by the
/// paper's Algorithm 1 for the double ramp loss, by one convex problem for the others. Scaling,
/// kernel and kernel rows are prepared once.
///
/// Of up to 512 rows neither their order shows in the model nor whether a row is given k times or
/// with the weight k: see docs/data.md.
///
/// Every result has the same bits as a separate training, except that its report counts fewer
/// kernel rows: those cached by earlier trainings are not computed again.
class Trainer {
 public:
  /// The rows must outlive the trainer. Throws OptionError, and InputError for rows that cannot be
  /// trained on. If `common` chooses a band, the cache budget is divided.
  Trainer(const Problem& data, const TrainOptions& common);
  Trainer(const Problem& data, const TrainOptions& common, TrainerSetup setup);  ///< internal
  Trainer(Dataset&&, const TrainOptions&) = delete;  // it would not outlive the trainer
  ~Trainer();
  Trainer(Trainer&&) noexcept;
  Trainer& operator=(Trainer&&) noexcept;

  /// The rounds start from Θ = 0, or from the flat sets of `start`, a model for the same classes
  /// and features. If a band is to be chosen, the thresholds of least mean cost on out-of-fold
  /// scores (stratified folds, seed 1) then replace b and ρ of the model. The report describes the
  /// training before that.
  ///
  /// Throws OptionError for options that do not share kernel rows with `common`, ModelError for a
  /// start that does not fit. Not converging is a status in the report, no exception.
  [[nodiscard]] Trained train(const TrainOptions& options, const TrainObserver& observe = {},
                              const Model* start = nullptr);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// One training.
[[nodiscard]] Trained train(const Problem& data, const TrainOptions& options,
                            const TrainObserver& observe = {}, const Model* start = nullptr);

}  // namespace rampart
