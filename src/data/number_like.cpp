#include "data/number_like.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "util/number.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

// Dates, prices and the like are short.
constexpr std::size_t longest = 40;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// "12", "1.5", "1,234.5", "1.234,5", "1,5".
bool is_number_with_marks(std::string_view text) {
  if (parse_number(text).is_finite()) return true;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  if (text.empty() || !is_digit(text.front()) || !is_digit(text.back())) return false;
  if (text.find_first_not_of("0123456789.,") != text.npos) return false;
  const auto commas = std::ranges::count(text, ',');
  const auto points = std::ranges::count(text, '.');
  if (commas == 0) return false;
  if (commas == 1 && points == 0) return true;  // "1,5" or "1,234"
  // Of several marks all but the last separate thousands.
  const std::size_t last = text.find_last_of(".,");
  const bool last_is_decimal = text.find(text[last]) == last;
  const std::string_view whole = last_is_decimal ? text.substr(0, last) : text;
  const char separator = last_is_decimal ? (text[last] == ',' ? '.' : ',') : text[last];
  std::size_t digits = 0;  // since the last mark
  bool first = true;
  for (const char c : whole) {
    if (is_digit(c)) {
      ++digits;
      continue;
    }
    if (c != separator || (first ? digits > 3 : digits != 3)) return false;
    first = false;
    digits = 0;
  }
  return digits == 3;
}

bool is_amount_of_money(std::string_view text) {
  static constexpr std::array<std::string_view, 9> marks = {
      "$", "\xe2\x82\xac", "\xc2\xa3", "\xc2\xa5", "\xe2\x82\xb9", "USD", "EUR", "GBP", "CHF"};
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  return std::ranges::any_of(marks, [&](std::string_view mark) {
    if (text.starts_with(mark)) return is_number_with_marks(trimmed(text.substr(mark.size())));
    if (!text.ends_with(mark)) return false;
    return is_number_with_marks(trimmed(text.substr(0, text.size() - mark.size())));
  });
}

// The digits at the start of the text, which loses them; 0 if there are none.
std::size_t take_digits(std::string_view& text) {
  const std::size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(count);
  return count;
}

// "12:30", "12:30:59.5", "12:30Z", "9:05 am", "12:30+01:00".
bool is_time(std::string_view text) {
  const std::size_t hours = take_digits(text);
  if (hours < 1 || hours > 2 || !text.starts_with(':')) return false;
  text.remove_prefix(1);
  if (take_digits(text) != 2) return false;
  if (text.starts_with(':')) {
    text.remove_prefix(1);
    if (take_digits(text) != 2) return false;
    if (text.starts_with('.')) {
      text.remove_prefix(1);
      take_digits(text);
    }
  }
  if (text.starts_with('+') || text.starts_with('-')) {
    return text.find_first_not_of("0123456789:", 1) == text.npos;
  }
  text = trimmed(text);
  return text.empty() || equal_ignoring_case(text, "Z") || equal_ignoring_case(text, "am") ||
         equal_ignoring_case(text, "pm");
}

// "2024-05-31", "31.5.2024", "5/31/24".
bool is_numeric_day(std::string_view text) {
  std::array<std::size_t, 3> digits{};
  char separator = 0;
  for (std::size_t part = 0; part < 3; ++part) {
    digits[part] = take_digits(text);
    if (digits[part] == 0) return false;
    if (part == 2) break;
    if (text.empty() || (separator != 0 && text.front() != separator)) return false;
    separator = text.front();
    if (separator != '-' && separator != '/' && separator != '.') return false;
    text.remove_prefix(1);
  }
  if (!text.empty()) return false;
  const bool year_first = digits[0] == 4 && digits[1] <= 2 && digits[2] <= 2;
  const bool year_last = digits[0] <= 2 && digits[1] <= 2 && digits[2] == 4;
  // "1.2.3" and "1-2-3" may be anything; "1/2/03" is a date.
  const bool short_year = separator == '/' && digits[0] <= 2 && digits[1] <= 2 && digits[2] == 2;
  return year_first || year_last || short_year;
}

bool is_month(std::string_view word) {
  static constexpr std::array<std::string_view, 13> months = {
      "January", "February", "March",     "April",   "May",      "June",    "July",
      "August",  "Sept",     "September", "October", "November", "December"};
  return std::ranges::any_of(months, [&](std::string_view month) {
    return equal_ignoring_case(word, month) || equal_ignoring_case(word, month.substr(0, 3));
  });
}

// "5-May", "May 2024", "31 May 2024", "May 31, 2024": a month between numbers.
bool is_day_with_month(std::string_view text) {
  int months = 0;
  int numbers = 0;
  while (!text.empty()) {
    const char c = text.front();
    if (is_digit(c)) {
      const std::size_t digits = take_digits(text);
      if (digits == 3 || digits > 4) return false;
      ++numbers;
    } else if (is_letter(c)) {
      const auto end = std::ranges::find_if_not(text, is_letter);
      const auto size = static_cast<std::size_t>(end - text.begin());
      if (!is_month(text.substr(0, size))) return false;
      text.remove_prefix(size);
      ++months;
    } else if (std::string_view(" -/.,").find(c) != std::string_view::npos) {
      text.remove_prefix(1);
    } else {
      return false;
    }
  }
  return months == 1 && numbers >= 1 && numbers <= 2;
}

// A day, perhaps with a time behind it.
bool is_date(std::string_view text) {
  if (is_numeric_day(text) || is_day_with_month(text)) return true;
  const std::size_t colon = text.find(':');
  if (colon == text.npos) return false;
  const std::size_t gap = text.find_last_of(" T", colon);
  return gap != text.npos && is_time(text.substr(gap + 1)) &&
         (is_numeric_day(trimmed(text.substr(0, gap))) ||
          is_day_with_month(trimmed(text.substr(0, gap))));
}

}  // namespace

std::optional<NumberLike> number_like(std::string_view cell) {
  if (cell.empty() || cell.size() > longest) return std::nullopt;
  if (std::ranges::none_of(cell, is_digit)) return std::nullopt;
  if (cell.ends_with('%') && is_number_with_marks(trimmed(cell.substr(0, cell.size() - 1)))) {
    return NumberLike::percentage;
  }
  if (cell.find(',') != cell.npos && is_number_with_marks(cell)) {
    return NumberLike::number_with_commas;
  }
  if (is_amount_of_money(cell)) return NumberLike::amount_of_money;
  if (is_time(cell)) return NumberLike::time;
  if (is_date(cell)) return NumberLike::date;
  return std::nullopt;
}

std::string_view in_words(NumberLike kind) noexcept {
  switch (kind) {
    case NumberLike::percentage:
      return "a percentage";
    case NumberLike::number_with_commas:
      return "a number with a comma";
    case NumberLike::amount_of_money:
      return "an amount of money";
    case NumberLike::date:
      return "a date";
    case NumberLike::time:
      return "a time";
  }
  return "";
}

}  // namespace rampart
