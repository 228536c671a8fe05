#include "render/tune_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "rampart/model.hpp"
#include "render/cv_output.hpp"
#include "render/output.hpp"
#include "render/tune_notes.hpp"

namespace rampart::tool {
namespace {

Metrics pooled(const std::vector<FoldResult>& results,
               Metrics FoldResult::*which = &FoldResult::metrics) {
  Metrics sum{.costs = results.front().metrics.costs};
  for (const FoldResult& result : results) sum += result.*which;
  return sum;
}

Json nested_json(const Tuned& tuned) {
  if (tuned.outer.empty()) return nullptr;
  Json json = pooled_json(tuned.outer);
  json["chosen"] = Json::array();
  for (const TrainOptions& point : tuned.chosen) json["chosen"].push_back(method_json(point));
  return json;
}

std::string rates(double rejected, std::optional<double> right) {
  return fmt::format("rejected {}, right when answering {}", percent(rejected),
                     right ? percent(*right) : "-");
}

std::string text_of_one(const Tuned& tuned, const FoldOptions& folds) {
  const std::size_t points = tuned.search.points.size();
  const CvSummary& found = tuned.summary();
  std::string text =
      fmt::format("{} point{}, {} x {} folds. The best: {}\n", points, points == 1 ? "" : "s",
                  folds.repeats, folds.folds, point_in_words(tuned.best()));
  text += fmt::format(
      "its risk in cross-validation  {:.4f}  ({})\n", found.risk.mean,
      rates(found.rejection_rate.mean,
            found.accepted_accuracy ? std::optional(found.accepted_accuracy->mean) : std::nullopt));
  if (tuned.outer.empty() && points > 1) {
    text += fmt::format("  the least of {}, and so too good: --nested gives an honest estimate\n",
                        points);
  } else if (!tuned.outer.empty()) {
    const Metrics metrics = pooled(tuned.outer);
    text += fmt::format("nested estimate               {:.4f}  ({})\n", metrics.risk(),
                        rates(metrics.rejection_rate(), metrics.accepted_accuracy()));
  }
  text += fmt::format(
      "rules without a band          {:.4f} never reject, {:.4f} reject all, {:.4f} one class\n",
      found.never_reject.mean, tuned.trivial.reject_all, tuned.trivial.majority());
  return text + fmt::format("wrote {}\n", harmless_line(tuned.file));
}

std::string text_of_several(const std::vector<Tuned>& all, const FoldOptions& folds) {
  const bool nested = !all.front().outer.empty();
  std::string text = fmt::format("{} x {} folds. The best points:\n", folds.repeats, folds.folds);
  text += fmt::format("{:>6}{:>8}{:>8}{}{:>10}{:>9}{:>14}{:>12}{:>11}  {}\n", "d", "points", "risk",
                      nested ? fmt::format("{:>8}", "nested") : "", "rejected", "right",
                      "never reject", "reject all", "one class", "the best");
  for (const Tuned& tuned : all) {
    const CvSummary& found = tuned.summary();
    text += fmt::format("{:>6}{:>8}{:>8.4f}{}{:>10}{:>9}{:>14.4f}{:>12.4f}{:>11.4f}  {}\n",
                        number(tuned.best().costs().reject_positive), tuned.search.points.size(),
                        found.risk.mean, nested ? fmt::format("{:>8.4f}", tuned.estimate()) : "",
                        percent(found.rejection_rate.mean),
                        found.accepted_accuracy ? percent(found.accepted_accuracy->mean) : "-",
                        tuned.never_reject(), tuned.trivial.reject_all, tuned.trivial.majority(),
                        point_in_words(tuned.best()));
  }
  text += "Each risk is the least of its points";
  text += nested ? ", and so too good; the nested estimate is not.\n"
                 : ", and so too good: --nested gives an honest estimate.\n";
  return text + fmt::format("wrote {} models, {} to {}\n", all.size(),
                            harmless_line(all.front().file), harmless_line(all.back().file));
}

}  // namespace

double Tuned::estimate() const {
  return outer.empty() ? summary().risk.mean : pooled(outer).risk();
}

double Tuned::never_reject() const {
  return outer.empty() ? summary().never_reject.mean
                       : pooled(outer, &FoldResult::without_band).risk();
}

bool Tuned::trivial_rule_is_better() const {
  return estimate() > std::min({trivial.reject_all, trivial.majority(), never_reject()});
}

std::string tune_csv(const std::vector<Tuned>& all) {
  std::string text =
      "reject_cost,C,gamma,mu,training_cost,risk,risk_sd,rejection_rate,accepted_accuracy,"
      "never_reject_risk,aurc,not_converged,best\n";
  for (const Tuned& tuned : all) {
    for (std::size_t k = 0; k < tuned.search.points.size(); ++k) {
      const TrainOptions& point = tuned.search.points[k];
      const CvSummary& found = tuned.search.summaries[k];
      const auto cost = [](const Costs& costs) {
        return costs.is_symmetric() ? number(costs.reject_positive) : "";
      };
      text += fmt::format(
          "{},{},{},{},{},{},{},{},{},{},{},{},{}\n", cost(point.costs()),
          number(point.objective.C), gamma_text(point.representation.kernel),
          traits_of(point.objective.loss).has_ramps ? number(point.objective.mu) : "",
          cost(point.objective.costs), number(found.risk.mean),
          found.risk.sd ? number(*found.risk.sd) : "", number(found.rejection_rate.mean),
          found.accepted_accuracy ? number(found.accepted_accuracy->mean) : "",
          number(found.never_reject.mean), number(found.aurc.mean), found.not_converged,
          k == tuned.search.best ? 1 : 0);
    }
  }
  return text;
}

Json tune_json(const Tuned& tuned, std::size_t rows, const FoldOptions& folds) {
  Json json{{"model", tuned.file},
            {"rows", rows},
            {"points", tuned.search.points.size()},
            {"widened", tuned.search.widened.any()},
            {"folds", folds.folds},
            {"repeats", folds.repeats},
            {"seed", folds.seed},
            {"best", summary_json(tuned.best(), tuned.summary())},
            {"nested", nested_json(tuned)},
            {"reject_all", {{"risk", tuned.trivial.reject_all}}},
            {"majority", {{"risk", tuned.trivial.majority()}}},
            {"trivial_rule_is_better", tuned.trivial_rule_is_better()},
            {"grid", Json::array()}};
  for (std::size_t k = 0; k < tuned.search.points.size(); ++k) {
    json["grid"].push_back(summary_json(tuned.search.points[k], tuned.search.summaries[k]));
  }
  return json;
}

std::string tune_text(const std::vector<Tuned>& all, const FoldOptions& folds) {
  return all.size() == 1 ? text_of_one(all.front(), folds) : text_of_several(all, folds);
}

}  // namespace rampart::tool
