#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "commands/command.hpp"
#include "commands/training_data.hpp"
#include "faces/results_json.hpp"
#include "files/output_names.hpp"
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
#include "rampart/train.hpp"
#include "render/output.hpp"
#include "render/progress.hpp"
#include "render/support.hpp"
#include "render/words.hpp"
#include "train/first_reading.hpp"
#include "util/text.hpp"

namespace rampart::tool {
namespace {

constexpr const char* about = R"(Learn a decision surface and a rejection band from labelled data.

Examples:
  rampart train heart.csv -o heart.json --scale standard --reject-cost 0.2
  rampart train train.svm -o model.json -c 2 -g 0.125 --d 0.1
  rampart train train.svm -o 'model-{d}.json' -c 2 -g 0.125 --d 0.05:0.5:0.05
  rampart train loans.csv -o loans.json --label status --positive default \
      --kernel linear --costs 1,5,0.2,0.2
  zcat big.svm.gz | rampart train - -o model.json --kernel linear --json
  rampart train millions.csv -o model.json --landmarks 500

Minimises |w|^2/2 + C * sum of losses. The double ramp loss has cost d for a rejection:
  d r(t - rho) + (1 - d) r(t + rho),  t = y f(x),  r(s) = ([mu - s]+ - [-mu^2 - s]+) / mu
Several costs give a model each, which is in every bit the one trained alone, but share the
kernel values: together they take much less time.)";

/// Time that something took.
struct Spent {
  double seconds = 0;
  double cpu_seconds = 0;  // of all threads together

  void operator+=(const Spent& other) {
    seconds += other.seconds;
    cpu_seconds += other.cpu_seconds;
  }
};

template <class Work>
Spent spent_by(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  const std::clock_t cpu_begin = std::clock();
  work();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  return {took.count(), static_cast<double>(std::clock() - cpu_begin) / CLOCKS_PER_SEC};
}

struct TrainCommand {
  CommonOptions common;
  DataOptions data;
  TrainingOptions training;
  GroupOptions groups;
  HoldoutOption holdout;
  std::string input;
  std::string output;
  std::string start;
  std::string checkpoint;
  bool strict = false;
  bool timing = false;

  /// The results of the methods, in their order.
  struct Fitted {
    std::vector<Trained> trained;
    std::vector<Metrics> metrics;
    Spent took;  // by training alone
  };

  void add_to(CLI::App& command) {
    add_training_data(command, input);
    add_model_outputs(command, output);
    training.add_to(command, TrainingOptions::Choice::costs);
    groups.add_to(command, "Band");
    holdout.add_to(command);
    command.add_option("--start", start, "Start the rounds from this model instead of from zero")
        ->type_name("MODEL");
    command.add_flag("--strict", strict,
                     "Write no model and leave with code 3 if training did not converge, as with "
                     "kernels that are not known to be positive semidefinite");
    command.add_flag("--timing", timing,
                     "Show the seconds of training, without reading and writing files");
    command
        .add_option("--checkpoint", checkpoint,
                    "Linear solver: keep a long training in this file every minute; if the file is "
                    "there, go on from it, to the same bits")
        ->type_name("FILE");
    data.add_to(command, true);
    add_model_limit(command, data.read.limits);
    common.add_to(command);
  }

  int run() {
    require_own_stdout(common.json, output);
    require_one_stdin(start, input);
    std::vector<TrainOptions> methods = training.methods(common);
    const std::vector<std::string> outputs = output_names(output, methods);
    for (const std::string& file : outputs) require_other_file(file, {input, groups.source});
    require_different_outputs(outputs);
    if (!start.empty() && methods.front().band.folds > 0) {
      throw OptionError("--start: not together with --band-folds");
    }
    use_checkpoint(methods);
    data.read.serial_numbers =
        methods.front().representation.kernel.type == KernelType::precomputed;
    std::deque<Target> targets;
    for (const std::string& file : outputs) targets.emplace_back(file);
    Progress progress(common.quiet);
    data.read.progress = progress.reading(input);
    data.read.threads = common.threads;
    const bool of_features = !data.read.serial_numbers;
    const TrainingData training_data =
        read_training_data(input, data, groups, holdout, common, !of_features);
    const Problem dataset = training_data.rows.view();
    std::optional<FirstReading> reading;
    const Spent reading_took = spent_by([&] {
      if (of_features) reading = read_first(dataset, methods.front());
    });
    const std::string about_rows =
        settle(methods, training.scales_automatically(), data, dataset,
               reading ? cells_of(dataset, *reading) : count_cells(dataset));

    // A limit of time is of no use to someone who typed one, nor where it makes an error.
    const bool has_limit = methods.front().exactness.max_seconds > 0 || strict;
    progress.if_interrupted(
        !checkpoint.empty()
            ? fmt::format("no model was written; the same command goes on from {} if that was "
                          "written, which happens every minute",
                          checkpoint)
            : fmt::format(
                  "no model was written{}",
                  has_limit ? "" : "; --max-seconds S writes the best one after S seconds"));
    std::optional<Model> first;
    if (!start.empty()) first = load_model(start, data.read.limits);
    if (of_features) warn_of_columns(input, training_data.rows, common);
    if (!common.quiet) suggest_landmarks(dataset.x, methods.front().representation.kernel);
    Fitted fitted = fit(dataset, methods, progress, first ? &*first : nullptr, reading);
    fitted.took += reading_took;

    std::vector<const Trained*> troubled;
    for (const Trained& trained : fitted.trained) {
      if (trained.report.status != TrainStatus::converged) troubled.push_back(&trained);
    }
    if (strict && !troubled.empty()) {  // an error, and errors are one line
      warn_of_trouble(*troubled.front(), methods.size() > 1, troubled.size() - 1);
      return exit_not_converged;
    }
    for (const Trained* trained : troubled) {
      if (!common.quiet) warn_of_trouble(*trained, methods.size() > 1);
    }
    std::vector<Target*> written;
    for (std::size_t k = 0; k < targets.size(); ++k) {
      targets[k].write(to_json(fitted.trained[k].model));
      written.push_back(&targets[k]);
    }
    Target::commit_all(written);
    if (targets.front().is_stdout()) return exit_done;  // holds the model, and nothing else
    std::vector<const Model*> models;
    for (const Trained& trained : fitted.trained) models.push_back(&trained.model);
    const HoldoutReport held_out = measure_holdout(models, training_data, common);
    if (common.json) {
      Json json = json_of(fitted, outputs);
      if (!holdout.source.empty()) json["holdout"] = held_out.json;
      print_json(json);
    } else if (!common.quiet) {
      print(rows_in_words(dataset) + about_rows +
            (methods.size() > 1 ? table_of(fitted, outputs)
                                : summary(fitted, harmless_line(outputs.front()))) +
            held_out.text + timing_in_words(fitted));
    }
    return exit_done;
  }

  /// A kernel solver's time grows with the square of the rows: says what else there is, and about
  /// what either takes. The constants are those of real data sets of 10 000 to 250 000 rows on one
  /// processor of about 3 GHz, between which they differ by a factor of several.
  static void suggest_landmarks(RowsView x, const KernelOptions& kernel) {
    constexpr std::size_t many_rows = 50'000;
    constexpr std::size_t landmarks = 300;
    constexpr double seconds_per_pair = 1e-9;
    constexpr double seconds_per_product = 5e-10;  // of two features of a row
    if (x.size() <= many_rows || kernel.type != KernelType::rbf || kernel.maps_rows()) return;
    const auto rows = static_cast<double>(x.size());
    const double exact = seconds_per_pair * rows * rows;
    const double mapped = seconds_per_product * rows * landmarks * landmarks;
    note(
        fmt::format("{} rows are many for a kernel, whose time grows with their square: about {} "
                    "by a rough estimate; --landmarks {} would take about {}",
                    x.size(), duration_in_words(exact), landmarks, duration_in_words(mapped)));
  }

  static std::string duration_in_words(double seconds) {
    if (seconds < 90) return fmt::format("{:.0f} s", std::max(1.0, seconds));
    if (seconds < 90 * 60) return fmt::format("{:.0f} min", seconds / 60);
    return fmt::format("{:.0f} h", seconds / 3600);
  }

  void use_checkpoint(std::vector<TrainOptions>& methods) const {
    if (checkpoint.empty()) return;
    if (methods.size() > 1) throw OptionError("--checkpoint: for one reject cost only");
    if (!methods.front().uses_linear_solver()) {
      throw OptionError(
          "--checkpoint: only the linear solver keeps one: --kernel linear, --landmarks or "
          "--features, and no --solver smo");
    }
    if (methods.front().band.folds > 0) {
      throw OptionError(
          "--checkpoint: not where a band is chosen on folds; --band-folds 0 keeps that of the "
          "loss");
    }
    require_other_file(checkpoint, {input, output, groups.source});
    require_different_outputs({checkpoint, output});
    methods.front().resources.checkpoint = checkpoint;
  }

  /// All that is read of the rows before training.
  [[nodiscard]] FirstReading read_first(const Problem& dataset, const TrainOptions& options) const {
    try {
      require_trainable(dataset);
    } catch (const InputError& error) {  // the library has rows, no file names
      throw error_about(input, error);
    }
    return rampart::read_first(dataset,
                               {.fingerprint = true,
                                .sample = may_want_sample(options),
                                .filled = training.scales_automatically()},
                               common.threads);
  }

  Fitted fit(const Problem& dataset, const std::vector<TrainOptions>& methods, Progress& progress,
             const Model* first, const std::optional<FirstReading>& reading) const {
    try {
      const TrainOptions& options = methods.front();
      bool advised = common.quiet || options.representation.scaling != ScalingKind::none ||
                     options.representation.kernel.type == KernelType::precomputed;
      const auto advise = [&] {
        if (!std::exchange(advised, true)) warn_of_scales(dataset.x, reading->survey);
      };
      const auto begin = std::chrono::steady_clock::now();
      std::size_t current = 0;
      const auto observe = [&](const TrainProgress& at) {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
        if (passed > std::chrono::seconds(1)) advise();
        if (progress.due()) progress.show(describe(at, current, methods, passed.count()));
        return true;
      };
      Fitted fitted;
      fitted.took = spent_by([&] {
        Trainer trainer = trainer_after(reading ? &*reading : nullptr, dataset, methods.front());
        for (; current < methods.size(); ++current) {
          fitted.trained.push_back(trainer.train(methods[current], observe, first));
        }
      });
      progress.clear();
      advise();
      for (const Trained& trained : fitted.trained) {
        fitted.metrics.push_back(measure(trained.scores, dataset.y,
                                         trained.model.surface().band.rho,
                                         trained.model.surface().costs()));
      }
      return fitted;
    } catch (const InputError& error) {  // the library has rows, no file names
      throw error_about(input, error);
    } catch (const ModelError& error) {
      throw error_about(start.empty() ? input : start, error);
    }
  }

  static std::string work_in_words(const TrainReport& report) {
    if (const auto* linear = std::get_if<LinearReport>(&report.solver)) {
      return fmt::format("{} passes over the rows", linear->passes);
    }
    return fmt::format("{} steps", std::get<SmoReport>(report.solver).steps);
  }

  /// `others`: how many more there are that did not converge.
  static void warn_of_trouble(const Trained& trained, bool one_of_several, std::size_t others = 0) {
    const TrainReport& report = trained.report;
    const std::string more = others > 0 ? fmt::format(" and {} more", others) : "";
    note(fmt::format("{}training did not converge: {} after {} and {}, violation {:.2g}; {}",
                     one_of_several ? fmt::format("d = {}{}: ", reject_cost(trained), more) : "",
                     to_string(report.status), rounds(report), work_in_words(report),
                     report.violation, advice(trained)));
  }

  /// Whether scaling the features is advice that the user has not followed yet.
  static bool is_unscaled(const Model& model) {
    const ScalingKind kind = model.scaling.kind;  // training centres by itself
    return (kind == ScalingKind::none || kind == ScalingKind::centre) &&
           !std::holds_alternative<PrecomputedKernel>(model.kernel);
  }

  static std::string advice(const Trained& trained) {
    const TrainReport& report = trained.report;
    if (report.status == TrainStatus::round_limit) return "a larger --max-rounds allows more";
    const std::string helps = is_unscaled(trained.model)
                                  ? "scaling the features (--scale) or a smaller C often helps"
                                  : "a smaller C often helps";
    if (report.support_vectors == 0) {
      return "nothing cheaper was found than w = 0, which answers every row alike" +
             (report.gap ? "; " + helps : ": the kernel is not known to be positive semidefinite");
    }
    return report.gap ? helps
                      : "the kernel is not known to be positive semidefinite, so that nothing "
                        "bounds how much lower R could be";
  }

  /// The commonest reason for slow training and for models that reject everything.
  void warn_of_scales(RowsView x, const Survey& survey) const {
    double narrowest = std::numeric_limits<double>::infinity();
    double widest = 0;
    for (const Survey::Column& column : survey.columns) {
      // What sparse rows leave out is 0.
      const double low = x.is_dense() ? column.extremes.low : std::min(column.extremes.low, 0.0);
      const double high = x.is_dense() ? column.extremes.high : std::max(column.extremes.high, 0.0);
      const double range = high - low;
      if (range > 0) narrowest = std::min(narrowest, range);
      widest = std::max(widest, range);
    }
    if (widest > 1000 * narrowest || (widest > 1000 && narrowest > 0)) {
      note(
          fmt::format("{}: the features range over {:.2g} to {:.2g}; --scale standard or minmax "
                      "usually makes a better model, faster",
                      input, narrowest, widest));
    }
  }

  static std::string describe(const TrainProgress& at, std::size_t training,
                              const std::vector<TrainOptions>& methods, double seconds) {
    const TrainOptions& method = methods[training];
    std::string line;
    if (methods.size() > 1) {
      line = fmt::format("d = {} ({} of {}), ", number(method.costs().reject_positive),
                         training + 1, methods.size());
    }
    line += fmt::format("round {}: {} steps, violation {:.2g} (until {:.2g})", at.round, at.steps,
                        at.violation, method.exactness.tolerance);
    if (!std::isnan(at.objective)) line += fmt::format(", R {:.8g}", at.objective);
    return line + fmt::format(", {:.0f} s", seconds);
  }

  /// One object; of several models, an object with one for each.
  Json json_of(const Fitted& fitted, const std::vector<std::string>& outputs) const {
    Json json;
    if (outputs.size() == 1) {
      json = json_of(fitted.trained.front(), fitted.metrics.front(), outputs.front());
    } else {
      json["results"] = Json::array();
      for (std::size_t k = 0; k < outputs.size(); ++k) {
        json["results"].push_back(json_of(fitted.trained[k], fitted.metrics[k], outputs[k]));
      }
    }
    if (timing) {
      json["seconds"] = fitted.took.seconds;
      json["cpu_seconds"] = fitted.took.cpu_seconds;
    }
    return json;
  }

  static Json json_of(const Trained& trained, const Metrics& metrics, const std::string& file) {
    Json json{{"model", file}};
    json.update(to_json(trained));
    json["training"] = to_json(metrics);
    return json;
  }

  /// An optimum whose gap is large all the same: R is small, or rounding large.
  static bool has_loose_bound(const TrainReport& report) {
    return report.status == TrainStatus::converged && report.gap > 1e-3;
  }

  static std::string rounds(const TrainReport& report) {
    const std::size_t count = report.history.size();
    return fmt::format("{} round{}", count, count == 1 ? "" : "s");
  }

  /// What the model has instead of its support vectors, if the kernel was not used itself.
  static std::string in_place_of_kernel(const Model& model) {
    if (std::holds_alternative<FourierKernel>(model.kernel)) {
      return fmt::format(", {} random Fourier features", model.vectors.size());
    }
    if (model.surface().certificate.landmarks == 0) return "";
    return fmt::format(", {} landmarks", model.vectors.size());
  }

  static std::string reject_cost(const Trained& trained) {
    return number(trained.model.surface().costs().reject_positive);
  }

  static std::string summary(const Fitted& fitted, const std::string& file) {
    const Trained& trained = fitted.trained.front();
    const Metrics& metrics = fitted.metrics.front();
    const TrainReport& report = trained.report;
    const auto accuracy = metrics.accepted_accuracy();
    std::string text =
        fmt::format("{} after {}, {}: {}\n", to_string(report.status), rounds(report),
                    work_in_words(report), certificate_in_words(report.objective, report.gap));
    if (has_loose_bound(report)) {
      text += "the gap is large because the tolerance, or rounding, is large beside R\n";
    }
    const auto [b, rho] = trained.model.surface().band;
    text += fmt::format("b = {:.6g}, rho = {:.6g}, {} support vectors{}\n", b, rho,
                        report.support_vectors, in_place_of_kernel(trained.model));
    text += fmt::format("on the training rows: risk {:.4f}, rejected {}, right when answering {}\n",
                        metrics.risk(), percent(metrics.rejection_rate()),
                        accuracy ? percent(*accuracy) : "- (never answers)");
    if (!accuracy) text += never_answers(trained, metrics);
    return text + fmt::format("wrote {}\n", file);
  }

  /// What is known of the reject cost at which answering would pay: the rule that always gives one
  /// answer costs less than rejecting everything where d is above its errors.
  static std::string never_answers(const Trained& trained, const Metrics& metrics) {
    std::string text = "the model never answers: these rows do not support answering at this cost";
    const bool negative = metrics.class_rows(0) >= metrics.class_rows(1);
    const double wrong = static_cast<double>(metrics.class_rows(negative ? 1 : 0)) /
                         static_cast<double>(metrics.rows());
    const ClassNames classes = trained.model.class_names();
    if (metrics.costs.is_symmetric()) {
      text += fmt::format(
          ", with this C{}; always answering '{}' is wrong in {}: at d > {} that pays",
          std::holds_alternative<LinearKernel>(trained.model.kernel) ? "" : " and kernel",
          printable(negative ? classes.negative : classes.positive), percent(wrong),
          rounded_up(wrong));
    }
    return text + fmt::format("\ntune looks for a C and kernel that answer{}\n",
                              is_unscaled(trained.model) ? "; --scale standard often helps" : "");
  }

  /// Several models, a line for each.
  static std::string table_of(const Fitted& fitted, const std::vector<std::string>& outputs) {
    std::string text = fmt::format(
        "{:>6}  {:<11}{:>6}{:>15}{:>9}{:>11}{:>11}{:>9}{:>8}{:>10}{:>10}\n", "d", "status",
        "rounds", "R", "gap", "b", "rho", "vectors", "risk", "rejected", "right");
    for (std::size_t k = 0; k < fitted.trained.size(); ++k) {
      const Trained& trained = fitted.trained[k];
      const TrainReport& report = trained.report;
      const auto [b, rho] = trained.model.surface().band;
      const auto accuracy = fitted.metrics[k].accepted_accuracy();
      text += fmt::format(
          "{:>6}  {:<11}{:>6}{:>15.8g}{:>9}{:>11.5g}{:>11.5g}{:>9}{:>8.4f}{:>10}{:>10}\n",
          reject_cost(trained), to_string(report.status), report.history.size(), report.objective,
          report.gap ? fmt::format("{:.1e}", *report.gap) : "-", b, rho, report.support_vectors,
          fitted.metrics[k].risk(), percent(fitted.metrics[k].rejection_rate()),
          accuracy ? percent(*accuracy) : "-");
    }
    text += "The last three columns are of the training rows; right: when answering.\n";
    const auto loose = [](const Trained& one) { return has_loose_bound(one.report); };
    if (std::ranges::any_of(fitted.trained, loose)) {
      text += "A large gap beside 'converged': the tolerance, or rounding, is large beside R.\n";
    }
    return text + fmt::format("wrote {} models, {} to {}\n", outputs.size(),
                              harmless_line(outputs.front()), harmless_line(outputs.back()));
  }

  std::string timing_in_words(const Fitted& fitted) const {
    if (!timing) return "";
    return fmt::format("training took {:.3g} s, {:.3g} s of CPU time\n", fitted.took.seconds,
                       fitted.took.cpu_seconds);
  }
};

}  // namespace

Run add_train(CLI::App& app) { return add<TrainCommand>(app, "train", about); }

}  // namespace rampart::tool
