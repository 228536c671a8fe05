#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "commands/command.hpp"
#include "evaluate/intervals.hpp"
#include "evaluate/risk_coverage.hpp"
#include "files/inputs.hpp"
#include "files/paths.hpp"
#include "files/target.hpp"
#include "options/common.hpp"
#include "options/data.hpp"
#include "options/read_limits.hpp"
#include "options/training.hpp"
#include "options/values.hpp"
#include "rampart/errors.hpp"
#include "rampart/io.hpp"
#include "rampart/metrics.hpp"
#include "rampart/model.hpp"
#include "render/evaluation.hpp"
#include "render/output.hpp"
#include "render/progress.hpp"

namespace rampart::tool {
namespace {

constexpr const char* about = R"(How well a model does on labelled rows, beside the trivial rules.

Examples:
  rampart evaluate model.json test.csv
  rampart evaluate model.json test.svm --reject-cost 0.1 --json
  rampart evaluate model.json test.csv --curve curve.csv --confidence 0.99

The risk is the mean cost per row: 1 for a wrong answer, d for none (or the model's costs).
AURC is the error rate among the most certain k rows, averaged over all k; excess AURC is what
of it a better order of the same rows would save. Intervals are those of Clopper and Pearson.

Rows are read, answered and forgotten, also from a pipe: of a row, eight bytes are kept, for AURC.)";

void write_curve(Target& target, const std::vector<CoveragePoint>& curve, double confidence) {
  constexpr std::size_t enough = 1 << 16;  // bytes to write at once
  std::string text = "threshold,coverage,accepted,errors,risk,low,high\n";
  for (const CoveragePoint& point : curve) {
    const Interval interval = point.risk_interval(confidence);
    text += fmt::format("{},{},{},{},{},{},{}\n", number(point.threshold),
                        number(point.coverage(curve.back().accepted)), point.accepted,
                        number(point.errors), number(point.risk()), number(interval.low),
                        number(interval.high));
    if (text.size() < enough) continue;
    target.write(text);
    text.clear();
  }
  target.write(text);
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
    command.add_option("DATA", input, "Labelled rows, as train reads them; - is stdin")->required();
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
    const Evaluation evaluation = evaluate_rows(model, costs);
    const ClassNames classes = model.class_names();
    if (target) {
      write_curve(*target, evaluation.by_certainty.curve(), confidence.level);
      target->commit();
      if (target->is_stdout()) return exit_done;
    }
    if (common.json) {
      print_json(to_json(evaluation, classes));
    } else {
      print(evaluation_in_words(evaluation, classes));
    }
    return exit_done;
  }

  /// Rows are read, answered and forgotten, a batch at a time.
  [[nodiscard]] Evaluation evaluate_rows(const Model& model, const Costs& costs) {
    constexpr std::size_t most_values = 1 << 17, most_rows = 1 << 12, fewest_rows = 512;
    const std::size_t values = std::max<std::size_t>(model.features.count, 1);
    const std::size_t at_once = std::clamp(most_values / values, fewest_rows, most_rows);
    Progress progress(common.quiet);
    data.read.labelled = true;
    data.read.threads = common.threads;
    data.read.expected = model.features;
    data.read.classes = model.class_names();
    data.read.serial_numbers = std::holds_alternative<PrecomputedKernel>(model.kernel);
    data.read.progress = progress.reading(input);
    RowStream rows(files_of(input), data.read);
    const Predictor predictor(model, common.threads);
    Evaluator evaluator(model, costs, confidence.level);
    for (RowBatch batch = rows.next(at_once); batch.size() > 0; batch = rows.next(at_once)) {
      Problem some(batch.x, batch.y);
      some.categories = model.features.categories;
      some.ids = batch.ids;
      evaluator.add(some, predictor.answers(batch.x));
    }
    return evaluator.finish();
  }
};

}  // namespace

Run add_evaluate(CLI::App& app) { return add<EvaluateCommand>(app, "evaluate", about); }

}  // namespace rampart::tool
