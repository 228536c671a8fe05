#include <fmt/format.h>

#include <algorithm>

#include "command.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "rampart/metrics.hpp"
#include "rampart/model.hpp"

namespace rampart::tool {
namespace {

constexpr const char* about = R"(How well a model does on labelled rows, beside the trivial rules.

Examples:
  rampart evaluate model.json test.csv
  rampart evaluate model.json test.svm --reject-cost 0.1 --json

The risk is the mean cost per row: 1 for a wrong answer, d for none (or the model's costs).
AURC is the error rate among the most certain k rows, averaged over all k.)";

/// What rules cost that need no learning, or no band.
struct TrivialRules {
  double reject_all;
  double never_reject;  // the same surface without the band
  double majority;      // always the same answer
  std::string majority_label;
};

TrivialRules trivial_rules(const std::vector<double>& scores, const Dataset& dataset,
                           const Costs& costs) {
  const auto rows = static_cast<double>(dataset.size());
  const auto positives = static_cast<double>(std::ranges::count(dataset.y, 1));
  const double negatives = rows - positives;
  const double always_positive = negatives * costs.false_positive / rows;
  const double always_negative = positives * costs.false_negative / rows;
  const bool say_positive = always_positive <= always_negative;
  return {(positives * costs.reject_positive + negatives * costs.reject_negative) / rows,
          measure(scores, dataset.y, 0, costs).risk(),
          say_positive ? always_positive : always_negative,
          say_positive ? dataset.classes.positive : dataset.classes.negative};
}

struct EvaluateCommand {
  CommonOptions common;
  DataOptions data;
  CostOptions cost;
  std::string model_path;
  std::string input;

  void add_to(CLI::App& command) {
    command.add_option("MODEL", model_path, "A model file; - is stdin")->required();
    command.add_option("DATA", input, "Labelled rows: LIBSVM or CSV; - is stdin")->required();
    cost.add_to(command, "the model's");
    data.add_to(command, false);
    common.add_to(command);
  }

  int run() {
    require_one_stdin(model_path, input);
    const Model model = load_model(model_path);
    const Costs costs = cost.given() ? cost.costs() : model.costs;
    data.read.expected = model.features;
    data.read.classes = model.classes;
    data.read.serial_numbers = std::holds_alternative<PrecomputedKernel>(model.kernel);
    Progress progress(common.quiet);
    data.read.progress = progress.reading(input);
    const Dataset dataset = read_dataset(input, data.read);
    const std::vector<double> scores = progress.scores(Predictor(model, common.threads), dataset.x);
    progress.clear();

    const Metrics metrics = measure(scores, dataset.y, model.rho, costs);
    const double area = aurc(scores, dataset.y);
    const TrivialRules trivial = trivial_rules(scores, dataset, costs);
    if (common.json) {
      print_json(json_of(metrics, area, trivial, dataset));
    } else {
      print(text_of(metrics, area, trivial, dataset));
    }
    return exit_done;
  }

  static Json json_of(const Metrics& metrics, double area, const TrivialRules& trivial,
                      const Dataset& dataset) {
    Json json = metrics_json(metrics);
    json["aurc"] = area;
    json["costs"] = {{"false_positive", metrics.costs.false_positive},
                     {"false_negative", metrics.costs.false_negative},
                     {"reject_positive", metrics.costs.reject_positive},
                     {"reject_negative", metrics.costs.reject_negative}};
    json["reject_all"] = {{"risk", trivial.reject_all}};
    json["never_reject"] = {{"risk", trivial.never_reject}};
    json["majority"] = {{"risk", trivial.majority}, {"label", trivial.majority_label}};
    json["classes"] = {dataset.classes.negative, dataset.classes.positive};
    json["table"] = metrics.table;
    return json;
  }

  static std::string text_of(const Metrics& metrics, double area, const TrivialRules& trivial,
                             const Dataset& dataset) {
    const auto accuracy = metrics.accepted_accuracy();
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
    line("rows", std::to_string(metrics.rows()));
    line(fmt::format("risk ({})", price), fmt::format("{:.4f}", metrics.risk()));
    line("rejected", percent(metrics.rejection_rate()));
    line("right when answering", accuracy ? percent(*accuracy) : "-");
    line("AURC", fmt::format("{:.4f}", area));
    text += "\nrisk of rules that learn no band\n";
    line("  always reject", fmt::format("{:.4f}", trivial.reject_all));
    line("  never reject", fmt::format("{:.4f}", trivial.never_reject));
    line(fmt::format("  always answer '{}'", trivial.majority_label),
         fmt::format("{:.4f}", trivial.majority));

    const double cheapest = std::min({trivial.reject_all, trivial.never_reject, trivial.majority});
    if (cheapest < metrics.risk()) text += "one of them is cheaper than this model on these rows\n";

    const std::string names[] = {dataset.classes.negative, "reject", dataset.classes.positive};
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
};

}  // namespace

Run add_evaluate(CLI::App& app) { return add<EvaluateCommand>(app, "evaluate", about); }

}  // namespace rampart::tool
