#include "faces/results_json.hpp"
#include "evaluate/intervals.hpp"
#include "evaluate/risk_coverage.hpp"
#include "evaluate/trivial_rules.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>

namespace rampart {
namespace {

/// `a`, followed by the keys of `b`.
Json joined(Json a, const Json& b) {
  a.update(b);
  return a;
}

Json gamma_json(const Gamma& gamma) {
  if (const double* number = std::get_if<double>(&gamma)) return *number;
  return gamma == Gamma(GammaRule::scale) ? "scale" : "auto";
}

Json to_json(const Round& round) {
  return {{"objective", round.objective},
          {"steps", round.steps},
          {"violation", round.violation},
          {"flat", round.flat},
          {"swapped", round.swapped}};
}

Json to_json(const SmoReport& work) {
  return {{"solver", "smo"}, {"steps", work.steps}, {"kernel_rows", work.kernel_rows}};
}
Json to_json(const LinearReport& work) { return {{"solver", "linear"}, {"steps", work.passes}}; }

}  // namespace

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json to_json(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json to_json(const Interval& interval) { return Json::array({interval.low, interval.high}); }

Json to_json(const MeanSd& value) { return {{"mean", value.mean}, {"sd", to_json(value.sd)}}; }

Json to_json(const std::optional<MeanSd>& value) { return value ? to_json(*value) : Json(nullptr); }

Json to_json(const ClassNames& classes) {
  return Json::array({classes.negative, classes.positive});
}

Json to_json(const Costs& costs) {
  const auto& [false_positive, false_negative, reject_positive, reject_negative] = costs;
  return {{"false_positive", false_positive},
          {"false_negative", false_negative},
          {"reject_positive", reject_positive},
          {"reject_negative", reject_negative}};
}

Json to_json(const FoldOptions& options) {
  const auto& [folds, repeats, seed, stratified] = options;
  return {{"folds", folds}, {"repeats", repeats}, {"seed", seed}, {"stratified", stratified}};
}

Json to_json(const Metrics& metrics) {
  return {{"rows", metrics.rows()},
          {"risk", metrics.risk()},
          {"rejection_rate", metrics.rejection_rate()},
          {"accepted_accuracy", to_json(metrics.accepted_accuracy())}};
}

Json to_json(const TrivialRules& trivial, const ClassNames& classes) {
  const std::string& label = trivial.majority_is_positive() ? classes.positive : classes.negative;
  return {{"reject_all", {{"risk", trivial.reject_all}}},
          {"majority", {{"risk", trivial.majority()}, {"label", label}}}};
}

Json to_json(const CvSummary& summary) {
  Json json{
      {"risk", to_json(summary.risk)},
      {"rejection_rate", to_json(summary.rejection_rate)},
      // Both keys are there even when nothing was answered.
      {"accepted_accuracy", summary.accepted_accuracy ? to_json(*summary.accepted_accuracy)
                                                      : Json{{"mean", nullptr}, {"sd", nullptr}}},
      {"never_reject", to_json(summary.never_reject)},
      {"aurc", to_json(summary.aurc)},
      {"not_converged", summary.not_converged}};
  if (summary.weighted_risk) json["weighted_risk"] = *summary.weighted_risk;
  return json;
}

Json pooled_json(std::span<const FoldResult> results) {
  Metrics metrics{.costs = results.front().metrics.costs};
  std::optional<WeightedTable> weighted;
  for (const FoldResult& result : results) {
    metrics += result.metrics;
    if (!result.weighted) continue;
    if (!weighted) weighted.emplace();
    *weighted += *result.weighted;
  }
  Json json = to_json(metrics);
  if (weighted) json["weighted_risk"] = weighted->risk(metrics.costs);
  return json;
}

Json to_json(const Trained& trained) {
  const TrainReport& report = trained.report;
  const Surface& surface = trained.model.surface();
  Json json{{"reject_cost", reject_cost_json(surface.costs())},
            {"objective", report.objective},
            {"rounds", report.history.size()},
            {"status", to_string(report.status)},
            {"b", surface.band.b},
            {"rho", surface.band.rho},
            {"support_vectors", report.support_vectors},
            {"gap", to_json(report.gap)},
            {"violation", report.violation}};
  json.update(std::visit([](const auto& work) { return to_json(work); }, report.solver));
  json["history"] = Json::array();
  for (const Round& round : report.history) json["history"].push_back(to_json(round));
  return json;
}

Json to_json(const TrainOptions& options) {
  // The bindings name every field of every group: a new one does not compile until it is here.
  const auto& [objective, representation, exactness, resources, band] = options;
  const auto& [loss, costs, mu, C, class_weights, balanced] = objective;
  const auto& [kernel, scaling, missing, unfamiliar] = representation;
  const auto& [type, gamma, coef0, degree, landmarks, features] = kernel;
  const auto& [tolerance, precision, max_rounds, max_steps, max_seconds, solver] = exactness;
  const auto& [folds, decide_for] = band;
  Json weights = Json::object();
  for (const auto& [label, weight] : class_weights) weights[label] = weight;
  return {{"loss", to_string(loss)},
          {"costs", to_json(costs)},
          {"mu", mu},
          {"C", C},
          {"class_weights", balanced ? Json("balanced") : std::move(weights)},
          {"kernel", to_string(type)},
          {"gamma", gamma_json(gamma)},
          {"coef0", coef0},
          {"degree", degree},
          {"landmarks", landmarks},
          {"features", features},
          {"scaling", to_string(scaling)},
          {"missing", to_string(missing)},
          {"unfamiliar", unfamiliar},
          {"tolerance", tolerance},
          {"precision", to_string(precision)},
          {"max_rounds", max_rounds},
          {"max_steps", max_steps},
          {"max_seconds", max_seconds},
          {"solver", to_string(solver)},
          {"band_folds", folds},
          {"decide_for", decide_for ? to_json(*decide_for) : Json(nullptr)}};
}

Json reject_cost_json(const Costs& costs) {
  return costs.is_symmetric() ? Json(costs.reject_positive) : Json(nullptr);
}

Json method_json(const TrainOptions& method) {
  const Objective& objective = method.objective;
  const KernelOptions& kernel = method.representation.kernel;
  Json json{{"loss", to_string(objective.loss)}, {"reject_cost", reject_cost_json(method.costs())}};
  if (!method.costs().is_symmetric()) json["costs"] = to_json(method.costs());
  if (method.band.decide_for && traits_of(objective.loss).uses_costs) {
    json["training_cost"] = reject_cost_json(objective.costs);
  }
  json["C"] = objective.C;
  if (traits_of(objective.loss).has_ramps) json["mu"] = objective.mu;
  json["kernel"] = to_string(kernel.type);
  if (kernel.has_gamma()) json["gamma"] = gamma_json(kernel.gamma);
  if (kernel.landmarks > 0) json["landmarks"] = kernel.landmarks;
  if (kernel.features > 0) json["features"] = kernel.features;
  if (method.band.folds > 0) json["band_folds"] = method.band.folds;
  return json;
}

Json summary_json(const TrainOptions& method, const CvSummary& summary) {
  return joined(method_json(method), to_json(summary));
}

Json model_summary_json(const Model& model) {
  const bool linear = std::holds_alternative<LinearKernel>(model.kernel);
  const Surface& surface = model.surface();
  const Certificate& certificate = surface.certificate;
  return {{"loss", to_string(surface.objective.loss)},
          {"reject_cost", reject_cost_json(surface.costs())},
          {"mu", surface.objective.mu},
          {"C", surface.objective.C},
          {"kernel", to_string(type_of(model.kernel))},
          {"classes", model.classes},
          {"features", model.features.count},
          {"scaling", to_string(model.scaling.kind)},
          {"unfamiliar", model.familiar.is_on() ? Json(model.familiar.promise()) : Json(nullptr)},
          {"b", surface.band.b},
          {"rho", surface.band.rho},
          {"support_vectors", linear ? Json(nullptr) : Json(surface.coefficients.size())},
          {"rows", certificate.rows},
          {"objective", certificate.objective},
          {"gap", to_json(certificate.gap)},
          {"rounds", certificate.rounds},
          {"status", to_string(certificate.status)}};
}

}  // namespace rampart
