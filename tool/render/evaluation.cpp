#include "render/evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "evaluate/intervals.hpp"
#include "evaluate/risk_coverage.hpp"
#include "evaluate/trivial_rules.hpp"
#include "render/output.hpp"
#include "util/text.hpp"

namespace rampart::tool {
namespace {

Json interval_json(const std::optional<Interval>& interval) {
  return interval ? to_json(*interval) : Json(nullptr);
}

/// Nothing where nothing was counted.
std::optional<Interval> interval_of(std::size_t part, std::size_t whole, double confidence) {
  if (whole == 0) return std::nullopt;
  return clopper_pearson(part, whole, confidence);
}

}  // namespace

Interval Evaluation::rejection_interval() const {
  return clopper_pearson(metrics.rejected(), metrics.rows(), confidence);
}

std::optional<Interval> Evaluation::accuracy_interval() const {
  const std::size_t answered = metrics.answered();
  return interval_of(answered - metrics.errors(), answered, confidence);
}

std::optional<Interval> Evaluation::class_rejection_interval(std::size_t class_index) const {
  return interval_of(metrics.table[class_index][index_of(Decision::reject)],
                     metrics.class_rows(class_index), confidence);
}

Evaluator::Evaluator(const Model& model, const Costs& costs, double confidence)
    : model_(model),
      confidence_(confidence),
      metrics_{.costs = costs},
      without_band_{.costs = costs},
      overlap_{.rows = 0, .trained = 0, .all = !model.fingerprint.hashes.empty()} {}

void Evaluator::add(const Problem& rows, std::span<const Answer> answers) {
  const Surface& surface = model_.surface();
  const std::vector<double> scores = certainties(answers);
  std::vector<double> always;  // f of every row, also of those rejected for themselves
  for (const Answer& answer : answers) {
    always.push_back(answer.score_or(0));
    if (answer.reason != Reason::none) ++reasons_[answer.reason];
  }
  metrics_ += measure(scores, rows.y, surface.band.rho, metrics_.costs);
  without_band_ += measure(surface.own_scores(always), rows.y, 0, metrics_.costs);
  for (std::size_t n = 0; n < scores.size(); ++n) margins_.push_back(rows.y[n] * scores[n]);
  const Overlap here = overlap(model_.fingerprint, rows);
  overlap_.rows += here.rows;
  overlap_.trained += here.trained;
  overlap_.all &= here.all;
}

Evaluation Evaluator::finish() {
  const std::array rows = {metrics_.class_rows(0), metrics_.class_rows(1)};
  return {.metrics = metrics_,
          .trivial = trivial_rules(rows, metrics_.costs),
          .never_reject = without_band_.risk(),
          .by_certainty = CertaintyOrder(std::move(margins_)),
          .confidence = confidence_,
          .reasons = std::move(reasons_),
          .overlap = overlap_};
}

Evaluation evaluate_answers(const Model& model, const Problem& data,
                            const std::vector<Answer>& answers, const Costs& costs,
                            double confidence) {
  Evaluator evaluator(model, costs, confidence);
  evaluator.add(data, answers);
  return evaluator.finish();
}

std::string overlap_in_words(const Overlap& overlap) {
  constexpr std::size_t fewest = 30;  // rows that tell something about a share
  if (overlap.trained == 0) return "";
  const std::string how_many =
      overlap.all             ? fmt::format("{} of these rows", overlap.trained)
      : overlap.rows < fewest ? "some of these rows"
                              : fmt::format("about {} of these rows", percent(overlap.share()));
  return fmt::format(
      "{} {} rows that were trained on: if they are the same cases, the figures flatter the "
      "model\n",
      how_many, overlap.all && overlap.trained == 1 ? "equals" : "equal");
}

Json to_json(const Evaluation& evaluation, const ClassNames& classes) {
  const Metrics& metrics = evaluation.metrics;
  const Json trivial = to_json(evaluation.trivial, classes);
  Json json = to_json(metrics);
  json["coverage"] = metrics.coverage();
  json["aurc"] = evaluation.by_certainty.aurc();
  json["excess_aurc"] = evaluation.by_certainty.excess_aurc();
  json["class_rejection"] = {to_json(metrics.class_rejection_rate(0)),
                             to_json(metrics.class_rejection_rate(1))};
  json["confidence"] = evaluation.confidence;
  json["intervals"] = {
      {"rejection_rate", to_json(evaluation.rejection_interval())},
      {"accepted_accuracy", interval_json(evaluation.accuracy_interval())},
      {"class_rejection", Json::array({interval_json(evaluation.class_rejection_interval(0)),
                                       interval_json(evaluation.class_rejection_interval(1))})}};
  json["reasons"] = Json::object();
  for (const auto& [reason, rows] : evaluation.reasons) json["reasons"][to_string(reason)] = rows;
  json["trained_on"] = {{"rows", evaluation.overlap.trained},
                        {"looked_up", evaluation.overlap.rows},
                        {"all", evaluation.overlap.all}};
  json["costs"] = to_json(metrics.costs);
  json["reject_all"] = trivial["reject_all"];
  json["never_reject"] = {{"risk", evaluation.never_reject}};
  json["majority"] = trivial["majority"];
  json["classes"] = to_json(classes);
  json["table"] = metrics.table;
  return json;
}

std::string evaluation_in_words(const Evaluation& evaluation, const ClassNames& classes) {
  const Metrics& metrics = evaluation.metrics;
  const TrivialRules& trivial = evaluation.trivial;
  const Costs& costs = metrics.costs;
  const std::string price =
      costs.is_symmetric()
          ? fmt::format("d = {}", costs.reject_positive)
          : fmt::format("costs {},{},{},{}", costs.false_positive, costs.false_negative,
                        costs.reject_positive, costs.reject_negative);
  std::string text;
  const auto line = [&](const std::string& name, const std::string& value) {
    text += fmt::format("{:<34}{:>12}\n", name, value);
  };
  const auto risk_line = [&](const std::string& name, double risk) {
    line(name, fmt::format("{:.4f}", risk));
  };
  // A part of some rows, and how well they determine it.
  const auto rate_line = [&](const std::string& name, std::size_t part, std::size_t whole) {
    const auto interval = interval_of(part, whole, evaluation.confidence);
    if (!interval) return line(name, "-");
    line(name, fmt::format("{:>12}   {:.1f} to {:.1f} %",
                           percent(static_cast<double>(part) / static_cast<double>(whole)),
                           100 * interval->low, 100 * interval->high));
  };
  line("rows", std::to_string(metrics.rows()));
  risk_line(fmt::format("risk ({})", price), metrics.risk());
  risk_line("AURC", evaluation.by_certainty.aurc());
  risk_line("excess AURC", evaluation.by_certainty.excess_aurc());

  const std::size_t answered = metrics.answered();
  text += fmt::format("\n{:<46}   {:.10g} % interval\n", "", 100 * evaluation.confidence);
  rate_line("answered (coverage)", answered, metrics.rows());
  rate_line("right when answering", answered - metrics.errors(), answered);
  rate_line("rejected", metrics.rejected(), metrics.rows());
  for (const auto& [reason, rows] : evaluation.reasons) {
    const bool alone = evaluation.reasons.size() == 1 && reason == Reason::ambiguous;
    if (!alone) rate_line(fmt::format("  {}", to_string(reason)), rows, metrics.rows());
  }
  rate_line(fmt::format("  of those truly '{}'", printable(classes.negative)), metrics.table[0][1],
            metrics.class_rows(0));
  rate_line(fmt::format("  of those truly '{}'", printable(classes.positive)), metrics.table[1][1],
            metrics.class_rows(1));

  text += "\nrisk of rules that learn no band\n";
  risk_line("  always reject", trivial.reject_all);
  risk_line("  never reject", evaluation.never_reject);
  const std::string& majority =
      trivial.majority_is_positive() ? classes.positive : classes.negative;
  risk_line(fmt::format("  always answer '{}'", printable(majority)), trivial.majority());
  const double cheapest =
      std::min({trivial.reject_all, evaluation.never_reject, trivial.majority()});
  if (cheapest < metrics.risk()) text += "one of them is cheaper than this model on these rows\n";

  const std::string names[] = {printable(classes.negative), "reject", printable(classes.positive)};
  const std::size_t longest = std::max(names[0].size(), names[2].size());
  const std::size_t first = std::max<std::size_t>(22, longest + 8);
  const std::size_t other = std::max<std::size_t>(12, longest + 2);
  text += fmt::format("\n{:<{}}", "answered", first);
  for (const std::string& name : names) text += fmt::format("{:>{}}", name, other);
  text += '\n';
  for (std::size_t c = 0; c < 2; ++c) {
    text += fmt::format("{:<{}}", fmt::format("truly {}", names[2 * c]), first);
    for (const std::size_t count : metrics.table[c]) text += fmt::format("{:>{}}", count, other);
    text += '\n';
  }
  if (evaluation.overlap.trained > 0) text += '\n' + overlap_in_words(evaluation.overlap);
  return text;
}

}  // namespace rampart::tool
