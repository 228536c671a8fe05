#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "commands/command.hpp"
#include "data/describe.hpp"
#include "options/common.hpp"
#include "options/data.hpp"
#include "options/setting_names.hpp"
#include "rampart/errors.hpp"
#include "render/output.hpp"
#include "render/progress.hpp"
#include "util/text.hpp"

namespace rampart::tool {
namespace {

constexpr const char* about =
    R"(What a file holds, column by column, and what training would make of it.

Examples:
  rampart describe patients.csv
  rampart describe patients.csv --label died --id name --json
  rampart describe survey.csv --missing-values -99,unknown

The file is read once, in memory that does not depend on its rows.)";

constexpr std::size_t most_columns_shown = 200;

std::string_view name_of(ColumnRole role) {
  switch (role) {
    case ColumnRole::label:
      return "label";
    case ColumnRole::feature:
      return "feature";
    case ColumnRole::id:
      return "id";
    case ColumnRole::weight:
      return "weight";
    case ColumnRole::group:
      return "group";
    case ColumnRole::ignored:
      return "ignored";
  }
  return "";
}

std::string_view kind_of(const ColumnSummary& column) {
  if (column.numbers + column.texts == 0) return "empty";
  return column.categorical() ? "categorical" : "numeric";
}

std::string remark_on(const ColumnSummary& column) {
  if (!column.trouble.empty()) return "refused: " + column.trouble;
  if (column.role != ColumnRole::feature) return "";
  switch (column.look) {
    case ColumnLook::constant:
      return "constant";
    case ColumnLook::id:
      return "looks like an id";
    case ColumnLook::leak:
      return "separates the classes alone";
    case ColumnLook::ordinary:
      break;
  }
  return "";
}

std::string values_of(const ColumnSummary& column) {
  if (column.texts == 0 && column.numbers > 0) {
    return fmt::format("{} to {}", number(column.least), number(column.greatest));
  }
  return printable(column.example, 24);
}

Json to_json(const ColumnSummary& column) {
  Json json{{"name", column.name},          {"role", name_of(column.role)},
            {"kind", kind_of(column)},      {"missing", column.missing},
            {"distinct", column.different}, {"distinct_is_exact", column.exact},
            {"example", column.example}};
  if (column.numbers > 0) json["range"] = {column.least, column.greatest};
  const std::string remark = remark_on(column);
  if (!remark.empty()) json["remark"] = remark;
  return json;
}

struct DescribeCommand {
  CommonOptions common;
  DataOptions data;
  GroupOptions groups;
  std::string input;

  void add_to(CLI::App& command) {
    command.add_option("DATA", input, "Labelled rows: LIBSVM, CSV or ARFF, .gz or .xz; - is stdin")
        ->required();
    groups.add_to(command, "Reading DATA");
    data.add_to(command, true);
    common.add_to(command);
  }

  int run() {
    data.read.group = groups.source;
    Progress progress(common.quiet);
    data.read.progress = progress.reading(input);
    data.read.threads = common.threads;
    const TableSummary summary = describe_file(input, data.read);
    progress.clear();
    std::vector<std::string> warnings;
    for (const ColumnWarning& warning : summary.warnings) {
      warnings.push_back(message_with_option(InputError(warning.message, warning.setting)));
    }
    if (common.json) {
      show_json(summary, warnings);
    } else {
      show(summary, warnings);
    }
    return exit_done;
  }

  static void show_json(const TableSummary& summary, const std::vector<std::string>& warnings) {
    Json columns = Json::array();
    for (const ColumnSummary& column : summary.columns) columns.push_back(to_json(column));
    Json labels = Json::array();
    for (std::size_t k = 0; k < summary.labels.size(); ++k) {
      labels.push_back({{"label", summary.labels[k]}, {"rows", summary.label_counts[k]}});
    }
    print_json(Json{{"format", summary.format},
                    {"header", summary.header},
                    {"rows", summary.rows},
                    {"file_columns", summary.width},
                    {"labels", labels},
                    {"more_labels", summary.more_labels},
                    {"rows_without_label", summary.unlabelled},
                    {"columns", columns},
                    {"warnings", warnings}});
  }

  void show(const TableSummary& summary, const std::vector<std::string>& warnings) const {
    const bool table = summary.format != "LIBSVM";
    std::string text = fmt::format("{}: {}, {} rows, {} {}{}\n", input, summary.format,
                                   summary.rows, summary.width, table ? "columns" : "features",
                                   table && !summary.header ? ", no header" : "");
    if (table) text += "\n" + table_of(summary) + "\n";
    text += labels_of(summary);
    if (table) text += plan_of(summary);
    for (const std::string& warning : warnings) text += "warning: " + warning + "\n";
    print(text);
  }

  static std::string table_of(const TableSummary& summary) {
    const std::size_t shown = std::min(summary.columns.size(), most_columns_shown);
    std::vector<std::vector<std::string>> lines = {
        {"column", "role", "kind", "missing", "different", "values", ""}};
    for (std::size_t j = 0; j < shown; ++j) {
      const ColumnSummary& column = summary.columns[j];
      lines.push_back({printable(column.name, 24), std::string(name_of(column.role)),
                       std::string(kind_of(column)), std::to_string(column.missing),
                       fmt::format("{}{}", column.exact ? "" : "about ", column.different),
                       values_of(column), remark_on(column)});
    }
    std::vector<std::size_t> widths(lines.front().size(), 0);
    for (const auto& line : lines) {
      for (std::size_t k = 0; k + 1 < line.size(); ++k) {
        widths[k] = std::max(widths[k], fmt::formatted_size("{}", line[k]));
      }
    }
    std::string text;
    for (const auto& line : lines) {
      std::string row;
      for (std::size_t k = 0; k < line.size(); ++k)
        row += fmt::format("{:<{}}  ", line[k], widths[k]);
      row.erase(row.find_last_not_of(' ') + 1);
      text += row + "\n";
    }
    if (shown < summary.columns.size()) {
      text +=
          fmt::format("… and {} more columns (--json has all)\n", summary.columns.size() - shown);
    }
    return text;
  }

  static std::string labels_of(const TableSummary& summary) {
    std::string text = "labels:";
    for (std::size_t k = 0; k < summary.labels.size(); ++k) {
      text += fmt::format("{} {} ({} rows)", k > 0 ? "," : "", printable(summary.labels[k]),
                          summary.label_counts[k]);
    }
    if (summary.more_labels) text += ", and others";
    if (summary.unlabelled > 0) text += fmt::format("; {} rows have none", summary.unlabelled);
    text += "\n";
    if (summary.labels.size() != 2)
      text += "training needs two labels; --label names their column\n";
    return text;
  }

  // What training makes of the features if nothing else is asked for.
  static std::string plan_of(const TableSummary& summary) {
    std::size_t numeric = 0;
    std::size_t categorical = 0;
    std::size_t incomplete = 0;
    std::size_t refused = 0;
    for (const ColumnSummary& column : summary.columns) {
      if (column.role != ColumnRole::feature) continue;
      if (!column.trouble.empty()) {
        ++refused;
        continue;
      }
      ++(column.categorical() ? categorical : numeric);
      incomplete += column.missing > 0;
    }
    std::string text =
        fmt::format("training uses {} numeric and {} categorical columns", numeric, categorical);
    if (incomplete > 0) {
      text += fmt::format("; {} with missing values get an indicator (--missing)", incomplete);
    }
    if (refused > 0) {
      text +=
          fmt::format("; it refuses {}: --id, --ignore, --categorical, --max-categories", refused);
    }
    return text + "\n";
  }
};

}  // namespace

Run add_describe(CLI::App& app) { return add<DescribeCommand>(app, "describe", about); }

}  // namespace rampart::tool
