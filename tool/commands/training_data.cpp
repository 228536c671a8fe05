#include "commands/training_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "data/column_warnings.hpp"
#include "options/setting_names.hpp"
#include "options/values.hpp"
#include "rampart/errors.hpp"
#include "render/evaluation.hpp"
#include "render/output.hpp"
#include "render/progress.hpp"
#include "train/folds.hpp"
#include "util/text.hpp"

namespace rampart::tool {
namespace {

constexpr std::uint64_t holdout_seed = 1;
constexpr double confidence = 0.95;

void drop_incomplete_rows(LabelledRows& rows, const std::string& path, bool quiet) {
  const Problem data = rows.view();
  const std::vector<std::size_t> complete = complete_rows(data);
  if (complete.size() == data.size()) return;
  if (complete.empty()) {
    throw InputError(
        fmt::format("{}: every row misses a value; --missing indicator keeps them, --ignore leaves "
                    "out a column",
                    path));
  }
  if (!quiet) {
    note(fmt::format("{}: {} of {} rows miss a value and are left out", path,
                     data.size() - complete.size(), data.size()));
  }
  rows = rows.part(complete);
}

/// Rows of another file, in the columns and with the classes of the training rows.
Dataset read_alike(const std::string& path, ReadOptions read, const Problem& rows) {
  read.expected = layout_of(rows);
  read.classes = rows.classes;
  read.group.clear();
  read.categorical.clear();
  return read_copy(path, read);
}

HoldoutReport measure_one(const Model& model, const Problem& rows, unsigned threads) {
  HoldoutReport report;
  const Evaluation evaluation = evaluate_answers(
      model, rows, Predictor(model, threads).answers(rows.x), model.surface().costs(), confidence);
  const Metrics& metrics = evaluation.metrics;
  const Interval rejection = evaluation.rejection_interval();
  const auto accuracy = metrics.accepted_accuracy();
  const auto interval = evaluation.accuracy_interval();
  report.text = fmt::format(
      "on {} rows held out: risk {:.4f}, rejected {} ({:.1f} to {:.1f} %), right when answering "
      "{}\n",
      metrics.rows(), metrics.risk(), percent(metrics.rejection_rate()), 100 * rejection.low,
      100 * rejection.high,
      accuracy ? fmt::format("{} ({:.1f} to {:.1f} %)", percent(*accuracy), 100 * interval->low,
                             100 * interval->high)
               : "- (never answers)");
  report.text += overlap_in_words(evaluation.overlap);
  report.json = to_json(evaluation, rows.classes);
  return report;
}

/// "missing values: 'age' 2, ...", and what becomes of them; empty if there are none.
std::string missing_in_words(const Problem& rows, const Cells& cells, MissingChoice choice) {
  const std::string list = missing_by_column(rows, cells.missing);
  if (list.empty()) return "";
  return fmt::format(
      "missing values: {}; {}\n", list,
      choice == MissingChoice::median
          ? "filled with the median, or commonest category, of the training rows"
          : "filled with the median of the training rows and marked by a 0/1 feature; "
            "of categories, a category of its own");
}

}  // namespace

void HoldoutOption::add_to(CLI::App& command) {
  command
      .add_option("--holdout", source,
                  "Measure the model on rows it is not trained on: a share of DATA, such as 0.2, "
                  "drawn at random but always the same, or a file")
      ->type_name("SHARE|FILE");
}

std::optional<double> HoldoutOption::share() const {
  if (source.empty()) return std::nullopt;
  std::error_code none;
  const auto number = number_in(source);
  if (std::filesystem::exists(source, none)) return std::nullopt;
  if (!number || !(*number > 0 && *number < 1)) {
    throw OptionError(
        fmt::format("holdout {}: must be a share between 0 and 1, or a file", source));
  }
  return number;
}

TrainingData read_training_data(const std::string& path, const DataOptions& data,
                                const GroupOptions& groups, const HoldoutOption& holdout,
                                const CommonOptions& common, bool check_now) {
  const std::optional<double> share = holdout.share();
  if (!holdout.source.empty() && data.read.serial_numbers) {
    throw OptionError("holdout: a precomputed kernel has no values with the rows that are left");
  }
  // Rows that are chosen by their values, or measured on, are read by others than the caller.
  check_now = check_now || share || data.missing == MissingChoice::refuse ||
              data.missing == MissingChoice::drop;
  TrainingData found{.rows = groups.read(path, data.read, check_now)};
  // Text with missing values was refused while it was read.
  if (data.missing == MissingChoice::refuse) {
    const Problem all = found.rows.view();
    const std::string words = missing_by_column(all, count_cells(all).missing);
    if (!words.empty()) {
      throw InputError(fmt::format("{}: missing values: {}; fill or remove them", path, words),
                       Setting::missing);
    }
  }
  if (!holdout.source.empty() && !share) {  // now, so that a wrong file shows before any training
    found.held_out = read_alike(holdout.source, data.read, found.rows.view());
  }
  if (share) {
    const Problem all = found.rows.view();
    const Split split = hold_out(all.y, all.groups, *share, holdout_seed);
    found.held_out = found.rows.part(split.test);
    found.rows = found.rows.part(split.training);
  }
  // Rows to measure the model on are what new rows will be: some of them incomplete.
  if (data.missing == MissingChoice::drop) {
    drop_incomplete_rows(found.rows, path, common.quiet);
  }
  return found;
}

void warn_of_columns(const std::string& path, const LabelledRows& rows,
                     const CommonOptions& common) {
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;
  if (common.quiet || rows.mapped_bytes() > most_bytes) return;
  for (const ColumnWarning& warning : column_warnings(rows.view())) {
    note(message_with_option(
        InputError(fmt::format("{}: {}", path, warning.message), warning.setting)));
  }
}

std::string settle(std::vector<TrainOptions>& methods, bool scaling_is_automatic,
                   const DataOptions& data, const Problem& rows, const Cells& cells) {
  std::optional<ScalingKind> chosen;
  for (TrainOptions& method : methods) {
    chosen = rampart::settle(method, scaling_is_automatic, data.missing, cells);
  }
  std::string missing = missing_in_words(rows, cells, data.missing);
  if (!chosen) return missing;
  return (chosen == ScalingKind::standard
              ? "features scaled to mean 0 and deviation 1 (--scale auto: most values are not 0)\n"
              : "features not scaled (--scale auto: most values are 0)\n") +
         missing;
}

HoldoutReport measure_holdout(const std::vector<const Model*>& models, const TrainingData& data,
                              const CommonOptions& common) {
  HoldoutReport report;
  for (const Model* model : models) {
    if (!data.held_out) break;
    const HoldoutReport one = measure_one(*model, data.held_out->view(), common.threads);
    if (models.size() > 1) {
      report.text += fmt::format("d = {}, ", number(model->surface().costs().reject_positive));
    }
    report.text += one.text;
    report.json.push_back(one.json);
  }
  if (models.size() == 1 && !report.json.is_null()) report.json = Json(report.json.front());
  return report;
}

}  // namespace rampart::tool
