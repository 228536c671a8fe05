#include "rampart/options.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "rampart/errors.hpp"
#include "util/memory_limit.hpp"

namespace rampart {
namespace {

void require(bool holds, const char* name, double value, const char* rule) {
  if (!holds) throw OptionError(fmt::format("{} = {}: {}", name, value, rule));
}

bool positive_and_finite(double value) { return value > 0 && std::isfinite(value); }

}  // namespace

std::span<const Named<Precision>> names_of(Precision) {
  using enum Precision;
  static constexpr auto table = std::to_array<Named<Precision>>(
      {{automatic, "auto"}, {single_rows, "single"}, {double_rows, "double"}});
  return table;
}

std::span<const Named<SolverKind>> names_of(SolverKind) {
  using enum SolverKind;
  static constexpr auto table =
      std::to_array<Named<SolverKind>>({{automatic, "auto"}, {smo, "smo"}, {linear, "linear"}});
  return table;
}

std::size_t default_cache_bytes() {
  static const std::uint64_t most = memory_limit().value_or(std::uint64_t{2} << 30);
  return static_cast<std::size_t>(
      std::min<std::uint64_t>(most / 2, std::numeric_limits<std::size_t>::max() / 2));
}

void Costs::validate() const {
  const bool no_number = std::isnan(reject_positive) && std::isnan(reject_negative);
  if (is_symmetric() || no_number) {
    const double d = reject_positive;
    require(d > 0 && d <= 0.5, "reject cost d", d,
            "must be greater than 0 and at most 0.5 (declining for more never pays)");
    return;
  }
  const char* rule = "must be > 0 and finite";
  require(positive_and_finite(false_positive), "cost of a false positive", false_positive, rule);
  require(positive_and_finite(false_negative), "cost of a false negative", false_negative, rule);
  require(positive_and_finite(reject_positive), "cost of rejecting a positive", reject_positive,
          rule);
  require(positive_and_finite(reject_negative), "cost of rejecting a negative", reject_negative,
          rule);
  require(reject_positive < false_negative, "cost of rejecting a positive", reject_positive,
          "must be less than the cost of a false negative");
  require(reject_negative < false_positive, "cost of rejecting a negative", reject_negative,
          "must be less than the cost of a false positive");
  const double sum = reject_positive / false_negative + reject_negative / false_positive;
  require(sum <= 1, "REJECT_POS/FN + REJECT_NEG/FP", sum,
          "must be at most 1 (declining would never pay)");
}

void TrainOptions::validate() const {
  const auto& [loss, costs, mu, C, class_weights, balanced] = objective;
  const auto& [kernel, scaling, missing, unfamiliar] = representation;
  const auto& [tolerance, precision, max_rounds, max_steps, max_seconds, solver] = exactness;
  costs.validate();
  if (!traits_of(loss).has_ramps && !costs.is_symmetric()) {
    throw OptionError(
        "costs: only the double ramp loss takes a table of costs; give a reject cost");
  }
  require(mu > 0 && mu <= 1, "mu", mu, "must be greater than 0 and at most 1");
  require(positive_and_finite(C), "C", C, "must be > 0 and finite");
  kernel.validate();
  if (solver == SolverKind::linear && !uses_linear_solver()) {
    throw OptionError("solver linear: needs a linear kernel, landmarks or features");
  }
  if (solver == SolverKind::smo && kernel.maps_rows()) {
    throw OptionError("solver smo: landmarks and features are trained by the linear solver");
  }
  if (kernel.type == KernelType::precomputed && scaling != ScalingKind::none) {
    throw OptionError("scale: a precomputed kernel cannot be scaled");
  }
  require(unfamiliar >= 0 && unfamiliar < 1, "unfamiliar", unfamiliar,
          "must be at least 0 and less than 1");
  if (balanced && !class_weights.empty()) {
    throw OptionError("class weight balanced: not together with other class weights");
  }
  for (const auto& [label, weight] : class_weights) {
    if (!positive_and_finite(weight)) {
      throw OptionError(fmt::format("class weight {}={}: must be > 0 and finite", label, weight));
    }
  }
  require(positive_and_finite(tolerance), "tolerance", tolerance, "must be > 0 and finite");
  require(max_rounds >= 1, "max rounds", 0, "must be at least 1");
  require(max_seconds >= 0 && std::isfinite(max_seconds), "max seconds", max_seconds,
          "must be >= 0 and finite");
  if (band.decide_for) band.decide_for->validate();
  if (band.folds == 1) throw OptionError("band folds = 1: must be 0 or at least 2");
}

}  // namespace rampart
