#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "commands/command.hpp"
#include "commands/scored.hpp"
#include "evaluate/intervals.hpp"
#include "evaluate/risk_coverage.hpp"
#include "files/paths.hpp"
#include "files/target.hpp"
#include "options/common.hpp"
#include "options/data.hpp"
#include "options/read_limits.hpp"
#include "options/training.hpp"
#include "options/values.hpp"
#include "rampart/errors.hpp"
#include "rampart/metrics.hpp"
#include "rampart/model.hpp"
#include "render/evaluation.hpp"
#include "render/output.hpp"

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
    const auto [dataset, answers] = read_and_score(model, input, data.read, common);

    const Evaluation evaluation =
        evaluate_answers(model, dataset, answers, costs, confidence.level);
    if (target) {
      target->write(csv_of(evaluation.curve, confidence.level));
      target->commit();
      if (target->is_stdout()) return exit_done;
    }
    if (common.json) {
      print_json(to_json(evaluation, dataset.classes));
    } else {
      print(evaluation_in_words(evaluation, dataset.classes));
    }
    return exit_done;
  }
};

}  // namespace

Run add_evaluate(CLI::App& app) { return add<EvaluateCommand>(app, "evaluate", about); }

}  // namespace rampart::tool
