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
  std::uint64_t steps = 0;  ///< it took, in the unit of the solver
  double violation = 0;     ///< largest KKT violation left
  std::size_t flat = 0;     ///< ramps that were flat (eq:sets) and linearised in it
  bool swapped = false;     ///< ρ came out negative and was swapped away (lemma1)
};

/// What sequential minimal optimisation did.
struct SmoReport {
  std::uint64_t steps = 0;        ///< pairs of dual variables moved
  std::uint64_t kernel_rows = 0;  ///< rows of the kernel matrix computed

  friend SmoReport operator-(const SmoReport& a, const SmoReport& b) {
    return {a.steps - b.steps, a.kernel_rows - b.kernel_rows};
  }
};

/// What the solver of the convex problems has to report; each has its own.
using SolverReport = std::variant<SmoReport>;

struct TrainReport {
  std::vector<Round> history;
  double objective = 0;       ///< R(Θ) of the model, in double precision
  std::optional<double> gap;  ///< certified: (value − dual bound) / R; see Certificate
  double violation = 0;       ///< largest KKT violation, in units of f(x)
  SolverReport solver;
  std::size_t support_vectors = 0;
  TrainStatus status = TrainStatus::converged;
};

/// How far the work has come.
struct TrainProgress {
  std::size_t round = 0;    ///< from 1
  std::uint64_t steps = 0;  ///< in this round, in the unit of the solver
  double violation = 0;     ///< now; the round ends at the tolerance
  double objective = 0;     ///< R after the last complete round; NaN in the first
};

/// Called at least once in a thousand steps of a round; returning false ends training with what
/// there is.
using TrainObserver = std::function<bool(const TrainProgress&)>;

struct Trained {
  Model model;
  TrainReport report;
  std::vector<double> scores;  ///< f(x) of the training rows
};

struct TrainerSetup;

/// Learns decision surfaces and rejection bands from the same rows in many ways: the paper's
/// Algorithm 1 for the double ramp loss, one convex problem for the others. What the ways have in
/// common, scaling, kernel and kernel rows above all, is prepared once.
///
/// Every result has the bits of a training alone, but for the kernel rows counted in its report:
/// those that the trainings before have left behind are not computed again.
class Trainer {
 public:
  /// The rows must outlive it. Throws OptionError, and InputError for rows that nothing can be
  /// learnt from. The budget of the cache is divided if `common` chooses a band.
  Trainer(const Problem& data, const TrainOptions& common);
  Trainer(const Problem& data, const TrainOptions& common, TrainerSetup setup);  ///< internal
  ~Trainer();
  Trainer(Trainer&&) noexcept;
  Trainer& operator=(Trainer&&) noexcept;

  /// The rounds start from Θ = 0, or from the flat sets of `start`, a model for the same classes
  /// and features. Where a band is to be chosen, that follows: on the scores that models of the
  /// other folds (stratified, seed 1) give to each row, at the least mean cost; the model then has
  /// b and ρ accordingly. The report is about training, which knew nothing of it.
  ///
  /// Throws OptionError for options that do not share kernel rows with `common`, ModelError about
  /// the start; not converging is a status in the report.
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
