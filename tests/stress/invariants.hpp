#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "model/loss.hpp"
#include "rampart/errors.hpp"
#include "rampart/metrics.hpp"
#include "rampart/model.hpp"
#include "rampart/train.hpp"

/// What must hold for every training, whatever the data and the options: it is refused with an
/// Error, or its report is true of the model as it is after saving and loading. Only the public
/// headers and the definitions of the losses are used.
namespace rampart::stress {

struct Training {
  Dataset data;
  TrainOptions options;
};

/// C times the weights of row n.
inline double cap(const Training& training, std::size_t n) {
  const Dataset& data = training.data;
  const auto weight_of = training.options.objective.class_weights.find(
      data.y[n] > 0 ? data.classes.positive : data.classes.negative);
  const bool named = weight_of != training.options.objective.class_weights.end();
  return training.options.objective.C * (data.weights.empty() ? 1 : data.weights[n]) *
         (named ? weight_of->second : 1);
}

/// The loss of one row at f, from its definition.
inline double loss_of(const TrainOptions& options, int y, double f, double rho) {
  const Costs& costs = options.objective.costs;
  const double t = y * f;
  const double d = costs.reject_positive;
  switch (options.objective.loss) {
    case LossKind::hinge:
      return HingeLoss{}(t);
    case LossKind::generalized_hinge:
      return GeneralizedHingeLoss{d}(t);
    case LossKind::double_hinge:
      return DoubleHingeLoss{d}(t);
    case LossKind::double_ramp:
      break;
  }
  const double reject = y > 0 ? costs.reject_positive : costs.reject_negative;
  const double wrong = y > 0 ? costs.false_negative : costs.false_positive;
  const DoubleRampLoss ramps{d, options.objective.mu};
  return reject * ramps.ramp(t - rho) + (wrong - reject) * ramps.ramp(t + rho);
}

inline double loss_sum(const Training& training, const std::vector<double>& f, double rho) {
  double total = 0;
  for (std::size_t n = 0; n < f.size(); ++n) {
    const double weight = cap(training, n);
    if (weight > 0) total += weight * loss_of(training.options, training.data.y[n], f[n], rho);
  }
  return total;
}

/// ½‖w‖² of a model.
inline double half_norm(const Model& model, const Dataset& data) {
  const Surface& surface = model.surface();
  if (std::holds_alternative<LinearKernel>(model.kernel)) {
    return std::inner_product(surface.weights.begin(), surface.weights.end(),
                              surface.weights.begin(), 0.0) /
           2;
  }
  if (surface.coefficients.empty()) return 0;
  Model without_b = model;  // f − b of features that are scaled already
  without_b.surface().band.b = 0;
  without_b.scaling = {};
  const bool precomputed = std::holds_alternative<PrecomputedKernel>(model.kernel);
  const std::vector<double> u =
      Predictor(without_b, 1).scores(precomputed ? data.x.subset(model.support) : model.vectors);
  return std::inner_product(u.begin(), u.end(), surface.coefficients.begin(), 0.0) / 2;
}

/// R of the best rule that looks at no feature: w = 0, and the band the loss prescribes or any.
inline double best_without_features(const Training& training, double fixed_rho) {
  const double mu = training.options.objective.mu;
  const double margin =
      training.options.objective.loss == LossKind::double_hinge
          ? DoubleHingeLoss{training.options.objective.costs.reject_positive}.entropy() /
                training.options.objective.costs.reject_positive
          : 1;
  std::vector<double> bs{0, margin, -margin};
  std::vector<double> rhos{fixed_rho};
  if (training.options.objective.loss == LossKind::double_ramp) {
    bs = {0, mu, -mu, mu * mu, -mu * mu};
    rhos = {0, mu, mu * mu};
  }
  double least = std::numeric_limits<double>::infinity();
  for (const double b : bs) {
    for (const double rho : rhos) {
      const std::vector<double> f(training.data.size(), b);
      least = std::min(least, loss_sum(training, f, rho));
    }
  }
  return least;
}

struct Outcome {
  bool refused = false;
  std::vector<std::string> faults;  ///< what does not hold, in words
};

inline Outcome examine(const Training& training) {
  Outcome outcome;
  std::vector<std::string>& faults = outcome.faults;
  const auto require = [&](bool holds, const std::string& fault) {
    if (!holds) faults.push_back(fault);
  };
  const Dataset& data = training.data;
  const TrainOptions& options = training.options;
  Trained trained;
  try {
    trained = train(data, options);
  } catch (const Error&) {
    outcome.refused = true;
    return outcome;
  }
  const TrainReport& report = trained.report;
  const Band band = trained.model.surface().band;
  const bool convex = options.objective.loss != LossKind::double_ramp;
  require(std::isfinite(report.objective), "R is not finite");
  require(std::isfinite(report.violation), "the violation is not finite");
  require(!report.gap || std::isfinite(*report.gap), "the gap is not finite");
  require(std::isfinite(band.b) && band.rho >= 0, "the band is impossible");
  require(report.status != TrainStatus::converged || report.gap, "converged, but not certified");
  require(!report.gap || *report.gap >= -1e-6,
          fmt::format("negative gap {}", report.gap.value_or(0)));

  require(!report.history.empty() && report.history.back().objective == report.objective,
          "the history does not end at R");
  for (std::size_t k = 1; k < report.history.size(); ++k) {
    require(report.history[k].objective <= report.history[k - 1].objective,
            fmt::format("the history rises from {} to {}", report.history[k - 1].objective,
                        report.history[k].objective));
  }

  const std::string text = to_json(trained.model);
  const Model model = model_from_json(text, "saved");
  require(to_json(model) == text, "saved again, the model differs");
  std::vector<double> scores;
  double norm = 0;
  try {
    scores = Predictor(model, 1).scores(data.x);
    norm = half_norm(model, data);
  } catch (const Error& error) {
    faults.push_back(fmt::format("the model cannot score its own rows: {}", error.what()));
    return outcome;
  }
  require(measure(trained.scores, data.y, band.rho, options.objective.costs).table ==
              measure(scores, data.y, model.surface().band.rho, options.objective.costs).table,
          "the saved model answers otherwise");

  const double recomputed = norm + loss_sum(training, scores, band.rho);
  // f is rounded, and the more so the larger its parts.
  double caps = 0;
  double largest = std::abs(band.b) + band.rho;
  for (std::size_t n = 0; n < data.size(); ++n) {
    caps += cap(training, n) * loss_of(options, data.y[n], 0, band.rho);
    largest = std::max(largest, std::abs(scores[n]));
  }
  require(std::abs(recomputed - report.objective) <=
              1e-6 * std::abs(recomputed) + 1e-14 * caps * (1 + largest),
          fmt::format("R = {} reported, {} recomputed", report.objective, recomputed));
  const double trivial = best_without_features(training, band.rho);
  require(!convex || report.objective <= trivial * (1 + 1e-12),
          fmt::format("R = {}, but w = 0 costs {}", report.objective, trivial));
  return outcome;
}

}  // namespace rampart::stress
