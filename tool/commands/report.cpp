#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "commands/command.hpp"
#include "commands/scored.hpp"
#include "evaluate/paired_costs.hpp"
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

constexpr const char* about = R"(A page about models on labelled rows, for the person who decides.

Examples:
  rampart report model.json test.csv
  rampart report model.json test.csv --title "Credit decisions, May" -o may.html
  rampart report linear.json rbf.json test.csv --reject-cost 0.1
  rampart report model.json test.csv --json > data.json

The page is one file that loads nothing. It opens with a verdict: of 1000 cases like these, how
many the model answers, how many of those answers are wrong, how many cases go to a person, and
what that costs. A slider shows other bands; then come the cases for a person, what drives the
answers, and last how the model was trained. Several models are compared on the same rows, at the
same costs.

--json prints the data of the page instead, and writes no page unless -o names one. A command that
was built without pages says why, and leaves it at the text unless -o asks for one.)";

constexpr const char* usual_output = "report.html";

std::string file_name(const std::string& path) {
  return path == "-" ? "standard input" : std::filesystem::path(path).filename().string();
}

/// The models by their file names; by their paths if two of these are equal.
std::vector<std::string> names_of(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  std::ranges::transform(paths, std::back_inserter(names), file_name);
  const std::set<std::string> different(names.begin(), names.end());
  return different.size() == names.size() ? names : paths;
}

struct ReportCommand {
  CommonOptions common;
  DataOptions data;
  CostOptions cost;
  std::string first_model;
  std::vector<std::string> others;  // more models, and DATA
  std::string title;
  std::string output;
  ConfidenceOption confidence;

  void add_to(CLI::App& command) {
    command.add_option("MODEL", first_model, "A model file; - is stdin")->required();
    command
        .add_option(
            "DATA", others,
            "Labelled rows, as train reads them; - is stdin. Files before it are more models, to "
            "be compared")
        ->required();
    command
        .add_option("-o,--output", output,
                    fmt::format("Where the page goes; - is stdout; default: {}", usual_output))
        ->check(a_file_name())
        ->type_name("OUT");
    command.add_option("--title", title, "Heading of the page; default: the names of the files")
        ->type_name("WORDS");
    cost.add_to(command, "the (first) model's");
    confidence.add_to(command);
    data.add_to(command, false);
    add_model_limit(command, data.read.limits);
    common.add_to(command);
  }

  int run() {
    const std::string input = others.back();
    std::vector<std::string> paths = {first_model};
    paths.insert(paths.end(), others.begin(), others.end() - 1);
    require_readable(paths, input);
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
    const std::vector<Model> models = load_models(paths);
    const Costs costs = cost.given() ? cost.costs() : models.front().surface().costs();
    std::optional<Target> target;
    if (makes_page) {
      std::vector<std::string> inputs = paths;
      inputs.push_back(input);
      require_other_file(path, inputs);
      target.emplace(path);
    }

    const std::vector<std::string> names = names_of(paths);
    const std::string name = fmt::format("{} on {}", fmt::join(names, ", "), file_name(input));
    Json json = page_json(title.empty() ? name : title,
                          subtitle(title.empty() ? "" : name, costs, models.size()));
    json["models"] = Json::array();
    if (models.size() > 1) json["compared"] = Json::array();
    std::string text;
    std::vector<Decision> first_decisions;
    for (std::size_t k = 0; k < models.size(); ++k) {
      const Model& model = models[k];
      const auto [dataset, answers] = read_and_score(model, input, data.read, common);
      json["models"].push_back(model_json(model, dataset, answers,
                                          {.name = models.size() > 1 ? names[k] : name,
                                           .costs = costs,
                                           .confidence = confidence.level,
                                           .read = data.read,
                                           .threads = common.threads}));
      if (models.size() > 1) {
        std::vector<Decision> decisions;
        for (const Answer& answer : answers) decisions.push_back(answer.decision);
        if (k == 0) first_decisions = decisions;
        json["compared"].push_back(compared_json(
            paired_costs(first_decisions, decisions, dataset.y, costs), confidence.level));
      }
      const Metrics metrics =
          measure(certainties(answers), dataset.y, model.surface().band.rho, costs);
      text += fmt::format("{}: {} rows, risk {:.4f}, rejected {}\n",
                          harmless_line(models.size() > 1 ? names[k]
                                        : target          ? path
                                                          : name),
                          metrics.rows(), metrics.risk(), percent(metrics.rejection_rate()));
    }
    require_finite(json);
    if (target) {
      target->write(page(json));
      target->commit();
    }
    if (common.json) {
      print_json(json);
    } else if (!target || !target->is_stdout()) {
      if (target && models.size() > 1) text += fmt::format("wrote {}\n", harmless_line(path));
      print(text);
      if (!target && !common.quiet) note(no_page());
    }
    return exit_done;
  }

  static void require_readable(const std::vector<std::string>& paths, const std::string& input) {
    for (const std::string& path : paths) require_one_stdin(path, input);
    if (std::ranges::count(paths, "-") > 1) {
      throw OptionError("-: only one MODEL can be standard input");
    }
    if (paths.size() > 1 && input == "-") {
      throw OptionError("-: each MODEL reads DATA anew; give a file instead of standard input");
    }
  }

  [[nodiscard]] std::vector<Model> load_models(const std::vector<std::string>& paths) const {
    std::vector<Model> models;
    for (const std::string& path : paths) {
      models.push_back(load_model(path, data.read.limits));
      if (models.back().class_names() != models.front().class_names()) {
        throw ModelError(
            fmt::format("{}: has other classes than {}; compare models of the same "
                        "classes, in the same order",
                        path, paths.front()));
      }
    }
    return models;
  }

  /// What the heading does not say. The verdict on one model names the costs, unless they are a
  /// table.
  static std::string subtitle(std::string files, const Costs& costs, std::size_t models) {
    if (!files.empty()) files += ". ";
    return files + (models > 1 || !costs.is_symmetric() ? costs_in_a_line(costs) : "");
  }

  static std::string costs_in_a_line(const Costs& costs) {
    return costs.is_symmetric()
               ? fmt::format("A wrong answer costs 1, a case for a person {}.",
                             costs.reject_positive)
               : fmt::format(
                     "A false positive costs {}, a false negative {}, a case for a person {} if it "
                     "is positive and {} if it is negative.",
                     costs.false_positive, costs.false_negative, costs.reject_positive,
                     costs.reject_negative);
  }
};

}  // namespace

Run add_report(CLI::App& app) { return add<ReportCommand>(app, "report", about); }

}  // namespace rampart::tool
