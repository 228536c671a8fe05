#include "train/scored_rows.hpp"

#include <cmath>

#include "rampart/errors.hpp"

namespace rampart {

void require_scored_rows(std::span<const double> scores, std::span<const std::int8_t> y) {
  if (scores.size() != y.size()) throw InputError("as many scores as labels are needed");
  if (y.empty()) throw InputError("no rows to measure on");
  for (const double score : scores) {
    if (!std::isfinite(score)) throw InputError("scores must be finite");
  }
}

}  // namespace rampart
