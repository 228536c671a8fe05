#include "options/data.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <system_error>

#include "data/read_lines.hpp"
#include "options/read_limits.hpp"
#include "options/shared_option.hpp"
#include "options/values.hpp"
#include "rampart/errors.hpp"

namespace rampart::tool {
namespace {

const std::map<std::string, Format> formats = {{"auto", Format::automatic},
                                               {"libsvm", Format::libsvm},
                                               {"csv", Format::csv},
                                               {"arff", Format::arff}};

constexpr std::uint64_t most_categories = 16'777'216;  // as many as columns

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
  command
      .add_option("--weight", read.weight,
                  "CSV: a column of row weights >= 0: weight k counts like k rows, 0 like none")
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
    missing = *value_of<MissingChoice>(choice);
    read.refuse_missing = missing == MissingChoice::refuse;
  };
  const OptionText& of_missing = option_text("missing");
  command
      .add_option_function<std::string>("--missing", set_missing, "CSV: " + help_text(of_missing))
      ->check(check_of(of_missing))
      ->type_name(std::string(of_missing.value))
      ->group(group);
}

void FoldingOptions::add_to(CLI::App& command, std::size_t default_folds,
                            std::size_t default_repeats) {
  folds.folds = default_folds;
  folds.repeats = default_repeats;
  const auto add = [&](const char* name, auto& value, const std::string& standard) {
    const OptionText& option = option_text(name);
    command.add_option(names_on_the_command_line(option), value, help_text(option, standard))
        ->check(check_of(option))
        ->type_name(std::string(option.value))
        ->group(std::string(option.group));
  };
  add("folds", folds.folds, fmt::format("{}", default_folds));
  add("repeats", folds.repeats, fmt::format("{}", default_repeats));
  add("seed", folds.seed, "1");
  const OptionText& stratify = option_text("stratify");
  const std::string group(stratify.group);
  command
      .add_option_function<std::string>(
          names_on_the_command_line(stratify),
          [this](const std::string& choice) { folds.stratified = choice == "yes"; },
          help_text(stratify))
      ->check(check_of(stratify))
      ->type_name(std::string(stratify.value))
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
