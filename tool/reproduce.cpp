#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "command.hpp"
#include "experiments.hpp"
#include "options.hpp"
#include "output.hpp"
#include "page.hpp"
#include "paper_figures.hpp"
#include "paper_tables.hpp"
#include "progress.hpp"
#include "rampart/errors.hpp"
#include "report_json.hpp"

namespace rampart::tool {
namespace {

constexpr const char* about =
    R"(The paper's tables and figures, measured beside published.

Examples:
  rampart reproduce                              # the generated sets; report.html
  rampart reproduce --data ~/uci -o paper.html   # all four tables
  rampart reproduce --only ionosphere --data ~/uci --json
  rampart reproduce --repeats 1 --no-page        # a quick look

Trains on the paper's four data sets at ten reject costs with its parameters: double ramp and
double hinge as published, and beside them the generalized hinge, a support vector machine with
thresholds, and the trivial rules. Two sets are of the UCI repository: './dev data' downloads them.)";

using Clock = std::chrono::steady_clock;

/// A paragraph in lines of at most 100 characters.
std::string wrapped(std::string text) {
  constexpr std::size_t width = 100;
  for (std::size_t begin = 0; begin + width < text.size();) {
    const std::size_t space = text.rfind(' ', begin + width);
    if (space == text.npos || space <= begin) break;
    text[space] = '\n';
    begin = space + 1;
  }
  return text;
}

struct ReproduceCommand {
  CommonOptions common;
  std::optional<std::string> page_path;
  std::string folder;
  std::vector<std::string> only;
  FoldOptions folds;
  bool without_page = false;

  void add_to(CLI::App& command) {
    auto* page_option =
        command.add_option("-o,--output", page_path, "The page; default: report.html")
            ->type_name("FILE");
    command
        .add_option(
            "--data", folder,
            "Folder with ionosphere.data and parkinsons.data, or with folders ionosphere and "
            "parkinsons that hold them; default: RAMPART_DATA")
        ->type_name("DIR");
    command.add_option("--only", only, "Only these sets (may be repeated)")
        ->check(
            CLI::IsMember({"synthetic1", "synthetic2", "ionosphere", "parkinsons"}).description(""))
        ->delimiter(',')
        ->type_name("SET");
    command.add_option("-v,--folds", folds.folds, "Default: 10, as in the paper")
        ->check(a_whole_number())
        ->type_name("K");
    command.add_option("--repeats", folds.repeats, "Default: 10, as in the paper")
        ->check(a_whole_number(100000))
        ->type_name("N");
    command.add_option("--seed", folds.seed, "Of the folds and of the generated sets; default: 1")
        ->check(a_whole_number())
        ->type_name("N");
    command.add_flag("--no-page", without_page, "Text or JSON only")->excludes(page_option);
    common.add_to(command);
  }

  int run() {
    if (folder.empty()) {
      const char* variable = std::getenv("RAMPART_DATA");
      folder = variable != nullptr ? variable : "";
    } else if (!std::filesystem::is_directory(folder)) {
      throw InputError(fmt::format("{}: not a folder", folder));
    }
    const std::string output = page_path.value_or("report.html");
    if (output == "-") throw OptionError("-o -: the page has to be a file");
    if (page_path && !pages_are_built())
      throw OutputError(fmt::format("{}: {}", output, no_page()));
    std::optional<Target> page_file;
    if (!without_page && pages_are_built()) page_file.emplace(output);

    Progress progress(common.quiet);
    std::vector<PaperTable> tables;
    for (const Experiment& experiment : paper_experiments()) {
      if (!only.empty() && std::ranges::find(only, experiment.set) == only.end()) continue;
      tables.push_back(measure_table(experiment, progress));
      progress.clear();
      if (!common.json) print(text_of(tables.back()));
    }
    Json json = tables_json(tables, folds);
    if (common.json) {
      print_json(json);
    } else {
      for (const std::string& finding : findings(tables)) print(wrapped(finding) + "\n\n");
    }
    if (page_file) {
      Json data =
          page_json("The paper's evaluation, measured again",
                    "Manwani, Desai, Sasidharan, Sundararajan: Double Ramp Loss Based Reject "
                    "Option Classifier (PAKDD 2015)");
      data["notes"] = findings(tables);
      data["comparisons"] = comparisons_json(tables, folds);
      add_paper_figures(data, folds.seed, common.threads);
      page_file->write(page(data));
      page_file->commit();
      if (!common.json && !common.quiet) print(fmt::format("wrote {}\n", output));
    } else if (!without_page && !common.quiet) {
      note(no_page());  // the tables do not need it
    }
    return exit_done;
  }

  PaperTable measure_table(const Experiment& experiment, Progress& progress) const {
    PaperTable table{.experiment = experiment};
    const auto begin = Clock::now();
    const PaperData found = paper_data(experiment, folder, folds.seed);
    if (!found.rows) {
      table.missing = found.missing;
      return table;
    }
    const Dataset& data = *found.rows;
    table.methods = paper_methods(experiment);
    CvHooks hooks;
    hooks.progress = [&](std::size_t done, std::size_t of) {
      progress.bar(experiment.name, done, of);
      return true;
    };
    const CvReport report = cross_validate(data, table.methods, folds, common.threads, hooks);
    table.rows = data.size();
    table.features = data.x.columns();
    for (std::size_t m = 0; m < table.methods.size(); ++m) {
      table.summaries.push_back(report.summary(m));
      table.trivial.push_back(trivial_rules(data.y, table.methods[m].costs()));
    }
    table.folds = folds.folds * folds.repeats;
    table.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return table;
  }
};

}  // namespace

Run add_reproduce(CLI::App& app) { return add<ReproduceCommand>(app, "reproduce", about); }

}  // namespace rampart::tool
