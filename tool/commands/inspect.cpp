#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "commands/command.hpp"
#include "commands/scored.hpp"
#include "evaluate/report.hpp"
#include "faces/results_json.hpp"
#include "files/paths.hpp"
#include "files/target.hpp"
#include "options/common.hpp"
#include "options/data.hpp"
#include "options/read_limits.hpp"
#include "options/values.hpp"
#include "rampart/errors.hpp"
#include "rampart/model.hpp"
#include "render/columns_in_words.hpp"
#include "render/output.hpp"
#include "render/words.hpp"
#include "train/zone.hpp"

namespace rampart::tool {
namespace {

constexpr const char* about = R"(A model in words, and what became of its training rows.

Examples:
  rampart inspect model.json
  rampart inspect model.json --points train.csv -o zones.csv

With --points every row of DATA gets its zone, by its margin t = y f(x):
  safe             t > rho + mu                     right, and far from the band
  margin           rho - mu^2 <= t <= rho + mu      holds the surface of its class
  plateau          -rho + mu < t < rho - mu^2       between the ramps
  near miss        -rho - mu^2 <= t <= -rho + mu    holds the surface it is wrong about
  ignored outlier  t < -rho - mu^2                  wrong, and given up
Only margin and near miss rows are in the model. If rho < (mu + mu^2)/2 the ramps overlap and no
row is on the plateau. What the model answers is in a column of its own.)";

struct InspectCommand {
  CommonOptions common;
  DataOptions data;
  std::string model_path;
  std::string points;
  std::string output = "-";

  void add_to(CLI::App& command) {
    command.add_option("MODEL", model_path, "A model file; - is stdin")->required();
    command.add_option("--points", points, "Labelled rows, usually those trained on")
        ->type_name("DATA");
    command.add_option("-o,--output", output, "With --points: where the CSV goes; default: stdout")
        ->needs("--points")
        ->check(a_file_name())
        ->type_name("OUT");
    data.add_to(command, false);
    add_model_limit(command, data.read.limits);
    common.add_to(command);
  }

  int run() {
    require_one_stdin(model_path, points);
    const Model model = load_model(model_path, data.read.limits);
    if (!points.empty()) return inspect_points(model);
    if (common.json) {
      print_json(model_summary_json(model));
    } else {
      print(words(model));
    }
    return exit_done;
  }

  int inspect_points(const Model& model) {
    const Surface& surface = model.surface();
    const ClassNames classes = model.class_names();
    if (!traits_of(surface.objective.loss).has_ramps) {
      throw ModelError(fmt::format("{}: zones belong to the double ramp loss, this model has {}",
                                   model_path, to_string(surface.objective.loss)));
    }
    require_other_file(output, {points, model_path});
    Target target(output);
    const Scored scored = read_and_score(model, points, data.read, common);
    const Dataset& dataset = scored.data;
    // Zones are about f, whatever else a row is rejected for.
    std::vector<double> scores;
    for (const Answer& answer : scored.answers) {
      if (std::isnan(answer.score)) {
        throw InputError(fmt::format("{}: row {}: f(x) is not finite: it has no zone", points,
                                     scores.size() + 1));
      }
      scores.push_back(answer.score);
    }
    const bool named = !dataset.ids.empty();

    const std::vector<Zone> zones = zones_of(model, scores, dataset.y);
    std::array<std::size_t, all_zones.size()> counts{};
    std::string text =
        fmt::format("{},label,answer,score,margin,zone\n", named ? csv_field(dataset.id) : "row");
    const std::string answers[] = {classes.negative, "reject", classes.positive};
    Json rows = Json::array();
    const bool rows_in_json = common.json && target.is_stdout();
    for (std::size_t n = 0; n < dataset.size(); ++n) {
      const double t = dataset.y[n] * scores[n];
      const Zone zone = zones[n];
      ++counts[static_cast<std::size_t>(zone)];
      const std::string& label = dataset.y[n] > 0 ? classes.positive : classes.negative;
      const std::string& answer = answers[index_of(scored.answers[n].decision)];
      if (rows_in_json) {
        rows.push_back({{"row", named ? Json(dataset.ids[n]) : Json(n + 1)},
                        {"label", label},
                        {"answer", answer},
                        {"score", scores[n]},
                        {"margin", t},
                        {"zone", to_string(zone)}});
      } else {
        text += fmt::format(
            "{},{},{},{},{},{}\n", named ? csv_field(dataset.ids[n]) : std::to_string(n + 1),
            csv_field(label), csv_field(answer), number(scores[n]), number(t), to_string(zone));
      }
    }
    if (!rows_in_json) target.write(text);
    target.commit();
    if (common.json) {
      Json json = model_summary_json(model);
      for (const Zone zone : all_zones) {
        json["zones"][std::string(to_string(zone))] = counts[static_cast<std::size_t>(zone)];
      }
      if (rows_in_json) json["points"] = std::move(rows);
      print_json(json);
    }
    if (!common.quiet) {
      std::string summary;
      for (const Zone zone : all_zones) {
        summary += fmt::format("{}{} {}", summary.empty() ? "" : ", ",
                               counts[static_cast<std::size_t>(zone)], to_string(zone));
      }
      note(summary);
    }
    return exit_done;
  }

  static std::string words(const Model& model) {
    std::string text;
    const auto line = [&](const char* name, const std::string& value) {
      text += fmt::format("{:<10}{}\n", name, value);
    };
    line("answers", answers_in_words(model));
    const Surface& surface = model.surface();
    const bool ramp = traits_of(surface.objective.loss).has_ramps;
    line("loss",
         fmt::format("{}, C {}, {}{}", to_string(surface.objective.loss), surface.objective.C,
                     ramp ? fmt::format("mu {}, ", surface.objective.mu) : "",
                     costs_in_words(surface.costs())));
    if (surface.decide_for) {
      line("", fmt::format("trained at {}", costs_in_words(surface.objective.costs)));
    }
    if (surface.trained_band) line("band", "chosen on inner folds, not by training");
    line("kernel", kernel_in_words(model.kernel));
    line("features",
         fmt::format("{}, scaling {}", model.features.count, to_string(model.scaling.kind)));
    const std::vector<std::string> columns = columns_in_words(model);
    for (std::size_t k = 0; k < columns.size(); ++k) line(k == 0 ? "columns" : "", columns[k]);
    line("familiar", familiar_in_words(model.familiar, model.features.count));
    line("f(x)", surface_in_words(model));
    line("training", training_in_words(model));
    const bool linear = std::holds_alternative<LinearKernel>(model.kernel);
    if (linear) text += strongest_weights(model);
    return text;
  }

  /// The features that move f most, in scaled units.
  static std::string strongest_weights(const Model& model) {
    const std::vector<double>& weights = model.surface().weights;
    std::vector<std::size_t> order(weights.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater{},
                             [&](std::size_t j) { return std::abs(weights[j]); });
    order.resize(std::min<std::size_t>(10, order.size()));
    std::erase_if(order, [&](std::size_t j) { return weights[j] == 0; });
    const std::vector<std::string> names = feature_names(model, order);
    std::string text = "strongest weights\n";
    for (std::size_t i = 0; i < order.size(); ++i) {
      text += fmt::format("  {:>12.5g}  {}\n", weights[order[i]], names[i]);
    }
    return text;
  }
};

}  // namespace

Run add_inspect(CLI::App& app) { return add<InspectCommand>(app, "inspect", about); }

}  // namespace rampart::tool
