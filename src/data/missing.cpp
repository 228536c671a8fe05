#include "data/missing.hpp"

#include <algorithm>

#include "util/number.hpp"
#include "util/text.hpp"

namespace rampart {

bool is_missing_spelling(std::string_view cell) noexcept {
  const auto is = [&](std::string_view spelling) { return equal_ignoring_case(cell, spelling); };
  return is_missing_label(cell) || cell == "-" || is("None");
}

bool is_missing_label(std::string_view cell) noexcept {
  const auto is = [&](std::string_view spelling) { return equal_ignoring_case(cell, spelling); };
  switch (cell.size()) {
    case 0:
      return true;
    case 1:
      return cell == "?";
    case 2:
      return is("NA");
    case 3:
      return is("N/A") || is("NaN");
    case 4:
      return is("#N/A") || is("null");
    default:
      return false;
  }
}

MissingValues::MissingValues(std::span<const std::string> more) { add(more); }

void MissingValues::add(std::span<const std::string> more) {
  for (const std::string& spelling : more) {
    const std::string_view text = trimmed(spelling);
    const ParsedNumber number = parse_number(text);
    if (number.is_finite()) {
      numbers_.push_back(number.value);
    } else {
      texts_.emplace_back(text);
    }
  }
}

bool MissingValues::has_text(std::string_view cell) const noexcept {
  return is_missing_spelling(cell) || added(cell);
}

bool MissingValues::has_number(double value) const noexcept {
  return std::ranges::find(numbers_, value) != numbers_.end();
}

bool MissingValues::has_label(std::string_view label) const noexcept {
  return is_missing_label(label) || added(label);
}

bool MissingValues::added(std::string_view cell) const noexcept {
  return std::ranges::any_of(
      texts_, [&](const std::string& text) { return equal_ignoring_case(cell, text); });
}

}  // namespace rampart
