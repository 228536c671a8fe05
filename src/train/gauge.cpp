#include "train/gauge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rampart {
namespace {

constexpr double largest = std::numeric_limits<double>::max();

/// So many rows that differ from the median tell the unit of a column.
std::size_t enough_of(std::size_t rows) { return std::clamp<std::size_t>(rows / 3, 1, 5); }

/// The unit of most columns; 1 if no column has one.
double typical_unit(const std::vector<Spread>& spreads, std::size_t enough) {
  for (const std::size_t needed : {enough, std::size_t{1}}) {
    std::vector<double> units;
    for (const Spread& spread : spreads) {
      if (spread.differ >= needed) units.push_back(spread.gauge.unit);
    }
    if (units.empty()) continue;
    const auto middle = units.begin() + static_cast<std::ptrdiff_t>((units.size() - 1) / 2);
    std::ranges::nth_element(units, middle);
    return *middle;
  }
  return 1;
}

/// The stored values of every column, one column after the other.
struct ByColumn {
  std::vector<std::size_t> starts;
  std::vector<double> values;
};
ByColumn by_column(RowsView x, const Occurring& occurring) {
  ByColumn stored;
  stored.starts.assign(occurring.size() + 1, 0);
  for (std::size_t n = 0; n < x.size(); ++n) {
    x.for_each(n, [&](std::size_t j, double) { ++stored.starts[occurring[j] + 1]; });
  }
  for (std::size_t j = 0; j < occurring.size(); ++j) stored.starts[j + 1] += stored.starts[j];
  stored.values.resize(stored.starts.back());
  std::vector<std::size_t> next(stored.starts.begin(), stored.starts.end() - 1);
  for (std::size_t n = 0; n < x.size(); ++n) {
    x.for_each(n,
               [&](std::size_t j, double value) { stored.values[next[occurring[j]]++] = value; });
  }
  return stored;
}

}  // namespace

double Gauge::stretch(double x) const {
  const double units = (x / 2 - middle / 2) / unit * 2;  // halves: no difference overflows
  return std::asinh(std::clamp(units, -largest, largest));
}

double Gauge::unstretch(double y) const {
  return std::clamp(middle + unit * std::sinh(y), -largest, largest);
}

Spread spread_of(std::vector<double>& values, std::size_t zeros) {
  zeros += std::erase(values, 0.0);  // dense rows store them, with the same result
  Spread spread;
  spread.values = values.size() + zeros;
  if (spread.values == 0) return spread;
  // The lower of two middle values, so that the median of 0 and 1 is one of them. Only the place of
  // the zeros among the others matters.
  const std::size_t rank = (spread.values - 1) / 2;
  const auto negative = static_cast<std::size_t>(
      std::ranges::count_if(values, [](double value) { return value < 0; }));
  if (rank < negative || rank >= negative + zeros) {
    const std::size_t place = rank < negative ? rank : rank - zeros;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(place);
    std::ranges::nth_element(values, middle);
    spread.gauge.middle = *middle;
  }
  const double middle = spread.gauge.middle;
  spread.differ = middle == 0 ? 0 : zeros;
  for (const double value : values) spread.differ += value != middle ? 1 : 0;
  if (spread.differ == 0) return spread;
  std::ranges::sort(values);  // one sum, whatever the order of the rows
  const auto differ = static_cast<double>(spread.differ);
  double mean = middle == 0 ? 0.0 : static_cast<double>(zeros) / differ * std::abs(middle);
  for (const double value : values) mean += std::abs(value / differ - middle / differ);
  spread.gauge.unit = std::clamp(mean, std::numeric_limits<double>::min(), largest);
  return spread;
}

Spreads spreads_of(RowsView sample, const Occurring& occurring) {
  const ByColumn stored = by_column(sample, occurring);
  Spreads found;
  std::vector<Spread>& spreads = found.columns;
  std::vector<double> values;
  for (std::size_t j = 0; j < occurring.size(); ++j) {
    values.clear();
    for (std::size_t k = stored.starts[j]; k < stored.starts[j + 1]; ++k) {
      if (!std::isnan(stored.values[k])) values.push_back(stored.values[k]);
    }
    spreads.push_back(spread_of(values, sample.size() - (stored.starts[j + 1] - stored.starts[j])));
  }
  const std::size_t enough = enough_of(sample.size());
  const double typical = found.typical = typical_unit(spreads, enough);
  for (Spread& spread : spreads) {
    if (spread.differ >= enough) continue;
    double& unit = spread.gauge.unit;
    const double constant = std::abs(spread.gauge.middle);
    if (spread.differ > 0) {
      unit = std::max(unit, typical);
    } else {
      unit = constant > 0 ? std::min(constant, typical) : typical;
    }
  }
  return found;
}

}  // namespace rampart
