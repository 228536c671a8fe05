// The risk–coverage curve: error rates among the rows of largest |f|.

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "evaluate/intervals.hpp"
#include "evaluate/risk_coverage.hpp"
#include "rampart/metrics.hpp"
#include "train/scored_rows.hpp"
#include "util/assert.hpp"

namespace rampart {
namespace {

/// A row at f = 0 counts as half an error.
double error_of(double score, std::int8_t y) {
  const double t = y * score;
  return t < 0 ? 1 : t == 0 ? 0.5 : 0;
}

/// Calls visit(k, e) for k = 1 … N, where e is the expected number of errors among the k most
/// certain rows if rows of equal |f| are in random order.
///
/// The product is exact and division rounds monotonically, so e never falls below a number of
/// errors (a multiple of ½) that it is above in truth: excess_aurc() relies on it.
template <class Visit>
void for_each_count(std::span<const CoveragePoint> curve, Visit visit) {
  CoveragePoint before{};
  for (const CoveragePoint& point : curve) {
    const auto size = static_cast<double>(point.accepted - before.accepted);
    const double wrong = point.errors - before.errors;
    for (std::size_t k = before.accepted + 1; k <= point.accepted; ++k) {
      visit(static_cast<double>(k),
            before.errors + wrong * static_cast<double>(k - before.accepted) / size);
    }
    before = point;
  }
}

}  // namespace

double CoveragePoint::coverage(std::size_t rows) const {
  return static_cast<double>(accepted) / static_cast<double>(rows);
}

double CoveragePoint::risk() const { return errors / static_cast<double>(accepted); }

Interval CoveragePoint::risk_interval(double confidence) const {
  const auto fewest = static_cast<std::size_t>(std::floor(errors));
  const auto most = static_cast<std::size_t>(std::ceil(errors));
  return {clopper_pearson(fewest, accepted, confidence).low,
          clopper_pearson(most, accepted, confidence).high};
}

std::vector<CoveragePoint> risk_coverage_curve(std::span<const double> scores,
                                               std::span<const std::int8_t> y) {
  require_scored_rows(scores, y);
  std::vector<std::size_t> order(y.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, std::greater{}, [&](std::size_t n) { return std::abs(scores[n]); });

  std::vector<CoveragePoint> curve;
  CoveragePoint point;
  for (const std::size_t n : order) {
    const double certainty = std::abs(scores[n]);
    if (point.accepted > 0 && certainty < point.threshold) curve.push_back(point);
    point.threshold = certainty;
    ++point.accepted;
    point.errors += error_of(scores[n], y[n]);
  }
  curve.push_back(point);
  return curve;
}

double aurc(std::span<const CoveragePoint> curve) {
  RAMPART_ASSERT(!curve.empty(), "a curve has a point");
  double sum = 0;
  for_each_count(curve, [&](double k, double errors) { sum += errors / k; });
  return sum / static_cast<double>(curve.back().accepted);
}

double excess_aurc(std::span<const CoveragePoint> curve) {
  RAMPART_ASSERT(!curve.empty(), "a curve has a point");
  const CoveragePoint& all = curve.back();
  const CoveragePoint sure = all.threshold > 0  ? all  // no row is at f = 0
                             : curve.size() > 1 ? curve[curve.size() - 2]
                                                : CoveragePoint{};
  // With r right answers, h half errors and the rest wrong, the k most certain rows have at least
  //   0 errors up to k = r,   (k − r)/2 up to k = r + h,   k − r − h/2 beyond.
  const double right = static_cast<double>(sure.accepted) - sure.errors;
  const auto halves = static_cast<double>(all.accepted - sure.accepted);
  double sum = 0;
  for_each_count(curve, [&](double k, double errors) {
    const double least = std::max({0.0, (k - right) / 2, k - right - halves / 2});
    sum += (errors - least) / k;
  });
  return sum / static_cast<double>(all.accepted);
}

double aurc(std::span<const double> scores, std::span<const std::int8_t> y) {
  return aurc(risk_coverage_curve(scores, y));
}

double excess_aurc(std::span<const double> scores, std::span<const std::int8_t> y) {
  return excess_aurc(risk_coverage_curve(scores, y));
}

}  // namespace rampart
