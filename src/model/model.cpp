#include "rampart/model.hpp"

#include <algorithm>

namespace rampart {

std::vector<double> Model::own_scores(std::span<const double> scores) const {
  std::vector<double> own(scores.begin(), scores.end());
  if (!training.own_band) return own;
  for (double& score : own) score += training.own_band->b - b;
  return own;
}

std::size_t Model::complexity() const {
  if (!std::holds_alternative<LinearKernel>(kernel)) return coefficients.size();
  return static_cast<std::size_t>(std::ranges::count_if(weights, [](double w) { return w != 0; }));
}

std::string_view to_string(TrainStatus status) {
  switch (status) {
    case TrainStatus::converged:
      return "converged";
    case TrainStatus::stationary:
      return "stationary";
    case TrainStatus::stalled:
      return "stalled";
    case TrainStatus::round_limit:
      return "round limit";
    case TrainStatus::step_limit:
      return "step limit";
    case TrainStatus::time_limit:
      return "time limit";
    case TrainStatus::cancelled:
      break;
  }
  return "cancelled";
}

std::string_view to_string(LossKind loss) {
  switch (loss) {
    case LossKind::double_ramp:
      return "double-ramp";
    case LossKind::double_hinge:
      return "double-hinge";
    case LossKind::generalized_hinge:
      return "generalized-hinge";
    case LossKind::hinge:
      break;
  }
  return "hinge";
}

std::string_view to_string(KernelType type) {
  switch (type) {
    case KernelType::linear:
      return "linear";
    case KernelType::rbf:
      return "rbf";
    case KernelType::polynomial:
      return "polynomial";
    case KernelType::sigmoid:
      return "sigmoid";
    case KernelType::precomputed:
      break;
  }
  return "precomputed";
}

std::string_view to_string(ScalingKind kind) {
  switch (kind) {
    case ScalingKind::none:
      return "none";
    case ScalingKind::minmax:
      return "minmax";
    case ScalingKind::centre:
      return "centre";
    case ScalingKind::standard:
      break;
  }
  return "standard";
}

KernelType type_of(const Kernel& kernel) { return static_cast<KernelType>(kernel.index()); }

static_assert(std::is_same_v<
              std::variant_alternative_t<static_cast<std::size_t>(KernelType::precomputed), Kernel>,
              PrecomputedKernel>);

}  // namespace rampart
