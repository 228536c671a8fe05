#include "rampart/model.hpp"

#include <algorithm>

#include "rampart/errors.hpp"

namespace rampart {

std::vector<double> Surface::own_scores(std::span<const double> scores) const {
  std::vector<double> own(scores.begin(), scores.end());
  if (!trained_band) return own;
  for (double& score : own) score += trained_band->b - band.b;
  return own;
}

std::size_t Surface::complexity() const {
  const auto not_zero = std::ranges::count_if(weights, [](double w) { return w != 0; });
  return coefficients.size() + static_cast<std::size_t>(not_zero);
}

std::vector<std::string> labels_of(const ClassNames& classes) {
  return {classes.negative, classes.positive};
}

namespace {

void require_two_classes(const Model& model) {
  if (model.classes.size() > 2 || model.surfaces.size() > 1) {
    throw ModelError("models of more than two classes are not supported yet");
  }
  if (model.classes.size() != 2 || model.surfaces.size() != 1) {
    throw ModelError("a model has two classes and one surface");
  }
}

}  // namespace

const Surface& Model::surface() const {
  require_two_classes(*this);
  return surfaces.front();
}

Surface& Model::surface() {
  require_two_classes(*this);
  return surfaces.front();
}

ClassNames Model::class_names() const {
  require_two_classes(*this);
  return {classes[0], classes[1]};
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
