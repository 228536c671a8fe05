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
#include "rampart/kernel.hpp"
#include "rampart/names.hpp"

namespace rampart {

enum class LossKind { double_ramp, double_hinge, generalized_hinge, hinge };

/// What a loss is called and what it has; src/model/losses.cpp has the table.
struct LossTraits {
  LossKind kind;
  std::string_view name;
  bool has_ramps;   ///< is not convex: has a μ, finds its band, takes a table of costs
  bool uses_costs;  ///< training depends on the costs, and there is a band for them
};
[[nodiscard]] const LossTraits& traits_of(LossKind loss);
[[nodiscard]] std::span<const Named<LossKind>> names_of(LossKind);

/// What each outcome costs; right answers are free. The paper has 1, 1, d, d.
struct Costs {
  double false_positive = 1;
  double false_negative = 1;
  double reject_positive = 0.2;
  double reject_negative = 0.2;

  /// Wrong answers cost 1, declining costs d whatever the class.
  [[nodiscard]] static constexpr Costs symmetric(double d) { return {1, 1, d, d}; }

  [[nodiscard]] constexpr bool is_symmetric() const {
    return false_positive == 1 && false_negative == 1 && reject_positive == reject_negative;
  }

  /// Whether declining can ever be the cheapest choice: at the probability where both answers are
  /// equally dear it must cost less than they do. For 1, 1, d, d this says d < 1/2.
  [[nodiscard]] constexpr bool rejecting_can_pay() const {
    return reject_positive / false_negative + reject_negative / false_positive < 1;
  }

  /// Throws OptionError for the first entry out of range.
  void validate() const;

  friend bool operator==(const Costs&, const Costs&) = default;
};

/// In what precision kernel rows are stored. Sums are always double.
/// automatic: single, but double below tolerance 1e-5, which single cannot certify, and up to 2048
/// rows, where there is nothing to save.
enum class Precision { automatic, single_rows, double_rows };
[[nodiscard]] std::span<const Named<Precision>> names_of(Precision);

/// Half of the memory that this process may use: of the machine's, or of a smaller limit that is
/// set for it. 1 GiB where nothing is known.
[[nodiscard]] std::size_t default_cache_bytes();

/// What is minimised: ½‖w‖² + C·Σ weight·loss.
struct Objective {
  LossKind loss = LossKind::double_ramp;
  Costs costs;                                  ///< d, or a whole cost table (double ramp only)
  double mu = 1.0;                              ///< the ramps rise over μ + μ²; 0 < μ ≤ 1
  double C = 1.0;                               ///< weight of the loss against ½‖w‖²; > 0
  std::map<std::string, double> class_weights;  ///< by label; > 0; a label not named weighs 1

  friend bool operator==(const Objective&, const Objective&) = default;
};

/// How rows are represented.
struct Representation {
  KernelOptions kernel;
  ScalingKind scaling = ScalingKind::none;

  friend bool operator==(const Representation&, const Representation&) = default;
};

/// How exactly, and for how long. A training that meets a limit ends with the best Θ so far; what
/// that is after `max_seconds` depends on the machine.
struct Exactness {
  double tolerance = 1e-3;  ///< largest KKT violation left, in units of f(x); > 0; at most μ/10
  Precision precision = Precision::automatic;
  std::size_t max_rounds = 100;  ///< convex rounds, ≥ 1
  std::uint64_t max_steps = 0;   ///< pair steps over all rounds; 0: 10⁷, or 100 per row if more
  double max_seconds = 0;        ///< of this training, by the clock; ≥ 0; 0: no limit

  friend bool operator==(const Exactness&, const Exactness&) = default;
};

/// With what: none of it changes a bit of the result.
struct Resources {
  std::size_t cache_bytes = default_cache_bytes();  ///< for kernel rows, taken as they are needed
  unsigned threads = 0;                             ///< 0: as many as the machine has

  friend bool operator==(const Resources&, const Resources&) = default;
};

/// Which rejection band the model gets: the one that training finds or the loss prescribes, or one
/// that is chosen afterwards.
struct BandChoice {
  /// Folds whose scores choose the band, or as many as the smaller class has rows; 0: it is not
  /// chosen. A support vector machine (hinge) has no band of its own: it needs them to reject.
  std::size_t folds = 0;

  /// What the answers will cost, where that is not what training was told (d′ ≠ d).
  std::optional<Costs> decide_for;

  friend bool operator==(const BandChoice&, const BandChoice&) = default;
};

/// Folds for the band of a loss unless the user says otherwise.
[[nodiscard]] inline std::size_t default_band_folds(LossKind loss) {
  return traits_of(loss).uses_costs ? 0 : 5;
}

/// One way to get a classifier from labelled rows: a training, a line of a table, a point of a
/// grid. All but the resources decides the result, and nothing else does.
struct TrainOptions {
  Objective objective;
  Representation representation;
  Exactness exactness;
  Resources resources;
  BandChoice band;

  /// What the answers will cost.
  [[nodiscard]] const Costs& costs() const {
    return band.decide_for ? *band.decide_for : objective.costs;
  }

  /// Whether trainings with these options can use the same kernel rows.
  [[nodiscard]] bool shares_kernel_rows_with(const TrainOptions& other) const {
    return representation == other.representation && exactness == other.exactness &&
           resources == other.resources;
  }

  /// Throws OptionError for the first field out of range.
  void validate() const;

  friend bool operator==(const TrainOptions&, const TrainOptions&) = default;
};

}  // namespace rampart
