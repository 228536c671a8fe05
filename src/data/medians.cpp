#include "data/medians.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "data/fetched_rows.hpp"
#include "data/survey.hpp"
#include "data/visit_columns.hpp"
#include "util/parallel.hpp"

// The median lies between two values of a sample of the rows, a few deviations of its rank to
// either side of the sample's own median. One pass counts the values below, at the lower and at the
// upper one, and keeps those between, which are few. The counts tell whether the median is among
// them: if it is not, which hardly happens, another pass keeps all values of the column.

namespace rampart {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t rows_of_sample = 4096;
constexpr std::size_t rows_at_once = 64;  // few enough to stay in the processor's cache

/// Two values, and where the others of a column lie.
struct Bracket {
  double low = -infinity, high = infinity;
  std::size_t below = 0, at_low = 0, at_high = 0, above = 0;
  std::vector<double> between;

  void add(const Bracket& other) {
    below += other.below;
    at_low += other.at_low;
    at_high += other.at_high;
    above += other.above;
    between.insert(between.end(), other.between.begin(), other.between.end());
  }

  [[nodiscard]] std::size_t values() const {
    return below + at_low + between.size() + at_high + above;
  }

  /// The value of this rank, from 0; nothing if it lies outside. Reorders the values between.
  std::optional<double> of_rank(std::size_t rank) {
    if (rank < below) return std::nullopt;
    rank -= below;
    if (rank < at_low) return low;
    rank -= at_low;
    if (rank < between.size()) {
      const auto place = between.begin() + static_cast<std::ptrdiff_t>(rank);
      std::ranges::nth_element(between, place);
      return *place;
    }
    rank -= between.size();
    if (rank < at_high) return high;
    return std::nullopt;
  }

  std::optional<double> median() {
    const std::size_t count = values();
    if (count == 0) return 0.0;
    const std::optional<double> upper = of_rank(count / 2);
    if (!upper || count % 2 == 1) return upper;
    const std::optional<double> lower = of_rank(count / 2 - 1);
    if (!lower) return std::nullopt;
    return std::midpoint(*lower, *upper);
  }
};

/// Adds where these values lie. Without branches: which of them is kept cannot be foreseen.
void add(std::span<const double> values, Bracket& bracket) {
  const double low = bracket.low;
  const double high = bracket.high;
  std::size_t below = 0, above = 0, at_low = 0, at_high = 0;
  for (const double value : values) {
    below += value < low ? 1 : 0;
    above += value > high ? 1 : 0;
    at_low += value == low ? 1 : 0;
    at_high += value == high ? 1 : 0;
  }
  bracket.below += below;
  bracket.above += above;
  bracket.at_low += at_low;
  bracket.at_high += high == low ? 0 : at_high;
  std::array<double, rows_at_once> between;
  std::size_t kept = 0;
  for (const double value : values) {
    between[kept] = value;
    kept +=
        static_cast<std::size_t>(static_cast<int>(value > low) & static_cast<int>(value < high));
  }
  bracket.between.insert(bracket.between.end(), between.begin(),
                         between.begin() + static_cast<std::ptrdiff_t>(kept));
}

/// Adds where the values of these columns lie.
void count(RowsView x, std::span<const std::uint32_t> columns, std::vector<Bracket>& brackets) {
  // Some rows, one column after the other, at distances that are no power of two: otherwise
  // they would compete for the same places of the processor's cache.
  constexpr std::size_t apart = rows_at_once + 8;
  std::vector<double> values(columns.size() * apart);
  for (std::size_t first = 0; first < x.size(); first += rows_at_once) {
    const std::size_t rows = std::min(x.size() - first, rows_at_once);
    for (std::size_t n = 0; n < rows; ++n) {
      visit_columns(x, first + n, columns,
                    [&](std::size_t k, double value) { values[k * apart + n] = value; });
    }
    for (std::size_t k = 0; k < columns.size(); ++k) {
      add(std::span(values).subspan(k * apart, rows), brackets[k]);
    }
  }
}

/// Where all values lie, given where to bracket them.
std::vector<Bracket> count_all(RowsView x, std::span<const std::uint32_t> columns,
                               const std::vector<Bracket>& empty, unsigned threads) {
  std::vector<Bracket> total = empty;
  blocks_in_order(
      x.size(), rows_per_sum, threads,
      [&](std::size_t begin, std::size_t end) {
        std::vector<Bracket> part = empty;
        count(x.range(begin, end), columns, part);
        return part;
      },
      [&](const std::vector<Bracket>& part) {
        for (std::size_t k = 0; k < columns.size(); ++k) total[k].add(part[k]);
      });
  return total;
}

/// So many rows at equal distances.
std::vector<std::size_t> spread(std::size_t rows, std::size_t wanted) {
  std::vector<std::size_t> which(wanted);
  const std::size_t step = rows / wanted;
  const std::size_t rest = rows % wanted;
  for (std::size_t k = 0; k < wanted; ++k) which[k] = k * step + k * rest / wanted;
  return which;
}

/// Values of the sample that the median lies between, but for bad luck.
std::vector<Bracket> brackets_of(RowsView sample, std::span<const std::uint32_t> columns) {
  std::vector<Bracket> found = count_all(sample, columns, std::vector<Bracket>(columns.size()), 1);
  for (Bracket& bracket : found) {
    std::vector<double> values = std::move(bracket.between);
    bracket = {};
    const auto size = static_cast<double>(values.size());
    const auto reach = static_cast<std::size_t>(2 * std::sqrt(size)) + 2;  // four deviations
    const std::size_t middle = values.size() / 2;
    if (middle <= reach) continue;
    const auto low = values.begin() + static_cast<std::ptrdiff_t>(middle - reach);
    const auto high = values.begin() + static_cast<std::ptrdiff_t>(middle + reach);
    std::ranges::nth_element(values, low);
    std::ranges::nth_element(low + 1, high, values.end());
    bracket.low = *low;
    bracket.high = *high;
  }
  return found;
}

/// A value that counts several times.
struct Weighted {
  double value, weight;
};

/// The value with half of the weight on either side; the mean of the two that part the halves.
double weighted_median(std::vector<Weighted>& values) {
  if (values.empty()) return 0;
  std::ranges::sort(values, {}, &Weighted::value);
  double all = 0;
  for (const Weighted& one : values) all += one.weight;
  double below = 0;
  for (std::size_t k = 0; k + 1 < values.size(); ++k) {
    below += values[k].weight;
    if (below > all / 2) return values[k].value;
    if (below == all / 2) return std::midpoint(values[k].value, values[k + 1].value);
  }
  return values.back().value;
}

/// One column after the other: weights are rare, and so are their rows many.
std::vector<double> weighted_medians(RowsView x, std::span<const std::uint32_t> columns,
                                     std::span<const double> weights) {
  std::vector<double> medians;
  std::vector<Weighted> values;
  for (const std::uint32_t& column : columns) {
    values.clear();
    for (std::size_t n = 0; n < x.size(); ++n) {
      visit_columns(x, n, std::span(&column, 1), [&](std::size_t, double value) {
        if (!std::isnan(value)) values.push_back({value, weights[n]});
      });
    }
    medians.push_back(weighted_median(values));
  }
  return medians;
}

}  // namespace

std::vector<double> medians_of(RowsView x, std::span<const std::uint32_t> columns, unsigned threads,
                               std::span<const double> weights) {
  if (columns.empty()) return {};
  if (x.size() > most_rows_for_medians) {
    const std::vector<std::size_t> which = spread(x.size(), rows_for_medians);
    const std::vector<std::size_t> places = x.places_of(which);
    std::vector<double> of_some;
    for (std::size_t k = 0; k < which.size() && !weights.empty(); ++k) {
      of_some.push_back(weights[which[k]]);
    }
    return medians_of(FetchedRows(x.at_places(places)).view(), columns, threads, of_some);
  }
  if (!weights.empty()) return weighted_medians(x, columns, weights);
  std::vector<Bracket> brackets(columns.size());
  if (x.size() > 2 * rows_of_sample) {
    const std::vector<std::size_t> places = x.places_of(spread(x.size(), rows_of_sample));
    brackets = brackets_of(x.at_places(places), columns);
  }
  brackets = count_all(x, columns, brackets, threads);
  std::vector<double> medians(columns.size());
  std::vector<std::uint32_t> again;
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (const std::optional<double> median = brackets[k].median()) {
      medians[k] = *median;
    } else {
      again.push_back(columns[k]);
      places.push_back(k);
    }
  }
  if (again.empty()) return medians;
  brackets = count_all(x, again, std::vector<Bracket>(again.size()), threads);
  for (std::size_t k = 0; k < again.size(); ++k) medians[places[k]] = brackets[k].median().value();
  return medians;
}

}  // namespace rampart
