#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rampart/dataset.hpp"
#include "rampart/encoding.hpp"
#include "rampart/kernel.hpp"
#include "rampart/names.hpp"

namespace rampart {

enum class LossKind { double_ramp, double_hinge, generalized_hinge, hinge };

/// Name and properties of a loss; the table is in src/model/losses.cpp.
struct LossTraits {
  LossKind kind;
  std::string_view name;
  bool has_ramps;   ///< not convex: has μ, learns its band, accepts a cost table
  bool uses_costs;  ///< training depends on the costs and gives a band
};
[[nodiscard]] const LossTraits& traits_of(LossKind loss);
[[nodiscard]] std::span<const Named<LossKind>> names_of(LossKind);

/// Cost of each outcome; correct answers cost 0. The paper has 1, 1, d, d.
struct Costs {
  double false_positive = 1;
  double false_negative = 1;
  double reject_positive = 0.2;
  double reject_negative = 0.2;

  /// Errors cost 1, rejections d, for both classes.
  [[nodiscard]] static constexpr Costs symmetric(double d) { return {1, 1, d, d}; }

  [[nodiscard]] constexpr bool is_symmetric() const {
    return false_positive == 1 && false_negative == 1 && reject_positive == reject_negative;
  }

  /// Whether rejecting can be the cheapest decision: it must cost less than both answers at the
  /// class probability where these cost the same. For 1, 1, d, d this says d < 1/2.
  [[nodiscard]] constexpr bool rejecting_can_pay() const {
    return reject_positive / false_negative + reject_negative / false_positive < 1;
  }

  /// Throws OptionError for the first entry out of range.
  void validate() const;

  friend bool operator==(const Costs&, const Costs&) = default;
};

/// Precision of stored kernel rows. Sums are always double. automatic: single, but double below
/// tolerance 1e-5, which single cannot resolve, and up to 2048 rows, where single saves little.
enum class Precision { automatic, single_rows, double_rows };
[[nodiscard]] std::span<const Named<Precision>> names_of(Precision);

/// Solver of the convex problems. automatic: `linear` for a linear kernel and for explicit
/// features, `smo` for the others. smo: sequential minimal optimisation on kernel rows; linear:
/// Newton's method on w itself, whose time grows with the number of rows, not with its square.
enum class SolverKind { automatic, smo, linear };
[[nodiscard]] std::span<const Named<SolverKind>> names_of(SolverKind);

/// Half of the memory that this process may use: the machine's, or a smaller limit of the process.
/// 1 GiB if neither is known.
[[nodiscard]] std::size_t default_cache_bytes();

/// The objective of training: ½‖w‖² + C·Σ weight·loss.
struct Objective {
  LossKind loss = LossKind::double_ramp;
  Costs costs;                                  ///< d, or a whole cost table (double ramp only)
  double mu = 1.0;                              ///< the ramps rise over μ + μ²; 0 < μ ≤ 1
  double C = 1.0;                               ///< weight of the loss against ½‖w‖²; > 0
  std::map<std::string, double> class_weights;  ///< by label; > 0; 1 for labels not listed

  /// Class weights n/(2·n_class), with n the rows that are trained on, or the sum of their weights:
  /// both classes count the same. Not together with class_weights; a model has the numbers.
  bool balanced = false;

  friend bool operator==(const Objective&, const Objective&) = default;
};

/// How rows are represented.
struct Representation {
  KernelOptions kernel;
  ScalingKind scaling = ScalingKind::none;
  MissingKind missing = MissingKind::indicator;
  /// Of rows like the training rows, at most this share is rejected as unfamiliar; 0 ≤ share < 1;
  /// 0: no row is.
  double unfamiliar = 0.005;

  friend bool operator==(const Representation&, const Representation&) = default;
};

/// Tolerance, precision and limits. A training that reaches a limit ends with the best Θ so far,
/// which for `max_seconds` depends on the machine.
struct Exactness {
  /// Largest KKT violation left, in units of f(x); > 0; at most μ/10. The linear solver ends at a
  /// certified gap of a twentieth of it.
  double tolerance = 1e-3;
  Precision precision = Precision::automatic;
  std::size_t max_rounds = 100;  ///< convex rounds, ≥ 1
  /// Pair steps over all rounds; 0: 10⁷, or 100 per row if more. Of the linear solver: passes over
  /// the rows; 0: 3000.
  std::uint64_t max_steps = 0;
  double max_seconds = 0;  ///< of this training, by the clock; ≥ 0; 0: no limit
  SolverKind solver = SolverKind::automatic;

  friend bool operator==(const Exactness&, const Exactness&) = default;
};

/// Memory and threads. They do not change a bit of the result.
struct Resources {
  std::size_t cache_bytes = default_cache_bytes();  ///< for kernel rows, or mapped ones, as needed
  unsigned threads = 0;                             ///< 0: as many as the machine has
  /// Linear solver: a file that a training is kept in every `checkpoint_seconds`, and goes on from
  /// if it is there; removed at the end. Empty: none.
  std::string checkpoint = {};
  double checkpoint_seconds = 60;

  friend bool operator==(const Resources&, const Resources&) = default;
};

/// The source of the rejection band: training or the loss, or a choice after training.
struct BandChoice {
  /// Folds for the out-of-fold scores on which the band is chosen, at most the rows of the smaller
  /// class; 0: keep the band of training. The hinge loss has no band of its own, so it needs folds
  /// to reject.
  std::size_t folds = 0;

  /// Costs of decisions, if training uses other costs (d′ ≠ d).
  std::optional<Costs> decide_for;

  friend bool operator==(const BandChoice&, const BandChoice&) = default;
};

/// Default of BandChoice::folds for a loss.
[[nodiscard]] inline std::size_t default_band_folds(LossKind loss) {
  return traits_of(loss).uses_costs ? 0 : 5;
}

/// All options of a training; cross-validation calls it a method, tuning a point of the grid.
/// Everything but the resources determines the result.
struct TrainOptions {
  Objective objective;
  Representation representation;
  Exactness exactness;
  Resources resources;
  BandChoice band;

  /// Costs of decisions.
  [[nodiscard]] const Costs& costs() const {
    return band.decide_for ? *band.decide_for : objective.costs;
  }

  /// Whether trainings with these options can use the same kernel rows.
  [[nodiscard]] bool shares_kernel_rows_with(const TrainOptions& other) const {
    return representation == other.representation && exactness == other.exactness &&
           resources == other.resources;
  }

  /// Whether the linear solver trains.
  [[nodiscard]] bool uses_linear_solver() const {
    const KernelOptions& kernel = representation.kernel;
    return kernel.maps_rows() ||
           (kernel.type == KernelType::linear && exactness.solver != SolverKind::smo);
  }

  /// Throws OptionError for the first field out of range.
  void validate() const;

  friend bool operator==(const TrainOptions&, const TrainOptions&) = default;
};

}  // namespace rampart
