#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "commands/command.hpp"
#include "evaluate/trivial_rules.hpp"
#include "files/target.hpp"
#include "options/common.hpp"
#include "options/values.hpp"
#include "rampart/errors.hpp"
#include "render/output.hpp"
#include "render/page.hpp"
#include "render/progress.hpp"
#include "render/report_json.hpp"
#include "reproduce/experiments.hpp"
#include "reproduce/paper_figures.hpp"
#include "reproduce/paper_tables.hpp"

namespace rampart::tool {
namespace {

constexpr const char* about =
    R"(The paper's tables and figures, measured beside published.

Examples:
  rampart reproduce                              # the generated sets; paper.html
  rampart reproduce --data ~/uci -o all.html     # all four tables
  rampart reproduce --only ionosphere --data ~/uci --json
  rampart reproduce --repeats 1 --no-page        # a quick look

Trains on the paper's four data sets at ten reject costs with its parameters: double ramp and
double hinge as published, and beside them the generalized hinge, a support vector machine with
thresholds, and the trivial rules. Of the two generated sets every repetition draws other rows,
and the spread is that between draws: it shows where the published values lie. Two sets are of the
UCI repository: './dev data' downloads them.)";

using Clock = std::chrono::steady_clock;

// Seeds of neighbouring numbers, which people try, have no draw in common.
constexpr std::uint64_t seeds_between_draws = 1000;

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
        command.add_option("-o,--output", page_path, "The page; default: paper.html")
            ->check(a_file_name())
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
    command
        .add_option("--repeats", folds.repeats,
                    "Default: 10, as in the paper; of a generated set each on rows of its own")
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
    if (folds.repeats < 1) throw OptionError("repeats = 0: must be at least 1");
    const std::string output = page_path.value_or("paper.html");
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
      if (!common.json && !common.quiet) print(fmt::format("wrote {}\n", harmless_line(output)));
    } else if (!without_page && !common.quiet) {
      note(no_page());  // the tables do not need it
    }
    return exit_done;
  }

  PaperTable measure_table(const Experiment& experiment, Progress& progress) const {
    PaperTable table{.experiment = experiment};
    const auto begin = Clock::now();
    const PaperData first = paper_data(experiment, folder, folds.seed);
    if (!first.rows) {
      table.missing = first.missing;
      return table;
    }
    table.methods = paper_methods(experiment);
    table.rows = first.rows->size();
    table.features = first.rows->x.columns();
    table.folds = folds.folds * folds.repeats;
    if (is_generated(experiment)) {
      measure_draws(table, progress);
    } else {
      const CvReport report = cross_validate(*first.rows, table.methods, folds, common.threads,
                                             hooks_for(experiment, progress, 0, 1));
      for (std::size_t m = 0; m < table.methods.size(); ++m) {
        table.summaries.push_back(report.summary(m));
        table.trivial.push_back(trivial_rules(first.rows->y, table.methods[m].costs()));
      }
    }
    table.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return table;
  }

  /// Every repetition of cross-validation has a draw of its own: as much work as repeating it on
  /// one, and it shows how far draws differ.
  void measure_draws(PaperTable& table, Progress& progress) const {
    const std::size_t methods = table.methods.size();
    CvReport all{.folds = folds, .results = {}};
    all.results.resize(methods * folds.repeats * folds.folds);
    table.draws.resize(methods);
    table.trivial.resize(methods);
    for (std::size_t draw = 0; draw < folds.repeats; ++draw) {
      const std::uint64_t seed = folds.seed + seeds_between_draws * draw;
      const Dataset data = *paper_data(table.experiment, folder, seed).rows;
      const FoldOptions once{.folds = folds.folds, .repeats = 1, .seed = seed};
      const CvReport report =
          cross_validate(data, table.methods, once, common.threads,
                         hooks_for(table.experiment, progress, draw, folds.repeats));
      for (std::size_t m = 0; m < methods; ++m) {
        for (FoldResult result : report.of_method(m)) {
          result.repeat = draw;
          all.results[(m * folds.repeats + draw) * folds.folds + result.fold] = result;
        }
        table.draws[m].push_back(report.summary(m));
        const TrivialRules rules = trivial_rules(data.y, table.methods[m].costs());
        const double share = 1 / static_cast<double>(folds.repeats);
        table.trivial[m].reject_all = rules.reject_all;  // d, whatever the draw
        table.trivial[m].always_negative += share * rules.always_negative;
        table.trivial[m].always_positive += share * rules.always_positive;
      }
    }
    for (std::size_t m = 0; m < methods; ++m) table.summaries.push_back(all.summary(m));
  }

  /// A bar over `parts` equal parts, of which this is one.
  static CvHooks hooks_for(const Experiment& experiment, Progress& progress, std::size_t part,
                           std::size_t parts) {
    CvHooks hooks;
    hooks.progress = [&experiment, &progress, part, parts](std::size_t done, std::size_t of) {
      progress.bar(experiment.name, part * of + done, parts * of);
      return true;
    };
    return hooks;
  }
};

}  // namespace

Run add_reproduce(CLI::App& app) { return add<ReproduceCommand>(app, "reproduce", about); }

}  // namespace rampart::tool
