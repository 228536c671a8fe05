#include <algorithm>

#include "evaluate/trivial_rules.hpp"
#include "rampart/errors.hpp"
#include "rampart/metrics.hpp"
#include "rampart/model.hpp"

namespace rampart {

TrivialRules trivial_rules(std::span<const std::int8_t> y, const Costs& costs) {
  const auto positives = static_cast<std::size_t>(
      std::ranges::count_if(y, [](std::int8_t label) { return label > 0; }));
  return trivial_rules({y.size() - positives, positives}, costs);
}

TrivialRules trivial_rules(const std::array<std::size_t, 2>& rows, const Costs& costs) {
  if (rows[0] + rows[1] == 0) throw InputError("no rows to measure on");
  const auto risk_of_always = [&](Decision answer) {
    Metrics metrics{.costs = costs};
    metrics.table[0][index_of(answer)] = rows[0];
    metrics.table[1][index_of(answer)] = rows[1];
    return metrics.risk();
  };
  return {.reject_all = risk_of_always(Decision::reject),
          .always_negative = risk_of_always(Decision::negative),
          .always_positive = risk_of_always(Decision::positive)};
}

}  // namespace rampart
