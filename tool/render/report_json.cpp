#include "render/report_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "evaluate/intervals.hpp"
#include "evaluate/original_columns.hpp"
#include "evaluate/risk_coverage.hpp"
#include "evaluate/trivial_rules.hpp"
#include "rampart/errors.hpp"
#include "rampart/metrics.hpp"
#include "rampart/version.hpp"
#include "render/evaluation.hpp"
#include "render/output.hpp"
#include "render/people_json.hpp"
#include "render/train_command.hpp"
#include "render/words.hpp"

namespace rampart::tool {
namespace {

constexpr std::size_t most_curve_points = 500;

Json facts_json(const Model& model, const Costs& costs) {
  const Surface& surface = model.surface();
  Json facts = Json::array();
  const auto fact = [&](const char* name, const std::string& value) {
    facts.push_back(Json::array({name, value}));
  };
  fact("answers", answers_in_words(model));
  fact("loss", std::string(to_string(surface.objective.loss)));
  fact("meant for", costs_in_words(surface.costs()));
  if (surface.decide_for) fact("trained at", costs_in_words(surface.objective.costs));
  if (surface.trained_band) fact("band", "chosen on inner folds");
  if (costs != surface.costs()) fact("measured with", costs_in_words(costs));
  fact("C", number(surface.objective.C));
  if (traits_of(surface.objective.loss).has_ramps) fact("mu", number(surface.objective.mu));
  fact("kernel", kernel_in_words(model.kernel));
  fact("features",
       fmt::format("{}, scaling {}", model.features.count, to_string(model.scaling.kind)));
  fact("f(x)", surface_in_words(model));
  fact("rho", fmt::format("{:.6g}", surface.band.rho));
  fact("training", training_in_words(model));
  return facts;
}

Json metrics_json(const Evaluation& evaluation, const ClassNames& classes) {
  const Metrics& metrics = evaluation.metrics;
  const TrivialRules& trivial = evaluation.trivial;
  const auto accuracy = evaluation.accuracy_interval();
  Json json = to_json(metrics);
  json["rejection_interval"] = to_json(evaluation.rejection_interval());
  json["coverage"] = metrics.coverage();
  json["accuracy_interval"] = accuracy ? to_json(*accuracy) : Json(nullptr);
  json["class_rejection"] = {to_json(metrics.class_rejection_rate(0)),
                             to_json(metrics.class_rejection_rate(1))};
  json["aurc"] = evaluation.by_certainty.aurc();
  json["excess_aurc"] = evaluation.by_certainty.excess_aurc();
  json["table"] = metrics.table;
  json["trivial"] = {
      {"reject_all", trivial.reject_all},
      {"never_reject", evaluation.never_reject},
      {"majority", trivial.majority()},
      {"majority_label", trivial.majority_is_positive() ? classes.positive : classes.negative}};
  return json;
}

/// The curve, thinned to what a chart can show: its ends, the point of the model, and others in
/// equal steps.
Json curve_json(const Evaluation& evaluation) {
  const std::vector<CoveragePoint> curve = evaluation.by_certainty.curve();
  const std::size_t answered = evaluation.metrics.answered();
  std::set<std::size_t> shown;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    if (curve[i].accepted == answered) shown.insert(i);
  }
  const std::size_t others = std::min(most_curve_points - 1, curve.size());
  for (std::size_t k = 0; k < others; ++k) {
    shown.insert(others == 1 ? 0 : k * (curve.size() - 1) / (others - 1));
  }
  Json json = Json::array();
  for (const std::size_t i : shown) {
    const CoveragePoint& point = curve[i];
    const Interval interval = point.risk_interval(evaluation.confidence);
    json.push_back({{"coverage", point.coverage(curve.back().accepted)},
                    {"risk", point.risk()},
                    {"low", interval.low},
                    {"high", interval.high},
                    {"threshold", point.threshold},
                    {"accepted", point.accepted},
                    {"errors", point.errors}});
  }
  return json;
}

/// A line as a sentence.
std::string capital(std::string line) {
  while (!line.empty() && line.back() == '\n') line.pop_back();
  if (!line.empty() && line[0] >= 'a' && line[0] <= 'z')
    line[0] = static_cast<char>(line[0] - 'a' + 'A');
  return line + ".";
}

void add_zones(Json& json, const Model& model, const Dataset& data,
               const std::vector<double>& scores) {
  const ZoneSummary summary = summarise_zones(model, scores, data.y);
  json["zones"] = Json::array();
  for (std::size_t z = 0; z < all_zones.size(); ++z) {
    json["zones"].push_back({{"zone", to_string(all_zones[z])},
                             {"negative", summary.counts[z][0]},
                             {"positive", summary.counts[z][1]}});
  }
  const ClassNames classes = model.class_names();
  json["outliers"] = Json::array();
  for (const Outlier& outlier : summary.outliers) {
    json["outliers"].push_back({{"row", outlier.row},
                                {"label", outlier.y > 0 ? classes.positive : classes.negative},
                                {"score", outlier.score}});
  }
  json["outliers_total"] = summary.outliers_total;
}

}  // namespace

Json page_json(const std::string& title, const std::string& subtitle) {
  return {
      {"title", title}, {"subtitle", subtitle}, {"generator", std::string("rampart ") + version}};
}

Json model_json(const Model& model, const Dataset& data, const std::vector<Answer>& answers,
                const ModelReportOptions& options) {
  const Costs& costs = options.costs;
  const Surface& surface = model.surface();
  const Evaluation evaluation = evaluate_answers(model, data, answers, costs, options.confidence);
  const std::vector<double> scores = certainties(answers);
  const ScoreHistogram histogram = score_histogram(scores, data.y, surface.band.rho);

  Json json;
  json["name"] = options.name;
  json["text"] = fmt::format("Measured on {} labelled rows.", data.size());
  json["warning"] = evaluation.overlap.trained > 0
                        ? Json(capital(overlap_in_words(evaluation.overlap)))
                        : Json(nullptr);
  json["classes"] = model.classes;
  json["facts"] = facts_json(model, costs);
  json["reject_cost"] = reject_cost_json(costs);
  json["metrics"] = metrics_json(evaluation, model.class_names());
  json["confidence"] = options.confidence;
  json["curve"] = curve_json(evaluation);
  json["histogram"] = {{"edges", histogram.edges},
                       {"negative", histogram.negative},
                       {"positive", histogram.positive}};
  json["rho"] = surface.band.rho;
  if (const auto plane = plane_of(model, data, scores, options.threads)) {
    json["plane"] =
        plane_json(*plane, surface.band.rho,
                   plane->projected ? "A plane through the data" : "Decision regions",
                   plane->projected || !model.familiar.is_on()
                       ? ""
                       : "Cases unlike the training rows go to a person wherever they lie.");
  }
  const std::vector<OriginalColumn> columns = original_columns(model, data.x);
  json["worklist"] = worklist_json(model, data, answers, columns);
  if (!columns.empty()) {
    json["importance"] = importance_json(model, data, answers, costs, columns, options.threads);
    json["weights"] = weights_json(model, columns);
  }
  json["command"] = train_command(model, options.read);
  json["command_note"] = what_the_command_lacks(model, options.read);
  json["own_cost"] = reject_cost_json(surface.objective.costs);
  json["rounds"] = surface.certificate.history;
  if (traits_of(surface.objective.loss).has_ramps) {
    // Zones are about f, whatever else a row is rejected for.
    std::vector<double> f;
    for (const Answer& answer : answers) f.push_back(answer.score_or(0));
    add_zones(json, model, data, f);
  }
  return json;
}

Json plane_json(const Plane& plane, double rho, const std::string& name, const std::string& text) {
  std::string about = text;
  const auto say = [&](const std::string& sentence) {
    about += (about.empty() ? "" : " ") + sentence;
  };
  if (plane.projected) {
    say(fmt::format(
        "Each case at its place on the plane of the first two principal components, which holds "
        "{} of the variance of the scaled features. Cases at one place may differ in all that the "
        "plane does not show, so there are no regions of answers.",
        percent(plane.variance_share)));
  }
  if (plane.rows_per_point > 1) {
    say(fmt::format("One row in {} is drawn.", plane.rows_per_point));
  }
  Json points = Json::array();
  for (const Plane::Point& point : plane.points) {
    points.push_back(Json::array({point.x, point.y, int{point.label}, point.support ? 1 : 0,
                                  static_cast<int>(point.answer)}));
  }
  Json json = {{"name", name},
               {"text", about},
               {"x", plane.axes[0]},
               {"y", plane.axes[1]},
               {"projected", plane.projected},
               {"box", plane.box}};
  if (!plane.projected) {
    json["columns"] = plane.columns;
    json["rows"] = plane.rows;
    json["values"] = plane.values;
  }
  json["rho"] = rho;
  json["points"] = std::move(points);
  return json;
}

Json compared_json(const PairedCosts& paired, double confidence) {
  const double half = normal_quantile((1 + confidence) / 2) * paired.standard_error;
  return {{"different_answers", paired.different_answers},
          {"difference", paired.difference},
          {"interval", {paired.difference - half, paired.difference + half}}};
}

void require_finite(const Json& json) {
  if (json.is_number_float() && !std::isfinite(json.get<double>())) {
    throw OutputError("the report holds a number that is not finite; it was not written");
  }
  if (json.is_structured()) {
    for (const Json& item : json) require_finite(item);
  }
}

}  // namespace rampart::tool
