#include "evaluate/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "commands/command.hpp"
#include "evaluate/risk_coverage.hpp"
#include "evaluate/trivial_rules.hpp"
#include "files/paths.hpp"
#include "files/target.hpp"
#include "journal/journal.hpp"
#include "journal/problem.hpp"
#include "options/common.hpp"
#include "options/data.hpp"
#include "options/training.hpp"
#include "options/values.hpp"
#include "rampart/errors.hpp"
#include "rampart/model.hpp"
#include "render/cv_output.hpp"
#include "render/json.hpp"
#include "render/output.hpp"
#include "render/progress.hpp"

namespace rampart::tool {
namespace {

constexpr const char* about = R"(Choose C, gamma and more by cross-validation, and train with them.

Examples:
  rampart tune heart.csv -o heart.json --scale standard --reject-cost 0.2
  rampart tune train.svm -o model.json --log2c -5,15,2 --log2g 3,-15,-2 --table grid.csv
  rampart tune train.csv -o model.json --kernel linear -c 1,10,100 --nested
  rampart tune big.svm -o model.json --journal tune.journal     # stop it, start it again

Every point of the grid is cross-validated on the same folds; the one of least risk at the reject
cost is trained on all rows. Its risk was the least of many and is therefore too good:
--nested repeats the whole choice inside of outer folds for an honest estimate.)";

/// "C = 2, gamma = 0.125"
std::string describe(const TrainOptions& method) {
  std::string text = fmt::format("C = {}", number(method.objective.C));
  const std::string gamma = gamma_text(method.representation.kernel);
  if (!gamma.empty()) text += fmt::format(", gamma = {}", gamma);
  if (traits_of(method.objective.loss).has_ramps && method.objective.mu != 1) {
    text += fmt::format(", mu = {}", number(method.objective.mu));
  }
  const bool knows_costs = traits_of(method.objective.loss).uses_costs;
  if (method.band.decide_for && knows_costs && method.objective.costs.is_symmetric()) {
    text += fmt::format(", trained at d' = {}", number(method.objective.costs.reject_positive));
  }
  return text;
}

struct TuneCommand {
  CommonOptions common;
  DataOptions data;
  TrainingOptions training;
  FoldingOptions folding;
  std::string input;
  std::string output;
  std::string table;
  std::string journal_path;
  bool nested = false;

  void add_to(CLI::App& command) {
    add_training_data(command, input);
    add_model_output(command, output);
    command.add_option("--table", table, "CSV of the grid: every point and its estimates")
        ->check(a_file_name())
        ->type_name("FILE");
    command
        .add_option("--journal", journal_path,
                    "Keep what is found in this file; started again, the run goes on from there")
        ->check(a_file_name())
        ->type_name("FILE");
    command.add_flag("--nested", nested,
                     "Also estimate what tuning gives on rows it has not seen: takes as many times "
                     "longer as there are folds");
    training.add_to(command, TrainingOptions::Choice::grid);
    folding.add_to(command, 5, 1);
    data.add_to(command, true);
    common.add_to(command);
  }

  int run() {
    require_own_stdout(common.json, output);
    if (table == "-") throw OptionError("--table -: has to be a file");
    if (journal_path == "-") throw OptionError("--journal -: has to be a file");
    for (const std::string* file : {&output, &table, &journal_path}) {
      require_other_file(*file, {input, folding.groups.source});
    }
    require_different_outputs({output, table, journal_path});
    const std::vector<TrainOptions> points = grid_points(training.method(common), training.grid());
    data.read.serial_numbers = points.front().representation.kernel.type == KernelType::precomputed;
    Target target(output);
    std::optional<Target> table_file;
    if (!table.empty()) table_file.emplace(table);
    Progress progress(common.quiet);
    data.read.progress = progress.reading(input);
    const Dataset dataset = folding.groups.read(input, data.read);

    std::optional<Journal> journal;
    if (!journal_path.empty()) {
      TuningFolds folds(dataset, folding.folds);
      journal.emplace(journal_path, plan(dataset, points, folds));
      if (journal->known_count() > 0 && !common.quiet) {
        note(fmt::format("{}: {} trainings are there already", journal_path,
                         journal->known_count()));
      }
    }
    try {
      const std::size_t trainings = points.size() * folding.folds.folds * folding.folds.repeats;
      const std::size_t parts = part_count();
      // Part 0, the choice for all rows, comes last: if an outer fold is too small to be tuned,
      // that shows before the long work.
      const auto hooks_of = [&](std::size_t part) {
        CvHooks hooks;
        if (journal) {
          hooks.known = journal->known(part, points);
          hooks.found = [&, part](const FoldResult& result) { journal->add({part, result}); };
        }
        const std::size_t place = (part + parts - 1) % parts;
        hooks.progress = [&, place](std::size_t done, std::size_t) {
          progress.bar("trainings", place * trainings + done, parts * trainings,
                       journal ? journal->known_count() : 0);
          return true;
        };
        return hooks;
      };
      std::vector<FoldResult> outer;
      if (nested) {
        outer = nested_estimate(dataset, points, folding.folds, common.threads,
                                [&](std::size_t fold) { return hooks_of(fold + 1); });
      }
      const TuneReport tuned = tune(dataset, points, folding.folds, common.threads, hooks_of(0));
      const Trained trained = train(dataset, tuned.points[tuned.best]);
      progress.clear();
      write(tuned, trained, target, table_file);
      report(dataset, tuned, outer, trained, target);
    } catch (const InputError& error) {  // the library has rows, no file names
      throw error_about(input, error);
    }
    return exit_done;
  }

  /// One part for the choice on all rows; nested, one more for each outer fold.
  [[nodiscard]] std::size_t part_count() const { return nested ? 1 + folding.folds.folds : 1; }

  /// The trainings there will be. `folds` must outlive it.
  JournalPlan plan(const Dataset& dataset, const std::vector<TrainOptions>& points,
                   TuningFolds& folds) const {
    return {.problem = tuning_problem(dataset, points, folding.folds, nested),
            .parts = part_count(),
            .points = points.size(),
            .repeats = folding.folds.repeats,
            .folds = folding.folds.folds,
            .max_rounds = points.front().exactness.max_rounds,
            .rows_of = [&folds](std::size_t part, std::size_t repeat, std::size_t fold) {
              return folds.at(part, repeat, fold);
            }};
  }

  void write(const TuneReport& tuned, const Trained& trained, Target& target,
             std::optional<Target>& table_file) const {
    std::vector<Target*> written = {&target};
    if (table_file) {
      table_file->write(table_csv(tuned));
      written.push_back(&*table_file);
    }
    target.write(to_json(trained.model));
    Target::commit_all(written);
  }

  static std::string table_csv(const TuneReport& tuned) {
    std::string text =
        "C,gamma,mu,training_cost,risk,risk_sd,rejection_rate,accepted_accuracy,never_reject_risk,"
        "aurc,not_converged,best\n";
    for (std::size_t k = 0; k < tuned.points.size(); ++k) {
      const TrainOptions& point = tuned.points[k];
      const CvSummary& found = tuned.summaries[k];
      const Costs& costs = point.objective.costs;
      text += fmt::format(
          "{},{},{},{},{},{},{},{},{},{},{},{}\n", number(point.objective.C),
          gamma_text(point.representation.kernel),
          traits_of(point.objective.loss).has_ramps ? number(point.objective.mu) : "",
          costs.is_symmetric() ? number(costs.reject_positive) : "", number(found.risk.mean),
          found.risk.sd ? number(*found.risk.sd) : "", number(found.rejection_rate.mean),
          found.accepted_accuracy ? number(found.accepted_accuracy->mean) : "",
          number(found.never_reject.mean), number(found.aurc.mean), found.not_converged,
          k == tuned.best ? 1 : 0);
    }
    return text;
  }

  static Metrics pooled(const std::vector<FoldResult>& results,
                        Metrics FoldResult::*which = &FoldResult::metrics) {
    Metrics sum{.costs = results.front().metrics.costs};
    for (const FoldResult& result : results) sum += result.*which;
    return sum;
  }

  void report(const Dataset& dataset, const TuneReport& tuned, const std::vector<FoldResult>& outer,
              const Trained& trained, const Target& target) const {
    const TrainOptions& best = tuned.points[tuned.best];
    const CvSummary& found = tuned.summaries[tuned.best];
    const TrivialRules trivial = trivial_rules(dataset.y, best.costs());
    const double estimate = outer.empty() ? found.risk.mean : pooled(outer).risk();
    // Both risks are estimated by the same folds.
    const double never_reject =
        outer.empty() ? found.never_reject.mean : pooled(outer, &FoldResult::without_band).risk();
    const bool trivial_wins =
        estimate > std::min({trivial.reject_all, trivial.majority(), never_reject});
    if (!common.quiet) {
      if (trivial_wins) note(warning(trivial, never_reject, estimate));
      if (found.rejection_rate.mean == 1) {
        note("the best point rejects every row: --scale standard, or another grid, may do better");
      }
      const std::string edges = at_edges(tuned);
      if (!edges.empty()) {
        note(fmt::format("the best {} of the grid: a wider grid may hold a better point", edges));
      }
    }
    if (trained.report.status != TrainStatus::converged && !common.quiet) {
      note(fmt::format(
          "the final training did not converge: {}{}", to_string(trained.report.status),
          trained.report.gap ? "" : ", since the kernel is not known to be positive semidefinite"));
    }
    if (target.is_stdout()) return;  // holds the model, and nothing else
    if (common.json) {
      Json json{{"model", output},
                {"rows", dataset.size()},
                {"points", tuned.points.size()},
                {"folds", folding.folds.folds},
                {"repeats", folding.folds.repeats},
                {"seed", folding.folds.seed},
                {"best", summary_json(best, found)},
                {"nested", outer.empty() ? Json(nullptr) : nested_json(tuned, outer)},
                {"reject_all", {{"risk", trivial.reject_all}}},
                {"majority", {{"risk", trivial.majority()}}},
                {"trivial_rule_is_better", trivial_wins},
                {"grid", Json::array()}};
      for (std::size_t k = 0; k < tuned.points.size(); ++k) {
        json["grid"].push_back(summary_json(tuned.points[k], tuned.summaries[k]));
      }
      print_json(json);
      return;
    }
    if (common.quiet) return;
    print(text_of(tuned, outer, trivial));
  }

  static Json nested_json(const TuneReport& tuned, const std::vector<FoldResult>& outer) {
    Json json = to_json(pooled(outer));
    json["chosen"] = Json::array();
    for (const FoldResult& result : outer) {
      json["chosen"].push_back(method_json(tuned.points[result.method]));
    }
    return json;
  }

  std::string text_of(const TuneReport& tuned, const std::vector<FoldResult>& outer,
                      const TrivialRules& trivial) const {
    const TrainOptions& best = tuned.points[tuned.best];
    const CvSummary& found = tuned.summaries[tuned.best];
    const auto rates = [](double rejected, std::optional<double> right) {
      return fmt::format("rejected {}, right when answering {}", percent(rejected),
                         right ? percent(*right) : "-");
    };
    std::string text = fmt::format("{} point{}, {} x {} folds. The best: {}\n", tuned.points.size(),
                                   tuned.points.size() == 1 ? "" : "s", folding.folds.repeats,
                                   folding.folds.folds, describe(best));
    text += fmt::format("its risk in cross-validation  {:.4f}  ({})\n", found.risk.mean,
                        rates(found.rejection_rate.mean,
                              found.accepted_accuracy ? std::optional(found.accepted_accuracy->mean)
                                                      : std::nullopt));
    if (outer.empty() && tuned.points.size() > 1) {
      text += fmt::format("  the least of {}, and so too good: --nested gives an honest estimate\n",
                          tuned.points.size());
    } else if (!outer.empty()) {
      const Metrics metrics = pooled(outer);
      text += fmt::format("nested estimate               {:.4f}  ({})\n", metrics.risk(),
                          rates(metrics.rejection_rate(), metrics.accepted_accuracy()));
    }
    text += fmt::format(
        "rules without a band          {:.4f} never reject, {:.4f} reject all, {:.4f} one class\n",
        found.never_reject.mean, trivial.reject_all, trivial.majority());
    return text + fmt::format("wrote {}\n", harmless_line(output));
  }

  static std::string warning(const TrivialRules& trivial, double never_reject, double estimate) {
    std::string rule = "rejecting everything";
    double cost = trivial.reject_all;
    if (trivial.majority() < cost) {
      rule = "always answering the same class";
      cost = trivial.majority();
    }
    if (never_reject < cost) {
      rule = "the same surface without its band";
      cost = never_reject;
    }
    return fmt::format(
        "{} costs {:.4f}, less than the {:.4f} estimated for this model: at this reject cost these "
        "data are better served without it",
        rule, cost, estimate);
  }

  /// "C is the largest and gamma the smallest", if the best point lies on an edge of the grid.
  static std::string at_edges(const TuneReport& tuned) {
    std::string text;
    const auto look = [&](const std::string& name, const auto& value_of) {
      double least = value_of(tuned.points.front());
      double most = least;
      for (const TrainOptions& point : tuned.points) {
        least = std::min(least, value_of(point));
        most = std::max(most, value_of(point));
      }
      const double best = value_of(tuned.points[tuned.best]);
      if (least == most || (best != least && best != most)) return;
      text += fmt::format("{}{} is the {}", text.empty() ? "" : " and ", name,
                          best == least ? "smallest" : "largest");
    };
    look("C", [](const TrainOptions& method) { return method.objective.C; });
    look("gamma", [](const TrainOptions& method) {
      const double* value = std::get_if<double>(&method.representation.kernel.gamma);
      return value != nullptr && method.representation.kernel.has_gamma() ? *value : 0;
    });
    return text;
  }
};

}  // namespace

Run add_tune(CLI::App& app) { return add<TuneCommand>(app, "tune", about); }

}  // namespace rampart::tool
