#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "rampart/dataset.hpp"
#include "rampart/model.hpp"
#include "rampart/options.hpp"

namespace rampart {

/// One convex problem solved.
struct Round {
  double objective = 0;     ///< R(Θ) after it
  std::uint64_t steps = 0;  ///< pair steps it took
  double violation = 0;     ///< largest KKT violation left
  std::size_t flat = 0;     ///< ramps that were flat (eq:sets) and linearised in it
  bool swapped = false;     ///< ρ came out negative and was swapped away (lemma1)
};

struct TrainReport {
  std::vector<Round> history;
  double objective = 0;       ///< R(Θ) of the model, in double precision
  std::optional<double> gap;  ///< certified: (value − dual bound) / R; see Certificate
  double violation = 0;       ///< largest KKT violation, in units of f(x)
  std::uint64_t steps = 0;
  std::uint64_t kernel_rows = 0;  ///< rows of the kernel matrix computed
  std::size_t support_vectors = 0;
  TrainStatus status = TrainStatus::converged;
};

/// How far the work has come.
struct TrainProgress {
  std::size_t round = 0;     ///< from 1
  std::uint64_t steps = 0;   ///< in this round
  double violation = 0;      ///< now; the round ends at the tolerance
  double objective = 0;      ///< R after the last complete round; NaN in the first
  std::size_t training = 0;  ///< which of several, from 0
};

/// Called at least once in a thousand steps of a round; returning false ends training with what
/// there is.
using TrainObserver = std::function<bool(const TrainProgress&)>;

struct Trained {
  Model model;
  TrainReport report;
  std::vector<double> scores;  ///< f(x) of the training rows
};

/// Learns a decision surface and a rejection band together: the paper's Algorithm 1 for the double
/// ramp loss, one convex problem for the others.
///
/// The rounds start from Θ = 0, or from the flat sets of `start`, a model for the same classes and
/// features. Throws OptionError, InputError and ModelError (about the start); not converging is a
/// status in the report.
[[nodiscard]] Trained train(const Dataset& data, const TrainOptions& options,
                            const TrainObserver& observe = {}, const Model* start = nullptr);

/// train() for each of these options, which may differ in loss, costs, C and μ only: what else
/// there is, the kernel rows above all, is prepared once for all of them.
///
/// The results have the bits of train() alone, but for `kernel_rows` of the report, which counts
/// the rows that the trainings before have not left behind. Throws OptionError for options that
/// differ in more.
[[nodiscard]] std::vector<Trained> train_each(const Dataset& data,
                                              std::span<const TrainOptions> options,
                                              const TrainObserver& observe = {},
                                              const Model* start = nullptr);

/// Where a training row ended up.  [table:behav_gamma]
enum class Zone {
  safe,       ///< t > ρ + μ: no part in the model
  margin,     ///< ρ − μ² ≤ t ≤ ρ + μ: holds the accepting surface of its class
  rejected,   ///< between the two ramps, on the plateau: no part in the model
  near_miss,  ///< −ρ − μ² ≤ t ≤ −ρ + μ: holds the surface it is on the wrong side of
  ignored_outlier,  ///< t < −ρ − μ²: wrong beyond repair, no part in the model
};
/// `slack` is how far from t = ±ρ + μ a row may still count as holding the surface there: training
/// places such rows only to its tolerance.
[[nodiscard]] Zone zone_of(double t, double rho, double mu, double slack = 0);
[[nodiscard]] std::string_view to_string(Zone zone);

}  // namespace rampart
