#include "data/column_judge.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "util/text.hpp"

namespace rampart {
namespace {

// With fewer rows, values are often all different, and separate the classes, by chance.
constexpr std::size_t fewest_rows = 20;
constexpr std::size_t fewest_of_a_class = 5;
constexpr std::size_t most_columns_named = 5;
constexpr std::size_t most_stray_texts = 2;
constexpr std::size_t fewest_numbers = 8;  // beside stray texts

}  // namespace

ColumnLook look_of(const ColumnFacts& facts) {
  // A column that is constant where it is known still tells by its missing values.
  if (facts.different == 1 && facts.present == facts.rows && facts.rows > 1) {
    return ColumnLook::constant;
  }
  if (facts.present < fewest_rows) return ColumnLook::ordinary;
  if (facts.all_different && facts.text_or_whole) return ColumnLook::id;
  const bool enough = std::min(facts.of_class[0], facts.of_class[1]) >= fewest_of_a_class;
  return enough && facts.separates ? ColumnLook::leak : ColumnLook::ordinary;
}

std::string stray_texts(std::span<const std::string> texts, std::size_t numbers) {
  if (texts.empty() || texts.size() > most_stray_texts || numbers < fewest_numbers) return "";
  std::string words = quoted(texts[0]);
  if (texts.size() == 2) words += " and " + quoted(texts[1]);
  return fmt::format("{}, which {}", words, texts.size() == 1 ? "makes" : "make");
}

void ColumnJudge::Found::add(std::string_view name) {
  if (++count > most_columns_named) return;
  names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
}

// "column 'a'"; "columns 'a', 'b' and 3 more"
std::string ColumnJudge::Found::columns() const {
  std::string text = fmt::format("{} {}", choose("column", "columns"), names);
  if (count > most_columns_named) text += fmt::format(" and {} more", count - most_columns_named);
  return text;
}

void ColumnJudge::add(std::string_view name, ColumnLook look, std::string_view stray) {
  if (look == ColumnLook::id) ids_.add(name);
  if (look == ColumnLook::constant) constants_.add(name);
  if (look == ColumnLook::leak) leaks_.add(name);
  if (stray.empty()) return;
  if (mixed_.count == 0) stray_ = stray;
  mixed_.add(name);
}

std::vector<ColumnWarning> ColumnJudge::warnings(std::size_t groups, std::size_t rows) const {
  std::vector<ColumnWarning> warnings;
  if (ids_.count > 0) {
    warnings.push_back({fmt::format("{}: all values are different, as of an id; name it as the id "
                                    "or leave it out",
                                    ids_.columns()),
                        Setting::id});
  }
  if (constants_.count > 0) {
    warnings.push_back(
        {fmt::format("{}: all values are the same; {} nothing and can be left out",
                     constants_.columns(), constants_.choose("it tells", "they tell")),
         Setting::ignore});
  }
  if (leaks_.count > 0) {
    warnings.push_back(
        {fmt::format("{}: {} the classes alone; if {} known only with the answer, leave {} out",
                     leaks_.columns(), leaks_.choose("it separates", "each separates"),
                     leaks_.choose("it is", "they are"), leaks_.choose("it", "them")),
         Setting::ignore});
  }
  if (mixed_.count > 0) {
    warnings.push_back({fmt::format("{}: numbers, but for {} the column categorical; say so if "
                                    "that is a missing value",
                                    mixed_.columns(), stray_),
                        Setting::missing_values});
  }
  if (groups > 0 && groups == rows) {
    warnings.push_back(
        {"every group has one row, so that groups change nothing; is it the column "
         "of groups?",
         Setting::groups});
  }
  return warnings;
}

}  // namespace rampart
