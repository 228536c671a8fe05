#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "rampart/kernel.hpp"
#include "rampart/scaling.hpp"

namespace rampart {

enum class LossKind { double_ramp, double_hinge, generalized_hinge, hinge };

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

/// Half of the memory that this process may use: of the machine's, or of a smaller limit that is
/// set for it. 1 GiB where nothing is known.
[[nodiscard]] std::size_t default_cache_bytes();

/// Everything that decides the result of train(), and nothing else but `cache_bytes` and
/// `threads`, which do not change a bit of it. Limits are among it: a training that meets one ends
/// with the best Θ so far, and what that is after `max_seconds` depends on the machine.
struct TrainOptions {
  LossKind loss = LossKind::double_ramp;
  Costs costs;      ///< d, or a whole cost table (double ramp only)
  double mu = 1.0;  ///< the ramps rise over μ + μ²; 0 < μ ≤ 1
  double C = 1.0;   ///< weight of the loss against ½‖w‖²; > 0
  KernelOptions kernel;
  ScalingKind scaling = ScalingKind::none;
  std::map<std::string, double> class_weights;  ///< by label; > 0; a label not named weighs 1
  double tolerance = 1e-3;  ///< largest KKT violation left, in units of f(x); > 0; at most μ/10
  Precision precision = Precision::automatic;
  std::size_t max_rounds = 100;  ///< convex rounds, ≥ 1
  std::uint64_t max_steps = 0;   ///< pair steps over all rounds; 0: 10⁷, or 100 per row if more
  double max_seconds = 0;        ///< of this training, by the clock; ≥ 0; 0: no limit
  std::size_t cache_bytes = default_cache_bytes();  ///< for kernel rows, taken as they are needed
  unsigned threads = 0;                             ///< 0: as many as the machine has

  /// Throws OptionError for the first field out of range.
  void validate() const;

  friend bool operator==(const TrainOptions&, const TrainOptions&) = default;
};

}  // namespace rampart
