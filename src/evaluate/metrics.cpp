#include "rampart/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "rampart/errors.hpp"
#include "rampart/model.hpp"

namespace rampart {
namespace {

constexpr std::size_t negative = 0;
constexpr std::size_t positive = 1;
constexpr std::size_t answer_negative = 0;
constexpr std::size_t answer_reject = 1;
constexpr std::size_t answer_positive = 2;

void check(std::span<const double> scores, std::span<const std::int8_t> y) {
  if (scores.size() != y.size()) throw InputError("as many scores as labels are needed");
  if (y.empty()) throw InputError("no rows to measure on");
  for (const double score : scores) {
    if (!std::isfinite(score)) throw InputError("scores must be finite");
  }
}

}  // namespace

std::size_t Metrics::rows() const {
  std::size_t total = 0;
  for (const auto& row : table) total += row[0] + row[1] + row[2];
  return total;
}

std::size_t Metrics::rejected() const {
  return table[negative][answer_reject] + table[positive][answer_reject];
}

std::size_t Metrics::errors() const {
  return table[negative][answer_positive] + table[positive][answer_negative];
}

double Metrics::risk() const {
  const double cost = static_cast<double>(table[negative][answer_positive]) * costs.false_positive +
                      static_cast<double>(table[positive][answer_negative]) * costs.false_negative +
                      static_cast<double>(table[positive][answer_reject]) * costs.reject_positive +
                      static_cast<double>(table[negative][answer_reject]) * costs.reject_negative;
  return cost / static_cast<double>(rows());
}

double Metrics::rejection_rate() const {
  return static_cast<double>(rejected()) / static_cast<double>(rows());
}

std::optional<double> Metrics::accepted_accuracy() const {
  const std::size_t accepted = rows() - rejected();
  if (accepted == 0) return std::nullopt;
  return static_cast<double>(accepted - errors()) / static_cast<double>(accepted);
}

Metrics measure(std::span<const double> scores, std::span<const std::int8_t> y, double rho,
                const Costs& costs) {
  check(scores, y);
  Metrics metrics{.costs = costs};
  for (std::size_t n = 0; n < y.size(); ++n) {
    ++metrics.table[y[n] > 0 ? positive : negative][index_of(decide(scores[n], rho))];
  }
  return metrics;
}

double aurc(std::span<const double> scores, std::span<const std::int8_t> y) {
  check(scores, y);
  std::vector<std::size_t> order(y.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, std::greater{}, [&](std::size_t n) { return std::abs(scores[n]); });

  double sum = 0;
  double errors = 0;
  for (std::size_t first = 0; first < order.size();) {
    const double confidence = std::abs(scores[order[first]]);
    std::size_t last = first;
    double wrong = 0;
    for (; last < order.size() && std::abs(scores[order[last]]) == confidence; ++last) {
      // Forced to answer, a row exactly on f = 0 is wrong half of the time.
      const double t = y[order[last]] * scores[order[last]];
      wrong += t < 0 ? 1 : t == 0 ? 0.5 : 0;
    }
    const double rate = wrong / static_cast<double>(last - first);
    for (std::size_t k = first; k < last; ++k) {
      sum += (errors + rate * static_cast<double>(k - first + 1)) / static_cast<double>(k + 1);
    }
    errors += wrong;
    first = last;
  }
  return sum / static_cast<double>(y.size());
}

}  // namespace rampart
