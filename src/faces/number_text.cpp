#include "faces/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "rampart/errors.hpp"

namespace rampart {
namespace {

constexpr std::size_t most_numbers = 1000;  // in a list

/// first, first + step, … up to last, without the rounding errors of adding: 0.15, not
/// 0.15000000000000002.
std::vector<double> range(double first, double last, double step, const std::string& what) {
  for (const double number : {first, last, step}) {
    if (!std::isfinite(number))
      throw OptionError(fmt::format("{}: {} is no number to count with", what, number));
  }
  if (step == 0) throw OptionError(fmt::format("{}: the step must not be 0", what));
  const double count = std::floor((last - first) / step * (1 + 1e-12) + 1e-9);
  if (!(count >= 0)) {
    throw OptionError(
        fmt::format("{}: steps of {} do not lead from {} to {}", what, step, first, last));
  }
  if (count >= most_numbers) {
    throw OptionError(fmt::format("{}: more than {} numbers", what, most_numbers));
  }
  std::vector<double> values;
  for (std::size_t k = 0; k <= static_cast<std::size_t>(count); ++k) {
    values.push_back(*number_in(fmt::format("{:.12g}", first + static_cast<double>(k) * step)));
  }
  return values;
}

}  // namespace

std::optional<double> number_in(const std::string& text) {
  const char* begin = text.c_str() + (text.starts_with('+') ? 1 : 0);
  const char* end = text.c_str() + text.size();
  double value = 0;
  const auto [rest, error] = std::from_chars(begin, end, value);
  if (error != std::errc{} || rest != end) return std::nullopt;
  return value;
}

std::vector<double> number_list(const std::string& option, const std::string& text) {
  const std::string what = option + " " + text;
  std::vector<double> values;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string item = text.substr(begin, end - begin);
    const std::size_t colon = item.find(':');
    const std::size_t second = colon == item.npos ? item.npos : item.find(':', colon + 1);
    const auto first = number_in(item.substr(0, colon));
    if (colon == item.npos && first) {
      values.push_back(*first);
    } else {
      const auto last = second == item.npos ? std::nullopt
                                            : number_in(item.substr(colon + 1, second - colon - 1));
      const auto step = second == item.npos ? std::nullopt : number_in(item.substr(second + 1));
      if (!first || !last || !step) {
        throw OptionError(fmt::format(
            "{}: '{}' must be a number, or FIRST:LAST:STEP as in 0.05:0.5:0.05", what, item));
      }
      const std::vector<double> found = range(*first, *last, *step, what);
      values.insert(values.end(), found.begin(), found.end());
    }
    if (values.size() > most_numbers) {
      throw OptionError(fmt::format("{}: more than {} numbers", what, most_numbers));
    }
    begin = end + 1;
  }
  return values;
}

std::vector<double> powers_of_two(const std::string& option, const std::string& text) {
  std::vector<double> parts;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto number = number_in(text.substr(begin, end - begin));
    if (!number) break;
    parts.push_back(*number);
    begin = end + 1;
  }
  if (parts.size() != 3 || begin <= text.size()) {
    throw OptionError(
        fmt::format("{} {}: must be BEGIN,END,STEP, three numbers, as in -5,15,2", option, text));
  }
  std::vector<double> values;
  for (const double exponent :
       range(parts[0], parts[1], parts[2], fmt::format("{} {}", option, text))) {
    values.push_back(std::exp2(exponent));
  }
  return values;
}

std::optional<std::uint64_t> whole_number_in(const std::string& text) {
  const char* end = text.data() + text.size();
  std::uint64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || rest != end) return std::nullopt;
  return value;
}

}  // namespace rampart
