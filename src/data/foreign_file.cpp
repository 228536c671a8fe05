#include "data/foreign_file.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <string>

#include "data/rows_format.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

using namespace std::string_view_literals;

// A word of a shell's command line that stands for this text.
std::string shell_word(std::string_view text) {
  constexpr std::string_view harmless =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+,:=@%";
  if (!text.empty() && text.find_first_not_of(harmless) == text.npos) return std::string(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

// "folder/name.csv" for "folder/name.parquet".
std::string csv_name(std::string_view file) {
  const std::size_t name = file.find_last_of('/') + 1;
  const std::size_t point = file.find_last_of('.');
  const bool extended = point != file.npos && point > name;
  return std::string(extended ? file.substr(0, point) : file) + ".csv";
}

// `read`: the function of pandas, with its arguments behind the file.
[[noreturn]] void refuse_with_command(const Place& file, std::string_view kind,
                                      std::string_view extension, std::string_view read,
                                      std::string_view arguments = "") {
  const bool is_path = file.file != "standard input";
  const std::string path = is_path ? std::string(file.file) : fmt::format("data.{}", extension);
  refuse(file, fmt::format("{}, which is not read; convert it to CSV: python3 -c \"import sys, "
                           "pandas as pd; pd.{}(sys.argv[1]{}).to_csv(sys.argv[2], index=False)\" "
                           "{} {}",
                           kind, read, arguments, shell_word(path), shell_word(csv_name(path))));
}

bool is_control(char c) { return c >= 0 && c < ' ' && !is_space(c); }

}  // namespace

void refuse_binary_tables(std::string_view start, const Place& file) {
  // A text may start with the letters PAR1; in a Parquet file a number in binary follows.
  constexpr std::size_t number_bytes = 12;
  if (start.starts_with("PAR1") && std::ranges::any_of(start.substr(4, number_bytes), is_control)) {
    refuse_with_command(file, "a Parquet file", "parquet", "read_parquet");
  }
  if (start.starts_with(rows_magic)) {
    refuse(file, "rows in binary form, which are read from a file by its name only, not packed");
  }
  if (start.starts_with("\xd0\xcf\x11\xe0")) {
    refuse_with_command(file, "an Excel file", "xls", "read_excel");
  }
  if (!start.starts_with("PK\x03\x04"sv)) return;
  for (const std::string_view part :
       {"[Content_Types].xml"sv, "xl/"sv, "_rels/.rels"sv, "opendocument.spreadsheet"sv}) {
    if (start.find(part) != start.npos) {
      refuse_with_command(file, "an Excel file", "xlsx", "read_excel");
    }
  }
  refuse(file, "a ZIP archive, which is not read; unpack it (unzip)");
}

void refuse_json(std::string_view start, const Place& file) {
  start = trimmed(start);
  if (start.empty() || (start.front() != '{' && start.front() != '[')) return;
  const std::string_view rest = trimmed(start.substr(1));
  const bool object = start.front() == '{' && (rest.starts_with('"') || rest.starts_with('}'));
  const bool list = start.front() == '[' && (rest.starts_with('{') || rest.starts_with('['));
  if (!object && !list) return;
  if (start.substr(0, 200).find("\"rampart") != start.npos) {
    refuse(file, "a model of rampart, where rows are expected");
  }
  const std::string_view first_line = trimmed(start.substr(0, start.find('\n')));
  const bool lines = object && first_line.ends_with('}');
  refuse_with_command(file, "a JSON file", "json", "read_json", lines ? ", lines=True" : "");
}

}  // namespace rampart
