// Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of the
// binomial", Biometrika 26 (1934).
//
// With X ~ Binomial(n, p), k successes seen and α = 1 − confidence, the ends solve
//
//   P(X ≥ k | low) = α/2,   P(X ≤ k | high) = α/2,   low = 0 if k = 0, high = 1 if k = n.
//
// Both tails are incomplete beta functions of p: P(X ≥ k | p) = I_p(k, n − k + 1).

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>

#include <fmt/format.h>

#include <numbers>

#include "evaluate/intervals.hpp"
#include "rampart/errors.hpp"
#include "rampart/metrics.hpp"

namespace rampart {

Interval clopper_pearson(std::size_t successes, std::size_t trials, double confidence) {
  if (!(confidence > 0 && confidence < 1)) {
    throw OptionError(
        fmt::format("confidence = {}: must be greater than 0 and less than 1", confidence));
  }
  if (successes > trials) {
    throw OptionError(
        fmt::format("successes = {}: must be at most the {} trials", successes, trials));
  }
  const double tail = (1 - confidence) / 2;
  const auto seen = static_cast<double>(successes);
  const auto missed = static_cast<double>(trials - successes);
  Interval interval;
  if (successes > 0) interval.low = boost::math::ibeta_inv(seen, missed + 1, tail);
  if (successes < trials) interval.high = boost::math::ibetac_inv(seen + 1, missed, tail);
  return interval;
}

double normal_quantile(double probability) {
  if (!(probability > 0 && probability < 1)) {
    throw OptionError(
        fmt::format("probability = {}: must be greater than 0 and less than 1", probability));
  }
  return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * probability);
}

}  // namespace rampart
