#include <fmt/format.h>

#include <algorithm>

#include "commands/command.hpp"
#include "files/paths.hpp"
#include "files/target.hpp"
#include "options/common.hpp"
#include "options/data.hpp"
#include "options/read_limits.hpp"
#include "options/values.hpp"
#include "rampart/errors.hpp"
#include "rampart/model.hpp"
#include "render/output.hpp"
#include "render/progress.hpp"

namespace rampart::tool {
namespace {

constexpr const char* about = R"(Answer, or decline to, for every row.

Examples:
  rampart predict model.json new.csv
  rampart predict model.json new.svm -o answers.csv --reject-label "ask a doctor"
  rampart predict model.json new.csv -o for-a-spreadsheet.csv --csv-safe
  head -n 3 new.csv | rampart predict model.json -

Writes CSV with the header prediction,score: the class or 'reject', and f(x). Labels in the
data are not needed, and not looked at. Classes are written as they are in the model: if strangers
chose them, a spreadsheet might compute =... as a formula, unless --csv-safe is given.)";

// As many rows as fit in the processor's cache, but enough to share among threads.
std::size_t rows_per_batch(std::size_t features) {
  constexpr std::size_t values = 32'000;
  return std::clamp<std::size_t>(values / std::max<std::size_t>(features, 1), 512, 4096);
}

struct PredictCommand {
  CommonOptions common;
  DataOptions data;
  std::string model_path;
  std::string input;
  std::string output = "-";
  std::string reject_label = "reject";
  bool csv_safe = false;

  void add_to(CLI::App& command) {
    command.add_option("MODEL", model_path, "A model file; - is stdin")->required();
    command.add_option("DATA", input, "Rows: LIBSVM or CSV, .gz or .xz; - is stdin")->required();
    command.add_option("-o,--output", output, "Where the answers go; default: stdout")
        ->check(a_file_name())
        ->type_name("OUT");
    command.add_option("--reject-label", reject_label, "What to call no answer; default: reject")
        ->type_name("TEXT");
    command.add_flag(
        "--csv-safe", csv_safe,
        "For spreadsheets: put a single quote before labels that begin like a formula");
    data.add_to(command, false);
    add_model_limit(command, data.read.limits);
    common.add_to(command);
  }

  int run() {
    require_one_stdin(model_path, input);
    const Model model = load_model(model_path, data.read.limits);
    const ClassNames classes = model.class_names();
    if (reject_label == classes.negative || reject_label == classes.positive) {
      throw OptionError(fmt::format("reject-label '{}': is the name of a class", reject_label));
    }
    data.read.expected = model.features;
    data.read.serial_numbers = std::holds_alternative<PrecomputedKernel>(model.kernel);
    require_other_file(output, {input, model_path});
    Target target(output);
    Progress progress(common.quiet);
    const Predictor predictor(model, common.threads);
    RowStream rows(input, data.read);

    const std::string names[] = {classes.negative, reject_label, classes.positive};
    const auto field = csv_safe ? spreadsheet_field : csv_field;
    const std::string fields[] = {field(names[0]), field(names[1]), field(names[2])};
    std::size_t done = 0;
    std::size_t counts[3] = {0, 0, 0};
    Json predictions = Json::array();
    Json scores = Json::array();
    const std::size_t most = rows_per_batch(model.features.count);
    std::string text = "prediction,score\n";
    for (RowBatch batch = rows.next(most); batch.size() > 0; batch = rows.next(most)) {
      for (const double score : predictor.scores(batch.x)) {
        const std::size_t decision = index_of(decide(score, model.surface().band.rho));
        ++counts[decision];
        if (common.json && target.is_stdout()) {
          predictions.push_back(names[decision]);
          scores.push_back(score);
        } else {
          text += fields[decision];
          text += ',';
          text += number(score);
          text += '\n';
        }
      }
      done += batch.size();
      if (!(common.json && target.is_stdout())) {
        target.write(text);
        text.clear();
      }
      if (progress.due()) progress.show(fmt::format("{} rows", done));
    }
    progress.clear();
    if (rows.widest() < model.features.count && !common.quiet) {
      note(
          fmt::format("{}: no row has a feature beyond {}, the model has {}; the missing ones "
                      "count as 0",
                      input, rows.widest(), model.features.count));
    }
    if (common.json) {
      Json json{{"rows", done},
                {"rejected", counts[1]},
                {"classes", {{names[0], counts[0]}, {names[2], counts[2]}}}};
      if (target.is_stdout()) {
        json["predictions"] = std::move(predictions);
        json["scores"] = std::move(scores);
      }
      target.commit();
      print_json(json);
      return exit_done;
    }
    target.commit();
    return exit_done;
  }
};

}  // namespace

Run add_predict(CLI::App& app) { return add<PredictCommand>(app, "predict", about); }

}  // namespace rampart::tool
