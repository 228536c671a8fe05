#include <fmt/format.h>

#include <algorithm>

#include "commands/command.hpp"
#include "files.hpp"
#include "options.hpp"
#include "rampart/errors.hpp"
#include "rampart/metrics.hpp"
#include "rampart/model.hpp"
#include "rampart/text.hpp"
#include "read_limits.hpp"
#include "render/output.hpp"
#include "scored.hpp"

namespace rampart::tool {
namespace {

constexpr const char* about = R"(How well a model does on labelled rows, beside the trivial rules.

Examples:
  rampart evaluate model.json test.csv
  rampart evaluate model.json test.svm --reject-cost 0.1 --json
  rampart evaluate model.json test.csv --curve curve.csv --confidence 0.99

The risk is the mean cost per row: 1 for a wrong answer, d for none (or the model's costs).
AURC is the error rate among the most certain k rows, averaged over all k; excess AURC is what
of it a better order of the same rows would save. Intervals are those of Clopper and Pearson.)";

/// Everything there is to report of one model on one data set.
struct Evaluation {
  Metrics metrics;
  TrivialRules trivial;
  double never_reject;  // risk of the same surface without the band
  double area;          // under the curve
  double excess_area;
  double confidence;

  [[nodiscard]] Interval interval(std::size_t part, std::size_t whole) const {
    return clopper_pearson(part, whole, confidence);
  }
};

Json evaluation_json(const Evaluation& evaluation, const ClassNames& classes) {
  const Metrics& metrics = evaluation.metrics;
  Json json = metrics_json(metrics);
  json["coverage"] = metrics.coverage();
  json["aurc"] = evaluation.area;
  json["excess_aurc"] = evaluation.excess_area;
  json["class_rejection"] = Json::array();
  Json of_classes = Json::array();
  for (std::size_t c = 0; c < 2; ++c) {
    const std::size_t rows = metrics.class_rows(c);
    json["class_rejection"].push_back(json_of(metrics.class_rejection_rate(c)));
    of_classes.push_back(rows > 0 ? json_of(evaluation.interval(metrics.table[c][1], rows))
                                  : Json(nullptr));
  }
  const std::size_t answered = metrics.answered();
  json["confidence"] = evaluation.confidence;
  json["intervals"]["rejection_rate"] =
      json_of(evaluation.interval(metrics.rejected(), metrics.rows()));
  json["intervals"]["accepted_accuracy"] =
      answered > 0 ? json_of(evaluation.interval(answered - metrics.errors(), answered))
                   : Json(nullptr);
  json["intervals"]["class_rejection"] = std::move(of_classes);
  json["costs"] = json_of(metrics.costs);
  const TrivialRules& trivial = evaluation.trivial;
  json["reject_all"] = {{"risk", trivial.reject_all}};
  json["never_reject"] = {{"risk", evaluation.never_reject}};
  json["majority"] = {
      {"risk", trivial.majority()},
      {"label", trivial.majority_is_positive() ? classes.positive : classes.negative}};
  json["classes"] = {classes.negative, classes.positive};
  json["table"] = metrics.table;
  return json;
}

std::string text_of(const Evaluation& evaluation, const ClassNames& classes) {
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
    if (whole == 0) return line(name, "-");
    const Interval interval = evaluation.interval(part, whole);
    line(name, fmt::format("{:>12}   {:.1f} to {:.1f} %",
                           percent(static_cast<double>(part) / static_cast<double>(whole)),
                           100 * interval.low, 100 * interval.high));
  };
  line("rows", std::to_string(metrics.rows()));
  risk_line(fmt::format("risk ({})", price), metrics.risk());
  risk_line("AURC", evaluation.area);
  risk_line("excess AURC", evaluation.excess_area);

  const std::size_t answered = metrics.answered();
  text += fmt::format("\n{:<46}   {:.10g} % interval\n", "", 100 * evaluation.confidence);
  rate_line("answered (coverage)", answered, metrics.rows());
  rate_line("right when answering", answered - metrics.errors(), answered);
  rate_line("rejected", metrics.rejected(), metrics.rows());
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
  return text;
}

std::string csv_of(const std::vector<CoveragePoint>& curve, double confidence) {
  std::string text = "threshold,coverage,accepted,errors,risk,low,high\n";
  for (const CoveragePoint& point : curve) {
    const Interval interval = point.risk_interval(confidence);
    text += fmt::format("{},{},{},{},{},{},{}\n", number(point.threshold),
                        number(point.coverage(curve.back().accepted)), point.accepted,
                        number(point.errors), number(point.risk()), number(interval.low),
                        number(interval.high));
  }
  return text;
}

struct EvaluateCommand {
  CommonOptions common;
  DataOptions data;
  CostOptions cost;
  std::string model_path;
  std::string input;
  std::string curve_path;
  ConfidenceOption confidence;

  void add_to(CLI::App& command) {
    command.add_option("MODEL", model_path, "A model file; - is stdin")->required();
    command.add_option("DATA", input, "Labelled rows: LIBSVM or CSV; - is stdin")->required();
    cost.add_to(command, "the model's");
    command
        .add_option("--curve", curve_path,
                    "Write the risk-coverage curve as CSV; - is stdout, without the report")
        ->check(a_file_name())
        ->type_name("FILE");
    confidence.add_to(command);
    data.add_to(command, false);
    add_model_limit(command, data.read.limits);
    common.add_to(command);
  }

  int run() {
    require_one_stdin(model_path, input);
    confidence.validate();
    if (curve_path == "-" && common.json) {
      throw OptionError("--json: give --curve FILE; the curve would share standard output with it");
    }
    const Model model = load_model(model_path, data.read.limits);
    const Costs costs = cost.given() ? cost.costs() : model.surface().costs();
    std::optional<Target> target;
    if (!curve_path.empty()) {
      require_other_file(curve_path, {input, model_path});
      target.emplace(curve_path);
    }
    const auto [dataset, scores] = read_and_score(model, input, data.read, common);

    const std::vector<CoveragePoint> curve = risk_coverage_curve(scores, dataset.y);
    if (target) {
      target->write(csv_of(curve, confidence.level));
      target->commit();
      if (target->is_stdout()) return exit_done;
    }
    const Evaluation evaluation{
        .metrics = measure(scores, dataset.y, model.surface().band.rho, costs),
        .trivial = trivial_rules(dataset.y, costs),
        .never_reject = measure(model.surface().own_scores(scores), dataset.y, 0, costs).risk(),
        .area = aurc(curve),
        .excess_area = excess_aurc(curve),
        .confidence = confidence.level};
    if (common.json) {
      print_json(evaluation_json(evaluation, dataset.classes));
    } else {
      print(text_of(evaluation, dataset.classes));
    }
    return exit_done;
  }
};

}  // namespace

Run add_evaluate(CLI::App& app) { return add<EvaluateCommand>(app, "evaluate", about); }

}  // namespace rampart::tool
