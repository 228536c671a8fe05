#include "data/classes.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "util/number.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

// Labels are mostly spelt alike; beyond these few, reading a number is faster than comparing.
constexpr std::size_t most_spellings = 8;

}  // namespace

std::string class_name(std::string_view label) {
  const ParsedNumber number = parse_number(label);
  if (!number.is_finite()) return std::string(label);
  return format_number(number.value == 0 ? 0 : number.value);  // −0 is 0
}

std::optional<std::string> fault_of(const ClassNames& classes) {
  const auto& [negative, positive] = classes;
  const bool good = !negative.empty() && !positive.empty() && negative != positive &&
                    is_utf8(negative) && is_utf8(positive);
  if (good) return std::nullopt;
  return fmt::format("the classes {} and {} must be two different names in UTF-8, none empty",
                     quoted(negative), quoted(positive));
}

ClassFinder::ClassFinder(std::optional<ClassNames> known, std::string hint)
    : known_(known.has_value()), hint_(std::move(hint)) {
  if (known) names_ = {class_name(known->negative), class_name(known->positive)};
}

std::int8_t ClassFinder::find(std::string_view label, const Place& place) {
  for (const auto& [spelling, number] : spellings_) {
    if (spelling == label) return number;
  }
  if (label.empty()) refuse(place, "the label is empty");
  if (!is_utf8(label)) {
    refuse(place, fmt::format("label {} is not UTF-8; convert the file (iconv)", quoted(label)));
  }
  const std::string name = class_name(label);
  auto at = std::ranges::find(names_, name);
  if (at == names_.end()) {
    if (known_) {
      refuse(place, fmt::format("label {}, but the classes of the model are {} and {}{}",
                                quoted(name), quoted(names_[0]), quoted(names_[1]), hint_));
    }
    if (names_.size() == 2) {
      refuse(place, fmt::format("third class {} after {} and {}; two are needed{}", quoted(name),
                                quoted(names_[0]), quoted(names_[1]), hint_));
    }
    at = names_.insert(at, name);
  }
  const auto number = static_cast<std::int8_t>(at - names_.begin());
  if (spellings_.size() < most_spellings) spellings_.emplace_back(label, number);
  return number;
}

std::int8_t ClassFinder::positive(std::string_view positive, const Place& file) const {
  if (!positive.empty()) {
    const auto at = std::ranges::find(names_, class_name(positive));
    if (at != names_.end()) return static_cast<std::int8_t>(at - names_.begin());
    refuse(file, fmt::format("no class {}; the classes are {} and {}", quoted(positive),
                             quoted(names_[0]), quoted(names_[1])));
  }
  const ParsedNumber first = parse_number(names_[0]);
  const ParsedNumber second = parse_number(names_[1]);
  const bool numbers = first.is_finite() && second.is_finite();
  return numbers ? first.value < second.value : names_[0] < names_[1];
}

}  // namespace rampart
