#include "data/column_warnings.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <unordered_set>
#include <utility>

#include "data/column_judge.hpp"
#include "util/number.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

struct Value {
  double value;
  bool positive;
};

bool is_whole(double value) { return value == std::floor(value); }

// The values of a column that are there, sorted.
std::vector<Value> sorted_column(const Dataset& data, std::size_t j) {
  std::vector<Value> values;
  values.reserve(data.size());
  const RowsView x(data.x);
  for (std::size_t n = 0; n < data.size(); ++n) {
    x.with_dense_row(n, [&](auto row) {
      const double value = row[j];
      if (!std::isnan(value)) values.push_back({value, data.y[n] > 0});
    });
  }
  std::ranges::sort(values, [](const Value& a, const Value& b) {
    return std::pair(a.value, a.positive) < std::pair(b.value, b.positive);
  });
  return values;
}

std::size_t different(std::span<const Value> sorted) {
  std::size_t count = sorted.empty() ? 0 : 1;
  for (std::size_t k = 1; k < sorted.size(); ++k) count += sorted[k].value != sorted[k - 1].value;
  return count;
}

// Whether the values tell the classes apart: no value has both, and for numbers there is one
// threshold between the classes. `sorted`: by value, then by class.
bool separates(std::span<const Value> sorted, bool categorical) {
  std::size_t changes = 0;  // of the class, on the way from the smallest to the largest value
  for (std::size_t k = 1; k < sorted.size(); ++k) {
    if (sorted[k].positive == sorted[k - 1].positive) continue;
    if (sorted[k].value == sorted[k - 1].value) return false;
    ++changes;
  }
  return categorical || changes == 1;
}

ColumnFacts facts_of(std::span<const Value> sorted, std::size_t rows, bool categorical) {
  const std::size_t count = different(sorted);
  const auto positive = static_cast<std::size_t>(std::ranges::count_if(sorted, &Value::positive));
  return {.rows = rows,
          .present = sorted.size(),
          .different = count,
          .all_different = count == sorted.size(),
          .text_or_whole = categorical || std::ranges::all_of(sorted, is_whole, &Value::value),
          .of_class = {sorted.size() - positive, positive},
          .separates = separates(sorted, categorical)};
}

// The texts among numbers, if they are few.
std::string stray_texts_of(std::span<const std::string> categories) {
  std::vector<std::string> texts;
  for (const std::string& name : categories) {
    if (!parse_number(name).is_finite()) texts.push_back(name);
  }
  return stray_texts(texts, categories.size() - texts.size());
}

}  // namespace

std::vector<ColumnWarning> column_warnings(const Dataset& data) {
  ColumnJudge judge;
  const auto name = [&](std::size_t j) {
    if (j < data.features.size() && !data.features[j].empty()) return quoted(data.features[j]);
    return std::to_string(j < data.fields.size() ? data.fields[j] : j + 1);
  };
  for (std::size_t j = 0; data.x.is_dense() && j < data.x.columns(); ++j) {
    const bool categorical = !data.categories.empty() && !data.categories[j].empty();
    const std::vector<Value> values = sorted_column(data, j);
    judge.add(name(j), look_of(facts_of(values, data.size(), categorical)),
              categorical ? stray_texts_of(data.categories[j]) : "");
  }
  const std::unordered_set<std::string_view> groups(data.groups.begin(), data.groups.end());
  return judge.warnings(groups.size(), data.size());
}

}  // namespace rampart
