#include "train/learn_familiar.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

#include "data/occurring.hpp"
#include "train/gauge.hpp"
#include "train/relations.hpp"
#include "util/random.hpp"

// Some rows, dealt at random, are the sample: they choose the gauge φ of every column and the
// relations. With these fixed, let the bag be a set of rows that holds the sample, and
//
//   s(x; bag) = max over columns of  (distance of φ(x) from [φ(low), φ(high)] of the bag) /
//                                    max(φ(high) − φ(low), least_width)
//
// A larger bag never has a larger s. Hence the ranks of the leave-one-out values s(xᵢ; all but xᵢ)
// of the other rows bound the probability that s of a further row is larger: docs/answers.md.

namespace rampart {
namespace {

constexpr std::size_t fewest_rows = 20;  // of which something is learnt
constexpr double least_width = 3;        // on the stretched scale: most columns have about that
constexpr double margin = 0.01;          // nearer than this is familiar, whatever the ranks say
constexpr double wide_margin = 0.15;     // if the rows are too few for the share

/// Whole rows in a share of `rows` + 1.
std::size_t whole_rows(double share, std::size_t rows) {
  constexpr double rounding = 1e-9;
  return static_cast<std::size_t>(share * (static_cast<double>(rows) + 1) + rounding);
}

/// A tenth of the rows, and at least ten. Where the ranks are coarse, no more than are left over:
/// the rank that sets the limit is then as high as it would be of all rows.
std::size_t sample_size(std::size_t rows, double share) {
  constexpr std::size_t least = 10, most = 1000, coarse = 10;
  const std::size_t size = std::clamp(rows / 10, std::min(least, rows / 3), most);
  const std::size_t rank = whole_rows(share, rows);
  if (rank == 0 || rank >= coarse) return size;
  std::size_t left_over = 0;
  while (left_over < size && whole_rows(share, rows - left_over - 1) == rank) ++left_over;
  return std::min(size, std::max(least, left_over));
}

/// The two least and the two largest values of a column, and who has the outermost.
struct Extremes {
  static constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  double low = infinity, next_low = infinity;
  double high = -infinity, next_high = -infinity;
  std::size_t lowest = nobody, highest = nobody;

  void take(double value, std::size_t row) {
    if (value < low) {
      next_low = std::exchange(low, value);
      lowest = row;
    } else if (value < next_low) {
      next_low = value;
    }
    if (value > high) {
      next_high = std::exchange(high, value);
      highest = row;
    } else if (value > next_high) {
      next_high = value;
    }
  }
};

/// The extremes of every column that occurs. Missing values (NaN) compare as neither less nor more.
std::vector<Extremes> extremes_of(RowsView x, const Occurring& occurring) {
  std::vector<Extremes> extremes(occurring.size());
  std::vector<std::size_t> stored(occurring.size(), 0);
  std::vector<std::uint64_t> sum_of_rows(occurring.size(), 0);
  for (std::size_t n = 0; n < x.size(); ++n) {
    x.for_each(n, [&](std::size_t column, double value) {
      const std::size_t j = occurring[column];
      extremes[j].take(value, n);
      ++stored[j];
      sum_of_rows[j] += n;
    });
  }
  const std::uint64_t sum_of_all = std::uint64_t{x.size()} * (x.size() - 1) / 2;
  for (std::size_t j = 0; j < extremes.size(); ++j) {
    const std::size_t zeros = x.size() - stored[j];
    // The only row without a value is the one whose number is missing from the sum.
    if (zeros == 1) extremes[j].take(0.0, static_cast<std::size_t>(sum_of_all - sum_of_rows[j]));
    for (std::size_t k = 0; zeros > 1 && k < 2; ++k) extremes[j].take(0.0, Extremes::nobody);
  }
  return extremes;
}

/// A column or a relation: on which scale it is compared, and what the rows have.
struct Side {
  Gauge gauge;
  Extremes extremes;

  [[nodiscard]] double width(double low, double high) const {
    return std::max(gauge.stretch(high) - gauge.stretch(low), least_width);
  }

  /// Raises s of the two outermost rows to what it is without them. The others lie inside.
  void raise(std::span<double> s) const {
    const Extremes& e = extremes;
    const auto raise_one = [&](std::size_t row, double value, double next, double other_end) {
      if (row == Extremes::nobody || value == next || !std::isfinite(next)) return;
      const double distance = std::abs(gauge.stretch(value) - gauge.stretch(next));
      s[row] =
          std::max(s[row], distance / width(std::min(next, other_end), std::max(next, other_end)));
    };
    raise_one(e.lowest, e.low, e.next_low, e.high);
    raise_one(e.highest, e.high, e.next_high, e.low);
  }

  /// The values x with s(x; all rows) ≤ limit.
  [[nodiscard]] double least(double limit) const {
    return std::min(reached_from(extremes.low, -1, limit), extremes.low);
  }
  [[nodiscard]] double most(double limit) const {
    return std::max(reached_from(extremes.high, 1, limit), extremes.high);
  }

  /// Rounded outwards: a value as far out as the limit, which came from another row, is familiar.
  [[nodiscard]] double reached_from(double end, double direction, double limit) const {
    constexpr double largest = std::numeric_limits<double>::max();
    constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();
    const double start = gauge.stretch(end);
    const double reach = limit * width(extremes.low, extremes.high);
    const double slack = rounding * (std::abs(start) + reach + 1);
    const double value = gauge.unstretch(start + direction * (reach + slack));
    const double size = std::max(std::abs(value), std::abs(gauge.middle));
    return std::clamp(value + direction * rounding * size, -largest, largest);
  }
};

/// The sides of the relations that hold in the sample.
std::vector<std::pair<LinearRelation, Side>> relation_sides(
    RowsView x, RowsView sample, std::span<const std::uint32_t> columns) {
  std::vector<std::pair<LinearRelation, Side>> sides;
  for (LinearRelation& relation : relations_in(sample, columns)) {
    std::vector<double> sums;
    for (std::size_t n = 0; n < sample.size(); ++n) {
      if (const double sum = relation.sum(sample, n); !std::isnan(sum)) sums.push_back(sum);
    }
    Side side{.gauge = spread_of(sums, 0).gauge, .extremes = {}};
    side.gauge.unit = std::max(side.gauge.unit, relation.rounding);
    sides.emplace_back(std::move(relation), side);
  }
  for (std::size_t n = 0; !sides.empty() && n < x.size(); ++n) {
    for (auto& [relation, side] : sides) side.extremes.take(relation.sum(x, n), n);
  }
  return sides;
}

/// The value of s beyond which a row is unfamiliar: the one with this many larger among those that
/// are ranked, or the largest if the share is less than one row.
double limit_of(std::vector<double> ranked, double share) {
  const std::size_t beyond = std::min(whole_rows(share, ranked.size()), ranked.size());
  const std::size_t place = ranked.size() - std::max<std::size_t>(beyond, 1);
  std::ranges::nth_element(ranked, ranked.begin() + static_cast<std::ptrdiff_t>(place));
  return std::max(ranked[place], beyond == 0 ? wide_margin : margin);
}

}  // namespace

std::vector<std::size_t> sampled_rows(std::size_t rows, double share) {
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random(1);
  const std::size_t size = sample_size(rows, share);
  shuffle(std::span(order), random, size);
  order.resize(size);
  return order;
}

Familiar learn_familiar(RowsView x, std::span<const std::vector<std::string>> categories,
                        double share) {
  Familiar familiar;
  if (!(share > 0) || x.size() < fewest_rows || x.columns() == 0) return familiar;

  const std::vector<std::size_t> sampled = sampled_rows(x.size(), share);
  const std::vector<std::size_t> places = x.places_of(sampled);
  const RowsView sample = x.at_places(places);
  const Occurring occurring(x);
  const Spreads spreads = spreads_of(sample, occurring);
  const std::vector<Extremes> extremes = extremes_of(x, occurring);
  std::vector<std::pair<std::uint32_t, Side>> columns;
  std::vector<std::uint32_t> varying, not_judged;
  bool zeros = false;  // whether columns are 0 in all rows: no row stands out there, now
  for (std::size_t place = 0; place < x.columns(); ++place) {
    if (!occurring.has(place)) {
      zeros = true;
      continue;
    }
    const auto column = static_cast<std::uint32_t>(place);
    const std::size_t j = occurring[place];
    const Spread& spread = spreads.columns[j];
    const bool categorical = !categories.empty() && !categories[place].empty();
    if (categorical || spread.values == 0) {
      not_judged.push_back(column);
    } else if (extremes[j].low == 0 && extremes[j].high == 0) {
      zeros = true;
    } else {
      columns.emplace_back(column, Side{spread.gauge, extremes[j]});
      if (spread.differ > 0) varying.push_back(column);
    }
  }
  const auto relations = relation_sides(x, sample, varying);

  std::vector<double> s(x.size(), 0.0);
  for (const auto& [column, side] : columns) side.raise(s);
  for (const auto& [relation, side] : relations) side.raise(s);
  std::vector<bool> is_sampled(x.size(), false);
  for (const std::size_t n : sampled) is_sampled[n] = true;
  std::vector<double> ranked;
  for (std::size_t n = 0; n < x.size(); ++n) {
    if (!is_sampled[n]) ranked.push_back(s[n]);
  }
  const double limit = limit_of(ranked, share);

  familiar.share = share;
  familiar.rows = ranked.size();
  for (const auto& [column, side] : columns) {
    familiar.columns.push_back({.column = column,
                                .low = side.extremes.low,
                                .high = side.extremes.high,
                                .least = side.least(limit),
                                .most = side.most(limit)});
  }
  if (zeros) {
    Side side{.gauge = {.middle = 0, .unit = spreads.typical}, .extremes = {}};
    side.extremes.take(0, Extremes::nobody);
    familiar.zeros = {.most = side.most(limit), .except = std::move(not_judged)};
  }
  for (const auto& [relation, side] : relations) {
    familiar.relations.push_back({.columns = relation.columns,
                                  .weights = relation.weights,
                                  .least = side.least(limit),
                                  .most = side.most(limit)});
  }
  return familiar;
}

}  // namespace rampart
