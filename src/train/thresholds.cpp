#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "rampart/train.hpp"
#include "train/scored_rows.hpp"
#include "train/thresholds.hpp"

namespace rampart {
namespace {

/// A candidate threshold: between two neighbouring scores, or beyond all of them.
struct Gap {
  double at;
  double
      cost_above;  ///< as `high`: positives below or at it are rejected, negatives above answered
  double cost_below;  ///< as `low`: negatives above or at it are rejected, positives below answered
};

/// Every gap from left to right, with the cost of placing `high` or `low` there.
std::vector<Gap> gaps(std::span<const double> scores, std::span<const std::int8_t> y,
                      const Costs& costs, std::span<const double> weights) {
  const auto weight = [&](std::size_t n) { return weights.empty() ? 1.0 : weights[n]; };
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t n) { return scores[n]; });
  double negatives = 0;
  for (std::size_t n = 0; n < y.size(); ++n) negatives += y[n] < 0 ? weight(n) : 0;
  const double least = scores[order.front()];
  const double most = scores[order.back()];
  const double beyond = std::min(1 + 2 * std::max(std::abs(least), std::abs(most)),
                                 std::numeric_limits<double>::max());  // far beyond the scores

  double positives_below = 0;
  double negatives_below = 0;
  std::vector<Gap> found;
  const auto add = [&](double at) {
    const double negatives_above = negatives - negatives_below;
    found.push_back({at,
                     costs.reject_positive * positives_below +
                         (costs.false_positive - costs.reject_negative) * negatives_above,
                     (costs.false_negative - costs.reject_positive) * positives_below +
                         costs.reject_negative * negatives_above});
  };
  add(-beyond);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t n = order[k];
    (y[n] > 0 ? positives_below : negatives_below) += weight(n);
    if (k + 1 == order.size()) {
      add(beyond);
    } else if (const double next = scores[order[k + 1]]; next != scores[n]) {
      add(std::midpoint(scores[n], next));
    }
  }
  return found;
}

}  // namespace

Thresholds best_thresholds(std::span<const double> scores, std::span<const std::int8_t> y,
                           const Costs& costs, std::span<const double> weights) {
  require_scored_rows(scores, y);
  const std::vector<Gap> all = gaps(scores, y, costs, weights);
  const Gap* low = &all.front();  // the cheapest so far, the rightmost of equals
  Thresholds best{all.front().at, all.front().at};
  double least = std::numeric_limits<double>::infinity();
  for (const Gap& high : all) {
    if (high.cost_below <= low->cost_below) low = &high;
    if (high.cost_above + low->cost_below < least) {
      least = high.cost_above + low->cost_below;
      best = {low->at, high.at};
    }
  }
  return best;
}

}  // namespace rampart
