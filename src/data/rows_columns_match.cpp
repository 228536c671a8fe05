#include "data/rows_columns_match.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "data/category_table.hpp"
#include "data/place.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

// The column of the file for every column of the model; by name.
std::vector<std::size_t> by_name(const FeatureLayout& found, const FeatureLayout& expected,
                                 const Place& file) {
  std::map<std::string_view, std::size_t> places;
  std::map<std::string_view, std::size_t> times;
  for (std::size_t j = 0; j < found.names.size(); ++j) {
    places[found.names[j]] = j;
    ++times[found.names[j]];
  }
  std::vector<std::size_t> from;
  for (const std::string& name : expected.names) {
    const auto place = places.find(name);
    if (place == places.end()) {
      refuse(file, fmt::format("no column {}, which the model needs", quoted(name)));
    }
    if (times[name] > 1) refuse(file, fmt::format("two columns are called {}", quoted(name)));
    from.push_back(place->second);
  }
  return from;
}

// By the place in the text that each was made from, if both know it; else one after the other.
std::vector<std::size_t> by_place(const FeatureLayout& found, bool dense,
                                  const FeatureLayout& expected, const Place& file) {
  std::vector<std::size_t> from;
  const bool known = !found.fields.empty() && !expected.fields.empty() &&
                     found.file_columns == expected.file_columns &&
                     expected.fields.size() == expected.count;
  for (std::size_t j = 0; known && j < expected.count; ++j) {
    const auto place = std::ranges::find(found.fields, expected.fields[j]);
    if (place == found.fields.end()) {
      refuse(file,
             fmt::format("column {}, which the model needs, was left out", expected.fields[j]));
    }
    from.push_back(static_cast<std::size_t>(place - found.fields.begin()));
  }
  if (known) return from;
  if (dense ? found.count != expected.count : found.count > expected.count) {
    refuse(file, fmt::format("{} features, but the model has {}", found.count, expected.count));
  }
  return {};
}

const std::vector<std::string>& categories_of(const FeatureLayout& layout, std::size_t j) {
  static const std::vector<std::string> none;
  return layout.categories.empty() ? none : layout.categories[j];
}

}  // namespace

ColumnMatch::ColumnMatch(const FeatureLayout& found, bool dense, const FeatureLayout* expected,
                         std::string_view path)
    : count_(expected != nullptr ? expected->count : found.count) {
  if (expected == nullptr) return;
  const Place file{.file = path};
  const bool named = !found.names.empty() && !expected->names.empty();
  std::vector<std::size_t> from =
      named ? by_name(found, *expected, file) : by_place(found, dense, *expected, file);
  if (!dense && !named) return;  // LIBSVM: only the width may differ
  bool same = count_ == found.count;
  for (std::size_t j = 0; j < count_; ++j) {
    const std::size_t place = from.empty() ? j : from[j];
    same = same && place == j && categories_of(found, place) == categories_of(*expected, j);
  }
  if (same) return;

  for (std::size_t j = 0; j < count_; ++j) {
    Column& column = columns_.emplace_back();
    column.from = from.empty() ? j : from[j];
    const auto& here = categories_of(found, column.from);
    const auto& there = categories_of(*expected, j);
    column.has_categories = !here.empty();
    if (there.empty()) {
      if (here.empty()) continue;
      refuse(file, fmt::format("column {} has categories, where the model has numbers",
                               named ? quoted(expected->names[j]) : fmt::format("{}", j + 1)));
    }
    for (std::size_t code = 0; code < there.size(); ++code) {
      column.number.try_emplace(there[code], static_cast<double>(code));
    }
    for (const std::string& name : here) {
      const auto code = column.number.find(name);
      column.codes.push_back(code == column.number.end() ? unseen_category : code->second);
    }
    column.names = here;
  }
}

double ColumnMatch::value(const Column& column, double found, std::string& unseen) const {
  if (std::isnan(found) || column.number.empty()) return found;
  if (column.has_categories) {
    const bool known = found >= 0;
    const auto code = static_cast<std::size_t>(known ? found : 0);
    if (known && column.codes[code] != unseen_category) return column.codes[code];
    if (unseen.empty()) unseen = known ? column.names[code] : "?";
    return unseen_category;
  }
  const std::string name = category_of_number(found);
  const auto code = column.number.find(name);
  if (code != column.number.end()) return code->second;
  if (unseen.empty()) unseen = name;
  return unseen_category;
}

Rows ColumnMatch::apply(RowsView rows, std::vector<std::string>& unseen) const {
  unseen.clear();
  if (is_identity()) return rows.wider(count_).to_rows();
  std::vector<double> values;
  values.reserve(rows.size() * count_);
  std::vector<double> row(rows.columns());
  std::string name;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    rows.copy_row(n, row);
    name.clear();
    for (const Column& column : columns_) values.push_back(value(column, row[column.from], name));
    if (name.empty()) continue;
    unseen.resize(n);
    unseen.push_back(name);
  }
  if (!unseen.empty()) unseen.resize(rows.size());
  return Rows::dense(count_, std::move(values), rows.size());
}

}  // namespace rampart
