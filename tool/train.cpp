#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "command.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "rampart/errors.hpp"
#include "rampart/learn.hpp"
#include "rampart/metrics.hpp"
#include "rampart/model.hpp"
#include "rampart/train.hpp"
#include "words.hpp"

namespace rampart::tool {
namespace {

constexpr const char* about = R"(Learn a decision surface and a rejection band from labelled data.

Examples:
  rampart train heart.csv -o heart.json --scale standard --reject-cost 0.2
  rampart train train.svm -o model.json -c 2 -g 0.125 --d 0.1
  rampart train loans.csv -o loans.json --label status --positive default \
      --kernel linear --costs 1,5,0.2,0.2
  zcat big.svm.gz | rampart train - -o model.json --kernel linear --json

Minimises |w|^2/2 + C * sum of losses. The double ramp loss has cost d for a rejection:
  d r(t - rho) + (1 - d) r(t + rho),  t = y f(x),  r(s) = ([mu - s]+ - [-mu^2 - s]+) / mu)";

struct TrainCommand {
  CommonOptions common;
  DataOptions data;
  TrainingOptions training;
  GroupOptions groups;
  std::string input;
  std::string output;
  std::string start;
  bool strict = false;

  void add_to(CLI::App& command) {
    add_training_data(command, input);
    add_model_output(command, output);
    training.add_to(command);
    groups.add_to(command, "Band");
    command.add_option("--start", start, "Start the rounds from this model instead of from zero")
        ->type_name("MODEL");
    command.add_flag("--strict", strict,
                     "Write no model and leave with code 3 if training did not converge");
    data.add_to(command, true);
    common.add_to(command);
  }

  int run() {
    require_own_stdout(common, output);
    require_one_stdin(start, input);
    require_other_file(output, {input, groups.source});
    const Method method = training.method(common);
    if (!start.empty() && method.band_folds > 0) {
      throw OptionError("--start: not together with --band-folds");
    }
    const TrainOptions& options = method.train;
    data.read.serial_numbers = options.kernel.type == KernelType::precomputed;
    Target target(output);
    Progress progress(common.quiet);
    data.read.progress = progress.reading(input);
    const Dataset dataset = groups.read(input, data.read);

    std::optional<Model> first;
    if (!start.empty()) first = load_model(start);
    const Trained trained = fit(dataset, method, progress, first ? &*first : nullptr);

    const TrainReport& report = trained.report;
    if (report.status != TrainStatus::converged) {
      if (!common.quiet || strict) {
        note(
            fmt::format("training did not converge: {} after {} and {} steps, violation {:.2g}; {}",
                        to_string(report.status), rounds(report), report.steps, report.violation,
                        report.status == TrainStatus::round_limit
                            ? "--max-rounds allows more"
                            : "scaling the features (--scale) or a smaller C often helps"));
      }
      if (strict) return exit_not_converged;
    }
    const Metrics metrics =
        measure(trained.scores, dataset.y, trained.model.rho, trained.model.costs);
    target.write(to_json(trained.model));
    target.commit();
    if (target.is_stdout()) return exit_done;  // the model has it to itself
    if (common.json) {
      print_json(json_of(trained, metrics));
    } else if (!common.quiet) {
      print(summary(trained, dataset, metrics));
    }
    return exit_done;
  }

  Trained fit(const Dataset& dataset, const Method& method, Progress& progress,
              const Model* first) const {
    const TrainOptions& options = method.train;
    try {
      const auto begin = std::chrono::steady_clock::now();
      bool advised = common.quiet || options.scaling != ScalingKind::none;
      const auto advise = [&] {
        if (!std::exchange(advised, true)) warn_of_scales(dataset.x);
      };
      const auto observe = [&](const TrainProgress& at) {
        if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(1)) advise();
        if (progress.due()) progress.show(describe(at, options));
        return true;
      };
      Trained trained = first == nullptr ? rampart::learn(dataset, method, observe)
                                         : rampart::train(dataset, options, observe, first);
      progress.clear();
      advise();
      return trained;
    } catch (const InputError& error) {  // the library knows rows, not files
      throw InputError(fmt::format("{}: {}", input, error.what()));
    } catch (const ModelError& error) {
      throw ModelError(fmt::format("{}: {}", start, error.what()));
    }
  }

  /// The commonest reason for slow training and for models that reject everything.
  void warn_of_scales(const Rows& x) const {
    std::vector<double> low(x.columns(), 0.0);  // what sparse rows leave out is 0
    if (x.is_dense()) low.assign(x.dense_row(0).begin(), x.dense_row(0).end());
    std::vector<double> high = low;
    for (std::size_t n = 0; n < x.size(); ++n) {
      x.for_each(n, [&](std::size_t j, double value) {
        if (value < low[j]) low[j] = value;
        if (value > high[j]) high[j] = value;
      });
    }
    double narrowest = std::numeric_limits<double>::infinity();
    double widest = 0;
    for (std::size_t j = 0; j < low.size(); ++j) {
      const double range = high[j] - low[j];
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

  static std::string describe(const TrainProgress& at, const TrainOptions& options) {
    std::string line = fmt::format("round {}: {} steps, violation {:.2g} (until {:.2g})", at.round,
                                   at.steps, at.violation, options.tolerance);
    if (!std::isnan(at.objective)) line += fmt::format(", R {:.8g}", at.objective);
    return line;
  }

  Json json_of(const Trained& trained, const Metrics& metrics) const {
    const TrainReport& report = trained.report;
    Json json;
    json["model"] = output;
    json["objective"] = report.objective;
    json["rounds"] = report.history.size();
    json["status"] = to_string(report.status);
    json["b"] = trained.model.b;
    json["rho"] = trained.model.rho;
    json["support_vectors"] = report.support_vectors;
    json["gap"] = report.gap;
    json["violation"] = report.violation;
    json["steps"] = report.steps;
    json["kernel_rows"] = report.kernel_rows;
    json["history"] = Json::array();
    for (const Round& round : report.history) {
      json["history"].push_back({{"objective", round.objective},
                                 {"steps", round.steps},
                                 {"violation", round.violation},
                                 {"flat", round.flat},
                                 {"swapped", round.swapped}});
    }
    json["training"] = metrics_json(metrics);
    return json;
  }

  static std::string rounds(const TrainReport& report) {
    const std::size_t count = report.history.size();
    return fmt::format("{} round{}", count, count == 1 ? "" : "s");
  }

  std::string summary(const Trained& trained, const Dataset& dataset,
                      const Metrics& metrics) const {
    const TrainReport& report = trained.report;
    const auto accuracy = metrics.accepted_accuracy();
    std::string text = rows_in_words(dataset);
    text += fmt::format("{} after {}, {} steps: R = {:.8g}, certified gap {:.1e}\n",
                        to_string(report.status), rounds(report), report.steps, report.objective,
                        report.gap);
    text += fmt::format("b = {:.6g}, rho = {:.6g}, {} support vectors\n", trained.model.b,
                        trained.model.rho, report.support_vectors);
    text += fmt::format("on the training rows: risk {:.4f}, rejected {}, right when answering {}\n",
                        metrics.risk(), percent(metrics.rejection_rate()),
                        accuracy ? percent(*accuracy) : "- (never answers)");
    if (!accuracy) {
      text += "the model never answers: try --scale standard, another C or gamma, or a larger d\n";
    }
    return text + fmt::format("wrote {}\n", output);
  }
};

}  // namespace

Run add_train(CLI::App& app) { return add<TrainCommand>(app, "train", about); }

}  // namespace rampart::tool
