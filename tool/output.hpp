#pragma once

#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "rampart/cross_validation.hpp"
#include "rampart/io.hpp"
#include "rampart/metrics.hpp"

namespace rampart::tool {

using Json = nlohmann::ordered_json;

inline constexpr std::size_t most_targets = 100;  ///< that a command may have at a time

/// Where a command's main result goes: a file that appears whole or not at all, or standard output.
/// While a file is being written, an interrupt removes what is there of it.
class Target {
 public:
  explicit Target(const std::string& path);  ///< "-" is standard output
  ~Target();
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;

  void write(std::string_view text);
  void commit();
  [[nodiscard]] bool is_stdout() const { return !file_.has_value(); }

 private:
  std::optional<OutputFile> file_;
  void forget();

  std::optional<std::size_t> slot_;  // where the handler finds the file, while it is unfinished
};

/// Commits them together: no interrupt comes between.
void commit_all(std::deque<Target>& targets);

/// Ctrl-C and termination: remove the unfinished file and leave with 130 (143).
void handle_interrupts();

void print(std::string_view text);  ///< standard output; throws OutputError
void print_json(const Json& json);
void note(std::string_view text);  ///< one line on standard error

[[nodiscard]] std::string percent(double fraction);
/// A label as a CSV field.
[[nodiscard]] std::string csv_field(const std::string& text);
[[nodiscard]] std::string number(double value);  ///< shortest text that reads back the same

/// Values as every command writes them; what is absent is null.
[[nodiscard]] Json json_of(const std::optional<double>& value);
[[nodiscard]] Json json_of(const Interval& interval);
[[nodiscard]] Json json_of(const Costs& costs);
[[nodiscard]] Json json_of(const MeanSd& value);

/// Counts and rates, the same in every command.
[[nodiscard]] Json metrics_json(const Metrics& metrics);

}  // namespace rampart::tool
