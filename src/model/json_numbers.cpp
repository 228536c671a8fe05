#include "model/json_numbers.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "rampart/errors.hpp"
#include "util/number.hpp"
#include "util/plain_number.hpp"

namespace rampart {
namespace {

// ------------------------------------------------------------------ writing

constexpr std::size_t longest_number = 25;  // "-1.7976931348623157e+308", or 20 digits
constexpr std::size_t most_digits = 24;     // of a Decimal, and some more
constexpr std::size_t values_at_once = 256;

// The value 0.d₁d₂… · 10^exponent, without zeros at the end.
struct Decimal {
  std::array<char, 2 * most_digits> digits{};
  std::size_t count = 0;
  int exponent = 0;
};

// Most numbers of a data set have at most 15 digits. Scaled by a power of ten that leaves no more
// than 15 before the point, such a number is m ± 0.22, whatever was rounded on the way, so that
// rounding finds m; and m divided by that power, which rounds once, gives the number back. No two
// decimals of 15 digits are the same double: what is found is the shortest.
bool find_short_decimal(double size, Decimal& decimal) {
  const auto exponent = static_cast<int>(std::bit_cast<std::uint64_t>(size) >> 52U) - 1022;
  const int most = exponent * 1233 / 4096 + (exponent > 0);  // size < 2^exponent ≤ 10^most
  const int power = 15 - most;
  if (power < 0 || power >= static_cast<int>(exact_powers_of_ten.size())) return false;
  const double scale = exact_powers_of_ten[static_cast<std::size_t>(power)];
  auto m = static_cast<std::uint64_t>(size * scale + 0.5);  // NOLINT(bugprone-incorrect-roundings)
  if (m >= 1'000'000'000'000'000 || static_cast<double>(m) / scale != size) return false;

  decimal.exponent = -power;
  const auto strip_zeros = [&](std::uint64_t ten_to_the_count, int count) {
    if (m % ten_to_the_count != 0) return;
    m /= ten_to_the_count;
    decimal.exponent += count;
  };
  strip_zeros(100'000'000, 8);
  strip_zeros(10'000, 4);
  strip_zeros(100, 2);
  strip_zeros(10, 1);
  char* const digits = decimal.digits.data();
  decimal.count = static_cast<std::size_t>(
      std::to_chars(digits, digits + decimal.digits.size(), m).ptr - digits);
  decimal.exponent += static_cast<int>(decimal.count);
  return true;
}

// "1.25e-07" taken apart.
void find_long_decimal(double size, Decimal& decimal) {
  char* const digits = decimal.digits.data();
  char* const end =
      std::to_chars(digits, digits + decimal.digits.size(), size, std::chars_format::scientific)
          .ptr;
  char* const mark = std::find(digits, end, 'e');
  int exponent = 0;
  std::from_chars(mark + 2, end, exponent);
  decimal.exponent = (mark[1] == '-' ? -exponent : exponent) + 1;
  const char* const last = mark == digits + 1 ? mark : std::copy(digits + 2, mark, digits + 1);
  decimal.count = static_cast<std::size_t>(last - digits);
}

char* put(char* at, std::string_view text) { return std::copy(text.begin(), text.end(), at); }

// Needs space for most_digits characters: copying a fixed number of them is faster than copying as
// many as there are.
char* put_digits(char* at, const Decimal& decimal, std::size_t from, std::size_t to) {
  std::memcpy(at, decimal.digits.data() + from, most_digits);
  return at + (to - from);
}

char* write_json_number(char* at, double value) {
  if (!std::isfinite(value)) {
    throw ModelError("the model holds a number that is not finite; it was not written");
  }
  *at = '-';
  at += std::signbit(value);
  if (value == 0) return put(at, "0.0");
  Decimal decimal;
  const double size = std::abs(value);
  if (!find_short_decimal(size, decimal)) find_long_decimal(size, decimal);

  const std::size_t count = decimal.count;
  const int exponent = decimal.exponent;
  if (exponent > 15 || exponent <= -4) {
    *at++ = decimal.digits[0];
    if (count > 1) *at++ = '.';
    at = put_digits(at, decimal, 1, count);
    return fmt::format_to(at, "e{}{:02}", exponent > 0 ? '+' : '-', std::abs(exponent - 1));
  }
  if (exponent <= 0) {
    std::memcpy(at, "0.000", 5);  // NOLINT(bugprone-not-null-terminated-result): more follows
    return put_digits(at + 2 - exponent, decimal, 0, count);
  }
  const auto whole = static_cast<std::size_t>(exponent);
  if (whole < count) {
    at = put_digits(at, decimal, 0, whole);
    *at++ = '.';
    return put_digits(at, decimal, whole, count);
  }
  at = put_digits(at, decimal, 0, count);
  at = std::fill_n(at, whole - count, '0');
  return put(at, ".0");
}

// ------------------------------------------------------------------ reading

constexpr bool is_json_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_of_a_number(char c) {
  return is_digit(c) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

class NumberTaker {
 public:
  explicit NumberTaker(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {
    taken_.values.reserve(text.size() / 8);  // untouched memory costs nothing
  }

  std::optional<TakenNumbers> run() {
    while (at_ != end_) {
      if (*at_ == '"') {
        if (!copy_string()) return std::nullopt;
      } else if (*at_ != '[' || !take_array()) {
        taken_.rest += *at_++;
      }
    }
    return std::move(taken_);
  }

 private:
  // False for strings that might be our own key, in any spelling.
  bool copy_string() {
    const char* const close = std::find(at_ + 1, end_, '"');
    const std::string_view inside(at_ + 1, close);
    if (inside == TakenNumbers::key || inside.find('\\') != inside.npos) return false;
    const char* const after = close == end_ ? end_ : close + 1;
    taken_.rest.append(at_, after);
    at_ = after;
    return true;
  }

  // Returns false and takes nothing unless this is an array of at least one number.
  bool take_array() {
    const char* at = at_;
    TakenNumbers::Array array{.first = taken_.values.size(), .count = 0, .whole = true};
    do {
      at = after_spaces(at + 1);
      double value = 0;
      at = take_json_number(at, value, array.whole);
      if (at != nullptr) taken_.values.push_back(value);
      if (at != nullptr) at = after_spaces(at);
    } while (at != nullptr && at != end_ && *at == ',');
    if (at == nullptr || at == end_ || *at != ']') {
      taken_.values.resize(array.first);
      return false;
    }
    array.count = taken_.values.size() - array.first;
    taken_.rest += fmt::format("{{\"{}\":{}}}", TakenNumbers::key, taken_.arrays.size());
    taken_.arrays.push_back(array);
    at_ = at + 1;
    return true;
  }

  const char* after_spaces(const char* at) const {
    while (at != end_ && is_json_space(*at)) ++at;
    return at;
  }

  // Stricter than parse_number in what JSON is strict about: no zero before another digit, and
  // digits on both sides of a point. Nothing if it is wrong or out of range.
  const char* take_json_number(const char* first, double& value, bool& whole) const {
    const char* const digits = first + (first != end_ && *first == '-');
    if (digits == end_ || !is_digit(*digits)) return nullptr;
    if (*digits == '0' && digits + 1 != end_ && is_digit(digits[1])) return nullptr;
    const char* last = take_plain_number(first, end_, value);
    if (last == nullptr || (last != end_ && is_of_a_number(*last))) {
      last = std::find_if_not(first, end_, is_of_a_number);
      const char* const point = std::find(first, last, '.');
      if (point != last && (point + 1 == last || !is_digit(point[1]))) return nullptr;
      const ParsedNumber number = parse_number({first, last});
      if (!number.is_finite()) return nullptr;
      value = number.value;
    }
    if (whole || value == 0) {  // otherwise it does not matter
      const bool integer = std::all_of(digits, last, is_digit);
      if (integer) value += 0.0;  // the integer −0 is 0
      whole = whole && integer && digits == first;
    }
    return last;
  }

  const char* at_;
  const char* end_;
  TakenNumbers taken_;
};

// Appends "[…]"; write(at, value) writes one value and returns its end. Reserves space for many
// values at once, which is faster than appending each.
template <class Value, class Write>
void append_array(std::string& text, std::span<const Value> values, Write write) {
  text += '[';
  for (std::size_t done = 0; done < values.size();) {
    const auto some = values.subspan(done, std::min(values_at_once, values.size() - done));
    const std::size_t before = text.size();
    text.resize(before + some.size() * (longest_number + 1) + most_digits);
    char* at = text.data() + before;
    for (const Value value : some) {
      at = write(at, value);
      *at++ = ',';
    }
    text.resize(static_cast<std::size_t>(at - text.data()));
    done += some.size();
  }
  if (values.empty()) {
    text += ']';
  } else {
    text.back() = ']';
  }
}

template <class Whole>
void append_whole_numbers(std::string& text, std::span<const Whole> values) {
  append_array(text, values, [](char* at, Whole value) {
    return std::to_chars(at, at + longest_number, value).ptr;
  });
}

}  // namespace

void append_json_array(std::string& text, std::span<const double> values) {
  append_array(text, values, write_json_number);
}

void append_json_array(std::string& text, std::span<const std::uint32_t> values) {
  append_whole_numbers(text, values);
}

void append_json_array(std::string& text, std::span<const std::size_t> values) {
  append_whole_numbers(text, values);
}

std::optional<TakenNumbers> take_numbers(std::string_view text) { return NumberTaker(text).run(); }

}  // namespace rampart
