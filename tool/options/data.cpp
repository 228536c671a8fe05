#include "options/data.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <system_error>

#include "data/read_lines.hpp"
#include "options/read_limits.hpp"
#include "options/values.hpp"
#include "rampart/errors.hpp"

namespace rampart::tool {
namespace {

const std::map<std::string, Format> formats = {{"auto", Format::automatic},
                                               {"libsvm", Format::libsvm},
                                               {"csv", Format::csv},
                                               {"arff", Format::arff}};

constexpr std::uint64_t most_categories = 16'777'216;  // as many as columns

const std::map<std::string, MissingChoice> missing_choices = {
    {"indicator", MissingChoice::indicator},
    {"median", MissingChoice::median},
    {"drop", MissingChoice::drop},
    {"refuse", MissingChoice::refuse}};

}  // namespace

void DataOptions::add_to(CLI::App& command, bool labelled) {
  const std::string group = "Reading DATA";
  add_choice(command, "--format", read.format, formats, "Format of the file; default: look at it")
      ->group(group);
  command
      .add_option("--label", read.label,
                  "CSV: the column of labels, by name or number from 1; default: the last")
      ->type_name("COLUMN")
      ->group(group);
  command.add_option("--ignore", read.ignore, "CSV: columns to leave out (may be repeated)")
      ->type_name("COLUMN")
      ->delimiter(',')
      ->group(group);
  command
      .add_option("--id", read.id,
                  "CSV: the column that names each row. It is never a feature; outputs carry it")
      ->type_name("COLUMN")
      ->group(group);
  command
      .add_option("--missing-values", read.missing_values,
                  "CSV: more spellings of a missing value, such as -99 (may be repeated); always: "
                  "empty ? NA N/A #N/A NaN null None -")
      ->type_name("TEXT")
      ->delimiter(',')
      ->group(group);
  command
      .add_option_function<std::string>(
          "--header",
          [this](const std::string& choice) {
            if (choice != "auto") read.header = choice == "yes";
          },
          "CSV: whether the first line names the columns")
      ->check(CLI::IsMember({"auto", "yes", "no"}).description(""))
      ->type_name("auto|yes|no")
      ->group(group);
  command
      .add_option_function<std::string>(
          "--delimiter",
          [this](const std::string& text) {
            if (text.size() != 1 && text != "tab" && text != "space") {
              throw CLI::ValidationError("--delimiter", "must be one character, tab or space");
            }
            read.delimiter = text == "tab" ? '\t' : text == "space" ? ' ' : text[0];
          },
          "CSV: a character, tab or space; default: look at the file")
      ->type_name("CHAR")
      ->group(group);
  add_data_limits(command, read.limits);
  if (!labelled) return;
  command
      .add_option("--positive", read.positive,
                  "The label that counts as +1; default: the greater number or later word")
      ->type_name("LABEL")
      ->group(group);
  command.add_option("--weight", read.weight, "CSV: a column of row weights >= 0")
      ->type_name("COLUMN")
      ->group(group);
  command
      .add_option("--categorical", read.categorical,
                  "CSV: columns whose numbers are categories (may be repeated); text always is")
      ->type_name("COLUMN")
      ->delimiter(',')
      ->group(group);
  command
      .add_option("--max-categories", read.max_categories,
                  "CSV: a column of text with more different values is refused; default: 100")
      ->check(a_whole_number(most_categories))
      ->type_name("N")
      ->group(group);
  const auto set_missing = [this](const std::string& choice) {
    missing = missing_choices.at(choice);
    read.refuse_missing = missing == MissingChoice::refuse;
  };
  command
      .add_option_function<std::string>(
          "--missing", set_missing,
          "CSV: missing values become the median, with a 0/1 column that says so (indicator) or "
          "without "
          "(median); or their rows are dropped, or refused; default: indicator")
      ->check(CLI::IsMember({"indicator", "median", "drop", "refuse"}).description(""))
      ->type_name("indicator|median|drop|refuse")
      ->group(group);
}

void FoldingOptions::add_to(CLI::App& command, std::size_t default_folds,
                            std::size_t default_repeats) {
  folds.folds = default_folds;
  folds.repeats = default_repeats;
  const std::string group = "Folds";
  command
      .add_option("-v,--folds", folds.folds,
                  fmt::format("Parts the rows are dealt into; default: {}", default_folds))
      ->check(a_whole_number())
      ->type_name("K")
      ->group(group);
  command
      .add_option("--repeats", folds.repeats,
                  fmt::format("How often they are dealt anew; default: {}", default_repeats))
      ->check(a_whole_number(100000))
      ->type_name("N")
      ->group(group);
  command.add_option("--seed", folds.seed, "Another seed, other folds; default: 1")
      ->check(a_whole_number())
      ->type_name("N")
      ->group(group);
  command
      .add_option_function<std::string>(
          "--stratify", [this](const std::string& choice) { folds.stratified = choice == "yes"; },
          "Whether every fold gets its share of both classes; default: yes")
      ->check(CLI::IsMember({"yes", "no"}).description(""))
      ->type_name("yes|no")
      ->group(group);
  groups.add_to(command, group);
}

void GroupOptions::add_to(CLI::App& command, const std::string& group) {
  command
      .add_option("--groups", source,
                  "Who a row belongs to: a file with one name per row, or else a column of DATA. A "
                  "group is never on both sides of a fold")
      ->type_name("FILE|COLUMN")
      ->group(group);
}

LabelledRows GroupOptions::read(const std::string& path, ReadOptions options,
                                bool check_now) const {
  std::error_code none;
  const bool from_file = !source.empty() && std::filesystem::is_regular_file(source, none);
  if (!from_file) options.group = source;
  LabelledRows data = read_rows(path, options, check_now);
  if (!from_file) return data;
  std::vector<std::string> groups = read_lines(source, options.limits);
  if (groups.size() != data.size()) {
    throw InputError(fmt::format("{}: {} groups for the {} rows of {}", source, groups.size(),
                                 data.size(), path));
  }
  data.set_groups(std::move(groups));
  return data;
}

}  // namespace rampart::tool
