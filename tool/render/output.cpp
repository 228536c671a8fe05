#include "render/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "files/target.hpp"
#include "util/number.hpp"
#include "util/text.hpp"

namespace rampart::tool {
namespace {

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
  // A failure is ignored: the work does not depend on its messages.
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
  // A label that begins with a quote gets another one, so that different labels stay different.
  constexpr std::string_view signs[] = {"=",  "+",  "-",  "@",  "\t", "\r",
                                        "\n", "＝", "＋", "－", "＠", "'"};
  const bool formula =
      std::ranges::any_of(signs, [&](std::string_view sign) { return text.starts_with(sign); });
  // In quotes always: elsewhere a semicolon may begin a new cell.
  return in_double_quotes(formula ? "'" + text : text);
}

std::string number(double value) { return format_number(value); }

}  // namespace rampart::tool
