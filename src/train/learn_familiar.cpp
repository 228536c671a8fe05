#include "train/learn_familiar.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <utility>

#include "data/extremes.hpp"
#include "data/fetched_rows.hpp"
#include "data/occurring.hpp"
#include "train/gauge.hpp"
#include "train/relations.hpp"
#include "util/parallel.hpp"
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
constexpr std::size_t columns_per_task = 4096;

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

/// A column or a relation: on which scale it is compared, and what the rows have.
struct Side {
  Gauge gauge;
  Extremes extremes;
  // The extremes on the stretched scale. Stretching takes most of the time.
  double low, next_low, high, next_high;

  Side(const Gauge& scale, const Extremes& of_rows) : gauge(scale), extremes(of_rows) {
    low = gauge.stretch(extremes.low);
    high = gauge.stretch(extremes.high);
    // Equal values have equal places. Those that do not exist are not asked for.
    next_low = extremes.next_low == extremes.low ? low : gauge.stretch(extremes.next_low);
    next_high = extremes.next_high == extremes.high ? high : gauge.stretch(extremes.next_high);
  }

  /// Calls raise(row, s) for the two outermost rows, where s is what it is without them. The others
  /// lie inside.
  template <class Raise>
  void raise(const Raise& raise) const {
    const Extremes& e = extremes;
    if (e.lowest != Extremes::nobody && e.low != e.next_low && std::isfinite(e.next_low)) {
      raise(e.lowest, std::abs(low - next_low) / width(next_low, high));
    }
    if (e.highest != Extremes::nobody && e.high != e.next_high && std::isfinite(e.next_high)) {
      raise(e.highest, std::abs(high - next_high) / width(low, next_high));
    }
  }

  /// The values x with s(x; all rows) ≤ limit.
  [[nodiscard]] double least(double limit) const {
    return std::min(reached_from(low, -1, limit), extremes.low);
  }
  [[nodiscard]] double most(double limit) const {
    return std::max(reached_from(high, 1, limit), extremes.high);
  }

 private:
  static double width(double from, double to) { return std::max(to - from, least_width); }

  /// Rounded outwards: a value as far out as the limit, which came from another row, is familiar.
  [[nodiscard]] double reached_from(double start, double direction, double limit) const {
    constexpr double largest = std::numeric_limits<double>::max();
    constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();
    const double reach = limit * width(low, high);
    const double slack = rounding * (std::abs(start) + reach + 1);
    const double value = gauge.unstretch(start + direction * (reach + slack));
    const double size = std::max(std::abs(value), std::abs(gauge.middle));
    return std::clamp(value + direction * rounding * size, -largest, largest);
  }
};

/// The sides of the relations that hold in the sample.
std::vector<std::pair<LinearRelation, Side>> relation_sides(RowsView x, RowsView sample,
                                                            std::span<const std::uint32_t> columns,
                                                            unsigned threads) {
  const std::vector<LinearRelation> relations = relations_in(sample, columns);
  if (relations.empty()) return {};
  std::vector<Extremes> extremes(relations.size());
  blocks_in_order(
      x.size(), rows_per_sum, threads,
      [&](std::size_t begin, std::size_t end) {
        std::vector<Extremes> part(relations.size());
        const RowsView all = x.range(begin, end);
        all.ensure_readable();
        for (std::size_t n = begin; n < end; ++n) {
          for (std::size_t k = 0; k < relations.size(); ++k) {
            part[k].take(relations[k].sum(x, n), static_cast<std::uint32_t>(n));
          }
        }
        all.dont_need();
        return part;
      },
      [&](const std::vector<Extremes>& part) {
        for (std::size_t k = 0; k < part.size(); ++k) extremes[k].merge(part[k]);
      });
  std::vector<std::pair<LinearRelation, Side>> sides;
  for (std::size_t k = 0; k < relations.size(); ++k) {
    std::vector<double> sums;
    for (std::size_t n = 0; n < sample.size(); ++n) {
      if (const double sum = relations[k].sum(sample, n); !std::isnan(sum)) sums.push_back(sum);
    }
    Gauge gauge = spread_of(sums, 0).gauge;
    gauge.unit = std::max(gauge.unit, relations[k].rounding);
    sides.emplace_back(relations[k], Side(gauge, extremes[k]));
  }
  return sides;
}

/// s of rows: 0 for all but a few. Takes memory by the row only if that is not much more than by
/// the column.
class RowScores {
 public:
  RowScores(std::size_t rows, std::size_t sides) {
    constexpr std::size_t rows_per_side = 64, few = 1 << 20;
    if (rows <= few || rows / rows_per_side <= sides) of_row_.assign(rows, 0.0);
  }

  void raise(std::size_t row, double s) {
    double& known = of_row_.empty() ? few_[row] : of_row_[row];
    known = std::max(known, s);
  }

  /// Those above 0 of the rows that are not among these.
  [[nodiscard]] std::vector<double> of_others_than(std::vector<std::size_t> sampled) const {
    std::ranges::sort(sampled);
    std::vector<double> found;
    const auto add = [&](std::size_t row, double s) {
      if (s > 0 && !std::ranges::binary_search(sampled, row)) found.push_back(s);
    };
    for (std::size_t n = 0; n < of_row_.size(); ++n) add(n, of_row_[n]);
    for (const auto& [row, s] : few_) add(row, s);
    return found;
  }

 private:
  std::vector<double> of_row_;  // or, if it is empty:
  std::unordered_map<std::size_t, double> few_;
};

/// The value of s beyond which a row is unfamiliar: the one with this many larger among those that
/// are ranked, or the largest if the share is less than one row. `above`: of the `rows` ranked
/// ones, those above 0.
double limit_of(std::vector<double> above, std::size_t rows, double share) {
  const std::size_t beyond = std::min(whole_rows(share, rows), rows);
  const std::size_t place = rows - std::max<std::size_t>(beyond, 1);
  const std::size_t zeros = rows - above.size();
  double limit = 0;
  if (place >= zeros) {
    const auto found = above.begin() + static_cast<std::ptrdiff_t>(place - zeros);
    std::ranges::nth_element(above, found);
    limit = *found;
  }
  return std::max(limit, beyond == 0 ? wide_margin : margin);
}

}  // namespace

std::vector<std::size_t> sampled_rows(std::size_t rows, double share) {
  // Fisher and Yates, of all numbers of rows, of which only those that have moved are stored.
  std::unordered_map<std::size_t, std::size_t> moved;
  const auto at = [&](std::size_t place) {
    const auto found = moved.find(place);
    return found == moved.end() ? place : found->second;
  };
  Random random(1);
  std::vector<std::size_t> sampled(sample_size(rows, share));
  for (std::size_t k = 0; k < sampled.size(); ++k) {
    const std::size_t other = k + below(random, rows - k);
    sampled[k] = at(other);
    moved[other] = at(k);
  }
  return sampled;
}

Familiar learn_familiar(RowsView x, std::span<const std::vector<std::string>> categories,
                        double share) {
  return learn_familiar(x, categories, share, Survey(x), 1);
}

Familiar learn_familiar(RowsView x, std::span<const std::vector<std::string>> categories,
                        double share, const Survey& survey, unsigned threads) {
  Familiar familiar;
  if (!(share > 0) || x.size() < fewest_rows || x.columns() == 0) return familiar;

  const std::vector<std::size_t> sampled = sampled_rows(x.size(), share);
  const std::vector<std::size_t> places = x.places_of(sampled);
  const FetchedRows fetched(x.at_places(places));
  const RowsView sample = fetched.view();
  const Occurring& occurring = survey.occurring;
  const Spreads spreads = spreads_of(sample, occurring);
  std::vector<std::uint32_t> judged, varying, not_judged;
  bool zeros = false;  // whether columns are 0 in all rows: no row stands out there, now
  for (std::size_t place = 0; place < x.columns(); ++place) {
    if (!occurring.has(place)) {
      zeros = true;
      continue;
    }
    const auto column = static_cast<std::uint32_t>(place);
    const std::size_t j = occurring[place];
    const Spread& spread = spreads.columns[j];
    const Extremes& extremes = survey.columns[j].extremes;
    const bool categorical = !categories.empty() && !categories[place].empty();
    if (categorical || spread.values == 0) {
      not_judged.push_back(column);
    } else if (extremes.low == 0 && extremes.high == 0) {
      zeros = true;
    } else {
      judged.push_back(column);
      if (spread.differ > 0) varying.push_back(column);
    }
  }
  std::vector<Side> sides(judged.size(), Side({}, {}));
  const auto in_blocks = [&](const auto& body) {
    parallel_blocks(judged.size(), columns_per_task, threads,
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t k = begin; k < end; ++k) body(k);
                    });
  };
  in_blocks([&](std::size_t k) {
    const std::size_t j = occurring[judged[k]];
    sides[k] = Side(spreads.columns[j].gauge, survey.columns[j].extremes);
  });
  const auto relations = relation_sides(x, sample, varying, threads);

  RowScores s(x.size(), sides.size());
  const auto raise = [&](std::size_t row, double value) { s.raise(row, value); };
  for (const Side& side : sides) side.raise(raise);
  for (const auto& [relation, side] : relations) side.raise(raise);
  const std::size_t ranked = x.size() - sampled.size();
  const double limit = limit_of(s.of_others_than(sampled), ranked, share);

  familiar.share = share;
  familiar.rows = ranked;
  familiar.columns.resize(judged.size());
  in_blocks([&](std::size_t k) {
    const Side& side = sides[k];
    familiar.columns[k] = {.column = judged[k],
                           .low = side.extremes.low,
                           .high = side.extremes.high,
                           .least = side.least(limit),
                           .most = side.most(limit)};
  });
  if (zeros) {
    Extremes none;
    none.take(0, Extremes::nobody);
    const Side side({.middle = 0, .unit = spreads.typical}, none);
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
