#include "data/classes.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <compare>

#include "util/number.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

// A whole number of any length, which a double may be too short for.
struct WholeNumber {
  bool negative;
  std::string_view digits;  // without leading zeros; empty: 0
};

std::optional<WholeNumber> parse_whole_number(std::string_view text) {
  const bool minus = text.starts_with('-');
  if (minus) text.remove_prefix(1);
  if (text.empty() || text.find_first_not_of("0123456789") != text.npos) return std::nullopt;
  text.remove_prefix(std::min(text.find_first_not_of('0'), text.size()));
  return WholeNumber{minus && !text.empty(), text};
}

std::strong_ordering compare(const WholeNumber& a, const WholeNumber& b) {
  if (a.negative != b.negative) return b.negative <=> a.negative;
  const auto by_size = a.digits.size() != b.digits.size() ? a.digits.size() <=> b.digits.size()
                                                          : a.digits <=> b.digits;
  return a.negative ? 0 <=> by_size : by_size;
}

// By value if both are numbers; equivalent if these are equal, or if one is not a number.
std::partial_ordering compare_values(std::string_view a, std::string_view b) {
  const auto whole_a = parse_whole_number(a);
  const auto whole_b = parse_whole_number(b);
  if (whole_a && whole_b) return compare(*whole_a, *whole_b);
  const ParsedNumber number_a = parse_number(a);
  const ParsedNumber number_b = parse_number(b);
  const bool numbers = number_a.is_finite() && number_b.is_finite();
  return numbers ? number_a.value <=> number_b.value : std::partial_ordering::equivalent;
}

// The order of classes. Names that differ are never equal in it, so that it does not matter which
// of them a file has first.
bool is_less(std::string_view a, std::string_view b) {
  const auto by_value = compare_values(a, b);
  return by_value == std::partial_ordering::equivalent ? a < b
                                                       : by_value == std::partial_ordering::less;
}

bool are_one_number(std::string_view a, std::string_view b) {
  return parse_number(a).is_finite() && parse_number(b).is_finite() &&
         compare_values(a, b) == std::partial_ordering::equivalent;
}

}  // namespace

std::string class_name(std::string_view label) {
  const bool plus =
      label.starts_with('+') && parse_number(label).status != NumberStatus::not_a_number;
  return std::string(label.substr(plus ? 1 : 0));
}

std::optional<std::string> fault_of(const ClassNames& classes) {
  const auto& [negative, positive] = classes;
  const bool good = !negative.empty() && !positive.empty() &&
                    class_name(negative) != class_name(positive) && is_utf8(negative) &&
                    is_utf8(positive);
  if (good) return std::nullopt;
  return fmt::format("the classes {} and {} must be two different names in UTF-8, none empty",
                     quoted(negative), quoted(positive));
}

ClassFinder::ClassFinder(std::optional<ClassNames> known, bool chosen_column)
    : known_(known.has_value()), chosen_column_(chosen_column) {
  if (known) names_ = {class_name(known->negative), class_name(known->positive)};
}

std::int8_t ClassFinder::find(std::string_view label, const Place& place) {
  const auto number_of = [&](std::string_view name) {
    return static_cast<std::int8_t>(std::ranges::find(names_, name) - names_.begin());
  };
  const auto as_written = number_of(label);
  if (as_written < std::ssize(names_)) return as_written;

  if (label.empty()) refuse(place, "the label is empty");
  if (!is_utf8(label)) {
    refuse(place, fmt::format("label {} is not UTF-8; convert the file (iconv)", quoted(label)));
  }
  const std::string name = class_name(label);
  const auto number = number_of(name);
  if (number < std::ssize(names_)) return number;
  if (known_ || names_.size() == 2) refuse_other(name, place);
  names_.push_back(name);
  return number;
}

void ClassFinder::refuse_other(const std::string& name, const Place& place) const {
  std::string hint = chosen_column_ ? "; is this the label column?" : "";
  Setting setting = chosen_column_ ? Setting::label : Setting::none;
  for (const std::string& other : names_) {
    if (!are_one_number(name, other)) continue;
    hint = fmt::format("; {} and {} are one number, but two labels: spell them alike", quoted(name),
                       quoted(other));
    setting = Setting::none;
  }
  for (const auto& [one, other] :
       {std::pair(name, names_[0]), std::pair(name, names_[1]), std::pair(names_[0], names_[1])}) {
    if (!equal_ignoring_case(one, other)) continue;
    hint = fmt::format("; {} and {} differ only in case: spell them alike", quoted(other),
                       quoted(one));
    setting = Setting::none;
  }
  if (known_) {
    refuse(place,
           fmt::format("label {}, but the classes of the model are {} and {}{}", quoted(name),
                       quoted(names_[0]), quoted(names_[1]), hint),
           setting);
  }
  refuse(place,
         fmt::format("third class {} after {} and {}; two are needed{}", quoted(name),
                     quoted(names_[0]), quoted(names_[1]), hint),
         setting);
}

std::int8_t ClassFinder::positive(std::string_view positive, const Place& file) const {
  if (positive.empty()) return is_less(names_[0], names_[1]) ? 1 : 0;
  const auto at = std::ranges::find(names_, class_name(positive));
  if (at != names_.end()) return static_cast<std::int8_t>(at - names_.begin());
  refuse(file, fmt::format("no class {}; the classes are {} and {}", quoted(positive),
                           quoted(names_[0]), quoted(names_[1])));
}

}  // namespace rampart
