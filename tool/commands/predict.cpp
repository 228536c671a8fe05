#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

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
#include "render/reasons.hpp"

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

// As many rows as fit in the processor's cache, but enough to share among threads.
std::size_t rows_per_batch(std::size_t features) {
  constexpr std::size_t values = 32'000;
  return std::clamp<std::size_t>(values / std::max<std::size_t>(features, 1), 512, 4096);
}

/// A rejected row for the worklist.
struct Case {
  std::string line;
  bool ambiguous;
  double certainty;  ///< |f|
};

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
    command.add_option("DATA", input, "Rows: LIBSVM, CSV or ARFF, .gz or .xz; - is stdin")
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
    add_either(command, "--on-incomplete", "reject", "impute", leniency.impute,
               "Rows that miss a value which no training row missed; impute: answer with the median "
               "of training");
    add_either(command, "--on-unseen", "reject", "ignore", leniency.ignore_unseen,
               "Rows with a category that no training row had; ignore: answer without it");
    command.add_flag("--strict", strict,
                     "A row that is unreadable, incomplete or unseen ends it with an error");
    command.add_flag("--stream", stream, "Answer each line as soon as it is there");
    command.add_flag(
        "--csv-safe", csv_safe,
        "For spreadsheets: put a single quote before text that begins like a formula");
    data.add_to(command, false);
    add_model_limit(command, data.read.limits);
    common.add_to(command);
  }

  static void add_either(CLI::App& command, const char* name, const char* off, const char* on,
                         bool& flag, const char* about_it) {
    command
        .add_option_function<std::string>(
            name, [&flag, on](const std::string& choice) { flag = choice == on; },
            fmt::format("{}; default: {}", about_it, off))
        ->check(CLI::IsMember({off, on}).description(""))
        ->type_name(fmt::format("{}|{}", off, on));
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
    require_other_file(output, {input, model_path});
    Target target(output);
    std::optional<Target> worklist;
    if (!rejected.empty()) {
      require_other_file(rejected, {input, model_path});
      require_different_outputs({output, rejected});
      worklist.emplace(rejected);
    }
    Progress progress(common.quiet || stream);
    const Predictor predictor(model, stream ? 1 : common.threads);
    RowStream rows(input, data.read);

    Output out{*this, model, rows};
    const bool as_json = common.json && target.is_stdout();
    const std::size_t most = stream ? 1 : rows_per_batch(model.features.count);
    std::string text = out.header();
    for (RowBatch batch = rows.next(most); batch.size() > 0; batch = rows.next(most)) {
      const std::vector<Answer> answers = out.answers(predictor, batch);
      for (std::size_t n = 0; n < batch.size(); ++n) {
        out.add(answers[n], batch, n, as_json ? nullptr : &text);
      }
      if (!as_json) {
        target.write(text);
        text.clear();
      }
      if (progress.due()) progress.show(fmt::format("{} rows", out.done));
    }
    progress.clear();
    if (!text.empty() && !as_json) target.write(text);
    if (!common.quiet) {
      if (rows.widest() < model.features.count) {
        note(fmt::format("{}: no row has a feature beyond {}, the model has {}; the missing ones "
                         "count as 0",
                         input, rows.widest(), model.features.count));
      }
      if (const std::string words = out.rejections_in_words(); !words.empty()) note(words);
    }
    std::vector<Target*> written{&target};
    if (worklist) {
      worklist->write(out.worklist());
      written.push_back(&*worklist);
    }
    Target::commit_all(written);
    if (common.json) print_json(out.json(as_json));
    return exit_done;
  }

  /// Everything that is written, row by row.
  struct Output {
    const PredictCommand& command;
    const Model& model;
    const RowStream& stream;
    std::string id = stream.id_name();
    std::vector<std::string> kept = stream.kept_names();
    std::vector<std::size_t> shown = all_but_the_id();  ///< places in `kept`
    std::array<std::string, 3> names = {model.class_names().negative, command.reject_label,
                                        model.class_names().positive};
    std::array<std::string, 3> fields = {field(names[0]), field(names[1]), field(names[2])};
    std::size_t done = 0;
    std::array<std::size_t, 3> counts{};
    std::map<Reason, std::size_t> reasons;
    std::vector<Case> cases;
    Json rows = Json::object();

    [[nodiscard]] std::string field(const std::string& text) const {
      return command.csv_safe ? spreadsheet_field(text) : csv_field(text);
    }

    /// The id is the first column already; a file with a name used twice is hard to read again.
    [[nodiscard]] std::vector<std::size_t> all_but_the_id() const {
      std::vector<std::size_t> places;
      for (std::size_t place = 0; place < kept.size(); ++place) {
        if (id.empty() || kept[place] != id) places.push_back(place);
      }
      return places;
    }

    [[nodiscard]] std::vector<std::string> shown_of(const std::vector<std::string>& cells) const {
      std::vector<std::string> found;
      for (const std::size_t place : shown) found.push_back(cells[place]);
      return found;
    }

    [[nodiscard]] std::string header() const {
      std::string text = id.empty() ? "row" : field(id);
      for (const std::size_t place : shown) text += ',' + field(kept[place]);
      return text + ",prediction,score,reason\n";
    }

    /// Rows that could not be read are answered as such.
    [[nodiscard]] std::vector<Answer> answers(const Predictor& predictor,
                                              const RowBatch& batch) const {
      std::vector<Answer> found = predictor.answers(batch.x, command.leniency);
      for (std::size_t n = 0; n < batch.faults.size(); ++n) {
        if (!batch.faults[n].empty()) found[n] = Answer{};
      }
      return found;
    }

    /// Appends the row to `text`; to the JSON if there is none.
    void add(const Answer& answer, const RowBatch& batch, std::size_t n, std::string* text) {
      ++done;
      const std::size_t decision = index_of(answer.decision);
      ++counts[decision];
      if (answer.reason != Reason::none) ++reasons[answer.reason];
      const std::string detail = detail_in(answer, batch, n);
      const bool unusable = answer.reason == Reason::incomplete || answer.reason == Reason::unseen;
      if (command.strict && unusable) {
        throw InputError(fmt::format("{}: row {}: {}", command.input, done, detail));
      }
      if (text == nullptr) {
        add_to_json(answer, batch, n, detail);
      } else {
        const std::size_t begin = text->size();
        append_line(*text, answer, batch, n, detail);
        add_case(answer, text->substr(begin));
        return;
      }
      if (command.rejected.empty() || answer.decision != Decision::reject) return;
      std::string line;
      append_line(line, answer, batch, n, detail);
      add_case(answer, line);
    }

    [[nodiscard]] std::string detail_in(const Answer& answer, const RowBatch& batch,
                                        std::size_t n) const {
      if (answer.reason == Reason::none || answer.reason == Reason::ambiguous) return "";
      std::vector<double> row(batch.x.columns());
      RowsView(batch.x).copy_row(n, row);
      return detail_of(answer, model, row, batch.unseen.empty() ? "" : batch.unseen[n],
                       batch.faults.empty() ? "" : batch.faults[n]);
    }

    void append_line(std::string& text, const Answer& answer, const RowBatch& batch, std::size_t n,
                     const std::string& detail) const {
      if (batch.ids.empty()) {
        fmt::format_to(std::back_inserter(text), "{}", done);
      } else {
        text += field(batch.ids[n]);
      }
      if (!batch.kept.empty()) {
        for (const std::size_t place : shown) text += ',' + field(batch.kept[n][place]);
      }
      text += ',';
      text += fields[index_of(answer.decision)];
      text += ',';
      if (!std::isnan(answer.score)) text += number(answer.score);
      text += ',';
      if (answer.reason != Reason::none) text += field(reason_and_detail(answer.reason, detail));
      text += '\n';
    }

    void add_case(const Answer& answer, std::string line) {
      if (command.rejected.empty() || answer.decision != Decision::reject) return;
      cases.push_back({std::move(line), answer.reason == Reason::ambiguous,
                       std::abs(answer.score_or(0))});
    }

    void add_to_json(const Answer& answer, const RowBatch& batch, std::size_t n,
                     const std::string& detail) {
      if (!batch.ids.empty()) rows["ids"].push_back(batch.ids[n]);
      if (!batch.kept.empty()) rows["kept"].push_back(shown_of(batch.kept[n]));
      rows["predictions"].push_back(names[index_of(answer.decision)]);
      rows["scores"].push_back(std::isnan(answer.score) ? Json(nullptr) : Json(answer.score));
      rows["reasons"].push_back(to_string(answer.reason));
      rows["details"].push_back(detail);
    }

    [[nodiscard]] std::string worklist() {
      std::ranges::stable_sort(cases, [](const Case& a, const Case& b) {
        return std::pair(a.ambiguous, a.certainty) < std::pair(b.ambiguous, b.certainty);
      });
      std::string text = header();
      for (const Case& one : cases) text += one.line;
      return text;
    }

    /// "3 rows were rejected for themselves: 2 incomplete, 1 unreadable"; empty if none was.
    [[nodiscard]] std::string rejections_in_words() const {
      std::size_t total = 0;
      std::string list;
      for (const auto& [reason, rows_of_it] : reasons) {
        if (reason == Reason::ambiguous) continue;
        total += rows_of_it;
        list += fmt::format("{}{} {}", list.empty() ? "" : ", ", rows_of_it, to_string(reason));
      }
      if (total == 0) return "";
      return fmt::format("{}: {} of {} rows rejected whatever their score: {}", command.input, total,
                         done, list);
    }

    [[nodiscard]] Json json(bool with_rows) const {
      Json json{{"rows", done},
                {"rejected", counts[1]},
                {"classes", {{names[0], counts[0]}, {names[2], counts[2]}}},
                {"reasons_total", Json::object()}};
      for (const auto& [reason, rows_of_it] : reasons) {
        json["reasons_total"][to_string(reason)] = rows_of_it;
      }
      if (!with_rows) return json;
      if (!id.empty()) json["id"] = id;
      if (!kept.empty()) json["kept_columns"] = shown_of(kept);
      json.update(rows);
      return json;
    }
  };
};

}  // namespace

Run add_predict(CLI::App& app) { return add<PredictCommand>(app, "predict", about); }

}  // namespace rampart::tool
