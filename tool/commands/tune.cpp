#include "evaluate/tune.hpp"

#include <fmt/format.h>

#include <deque>
#include <optional>
#include <utility>

#include "commands/command.hpp"
#include "commands/training_data.hpp"
#include "evaluate/trivial_rules.hpp"
#include "faces/option_text.hpp"
#include "faces/results_json.hpp"
#include "files/output_names.hpp"
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
#include "render/output.hpp"
#include "render/progress.hpp"
#include "render/tune_notes.hpp"
#include "render/tune_output.hpp"
#include "render/words.hpp"

namespace rampart::tool {
namespace {

constexpr const char* about = R"(Choose C, gamma and more by cross-validation, and train with them.

Examples:
  rampart tune heart.csv -o heart.json --scale standard --reject-cost 0.2
  rampart tune heart.csv -o 'heart-{d}.json' --scale standard --reject-cost 0.05:0.3:0.05
  rampart tune train.svm -o model.json --log2c -5,15,2 --log2g 3,-15,-2 --table grid.csv
  rampart tune train.csv -o model.json --kernel linear -c 1,10,100 --nested
  rampart tune big.svm -o model.json --journal tune.journal     # stop it, start it again

Every point of the grid is cross-validated on the same folds; the one of least risk at the reject
cost is trained on all rows. A grid that is not given is widened once where the best point lies
at its end. Several costs share the kernel values; each gets the model that it gets alone. The
risk was the least of many and is therefore too good: --nested repeats the whole choice inside of
outer folds for an honest estimate.)";

struct TuneCommand {
  CommonOptions common;
  DataOptions data;
  TrainingOptions training;
  FoldingOptions folding;
  HoldoutOption holdout;
  std::string about_rows;  // what they are, and what was done to them
  std::string input;
  std::string output;
  std::string table;
  std::string journal_path;
  bool nested = false;

  void add_to(CLI::App& command) {
    add_training_data(command, input);
    add_model_outputs(command, output);
    command.add_option("--table", table, "CSV of the grid: every point and its estimates")
        ->check(a_file_name())
        ->type_name("FILE");
    command
        .add_option("--journal", journal_path,
                    "Keep what is found in this file; started again, the run goes on from there")
        ->check(a_file_name())
        ->type_name("FILE");
    command.add_flag("--nested", nested, std::string(option_text("nested").about));
    training.add_to(command, TrainingOptions::Choice::grid);
    folding.add_to(command, 5, 1);
    holdout.add_to(command);
    data.add_to(command, true);
    common.add_to(command);
  }

  int run() {
    require_own_stdout(common.json, output);
    if (table == "-") throw OptionError("--table -: has to be a file");
    if (journal_path == "-") throw OptionError("--journal -: has to be a file");
    std::vector<TrainOptions> bases = training.methods(common);
    const std::vector<std::string> outputs = output_names(output, bases);
    std::vector<std::string> files = outputs;
    files.insert(files.end(), {table, journal_path});
    for (const std::string& file : files) {
      require_other_file(file, {input, folding.groups.source});
    }
    require_different_outputs(files);
    static_cast<void>(TuneSpace(bases, training.grid()));  // a wrong grid shows before any reading
    data.read.serial_numbers = bases.front().representation.kernel.type == KernelType::precomputed;
    std::deque<Target> targets;
    for (const std::string& file : outputs) targets.emplace_back(file);
    std::optional<Target> table_file;
    if (!table.empty()) table_file.emplace(table);
    Progress progress(common.quiet);
    data.read.progress = progress.reading(input);
    data.read.threads = common.threads;
    const TrainingData training_data =
        read_training_data(input, data, folding.groups, holdout, common);
    const Problem dataset = training_data.rows.view();
    about_rows = rows_in_words(dataset) + settle(bases, training.scales_automatically(), data,
                                                 dataset, count_cells(dataset));
    const TuneSpace space(bases, training.grid());

    std::optional<TuningFolds> folds;
    std::optional<Journal> journal;
    if (!journal_path.empty()) {
      folds.emplace(dataset, folding.folds);
      journal.emplace(journal_path,
                      journal_plan(dataset, space.points(), folding.folds, nested, *folds));
      if (journal->known_count() > 0 && !common.quiet) {
        note(fmt::format("{}: {} trainings are there already", journal_path,
                         journal->known_count()));
      }
    }
    if (!data.read.serial_numbers) warn_of_columns(input, training_data.rows, common);
    std::vector<Tuned> all;
    try {
      all = search(dataset, space, journal, progress);
    } catch (const InputError& error) {  // the library has rows, no file names
      throw error_about(input, error);
    }
    progress.clear();
    std::vector<Target*> written;
    for (std::size_t k = 0; k < all.size(); ++k) {
      all[k].file = outputs[k];
      targets[k].write(to_json(all[k].trained.model));
      written.push_back(&targets[k]);
    }
    if (table_file) {
      table_file->write(tune_csv(all));
      written.push_back(&*table_file);
    }
    Target::commit_all(written);
    std::vector<const Model*> models;
    for (const Tuned& tuned : all) models.push_back(&tuned.trained.model);
    report(dataset.size(), all, measure_holdout(models, training_data, common),
           targets.front().is_stdout());
    return exit_done;
  }

  /// All that takes time.
  std::vector<Tuned> search(const Problem& dataset, const TuneSpace& space,
                            std::optional<Journal>& journal, Progress& progress) const {
    const std::size_t parts = nested ? 1 + folding.folds.folds : 1;
    std::size_t kept = journal ? journal->known_count() : 0;
    say_what_is_kept(progress, kept);
    // Part 0, the choice for all rows, comes last: if an outer fold is too small to be tuned,
    // that shows before the long work.
    const auto hooks_of = [&](std::size_t part) {
      CvHooks hooks;
      if (journal) hooks.known = journal->known(part, space.points());
      hooks.found = [&, part](const FoldResult& result) {
        if (journal) journal->add({part, result});
        say_what_is_kept(progress, ++kept);
      };
      const std::size_t place = (part + parts - 1) % parts;
      hooks.progress = [&, place](std::size_t done, std::size_t of) {
        progress.bar("trainings", place * of + done, parts * of,
                     journal ? journal->known_count() : 0);
        return true;
      };
      return hooks;
    };
    std::vector<std::vector<FoldResult>> outer(space.searches());
    if (nested) {
      outer = nested_estimate(dataset, space, folding.folds, common.threads,
                              [&](std::size_t fold) { return hooks_of(fold + 1); });
    }
    std::vector<TuneReport> found =
        tune(dataset, space, folding.folds, common.threads, hooks_of(0));
    std::vector<Tuned> all;
    std::optional<Trainer> trainer;
    for (std::size_t k = 0; k < found.size(); ++k) {
      Tuned& tuned = all.emplace_back();
      tuned.search = std::move(found[k]);
      tuned.outer = std::move(outer[k]);
      for (const FoldResult& result : tuned.outer) {
        tuned.chosen.push_back(space.points()[result.method]);
      }
      tuned.trivial = trivial_rules(dataset.y, tuned.best().costs());
      // The rows of the kernel serve every cost that has the same gamma.
      if (k == 0 || !tuned.best().shares_kernel_rows_with(all[k - 1].best())) {
        trainer.emplace(dataset, tuned.best());
      }
      tuned.trained = trainer->train(tuned.best());
    }
    return all;
  }

  void say_what_is_kept(const Progress& progress, std::size_t trainings) const {
    progress.if_interrupted(
        journal_path.empty()
            ? fmt::format("no model was written and {} finished trainings are lost; --journal FILE "
                          "keeps them",
                          trainings)
            : fmt::format("no model was written; {} trainings are in {}, and the same command goes "
                          "on from there",
                          trainings, journal_path));
  }

  void report(std::size_t rows, const std::vector<Tuned>& all, const HoldoutReport& held_out,
              bool model_is_on_stdout) const {
    if (!common.quiet) {
      for (const std::string& text : tune_notes(all)) note(text);
    }
    if (model_is_on_stdout) return;  // which holds the model, and nothing else
    if (common.json) {
      Json json;
      if (all.size() == 1) json = tune_json(all.front(), rows, folding.folds);
      for (std::size_t k = 0; all.size() > 1 && k < all.size(); ++k) {
        json["results"].push_back(tune_json(all[k], rows, folding.folds));
      }
      if (!holdout.source.empty()) json["holdout"] = held_out.json;
      print_json(json);
    } else if (!common.quiet) {
      print(about_rows + tune_text(all, folding.folds) + held_out.text);
    }
  }
};

}  // namespace

Run add_tune(CLI::App& app) { return add<TuneCommand>(app, "tune", about); }

}  // namespace rampart::tool
