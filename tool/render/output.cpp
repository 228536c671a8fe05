#include "render/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>

#include "interrupts.hpp"
#include "rampart/errors.hpp"
#include "rampart/text.hpp"

namespace rampart::tool {
namespace {

/// Once for each folder, whatever the number of files that a command writes there.
void tidy_folder_of(const std::string& file) {
  static std::set<std::filesystem::path> tidied;
  if (tidied.insert(std::filesystem::path(file).parent_path()).second) remove_abandoned_files(file);
}

std::string in_double_quotes(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

/// Whether all of the text is a number: 1, +1, -2.5e3.
bool is_finite_number(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  const char* end = text.data() + text.size();
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && rest == end && std::isfinite(value);
}

}  // namespace

Target::Target(const std::string& path) {
  if (path == "-") return;
  std::error_code none;
  if (std::filesystem::exists(path, none) && !std::filesystem::is_regular_file(path, none)) {
    file_.emplace(path);  // opening a pipe waits for its reader: an interrupt must not wait too
    return;
  }
  {
    InterruptsHeld held;
    file_.emplace(path);
    held.will_remove(file_->temporary());
  }
  tidy_folder_of(file_->temporary());
}

Target::~Target() {
  if (!file_) return;
  InterruptsHeld held;
  held.will_keep(file_->temporary());
  file_.reset();
}

void Target::write(std::string_view bytes) {
  if (file_) {
    file_->write(bytes);
  } else {
    print_data(bytes);
  }
}

void Target::commit_all(const std::vector<Target*>& targets) {
  for (Target* target : targets) {
    if (target->file_) target->file_->flush();  // takes time, and interrupts need not wait for it
  }
  InterruptsHeld held;
  bool any = false;
  for (Target* target : targets) {
    if (!target->file_) continue;
    const std::string aside = target->file_->temporary();
    target->file_->commit();
    held.will_keep(aside);
    any = true;
  }
  if (any) held.all_files_are_in_place();
}

void print_data(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size() ||
      std::fflush(stdout) != 0) {
    throw OutputError(fmt::format("standard output: {}", std::strerror(errno)));
  }
}

void print(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    shown += harmless_line(text.substr(0, end));
    if (end < text.size()) shown += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  print_data(shown);
}

void print_json(const Json& json) {
  print_data(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

void note(std::string_view text) {
  // Whether anybody hears it does not matter to the work.
  std::fputs(fmt::format("rampart: {}\n", harmless_line(text)).c_str(), stderr);
}

std::string harmless_line(std::string_view line) {
  constexpr std::size_t longest = 1000;
  if (line.size() <= longest) return printable(line, longest * 4);
  // A message begins with what it is about and ends with what is wrong.
  return printable(line.substr(0, longest / 2), longest * 2) + "…" +
         printable(line.substr(line.size() - longest / 2), longest * 2);
}

std::string percent(double fraction) { return fmt::format("{:.1f} %", 100 * fraction); }

std::string csv_field(const std::string& text) {
  return text.find_first_of(",\"\r\n") == std::string::npos ? text : in_double_quotes(text);
}

std::string spreadsheet_field(const std::string& text) {
  if (is_finite_number(text)) return text;
  // The signs that OWASP names ("CSV Injection"), and their wide forms in East Asian scripts.
  // A quote of the label's own gets another one, so that no two labels become one.
  constexpr std::string_view signs[] = {"=",  "+",  "-",  "@",  "\t", "\r",
                                        "\n", "＝", "＋", "－", "＠", "'"};
  const bool formula =
      std::ranges::any_of(signs, [&](std::string_view sign) { return text.starts_with(sign); });
  // In quotes always: elsewhere a semicolon may begin a new cell.
  return in_double_quotes(formula ? "'" + text : text);
}

std::string number(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

Json json_of(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json json_of(const Interval& interval) { return Json::array({interval.low, interval.high}); }

Json json_of(const Costs& costs) {
  return {{"false_positive", costs.false_positive},
          {"false_negative", costs.false_negative},
          {"reject_positive", costs.reject_positive},
          {"reject_negative", costs.reject_negative}};
}

Json json_of(const MeanSd& value) { return {{"mean", value.mean}, {"sd", json_of(value.sd)}}; }

Json metrics_json(const Metrics& metrics) {
  Json json;
  json["rows"] = metrics.rows();
  json["risk"] = metrics.risk();
  json["rejection_rate"] = metrics.rejection_rate();
  json["accepted_accuracy"] = json_of(metrics.accepted_accuracy());
  return json;
}

}  // namespace rampart::tool
