#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "commands/command.hpp"
#include "commands/training_data.hpp"
#include "evaluate/cross_validation.hpp"
#include "evaluate/trivial_rules.hpp"
#include "faces/results_json.hpp"
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
#include "render/output.hpp"
#include "render/progress.hpp"
#include "render/support.hpp"
#include "render/words.hpp"

namespace rampart::tool {
namespace {

constexpr const char* about = R"(How well a method would do: repeated k-fold cross-validation.

Examples:
  rampart cv heart.csv --scale standard --reject-cost 0.05:0.5:0.05
  rampart cv train.svm -c 2 -g 0.125 --d 0.1,0.2 --loss double-ramp,double-hinge,hinge
  rampart cv patients.csv --groups patient --scale standard -v 5 --repeats 20
  rampart cv train.svm -c 2 -g 0.125 -o folds.csv --assignments rows.csv --json
  rampart cv big.svm --journal cv.journal                       # stop it, start it again

Every row is tested once in a repetition by a model that did not see it. Shown are mean and
standard deviation over the repetitions. The same seed deals the same folds for every method.)";

struct CvCommand {
  CommonOptions common;
  DataOptions data;
  TrainingOptions training;
  FoldingOptions folding;
  std::string about_rows;  // what was done to them
  std::string input;
  std::string output;
  std::string assignments;
  std::string journal_path;

  void add_to(CLI::App& command) {
    add_training_data(command, input);
    command.add_option("-o,--output", output, "CSV of every fold")
        ->check(a_file_name())
        ->type_name("FILE");
    command
        .add_option("--assignments", assignments,
                    "CSV of the fold that each row is in, one column a repetition")
        ->check(a_file_name())
        ->type_name("FILE");
    command
        .add_option("--journal", journal_path,
                    "Keep what is found in this file; started again, the run goes on from there")
        ->check(a_file_name())
        ->type_name("FILE");
    training.add_to(command, TrainingOptions::Choice::several);
    folding.add_to(command, 10, 10);
    data.add_to(command, true);
    common.add_to(command);
  }

  int run() {
    for (const std::string* file : {&output, &assignments, &journal_path}) {
      require_other_file(*file, {input, folding.groups.source});
      if (*file == "-") throw OptionError("-: the files of cv have to be files");
    }
    require_different_outputs({output, assignments, journal_path});
    std::vector<TrainOptions> methods = training.methods(common);
    data.read.serial_numbers =
        methods.front().representation.kernel.type == KernelType::precomputed;
    std::optional<Target> folds_file;
    std::optional<Target> assignments_file;
    if (!output.empty()) folds_file.emplace(output);
    if (!assignments.empty()) assignments_file.emplace(assignments);

    Progress progress(common.quiet);
    data.read.progress = progress.reading(input);
    data.read.threads = common.threads;
    const TrainingData training_data =
        read_training_data(input, data, folding.groups, HoldoutOption{}, common);
    const Problem dataset = training_data.rows.view();
    about_rows =
        settle(methods, training.scales_automatically(), data, dataset, count_cells(dataset));
    std::optional<TuningFolds> folds;
    std::optional<Journal> journal;
    CvHooks hooks;
    if (!journal_path.empty()) {
      folds.emplace(dataset, folding.folds);
      journal.emplace(journal_path, journal_plan(dataset, methods, folding.folds, false, *folds));
      hooks.known = journal->known(0, methods);
      if (!hooks.known.empty() && !common.quiet) {
        note(fmt::format("{}: {} trainings are there already", journal_path, hooks.known.size()));
      }
    }
    if (!data.read.serial_numbers) warn_of_columns(input, training_data.rows, common);
    std::size_t kept = hooks.known.size();
    const std::size_t before = kept;
    say_what_is_kept(progress, kept);
    hooks.found = [&](const FoldResult& result) {
      if (journal) journal->add({0, result});
      say_what_is_kept(progress, ++kept);
    };
    hooks.progress = [&](std::size_t done, std::size_t of) {
      progress.bar("trainings", done, of, before);
      return true;
    };
    const CvReport report = [&] {
      try {
        return cross_validate(dataset, methods, folding.folds, common.threads, hooks);
      } catch (const InputError& error) {  // the library has rows, no file names
        throw error_about(input, error);
      }
    }();
    progress.clear();

    std::vector<Target*> written;
    if (folds_file) {
      folds_file->write(folds_csv(report, methods));
      written.push_back(&*folds_file);
    }
    if (assignments_file) {
      assignments_file->write(assignments_csv(dataset));
      written.push_back(&*assignments_file);
    }
    Target::commit_all(written);
    std::vector<CvSummary> summaries;
    for (std::size_t m = 0; m < methods.size(); ++m) summaries.push_back(report.summary(m));
    warn_of_trouble(methods, summaries);
    if (common.json) {
      print_json(json_of(dataset, methods, summaries));
    } else {
      print(text_of(dataset, methods, summaries));
    }
    return exit_done;
  }

  void say_what_is_kept(const Progress& progress, std::size_t trainings) const {
    progress.if_interrupted(
        journal_path.empty()
            ? fmt::format("{} finished trainings are lost; --journal FILE keeps them", trainings)
            : fmt::format("{} trainings are in {}, and the same command goes on from there",
                          trainings, journal_path));
  }

  void warn_of_trouble(const std::vector<TrainOptions>& methods,
                       const std::vector<CvSummary>& summaries) const {
    std::size_t count = 0;
    std::size_t uncertified = 0;
    for (const CvSummary& summary : summaries) {
      count += summary.not_converged;
      uncertified += summary.stationary;
    }
    if (count == 0 || common.quiet) return;
    const bool unscaled = methods.front().representation.scaling == ScalingKind::none;
    note(fmt::format(
        "{} of {} trainings did not converge; {}", count,
        summaries.size() * folding.folds.repeats * folding.folds.folds,
        uncertified > 0
            ? fmt::format("{} ended at stationary points, of which no more is known, since the "
                          "kernel is not known to be positive semidefinite",
                          uncertified)
            : fmt::format(
                  "{}a smaller C often helps, larger --max-rounds, --max-steps and --max-seconds "
                  "allow more",
                  unscaled ? "--scale or " : "")));
  }

  std::string assignments_csv(const Problem& dataset) const {
    std::vector<std::vector<std::size_t>> columns;
    std::string text = "row";
    for (std::size_t repeat = 0; repeat < folding.folds.repeats; ++repeat) {
      columns.push_back(assign_folds(dataset.y, dataset.groups, folding.folds, repeat));
      text += fmt::format(",repeat_{}", repeat + 1);
    }
    text += '\n';
    for (std::size_t n = 0; n < dataset.size(); ++n) {
      text += std::to_string(n + 1);
      for (const auto& column : columns) text += fmt::format(",{}", column[n] + 1);
      text += '\n';
    }
    return text;
  }

  Json json_of(const Problem& dataset, const std::vector<TrainOptions>& methods,
               const std::vector<CvSummary>& summaries) const {
    Json json{{"rows", dataset.size()}, {"features", dataset.x.columns()}};
    json.update(to_json(folding.folds));
    json["grouped"] = !dataset.groups.empty();
    json["classes"] = to_json(dataset.classes);
    json["results"] = Json::array();
    for (std::size_t m = 0; m < methods.size(); ++m) {
      Json result = summary_json(methods[m], summaries[m]);
      result.update(to_json(trivial_rules(dataset.y, methods[m].costs()), dataset.classes));
      json["results"].push_back(std::move(result));
    }
    return json;
  }

  std::string text_of(const Problem& dataset, const std::vector<TrainOptions>& methods,
                      const std::vector<CvSummary>& summaries) const {
    const FoldOptions& folds = folding.folds;
    std::string text = rows_in_words(dataset) + about_rows;
    text += fmt::format("{} x {} folds, seed {}{}{}\n", folds.repeats, folds.folds, folds.seed,
                        folds.stratified ? "" : ", not stratified",
                        dataset.groups.empty() ? "" : ", by groups");
    bool any_star = false;
    std::optional<LossKind> loss;
    for (std::size_t m = 0; m < methods.size(); ++m) {
      const TrainOptions& method = methods[m];
      const TrivialRules trivial = trivial_rules(dataset.y, method.costs());
      if (loss != method.objective.loss) {
        loss = method.objective.loss;
        text += fmt::format("\n{}{}\n", to_string(*loss),
                            method.band.folds > 0
                                ? fmt::format(", band chosen on {} inner folds", method.band.folds)
                                : "");
        text +=
            fmt::format("{:>6}  {:<17}{:<16}{:<22}{:>13}{:>12}{:>11}\n", "d", "risk", "rejected",
                        "right when answering", "never reject", "reject all", "one class");
      }
      const CvSummary& found = summaries[m];
      const Costs& costs = method.costs();
      const bool star = std::min({trivial.reject_all, trivial.majority(),
                                  found.never_reject.mean}) < found.risk.mean;
      any_star = any_star || star;
      text += fmt::format("{:>6}  {:<17}{:<16}{:<22}{:>13.4f}{:>12.4f}{:>11.4f}{}\n",
                          costs.is_symmetric() ? number(costs.reject_positive) : "table",
                          risk(found.risk), percent(found.rejection_rate),
                          found.accepted_accuracy ? percent(*found.accepted_accuracy) : "-",
                          found.never_reject.mean, trivial.reject_all, trivial.majority(),
                          star ? "  *" : "");
    }
    text +=
        "\nThe last three columns are the risk of rules without a band: the same models made to\n"
        "answer always, rejecting everything, and always answering the class that costs less.\n";
    if (any_star) text += "* one of them costs less than the method.\n";
    const TrivialRules trivial = trivial_rules(dataset.y, methods.front().costs());
    if (const auto share = least_share_of_wrong_answers(methods, summaries, trivial.majority())) {
      const std::vector<double> costs = unsupported_costs(methods, *share);
      if (!costs.empty()) text += "- " + no_support_in_words(costs, *share) + "\n";
    }
    for (const std::string* file : {&output, &assignments}) {
      if (!file->empty()) text += fmt::format("wrote {}\n", harmless_line(*file));
    }
    return text;
  }
};

}  // namespace

Run add_cv(CLI::App& app) { return add<CvCommand>(app, "cv", about); }

}  // namespace rampart::tool
