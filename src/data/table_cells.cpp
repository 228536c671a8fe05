#include "data/table_cells.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <limits>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "data/number_like.hpp"
#include "data/reserve_ahead.hpp"
#include "util/number.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t longest_category = 1000;  // bytes; a longer text is no category
constexpr std::size_t long_text = 30;           // bytes; longer ones with spaces are sentences

bool is_set(const std::vector<bool>& flags, std::size_t j) { return !flags.empty() && flags[j]; }

// "101st"
std::string ordinal(std::size_t number) {
  const std::size_t last = number % 10;
  const bool teen = number % 100 / 10 == 1;
  return fmt::format("{}{}", number,
                     teen || last == 0 || last > 3 ? "th"
                     : last == 1                   ? "st"
                     : last == 2                   ? "nd"
                                                   : "rd");
}

// What a column with these different texts may be.
std::string_view guess(const CategoryTable& table, bool all_different) {
  std::size_t dates = 0;
  std::size_t sentences = 0;
  for (std::size_t code = 0; code < table.size(); ++code) {
    const std::string_view name = table.name(code);
    const auto kind = number_like(name);
    dates += kind == NumberLike::date || kind == NumberLike::time;
    sentences += name.size() > long_text && name.find(' ') != name.npos;
  }
  if (2 * dates > table.size()) return "it looks like dates";
  if (2 * sentences > table.size()) return "it looks like free text";
  return all_different ? "all are different so far: it looks like names or ids" : "";
}

// Whether a text is a boolean, and which; 1 and 0 are booleans too.
std::optional<bool> boolean_in(std::string_view text) {
  if (text == "1" || equal_ignoring_case(text, "true")) return true;
  if (text == "0" || equal_ignoring_case(text, "false")) return false;
  return std::nullopt;
}

// The code of a boolean in a table of booleans: programs write them as "TRUE", "true" or "1".
std::optional<std::uint32_t> find_boolean(const CategoryTable& table, std::string_view text) {
  const std::optional<bool> wanted = boolean_in(text);
  if (!wanted || table.size() != 2) return std::nullopt;
  const bool first = equal_ignoring_case(table.name(0), "false");
  if (!first || !equal_ignoring_case(table.name(1), "true")) return std::nullopt;
  return *wanted ? 1 : 0;
}

}  // namespace

TableCells::TableCells(const Columns& columns, const ReadOptions& options, const ArffRows* head)
    : features_(columns.features.size()),
      expected_(options.expected.has_value()),
      max_categories_(options.max_categories.value_or(default_max_categories)),
      spellings_(options.missing_values) {
  if (expected_) {
    spellings_.add(options.expected->missing_values);
    const Categories& categories = options.expected->categories;
    for (std::size_t j = 0; j < std::min(features_, categories.size()); ++j) {
      if (!categories[j].empty()) set_table(j, std::make_unique<CategoryTable>(categories[j]));
    }
    return;
  }
  if (head != nullptr) read_declarations(columns, *head);
  if (columns.categorical.empty()) return;
  any_text_.resize(features_);
  for (const std::uint32_t j : columns.categorical) {
    any_text_[j] = true;
    if (!is_categorical(j)) set_table(j, std::make_unique<CategoryTable>());
  }
}

void TableCells::read_declarations(const Columns& columns, const ArffRows& head) {
  fixed_.resize(features_);
  numeric_.resize(features_);
  for (std::size_t j = 0; j < features_; ++j) {
    const std::uint32_t field = columns.features[j];
    numeric_[j] = head.numeric()[field];
    const std::vector<std::string>& names = head.declared()[field];
    if (names.empty()) continue;
    set_table(j, std::make_unique<CategoryTable>(names));
    fixed_[j] = true;
  }
}

void TableCells::set_table(std::size_t feature, std::unique_ptr<CategoryTable> table) {
  if (tables_.empty()) tables_.resize(features_);
  tables_[feature] = std::move(table);
  ++shape_;
}

void TableCells::forget_rows() {
  values_.clear();
  rows_ = taken_ = 0;
}

void TableCells::close_slots() {
  values_.resize(rows_ * features_);
  values_.erase(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(taken_ * features_));
  rows_ -= std::exchange(taken_, 0);
}

double* TableCells::open_slots(std::size_t count, std::optional<double> share) {
  close_slots();
  reserve_ahead(values_, count * features_, share);
  values_.resize((rows_ + count) * features_);
  first_slot_ = rows_;
  return values_.data() + rows_ * features_;
}

void TableCells::keep_slot(std::size_t slot, bool misses_values) {
  unseen_.clear();
  double* const row = values_.data() + rows_ * features_;
  const double* const from = values_.data() + (first_slot_ + slot) * features_;
  if (row != from) std::copy(from, from + features_, row);
  if (misses_values) {
    if (missing_.empty()) missing_.resize(features_);
    for (std::size_t j = 0; j < features_; ++j) missing_[j] += row[j] != row[j];
  }
  ++rows_;
  ++all_rows_;
}

// Room for one row behind those that are there: a slot that has been passed over, or more memory.
double* TableCells::next_row(std::optional<double> share) {
  const std::size_t end = (rows_ + 1) * features_;
  if (end > values_.size()) {
    reserve_ahead(values_, features_, share);
    values_.resize(end);
  }
  return values_.data() + rows_ * features_;
}

bool TableCells::read_plain(std::string_view text, std::size_t feature, double& value) const {
  const CategoryTable* const table = is_categorical(feature) ? tables_[feature].get() : nullptr;
  if (table != nullptr) {
    if (const auto code = table->find(text)) {
      value = *code;
      return true;
    }
  }
  const ParsedNumber number = parse_number(text);
  value = number.is_finite() ? number.value : nan;
  const bool missing =
      number.is_finite() ? spellings_.has_number(value) : spellings_.has_text(text);
  if (missing) value = nan;
  if (missing || table == nullptr) return missing || number.is_finite();
  if (!number.is_finite()) return false;
  const auto code = table->find(category_of_number(number.value));
  if (code) value = *code;
  return code.has_value();
}

void TableCells::add(const Fields& fields, const Columns& columns, const Place& place,
                     std::optional<double> share) {
  double* const row = next_row(share);
  unseen_.clear();
  for (std::size_t j = 0; j < features_; ++j) {
    row[j] = read({trimmed(fields[columns.features[j]]), j, columns, place});
  }
  ++rows_;
  ++all_rows_;
}

void TableCells::add_unreadable() {
  unseen_.clear();
  std::fill_n(next_row(std::nullopt), features_, nan);
  ++rows_;
  ++all_rows_;
}

inline double TableCells::read(const Cell& cell) {
  if (is_categorical(cell.feature)) return read_category(cell);
  const ParsedNumber number = parse_number(cell.text);
  if (!number.is_finite()) return read_text(cell);
  if (spellings_.any_number() && spellings_.has_number(number.value)) return missing_value(cell);
  return number.value;
}

double TableCells::missing_value(const Cell& cell) {
  if (missing_.empty()) missing_.resize(features_);
  ++missing_[cell.feature];
  return nan;
}

// A cell of a numeric column that is no finite number.
double TableCells::read_text(const Cell& cell) {
  if (spellings_.has_text(cell.text)) return missing_value(cell);
  if (parse_number(cell.text).status == NumberStatus::not_finite) {
    refuse_row(cell.place,
               fmt::format("{}: {} is not a finite number", cell.column(), quoted(cell.text)));
  }
  if (expected_) {
    const auto kind = number_like(cell.text);
    refuse_row(cell.place, fmt::format("{}: {} is {}not a number", cell.column(), quoted(cell.text),
                                       kind ? fmt::format("{}, ", in_words(*kind)) : ""));
  }
  if (number_like(cell.text)) refuse_number_like(cell);
  if (is_set(numeric_, cell.feature)) {
    refuse_row(cell.place,
               fmt::format("{}: {} is not a number, and the file declares numbers; correct it, or "
                           "say that it is a missing value",
                           cell.column(), quoted(cell.text)),
               Setting::missing_values);
  }
  make_categorical(cell);
  return read_category(cell);
}

// The column of this cell becomes categorical, and its numbers become categories.
void TableCells::make_categorical(const Cell& cell) {
  auto table = std::make_unique<CategoryTable>();
  std::unordered_map<std::uint64_t, std::uint32_t> codes;  // of the bits of a number
  const auto code_of = [&](double value) {
    const auto [found, is_new] = codes.try_emplace(std::bit_cast<std::uint64_t>(value), 0U);
    if (is_new) found->second = table->add(category_of_number(value));
    if (table->size() >= max_categories_) {
      refuse_row(cell.place,
                 fmt::format("{}: {} is not a number, and the column has {} different numbers "
                             "or more; correct it, or say that it is a missing value",
                             cell.column(), quoted(cell.text), table->size()),
                 Setting::missing_values);
    }
    return found->second;
  };
  if (!numbers_.empty()) {
    for (const double value : numbers_[cell.feature].different) static_cast<void>(code_of(value));
    numbers_[cell.feature].rows = all_rows_ - (rows_ - taken_);
  }
  for (std::size_t n = taken_; n < rows_; ++n) {
    double& value = values_[n * features_ + cell.feature];
    if (value == value) value = code_of(value);
  }
  set_table(cell.feature, std::move(table));
}

double TableCells::read_category(const Cell& cell) {
  CategoryTable& table = *tables_[cell.feature];
  if (const auto code = table.find(cell.text)) return *code;
  if (spellings_.has_text(cell.text)) return missing_value(cell);
  const ParsedNumber number = parse_number(cell.text);
  if (number.is_finite()) {
    if (spellings_.has_number(number.value)) return missing_value(cell);
    const std::string name = category_of_number(number.value);
    if (const auto code = table.find(name)) return *code;
    return add_category(name, cell);
  }
  if (!expected_ && !is_set(any_text_, cell.feature)) {
    if (number.status == NumberStatus::not_finite) {
      refuse_row(cell.place,
                 fmt::format("{}: {} is not a finite number", cell.column(), quoted(cell.text)));
    }
    if (number_like(cell.text)) refuse_number_like(cell);
  }
  return add_category(cell.text, cell);
}

double TableCells::add_category(std::string_view name, const Cell& cell) {
  CategoryTable& table = *tables_[cell.feature];
  if (expected_) {
    if (const auto code = find_boolean(table, name)) return *code;
    if (unseen_.empty()) unseen_ = name;
    return unseen_category;
  }
  if (is_set(fixed_, cell.feature)) {
    refuse_row(cell.place, fmt::format("{}: {} is not among the values that the file declares",
                                       cell.column(), quoted(name)));
  }
  if (!is_utf8(name)) {
    refuse_row(cell.place, fmt::format("{}: {} is not UTF-8; convert the file (iconv)",
                                       cell.column(), quoted(name)));
  }
  if (name.size() > longest_category) {
    refuse_row(cell.place,
               fmt::format("{}: a text of {} bytes is no category; leave the column out",
                           cell.column(), name.size()),
               Setting::ignore);
  }
  if (table.size() >= max_categories_) refuse_categories(cell);
  return table.add(name);
}

void TableCells::refuse_number_like(const Cell& cell) const {
  const NumberLike kind = *number_like(cell.text);
  std::string_view remedy = "write plain numbers";
  if (kind == NumberLike::number_with_commas) {
    remedy = "write points for decimal commas and nothing between thousands";
  } else if (kind == NumberLike::date || kind == NumberLike::time) {
    remedy = "write a number, such as days since some day, or leave the column out";
  }
  refuse_row(cell.place,
             fmt::format("{}: {} is {}, not a number; {}, or make the column categorical",
                         cell.column(), quoted(cell.text), in_words(kind), remedy),
             Setting::categorical);
}

void TableCells::refuse_categories(const Cell& cell) const {
  const CategoryTable& table = *tables_[cell.feature];
  const std::size_t missing = missing_.empty() ? 0 : missing_[cell.feature];
  const std::string_view looks = guess(table, table.size() == all_rows_ - missing);
  refuse_row(cell.place,
             fmt::format("{}: {} is the {} different value, and a category column has at most "
                         "{}{}{}; name it as the id, leave it out, or allow more categories",
                         cell.column(), quoted(cell.text), ordinal(table.size() + 1),
                         max_categories_, looks.empty() ? "" : "; ", looks),
             Setting::text_column);
}

// Remembers the numbers of the rows that are given away, for columns that may still become
// categorical: those with fewer different numbers than categories are allowed.
void TableCells::note_numbers() {
  std::unordered_set<std::uint64_t> known;
  for (std::size_t j = 0; j < features_; ++j) {
    Numbers& numbers = numbers_[j];
    if (is_categorical(j) || numbers.too_many) continue;
    known.clear();
    for (const double value : numbers.different) known.insert(std::bit_cast<std::uint64_t>(value));
    std::uint64_t last = 0;
    bool any = false;
    for (std::size_t n = taken_; n < rows_ && !numbers.too_many; ++n) {
      const double value = values_[n * features_ + j];
      const auto bits = std::bit_cast<std::uint64_t>(value);
      if (value != value || (any && bits == last)) continue;
      any = true;
      last = bits;
      if (!known.insert(bits).second) continue;
      numbers.different.push_back(value);
      // One more than are allowed, since 0 and -0 are two of them.
      numbers.too_many = numbers.different.size() > max_categories_ + 1;
    }
  }
}

std::vector<Recoding> TableCells::recodings() {
  std::vector<Recoding> all;
  for (std::size_t j = 0; j < features_; ++j) {
    if (!is_categorical(j) || is_set(fixed_, j)) continue;
    Recoding& recoding = all.emplace_back();
    recoding.feature = j;
    recoding.of_code = tables_[j]->sort();
    recoding.rows_of_numbers = numbers_[j].rows;
    for (const double value : numbers_[j].different) {
      recoding.of_number.emplace_back(value, *tables_[j]->find(category_of_number(value)));
    }
  }
  return all;
}

Rows TableCells::take() {
  if (!numbers_.empty()) {
    note_numbers();
  } else if (!expected_) {
    for (std::size_t j = 0; j < features_; ++j) {
      if (!is_categorical(j) || is_set(fixed_, j)) continue;
      const std::vector<std::uint32_t> new_code = tables_[j]->sort();
      for (std::size_t n = 0; n < rows_; ++n) {
        double& value = values_[n * features_ + j];
        if (value == value) value = new_code[static_cast<std::size_t>(value)];
      }
    }
  }
  const std::size_t count = rows_ - taken_;
  if (taken_ == 0 && values_.size() == rows_ * features_) {
    return Rows::dense(features_, std::exchange(values_, {}), std::exchange(rows_, 0));
  }
  const auto first = values_.begin() + static_cast<std::ptrdiff_t>(taken_ * features_);
  taken_ = rows_;
  return Rows::dense(features_, {first, first + static_cast<std::ptrdiff_t>(count * features_)},
                     count);
}

Categories TableCells::categories() const {
  if (tables_.empty()) return {};
  Categories all(features_);
  for (std::size_t j = 0; j < features_; ++j) {
    if (is_categorical(j)) all[j] = tables_[j]->names();
  }
  return all;
}

}  // namespace rampart
