#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>

#include "commands/command.hpp"
#include "files/inputs.hpp"
#include "files/paths.hpp"
#include "files/target.hpp"
#include "options/common.hpp"
#include "options/data.hpp"
#include "options/read_limits.hpp"
#include "options/values.hpp"
#include "rampart/errors.hpp"
#include "rampart/model.hpp"
#include "render/answer_sheet.hpp"
#include "render/output.hpp"
#include "render/progress.hpp"
#include "util/ahead.hpp"

namespace rampart::tool {
namespace {

constexpr const char* about = R"(Answer, or decline to, for every row.

Examples:
  rampart predict model.json new.csv
  rampart predict model.json new.svm -o answers.csv --reject-label "ask a doctor"
  rampart predict model.json new.csv -o answers.csv --rejected worklist.csv --keep name,ward
  rampart predict model.json new.csv --on-incomplete impute --on-unseen ignore
  rampart predict model.json new.csv -o for-a-spreadsheet.csv --csv-safe
  tail -f cases.csv | rampart predict model.json - --stream

Writes CSV: row (or the column of ids), prediction, score, reason. The prediction is a class or
'reject', the score f(x). The reason is empty for an answer. Otherwise it is ambiguous (f(x) lies in
the band), unfamiliar (unlike the training rows), incomplete (a value is missing that no training row
missed), unseen (a category that no training row had) or unreadable, followed by what it is about.
Such a row never stops the others, unless --strict is given. Labels in the data are not looked at.
Text is written as it is in the data and the model: a spreadsheet might compute =... as a formula,
unless --csv-safe is given.)";

const std::map<std::string, bool> on_incomplete = {{"reject", false}, {"impute", true}};
const std::map<std::string, bool> on_unseen = {{"reject", false}, {"ignore", true}};

// As many rows as fit in the processor's cache, but enough to share among threads. Cells that are
// kept as text take much more memory than numbers.
std::size_t rows_per_batch(std::size_t features, bool keeps_text) {
  const std::size_t values = keeps_text ? 16'000 : 128'000;
  const std::size_t most = keeps_text ? 2048 : 8192;
  return std::clamp<std::size_t>(values / std::max<std::size_t>(features, 1), 512, most);
}

// Reading from anything else may have to wait, and an error must not wait for that.
bool are_files(const std::vector<std::string>& paths) {
  return std::ranges::all_of(paths, [](const std::string& path) {
    std::error_code none;
    return std::filesystem::is_regular_file(path, none);
  });
}

struct PredictCommand {
  CommonOptions common;
  DataOptions data;
  std::string model_path;
  std::string input;
  std::string output = "-";
  std::string rejected;
  std::string reject_label = "reject";
  std::vector<std::string> keep;
  Leniency leniency;
  bool csv_safe = false;
  bool strict = false;
  bool stream = false;

  void add_to(CLI::App& command) {
    command.add_option("MODEL", model_path, "A model file; - is stdin")->required();
    command
        .add_option(
            "DATA", input,
            "Rows: LIBSVM, CSV, ARFF (.gz, .xz) or .rows; a folder or a pattern in quotes is one "
            "data set; - is stdin")
        ->required();
    command.add_option("-o,--output", output, "Where the answers go; default: stdout")
        ->check(a_file_name())
        ->type_name("OUT");
    command
        .add_option("--rejected", rejected,
                    "Also write the rejected rows alone: first those with a reason of their own, "
                    "then the least certain. They are kept in memory until the end")
        ->check(a_file_name())
        ->type_name("FILE");
    command.add_option("--reject-label", reject_label, "What to call no answer; default: reject")
        ->type_name("TEXT");
    command.add_option("--keep", keep, "CSV: columns to copy into the answers, or all")
        ->type_name("COLUMN")
        ->delimiter(',');
    add_choice(
        command, "--on-incomplete", leniency.impute, on_incomplete,
        "Rows that miss a value which no training row missed; impute: answer with the median "
        "of training; default: reject");
    add_choice(command, "--on-unseen", leniency.ignore_unseen, on_unseen,
               "Rows with a category that no training row had; ignore: answer without it; default: "
               "reject");
    command.add_flag("--strict", strict,
                     "A row that is unreadable, incomplete or unseen ends it with an error");
    command.add_flag("--stream", stream, "Answer each line as soon as it is there");
    command.add_flag("--csv-safe", csv_safe,
                     "For spreadsheets: put a single quote before text that begins like a formula");
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
    if (rejected == "-" && (output == "-" || common.json)) {
      throw OptionError("--rejected: give a file; it would share standard output with the answers");
    }
    if (stream && common.json) throw OptionError("stream: writes lines; not together with --json");
    data.read.expected = model.features;
    data.read.serial_numbers = std::holds_alternative<PrecomputedKernel>(model.kernel);
    data.read.tolerate_faults = !strict;
    data.read.keep_all = keep == std::vector<std::string>{"all"};
    if (!data.read.keep_all) data.read.keep = keep;
    data.read.line_by_line = stream;
    data.read.threads = common.threads;
    const std::vector<std::string> files = files_of(input);
    std::vector<std::string> inputs = files;
    inputs.push_back(model_path);
    require_other_file(output, inputs);
    Target target(output);
    std::optional<Target> worklist;
    if (!rejected.empty()) {
      require_other_file(rejected, inputs);
      require_different_outputs({output, rejected});
      worklist.emplace(rejected);
    }
    Progress progress(common.quiet || stream);
    const Predictor predictor(model, stream ? 1 : common.threads);
    RowStream rows(files, data.read);

    AnswerSheet sheet(model, rows,
                      {.as_json = common.json && target.is_stdout(),
                       .reject_label = reject_label,
                       .csv_safe = csv_safe,
                       .keeps_worklist = worklist.has_value()});
    const std::size_t most = stream ? 1 : rows_per_batch(model.features.count, !keep.empty());
    // While rows are answered, the next are read.
    Ahead<RowBatch> batches([&] { return rows.next(most); },
                            [](const RowBatch& batch) { return batch.size() == 0; },
                            common.threads != 1 && !stream && are_files(files) ? 2 : 0);
    for (RowBatch batch = batches.next(); batch.size() > 0; batch = batches.next()) {
      const std::vector<Answer> answers = answers_to(batch, predictor);
      for (std::size_t n = 0; strict && n < batch.size(); ++n) {
        require_usable(answers[n], sheet, batch, n);
      }
      sheet.add(answers, batch, common.threads);
      target.write(sheet.text());
      sheet.forget_text();
      if (progress.due()) progress.show(fmt::format("{} rows", sheet.rows()));
    }
    progress.clear();
    if (!common.quiet) {
      if (rows.widest() < model.features.count) {
        note(
            fmt::format("{}: no row has a feature beyond {}, the model has {}; the missing ones "
                        "count as 0",
                        input, rows.widest(), model.features.count));
      }
      if (const std::string words = sheet.rejections_in_words(); !words.empty()) {
        note(fmt::format("{}: {}", input, words));
      }
    }
    std::vector<Target*> written{&target};
    if (worklist) {
      worklist->write(sheet.worklist());
      written.push_back(&*worklist);
    }
    Target::commit_all(written);
    if (common.json) print_json(sheet.json());
    return exit_done;
  }

  /// Rows that could not be read are answered as such.
  [[nodiscard]] std::vector<Answer> answers_to(const RowBatch& batch,
                                               const Predictor& predictor) const {
    std::vector<Answer> answers = predictor.answers(batch.x, leniency);
    for (std::size_t n = 0; n < batch.faults.size(); ++n) {
      if (!batch.faults[n].empty()) answers[n] = Answer{};
    }
    return answers;
  }

  /// Throws InputError for a row that --strict does not accept.
  void require_usable(const Answer& answer, const AnswerSheet& sheet, const RowBatch& batch,
                      std::size_t n) const {
    if (answer.reason != Reason::incomplete && answer.reason != Reason::unseen) return;
    throw InputError(fmt::format("{}: row {}: {}", input, sheet.rows() + n + 1,
                                 sheet.detail_of_row(answer, batch, n)));
  }
};

}  // namespace

Run add_predict(CLI::App& app) { return add<PredictCommand>(app, "predict", about); }

}  // namespace rampart::tool
