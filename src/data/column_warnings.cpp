#include "data/column_warnings.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <span>
#include <unordered_set>
#include <utility>

#include "util/number.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

// With fewer rows, values are often all different, and separate the classes, by chance.
constexpr std::size_t fewest_rows = 20;
constexpr std::size_t fewest_of_a_class = 5;
constexpr std::size_t most_columns_named = 5;

struct Value {
  double value;
  bool positive;
};

// The columns that a warning is about: the first are named.
class Found {
 public:
  void add(std::string column) {
    if (++count_ > most_columns_named) return;
    names_ += fmt::format("{}{}", names_.empty() ? "" : ", ", column);
  }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }

  // "column 'a'"; "columns 'a', 'b' and 3 more"
  [[nodiscard]] std::string columns() const {
    std::string text = fmt::format("{} {}", count_ == 1 ? "column" : "columns", names_);
    if (count_ > most_columns_named) {
      text += fmt::format(" and {} more", count_ - most_columns_named);
    }
    return text;
  }
  [[nodiscard]] std::string_view choose(std::string_view one, std::string_view several) const {
    return count_ == 1 ? one : several;
  }

 private:
  std::size_t count_ = 0;
  std::string names_;
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

// How often the class changes on the way from the smallest to the largest value; a value that both
// classes have counts as two changes, which no column that separates them has.
bool separates(std::span<const Value> sorted, bool categorical) {
  const auto positive = static_cast<std::size_t>(
      std::ranges::count_if(sorted, [](const Value& value) { return value.positive; }));
  if (std::min(positive, sorted.size() - positive) < fewest_of_a_class) return false;
  std::size_t changes = 0;
  for (std::size_t k = 1; k < sorted.size(); ++k) {
    if (sorted[k].positive == sorted[k - 1].positive) continue;
    if (sorted[k].value == sorted[k - 1].value) return false;
    ++changes;
  }
  return categorical || changes == 1;
}

// The only texts among many numbers; empty: the column is not like that.
std::string stray_texts(std::span<const std::string> categories) {
  std::size_t numbers = 0;
  std::string texts;
  std::size_t count = 0;
  for (const std::string& name : categories) {
    if (parse_number(name).is_finite()) {
      ++numbers;
    } else if (++count <= 2) {
      texts += fmt::format("{}{}", texts.empty() ? "" : " and ", quoted(name));
    }
  }
  return count > 0 && count <= 2 && numbers >= 8 ? texts : "";
}

}  // namespace

std::vector<ColumnWarning> column_warnings(const Dataset& data) {
  Found ids;
  Found constants;
  Found leaks;
  Found mixed;
  std::string stray;
  const auto name = [&](std::size_t j) {
    if (j < data.features.size() && !data.features[j].empty()) return quoted(data.features[j]);
    return std::to_string(j < data.fields.size() ? data.fields[j] : j + 1);
  };
  for (std::size_t j = 0; data.x.is_dense() && j < data.x.columns(); ++j) {
    const bool categorical = !data.categories.empty() && !data.categories[j].empty();
    const std::vector<Value> values = sorted_column(data, j);
    const std::size_t count = different(values);
    const bool all_different = count == values.size() && values.size() >= fewest_rows;
    const bool whole = categorical || std::ranges::all_of(values, is_whole, &Value::value);
    // A column that is constant where it is known still tells by its missing values.
    if (count <= 1 && values.size() == data.size()) {
      constants.add(name(j));
    } else if (all_different && whole) {
      ids.add(name(j));
    } else if (values.size() >= fewest_rows && separates(values, categorical)) {
      leaks.add(name(j));
    }
    if (!categorical) continue;
    const std::string texts = stray_texts(data.categories[j]);
    if (texts.empty()) continue;
    if (mixed.count() == 0) stray = texts;
    mixed.add(name(j));
  }

  std::vector<ColumnWarning> warnings;
  if (ids.count() > 0) {
    warnings.push_back({fmt::format("{}: all values are different, as of an id; name it as the id "
                                    "or leave it out",
                                    ids.columns()),
                        Setting::id});
  }
  if (constants.count() > 0) {
    warnings.push_back({fmt::format("{}: all values are the same; {} nothing and can be left out",
                                    constants.columns(), constants.choose("it tells", "they tell")),
                        Setting::ignore});
  }
  if (leaks.count() > 0) {
    warnings.push_back(
        {fmt::format("{}: {} the classes alone; if {} known only with the answer, leave {} out",
                     leaks.columns(), leaks.choose("it separates", "each separates"),
                     leaks.choose("it is", "they are"), leaks.choose("it", "them")),
         Setting::ignore});
  }
  if (mixed.count() > 0) {
    warnings.push_back({fmt::format("{}: numbers, but for {}, which {} the column categorical; say "
                                    "so if that is a missing value",
                                    mixed.columns(), stray,
                                    stray.find("' and '") == stray.npos ? "makes" : "make"),
                        Setting::missing_values});
  }
  const std::unordered_set<std::string_view> groups(data.groups.begin(), data.groups.end());
  if (!groups.empty() && groups.size() == data.size()) {
    warnings.push_back(
        {"every group has one row, so that groups change nothing; is it the column "
         "of groups?",
         Setting::groups});
  }
  return warnings;
}

}  // namespace rampart
