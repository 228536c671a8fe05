#pragma once

#include <string>
#include <string_view>

#include "faces/results_json.hpp"

namespace rampart::tool {

/// Standard output for people: each line is short and harmless to a terminal, whatever names and
/// labels brought into it. Both throw OutputError.
void print(std::string_view text);
void print_json(const Json& json);
void note(std::string_view text);  ///< one line on standard error, as harmless as print()'s

/// A line as print() shows it; also a path, which may hold line ends.
[[nodiscard]] std::string harmless_line(std::string_view line);

[[nodiscard]] std::string percent(double fraction);
/// A label as a CSV field.
[[nodiscard]] std::string csv_field(const std::string& text);
/// The same for spreadsheets, which compute what looks like a formula: numbers stay as they are,
/// other text is in double quotes, with a single quote before a sign that would begin a formula.
[[nodiscard]] std::string spreadsheet_field(const std::string& text);
[[nodiscard]] std::string number(double value);  ///< shortest text that reads back the same

}  // namespace rampart::tool
