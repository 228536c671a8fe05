#include "rampart/encoding.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "data/fit.hpp"
#include "data/medians.hpp"
#include "data/row_encoder.hpp"
#include "data/survey.hpp"
#include "data/visit_columns.hpp"

namespace rampart {
namespace {

/// What the codes of the categorical columns say, in one pass: `columns` has their numbers.
void learn_categories(RowsView x, std::span<const std::vector<std::string>> categories,
                      std::span<const std::uint32_t> columns, std::span<const double> weights,
                      Encoding& encoding) {
  std::vector<std::vector<double>> counts;
  for (const std::uint32_t j : columns) counts.emplace_back(categories[j].size(), 0);
  for (std::size_t n = 0; n < x.size() && !columns.empty(); ++n) {
    visit_columns(x, n, columns, [&](std::size_t k, double code) {
      if (code < 0 || std::isnan(code)) return;  // unseen or missing
      counts[k][static_cast<std::size_t>(code)] += weights.empty() ? 1 : weights[n];
    });
  }
  for (std::size_t k = 0; k < columns.size(); ++k) {
    Encoding::Column& column = encoding.columns[columns[k]];
    for (const double count : counts[k]) column.seen.push_back(count > 0);
    column.fill = static_cast<double>(std::ranges::max_element(counts[k]) - counts[k].begin());
  }
}

std::size_t width(const Encoding::Column& column) {
  const std::size_t values =
      column.seen.empty() ? 1 : static_cast<std::size_t>(std::ranges::count(column.seen, true));
  return values + (column.indicator ? 1 : 0);
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
  return x.is_dense() ? fit_encoding(x, categories, missing, Survey(x), 1) : Encoding{};
}

Encoding fit_encoding(RowsView x, std::span<const std::vector<std::string>> categories,
                      MissingKind missing, const Survey& survey, unsigned threads,
                      std::span<const double> weights) {
  Encoding encoding;
  if (!x.is_dense()) return encoding;
  encoding.columns.resize(x.columns());
  std::vector<std::uint32_t> numeric, categorical;
  for (std::size_t j = 0; j < x.columns(); ++j) {
    const bool has_categories = !categories.empty() && !categories[j].empty();
    (has_categories ? categorical : numeric).push_back(static_cast<std::uint32_t>(j));
    encoding.columns[j].misses = survey.missing[j] > 0;
    encoding.columns[j].indicator = survey.missing[j] > 0 && missing == MissingKind::indicator;
  }
  learn_categories(x, categories, categorical, weights, encoding);
  const std::vector<double> medians = medians_of(x, numeric, threads, weights);
  for (std::size_t k = 0; k < numeric.size(); ++k) encoding.columns[numeric[k]].fill = medians[k];
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

Rows Encoding::apply(RowsView x) const { return RowEncoder(*this, {}, x.columns(), true).apply(x); }

}  // namespace rampart
