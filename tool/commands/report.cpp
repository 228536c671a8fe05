#include <fmt/format.h>

#include <filesystem>

#include "commands/command.hpp"
#include "commands/scored.hpp"
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
#include "render/output.hpp"
#include "render/page.hpp"
#include "render/report_json.hpp"

namespace rampart::tool {
namespace {

constexpr const char* about = R"(A page about a model on labelled rows, for any browser.

Examples:
  rampart report model.json test.csv
  rampart report model.json test.csv -o test.html --reject-cost 0.1
  rampart report model.json test.csv --json > data.json

The page is one file that loads nothing: what the answers cost, the risk-coverage curve, how the
scores are spread, the regions of the answers, and what became of the rows. --json prints the
data of the page instead, and writes no page unless -o names one. A command that was built
without pages says why, and leaves it at the text unless -o asks for one.)";

constexpr const char* usual_output = "report.html";

std::string file_name(const std::string& path) {
  return path == "-" ? "standard input" : std::filesystem::path(path).filename().string();
}

struct ReportCommand {
  CommonOptions common;
  DataOptions data;
  CostOptions cost;
  std::string model_path;
  std::string input;
  std::string output;
  ConfidenceOption confidence;

  void add_to(CLI::App& command) {
    command.add_option("MODEL", model_path, "A model file; - is stdin")->required();
    command.add_option("DATA", input, "Labelled rows: LIBSVM or CSV; - is stdin")->required();
    command
        .add_option("-o,--output", output,
                    fmt::format("Where the page goes; - is stdout; default: {}", usual_output))
        ->check(a_file_name())
        ->type_name("OUT");
    cost.add_to(command, "the model's");
    confidence.add_to(command);
    data.add_to(command, false);
    add_model_limit(command, data.read.limits);
    common.add_to(command);
  }

  int run() {
    require_one_stdin(model_path, input);
    confidence.validate();
    if (common.json && output == "-") {
      throw OptionError("json: the page goes to standard output; give -o a file");
    }
    const std::string path = output.empty() ? usual_output : output;
    if (!output.empty() && !pages_are_built()) {
      throw OutputError(fmt::format("{}: {}", path, no_page()));
    }
    // Without -o, a command built without pages prints the text only.
    const bool makes_page = !output.empty() || (!common.json && pages_are_built());
    const Model model = load_model(model_path, data.read.limits);
    const Costs costs = cost.given() ? cost.costs() : model.surface().costs();
    std::optional<Target> target;
    if (makes_page) {
      require_other_file(path, {input, model_path});
      target.emplace(path);
    }
    const auto [dataset, answers] = read_and_score(model, input, data.read, common);

    const std::string name = fmt::format("{} on {}", file_name(model_path), file_name(input));
    Json json = page_json(name, costs_in_a_line(costs));
    json["models"] = Json::array({model_json(model, dataset, answers,
                                             {.name = name,
                                              .costs = costs,
                                              .confidence = confidence.level,
                                              .threads = common.threads})});
    require_finite(json);
    if (target) {
      target->write(page(json));
      target->commit();
    }
    if (common.json) {
      print_json(json);
    } else if (!target || !target->is_stdout()) {
      const Metrics metrics = measure(certainties(answers), dataset.y, model.surface().band.rho, costs);
      print(fmt::format("{}: {} rows, risk {:.4f}, rejected {}\n",
                        harmless_line(target ? path : name), metrics.rows(), metrics.risk(),
                        percent(metrics.rejection_rate())));
      if (!target && !common.quiet) note(no_page());
    }
    return exit_done;
  }

  static std::string costs_in_a_line(const Costs& costs) {
    return costs.is_symmetric()
               ? fmt::format("A wrong answer costs 1, no answer {}.", costs.reject_positive)
               : fmt::format(
                     "A false positive costs {}, a false negative {}, no answer {} for a "
                     "positive and {} for a negative row.",
                     costs.false_positive, costs.false_negative, costs.reject_positive,
                     costs.reject_negative);
  }
};

}  // namespace

Run add_report(CLI::App& app) { return add<ReportCommand>(app, "report", about); }

}  // namespace rampart::tool
