#include "render/tune_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "rampart/model.hpp"
#include "render/cv_output.hpp"
#include "render/output.hpp"
#include "render/support.hpp"

namespace rampart::tool {
namespace {

double C_of(const TrainOptions& point) { return point.objective.C; }

/// 0 where there is no number: nothing varies then.
double gamma_of(const TrainOptions& point) {
  const double* value = std::get_if<double>(&point.representation.kernel.gamma);
  return value != nullptr && point.representation.kernel.has_gamma() ? *value : 0;
}

/// The least and the largest value among the points.
std::pair<double, double> range(const TuneReport& search, double (*value_of)(const TrainOptions&)) {
  double least = value_of(search.points.front());
  double most = least;
  for (const TrainOptions& point : search.points) {
    least = std::min(least, value_of(point));
    most = std::max(most, value_of(point));
  }
  return {least, most};
}

/// "the largest C and the smallest gamma", where the best point lies on an edge; else empty.
std::string edges_in_words(const TuneReport& search) {
  std::string text;
  const auto look = [&](const char* name, double (*value_of)(const TrainOptions&)) {
    const auto [least, most] = range(search, value_of);
    const double best = value_of(search.points[search.best]);
    if (least == most || (best != least && best != most)) return;
    text += fmt::format("{}the {} {}", text.empty() ? "" : " and ",
                        best == least ? "smallest" : "largest", name);
  };
  look("C", C_of);
  look("gamma", gamma_of);
  return text;
}

/// "the best point had the largest C: the grid was widened to C = 2^15"
std::string widening_in_words(const TuneReport& search) {
  std::string had;
  std::string to;
  const auto look = [&](const char* name, int end, double (*value_of)(const TrainOptions&)) {
    if (end == 0) return;
    const auto [least, most] = range(search, value_of);
    const char* between = had.empty() ? "" : " and ";
    had += fmt::format("{}the {} {}", between, end < 0 ? "smallest" : "largest", name);
    // A grid that may be widened has powers of two.
    to += fmt::format("{}{} = 2^{}", between, name, std::log2(end < 0 ? least : most));
  };
  look("C", search.widened.C, C_of);
  look("gamma", search.widened.gamma, gamma_of);
  return fmt::format("the best point had {}: the grid was widened to {}", had, to);
}

std::string better_rule_in_words(const Tuned& tuned) {
  std::string rule = "rejecting everything";
  double cost = tuned.trivial.reject_all;
  if (tuned.trivial.majority() < cost) {
    rule = "always answering the same class";
    cost = tuned.trivial.majority();
  }
  if (tuned.never_reject() < cost) {
    rule = "the same surface without its band";
    cost = tuned.never_reject();
  }
  return fmt::format(
      "{} costs {:.4f}, less than the {:.4f} estimated for this model: at this reject cost these "
      "data are better served without it",
      rule, cost, tuned.estimate());
}

bool is_unscaled(const TrainOptions& point) {
  return point.representation.scaling == ScalingKind::none &&
         point.representation.kernel.type != KernelType::precomputed;
}

/// Where something that was measured is better than rejecting all, perhaps at another cost.
std::string rejects_all_in_words(const Tuned& tuned, std::optional<double> share) {
  const std::string known =
      share ? fmt::format("; the best answers here are wrong in {}", percent(*share)) : "";
  return fmt::format(
      "the best point rejects every row: no training at this cost supports answering"
      "{}; {}another grid or --training-cost may do better",
      known, is_unscaled(tuned.best()) ? "--scale standard, " : "");
}

/// Notes about one search. `supported`: something that was measured is better than rejecting all;
/// `share`: of wrong answers, the least measured.
std::vector<std::string> notes_of(const Tuned& tuned, bool supported, std::optional<double> share) {
  std::vector<std::string> notes;
  const TuneReport& search = tuned.search;
  if (search.widened.any()) notes.push_back(widening_in_words(search));
  const bool rejects_all = tuned.summary().rejection_rate.mean == 1;
  if (supported) {
    if (tuned.trivial_rule_is_better()) notes.push_back(better_rule_in_words(tuned));
    if (rejects_all) {
      notes.push_back(rejects_all_in_words(tuned, share));
    }
  }
  // Where all is rejected, the best is the first of equals, and an edge says nothing.
  const std::string edges = rejects_all ? "" : edges_in_words(search);
  if (!edges.empty()) {
    notes.push_back(fmt::format(
        "the best point has {} of the grid: a wider grid may hold a better one", edges));
  }
  const TrainReport& report = tuned.trained.report;
  if (report.status != TrainStatus::converged) {
    notes.push_back(fmt::format(
        "the final training did not converge: {}{}", to_string(report.status),
        report.gap ? "" : ", since the kernel is not known to be positive semidefinite"));
  }
  return notes;
}

/// All points of all searches.
struct Measured {
  std::vector<TrainOptions> points;
  std::vector<CvSummary> summaries;
  double one_class;

  explicit Measured(const std::vector<Tuned>& all) : one_class(all.front().trivial.majority()) {
    for (const auto& tuned : all) {
      const auto& [tried, found, best, widened] = tuned.search;
      points.insert(points.end(), tried.begin(), tried.end());
      summaries.insert(summaries.end(), found.begin(), found.end());
    }
  }

  [[nodiscard]] std::optional<double> least_share(double least_answered) const {
    return least_share_of_wrong_answers(points, summaries, one_class, least_answered);
  }
};

constexpr double hardly_any = 0.01;  // of the rows: a few answers that happened to be right
constexpr double some = 0.05;

/// A rule that gives hardly any answer may be the best by chance.
std::string hardly_supported_in_words(const Tuned& tuned, const Measured& measured) {
  std::string text = fmt::format(
      "the best point answers only {} of the rows: these data hardly support answering at this "
      "cost",
      percent(1 - tuned.summary().rejection_rate.mean));
  const auto share = measured.least_share(some);
  if (!share || *share <= tuned.best().costs().reject_positive || *share >= 0.5) return text;
  return text + fmt::format(
                    "; rules here that answer {:.0f} % or more are wrong in {} of their answers at "
                    "best, and pay above d = {}",
                    100 * some, percent(*share), rounded_up(*share));
}

}  // namespace

std::string point_in_words(const TrainOptions& point) {
  std::string text = fmt::format("C = {}", number(point.objective.C));
  const std::string gamma = gamma_text(point.representation.kernel);
  if (!gamma.empty()) text += fmt::format(", gamma = {}", gamma);
  if (traits_of(point.objective.loss).has_ramps && point.objective.mu != 1) {
    text += fmt::format(", mu = {}", number(point.objective.mu));
  }
  const bool knows_costs = traits_of(point.objective.loss).uses_costs;
  if (point.band.decide_for && knows_costs && point.objective.costs.is_symmetric()) {
    text += fmt::format(", trained at d' = {}", number(point.objective.costs.reject_positive));
  }
  return text;
}

std::vector<std::string> tune_notes(const std::vector<Tuned>& all) {
  const Measured measured(all);
  const auto share = measured.least_share(0);
  std::vector<double> unsupported;
  if (share) unsupported = unsupported_costs(measured.points, *share);

  std::vector<std::string> notes;
  for (const Tuned& tuned : all) {
    const double d = tuned.best().costs().reject_positive;
    const bool supported = std::ranges::find(unsupported, d) == unsupported.end();
    std::vector<std::string> found = notes_of(tuned, supported, share);
    const double rejected = tuned.summary().rejection_rate.mean;
    if (supported && rejected < 1 && 1 - rejected <= hardly_any) {
      found.push_back(hardly_supported_in_words(tuned, measured));
    }
    for (const std::string& text : found) {
      notes.push_back(all.size() > 1 ? fmt::format("d = {}: {}", number(d), text) : text);
    }
  }
  if (!unsupported.empty()) {
    const bool unscaled = is_unscaled(measured.points.front());
    notes.push_back(no_support_in_words(unsupported, *share) +
                    (unscaled ? "; --scale standard may change that" : ""));
  }
  return notes;
}

}  // namespace rampart::tool
