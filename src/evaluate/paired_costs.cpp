#include "evaluate/paired_costs.hpp"

#include <algorithm>
#include <cmath>

#include "rampart/errors.hpp"

namespace rampart {
namespace {

double cost_of(Decision answer, std::int8_t y, const Costs& costs) {
  switch (answer) {
    case Decision::reject:
      return y > 0 ? costs.reject_positive : costs.reject_negative;
    case Decision::positive:
      return y > 0 ? 0 : costs.false_positive;
    case Decision::negative:
      return y > 0 ? costs.false_negative : 0;
  }
  return 0;
}

}  // namespace

PairedCosts paired_costs(std::span<const Decision> first, std::span<const Decision> second,
                         std::span<const std::int8_t> y, const Costs& costs) {
  if (y.empty() || first.size() != y.size() || second.size() != y.size()) {
    throw InputError("two models are compared on the same rows, at least one");
  }
  const auto count = static_cast<double>(y.size());
  PairedCosts paired;
  double squares = 0;
  for (std::size_t n = 0; n < y.size(); ++n) {
    const double difference = cost_of(second[n], y[n], costs) - cost_of(first[n], y[n], costs);
    paired.different_answers += first[n] == second[n] ? 0 : 1;
    paired.difference += difference / count;
    squares += difference * difference / count;
  }
  const double variance = std::max(0.0, squares - paired.difference * paired.difference);
  paired.standard_error = std::sqrt(variance / count);
  return paired;
}

}  // namespace rampart
