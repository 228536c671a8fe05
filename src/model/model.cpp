#include "rampart/model.hpp"

#include <algorithm>
#include <array>

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

std::vector<double> certainties(std::span<const Answer> answers) {
  std::vector<double> found;
  found.reserve(answers.size());
  for (const Answer& answer : answers) found.push_back(answer.certainty());
  return found;
}

std::span<const Named<Reason>> names_of(Reason) {
  using enum Reason;
  static constexpr auto table = std::to_array<Named<Reason>>({{none, ""},
                                                              {ambiguous, "ambiguous"},
                                                              {unfamiliar, "unfamiliar"},
                                                              {incomplete, "incomplete"},
                                                              {unseen, "unseen"},
                                                              {unreadable, "unreadable"}});
  return table;
}

std::span<const Named<TrainStatus>> names_of(TrainStatus) {
  using enum TrainStatus;
  static constexpr auto table = std::to_array<Named<TrainStatus>>({{converged, "converged"},
                                                                   {stationary, "stationary"},
                                                                   {stalled, "stalled"},
                                                                   {round_limit, "round limit"},
                                                                   {step_limit, "step limit"},
                                                                   {time_limit, "time limit"},
                                                                   {cancelled, "cancelled"}});
  return table;
}

}  // namespace rampart
