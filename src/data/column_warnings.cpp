#include "data/column_warnings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <unordered_set>
#include <utility>

#include "data/column_judge.hpp"
#include "util/number.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool is_whole(double value) { return value == std::floor(value); }

// What one pass over the rows finds out about all columns.
struct Seen {
  // By class, and by column: how many values there are, the least and the largest.
  std::array<std::vector<std::size_t>, 2> present;
  std::array<std::vector<double>, 2> least, most;
  std::vector<std::uint32_t> whole;  // numeric columns of whole numbers only
  // Of categorical columns: how many rows of each class have each category. Otherwise empty.
  std::vector<std::vector<std::array<std::size_t, 2>>> categories;

  explicit Seen(const Problem& data) {
    const std::size_t columns = data.x.columns();
    for (std::size_t c = 0; c < 2; ++c) {
      present[c].assign(columns, 0);
      least[c].assign(columns, infinity);
      most[c].assign(columns, -infinity);
    }
    categories.resize(columns);
    std::vector<std::uint32_t> categorical;
    for (std::size_t j = 0; j < columns; ++j) {
      const std::size_t count = data.categories.empty() ? 0 : data.categories[j].size();
      categories[j].resize(count);
      (count > 0 ? categorical : whole).push_back(static_cast<std::uint32_t>(j));
    }
    std::vector<double> row(columns);
    for (std::size_t n = 0; n < data.size(); ++n) {
      const std::size_t c = data.y[n] > 0 ? 1 : 0;
      data.x.copy_row(n, row);
      for (std::size_t j = 0; j < columns; ++j) {  // missing values (NaN) compare as false
        present[c][j] += row[j] == row[j] ? 1 : 0;
        least[c][j] = row[j] < least[c][j] ? row[j] : least[c][j];
        most[c][j] = row[j] > most[c][j] ? row[j] : most[c][j];
      }
      for (const std::uint32_t j : categorical) {
        const bool is_code = row[j] >= 0 && row[j] < static_cast<double>(categories[j].size());
        if (is_code) ++categories[j][static_cast<std::size_t>(row[j])][c];
      }
      std::erase_if(whole,
                    [&](std::uint32_t j) { return !std::isnan(row[j]) && !is_whole(row[j]); });
    }
  }
};

// Whether the values of a column of whole numbers are all different.
bool all_different(const Problem& data, std::size_t j, double range, std::size_t present) {
  if (range + 1 < static_cast<double>(present)) return false;
  std::vector<double> values;
  values.reserve(present);
  for (std::size_t n = 0; n < data.size(); ++n) {
    data.x.with_dense_row(n, [&](auto row) {
      if (const double value = row[j]; !std::isnan(value)) values.push_back(value);
    });
  }
  std::ranges::sort(values);
  return std::ranges::adjacent_find(values) == values.end();
}

ColumnFacts facts_of(const Problem& data, const Seen& seen, std::size_t j) {
  ColumnFacts facts{.rows = data.size(), .of_class = {seen.present[0][j], seen.present[1][j]}};
  facts.present = facts.of_class[0] + facts.of_class[1];
  if (!seen.categories[j].empty()) {
    facts.text_or_whole = facts.all_different = facts.separates = true;
    for (const auto& [negative, positive] : seen.categories[j]) {
      facts.different += negative + positive > 0 ? 1 : 0;
      facts.all_different &= negative + positive <= 1;
      facts.separates &= negative == 0 || positive == 0;  // no category has both classes
    }
    return facts;
  }
  const double least = std::min(seen.least[0][j], seen.least[1][j]);
  const double most = std::max(seen.most[0][j], seen.most[1][j]);
  // Only whether there is one value or more of them matters of numbers.
  facts.different = facts.present == 0 ? 0 : least == most ? 1 : 2;
  facts.text_or_whole = std::ranges::binary_search(seen.whole, j);
  facts.all_different = facts.text_or_whole && all_different(data, j, most - least, facts.present);
  // One threshold lies between the classes.
  facts.separates = facts.of_class[0] > 0 && facts.of_class[1] > 0 &&
                    (seen.most[0][j] < seen.least[1][j] || seen.most[1][j] < seen.least[0][j]);
  return facts;
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

std::vector<ColumnWarning> column_warnings(const Problem& data) {
  ColumnJudge judge;
  const auto name = [&](std::size_t j) {
    if (j < data.features.size() && !data.features[j].empty()) return quoted(data.features[j]);
    return std::to_string(j < data.fields.size() ? data.fields[j] : j + 1);
  };
  if (data.x.is_dense()) {
    const Seen seen(data);
    for (std::size_t j = 0; j < data.x.columns(); ++j) {
      const bool categorical = !seen.categories[j].empty();
      judge.add(name(j), look_of(facts_of(data, seen, j)),
                categorical ? stray_texts_of(data.categories[j]) : "");
    }
  }
  const std::unordered_set<std::string_view> groups(data.groups.begin(), data.groups.end());
  return judge.warnings(groups.size(), data.size());
}

}  // namespace rampart
