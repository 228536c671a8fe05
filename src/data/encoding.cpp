#include "rampart/encoding.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

namespace rampart {
namespace {

/// The middle value; the mean of the two middle ones of an even number, which cannot overflow.
double median(std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return std::midpoint(*std::max_element(values.begin(), middle), *middle);
}

/// The values of one column that are there.
std::vector<double> present(RowsView x, std::size_t column) {
  std::vector<double> values;
  values.reserve(x.size());
  for (std::size_t n = 0; n < x.size(); ++n) {
    x.with_dense_row(n, [&](auto row) {
      const double value = column < row.size() ? row[column] : 0.0;
      if (!std::isnan(value)) values.push_back(value);
    });
  }
  return values;
}

Encoding::Column numeric_column(std::vector<double> values) { return {.fill = median(values)}; }

Encoding::Column categorical_column(std::span<const double> codes, std::size_t categories) {
  Encoding::Column column;
  column.seen.resize(categories, false);
  std::vector<std::size_t> count(categories, 0);
  for (const double code : codes) {
    if (code < 0) continue;  // unseen: of no category
    column.seen[static_cast<std::size_t>(code)] = true;
    ++count[static_cast<std::size_t>(code)];
  }
  column.fill = static_cast<double>(std::ranges::max_element(count) - count.begin());
  return column;
}

std::size_t width(const Encoding::Column& column) {
  const std::size_t values =
      column.seen.empty() ? 1 : static_cast<std::size_t>(std::ranges::count(column.seen, true));
  return values + (column.indicator ? 1 : 0);
}

/// The features of each column: the first, and of categorical ones that of each code.
struct Places {
  std::vector<std::uint32_t> first, last;
  std::vector<std::vector<std::uint32_t>> of_code;  // of a code that was not seen: `nowhere`
  std::size_t features = 0;
  std::size_t stored = 0;  // most values per row that are not 0

  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

  explicit Places(const Encoding& encoding) : first(encoding.first_features()) {
    for (std::size_t j = 0; j < encoding.columns.size(); ++j) {
      const Encoding::Column& column = encoding.columns[j];
      std::uint32_t next = first[j];
      std::vector<std::uint32_t> codes;
      for (const bool seen : column.seen) codes.push_back(seen ? next++ : nowhere);
      of_code.push_back(std::move(codes));
      features += width(column);
      last.push_back(static_cast<std::uint32_t>(features - 1));
      stored += column.indicator && column.seen.empty() ? 2 : 1;
    }
  }
};

/// Calls put(feature, value) for the values of one row, but for most zeros, in the order of
/// features.
template <class Put>
void encode(const Encoding& encoding, const Places& places, std::span<const double> row,
            const Put& put) {
  for (std::size_t j = 0; j < row.size(); ++j) {
    const Encoding::Column& column = encoding.columns[j];
    const bool missing = std::isnan(row[j]);
    const std::size_t last = places.last[j];
    if (column.seen.empty()) {
      put(places.first[j], missing ? column.fill : row[j]);
      if (missing && column.indicator) put(last, 1.0);
      continue;
    }
    if (missing && column.indicator) {  // a category of its own
      put(last, 1.0);
      continue;
    }
    const double code = missing ? column.fill : row[j];
    if (!column.has(code)) continue;
    put(places.of_code[j][static_cast<std::size_t>(code)], 1.0);
  }
}

}  // namespace

std::span<const Named<MissingKind>> names_of(MissingKind) {
  static constexpr auto names = std::to_array<Named<MissingKind>>(
      {{MissingKind::indicator, "indicator"}, {MissingKind::median, "median"}});
  return names;
}

bool Encoding::Column::has(double code) const {
  return code >= 0 && code < static_cast<double>(seen.size()) && code == std::floor(code) &&
         seen[static_cast<std::size_t>(code)];
}

Encoding Encoding::fit(RowsView x, std::span<const std::vector<std::string>> categories,
                       MissingKind missing) {
  Encoding encoding;
  if (!x.is_dense()) return encoding;
  encoding.columns.reserve(x.columns());
  for (std::size_t j = 0; j < x.columns(); ++j) {
    std::vector<double> values = present(x, j);
    const bool misses = values.size() < x.size();
    const std::size_t number = categories.empty() ? 0 : categories[j].size();
    Column column =
        number > 0 ? categorical_column(values, number) : numeric_column(std::move(values));
    column.misses = misses;
    column.indicator = misses && missing == MissingKind::indicator;
    encoding.columns.push_back(std::move(column));
  }
  return encoding;
}

bool Encoding::is_identity() const {
  return std::ranges::all_of(
      columns, [](const Column& column) { return column.seen.empty() && !column.misses; });
}

std::size_t Encoding::features(std::size_t row_columns) const {
  if (columns.empty()) return row_columns;
  std::size_t total = 0;
  for (const Column& column : columns) total += width(column);
  return total;
}

std::vector<std::uint32_t> Encoding::first_features() const {
  std::vector<std::uint32_t> first;
  std::size_t next = 0;
  for (const Column& column : columns) {
    first.push_back(static_cast<std::uint32_t>(next));
    next += width(column);
  }
  return first;
}

std::vector<bool> Encoding::indicators() const {
  std::vector<bool> found;
  for (const Column& column : columns) {
    found.insert(found.end(), width(column), !column.seen.empty());
    if (column.indicator) found.back() = true;
  }
  return found;
}

bool are_features(RowsView x, std::span<const std::vector<std::string>> categories) {
  if (std::ranges::any_of(categories, [](const auto& names) { return !names.empty(); })) {
    return false;
  }
  bool complete = true;
  for (std::size_t n = 0; n < x.size() && complete; ++n) {
    x.for_each(n, [&](std::size_t, double value) { complete &= !std::isnan(value); });
  }
  return complete;
}

Rows Encoding::apply(RowsView x) const {
  if (columns.empty()) return x.to_rows();
  const Places places(*this);
  std::vector<double> row(x.columns());
  // Many categories give rows that are mostly zeros.
  constexpr std::size_t zeros_per_value = 4;
  const bool sparse = places.features > zeros_per_value * places.stored;
  if (!sparse) {
    std::vector<double> values(x.size() * places.features, 0.0);
    for (std::size_t n = 0; n < x.size(); ++n) {
      x.copy_row(n, row);
      double* const to = values.data() + n * places.features;
      encode(*this, places, row, [&](std::size_t j, double value) { to[j] = value; });
    }
    return Rows::dense(places.features, std::move(values), x.size());
  }
  std::vector<std::size_t> starts{0};
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  for (std::size_t n = 0; n < x.size(); ++n) {
    x.copy_row(n, row);
    encode(*this, places, row, [&](std::size_t j, double value) {
      if (value == 0) return;
      indices.push_back(static_cast<std::uint32_t>(j));
      values.push_back(value);
    });
    starts.push_back(values.size());
  }
  return Rows::sparse(places.features, std::move(starts), std::move(indices), std::move(values));
}

}  // namespace rampart
