#include "util/number.hpp"

#include <fast_float/fast_float.h>
#include <array>
#include <charconv>
#include <cmath>

#include "util/plain_number.hpp"

namespace rampart {

ParsedNumber parse_number(std::string_view token) noexcept {
  if (token.starts_with('+')) {
    token.remove_prefix(1);
    if (token.starts_with('-')) return {};  // "+-1", which fast_float would now accept
  }
  if (token.empty()) return {};
  const char* const end = token.data() + token.size();
  double value = 0;
  if (take_plain_number(token.data(), end, value) == end) return {value, NumberStatus::finite};
  const auto [rest, error] = fast_float::from_chars(token.data(), end, value);
  // Out of range is not an error here: whether the value came out as infinity tells overflow from
  // underflow in every version of fast_float.
  if (error == std::errc::invalid_argument || rest != end) return {};
  return {value, std::isfinite(value) ? NumberStatus::finite : NumberStatus::not_finite};
}

std::optional<std::int64_t> parse_integer(std::string_view token, std::int64_t least,
                                          std::int64_t most) noexcept {
  const char* const end = token.data() + token.size();
  std::int64_t value = 0;
  const auto [rest, error] = std::from_chars(token.data(), end, value);
  if (error != std::errc() || rest != end || value < least || value > most) return std::nullopt;
  return value;
}

void append_number(std::string& text, double value) {
  std::array<char, 32> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  text.append(digits.data(), end);
}

std::string format_number(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

}  // namespace rampart
