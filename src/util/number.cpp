#include "util/number.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>

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

const char* take_any_number(const char* at, const char* end, double& value) noexcept {
  if (at == end || (*at != '-' && *at != '.' && static_cast<unsigned char>(*at - '0') > 9)) {
    return nullptr;
  }
  const auto [rest, error] = fast_float::from_chars(at, end, value);
  if (error == std::errc::invalid_argument || !std::isfinite(value)) return nullptr;
  return rest;
}

std::optional<std::int64_t> parse_integer(std::string_view token, std::int64_t least,
                                          std::int64_t most) noexcept {
  const char* const end = token.data() + token.size();
  std::int64_t value = 0;
  const auto [rest, error] = std::from_chars(token.data(), end, value);
  if (error != std::errc() || rest != end || value < least || value > most) return std::nullopt;
  return value;
}

namespace {

// The shortest digits that are read back to the same bits come three times as fast from Dragonbox,
// which fmt has inside, as from std::to_chars.
#if FMT_VERSION >= 80000 && FMT_VERSION < 120000
constexpr bool has_dragonbox = true;
struct Decimal {
  std::uint64_t digits;
  int exponent;  // value = digits·10^exponent
};
Decimal shortest_decimal(double value) {
  const auto found = fmt::detail::dragonbox::to_decimal(value);
  return {found.significand, found.exponent};
}
#else
constexpr bool has_dragonbox = false;
struct Decimal {
  std::uint64_t digits;
  int exponent;
};
Decimal shortest_decimal(double) { return {}; }
#endif

/// Writes a number as std::to_chars does, if it is between 10⁻⁵ and 2⁵³: the notation that is
/// shorter, without an exponent if both are equal. Returns the end.
char* write_ordinary(char* to, double value) {
  if (value < 0) *to++ = '-';
  auto [digits, exponent] = shortest_decimal(std::abs(value));
  std::array<char, 20> buffer;
  char* const end = buffer.data() + buffer.size();
  char* first = end;
  for (; digits >= 100; digits /= 100) {
    const std::uint64_t pair = digits % 100;
    *--first = static_cast<char>('0' + pair % 10);
    *--first = static_cast<char>('0' + pair / 10);
  }
  if (digits >= 10) {
    *--first = static_cast<char>('0' + digits % 10);
    digits /= 10;
  }
  *--first = static_cast<char>('0' + digits);
  const auto count = static_cast<int>(end - first);

  const int scientific = exponent + count - 1;  // the exponent there, of two digits
  const int length_scientific = count + (count > 1 ? 1 : 0) + 4;
  const int length_fixed = exponent >= 0     ? count + exponent
                           : scientific >= 0 ? count + 1
                                             : 1 - scientific + count;
  if (length_fixed > length_scientific) {
    *to++ = *first++;
    if (count > 1) *to++ = '.';
    to = std::copy(first, end, to);
    *to++ = 'e';
    *to++ = scientific < 0 ? '-' : '+';
    const int size = std::abs(scientific);
    *to++ = static_cast<char>('0' + size / 10);
    *to++ = static_cast<char>('0' + size % 10);
    return to;
  }
  if (scientific < 0) {
    *to++ = '0';
    *to++ = '.';
    to = std::fill_n(to, -scientific - 1, '0');
    return std::copy(first, end, to);
  }
  if (exponent >= 0) return std::fill_n(std::copy(first, end, to), exponent, '0');
  to = std::copy(first, end + exponent, to);
  *to++ = '.';
  return std::copy(end + exponent, end, to);
}

}  // namespace

char* write_number(char* to, double value) noexcept {
  const double size = std::abs(value);
  if (has_dragonbox && size >= 1e-5 && size < 9007199254740992) return write_ordinary(to, value);
  return std::to_chars(to, to + longest_number, value).ptr;
}

void append_number(std::string& text, double value) {
  std::array<char, longest_number> digits;
  char* const first = digits.data();
  text.append(first, write_number(first, value));
}

std::string format_number(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

}  // namespace rampart
