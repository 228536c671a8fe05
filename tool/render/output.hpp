#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rampart/cross_validation.hpp"
#include "rampart/io.hpp"
#include "rampart/metrics.hpp"

namespace rampart::tool {

using Json = nlohmann::ordered_json;

/// Where a command's result goes: a file that appears whole or not at all, or standard output.
/// While a file is being written, an interrupt removes what is there of it.
class Target {
 public:
  explicit Target(const std::string& path);  ///< "-" is standard output
  ~Target();
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;

  void write(std::string_view bytes);
  void commit() { commit_all({this}); }
  [[nodiscard]] bool is_stdout() const { return !file_.has_value(); }

  /// All files of a command together: an interrupt finds none of them in place, or all.
  static void commit_all(const std::vector<Target*>& targets);

 private:
  std::optional<OutputFile> file_;
};

/// Standard output for people: each line is short and harmless to a terminal, whatever names and
/// labels brought into it. Both throw OutputError.
void print(std::string_view text);
void print_data(std::string_view bytes);  ///< standard output for programs: exactly these bytes
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

/// Values as every command writes them; what is absent is null.
[[nodiscard]] Json json_of(const std::optional<double>& value);
[[nodiscard]] Json json_of(const Interval& interval);
[[nodiscard]] Json json_of(const Costs& costs);
[[nodiscard]] Json json_of(const MeanSd& value);

/// Counts and rates, the same in every command.
[[nodiscard]] Json metrics_json(const Metrics& metrics);

}  // namespace rampart::tool
