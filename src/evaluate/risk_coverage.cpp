// The risk–coverage curve: error rates among the rows of largest |f|.

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "evaluate/intervals.hpp"
#include "evaluate/risk_coverage.hpp"
#include "rampart/errors.hpp"
#include "train/scored_rows.hpp"

namespace rampart {

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

CertaintyOrder::CertaintyOrder(std::vector<double> margins) : margins_(std::move(margins)) {
  if (margins_.empty()) throw InputError("no rows to measure on");
  for (const double margin : margins_) {
    if (!std::isfinite(margin)) throw InputError("scores must be finite");
  }
  std::ranges::sort(margins_, std::greater{}, [](double margin) { return std::abs(margin); });
}

/// Calls visit(point) for the points of the curve in turn. A row at f = 0 counts as half an error.
template <class Visit>
void CertaintyOrder::for_each_point(const Visit& visit) const {
  CoveragePoint point;
  for (const double margin : margins_) {
    const double certainty = std::abs(margin);
    if (point.accepted > 0 && certainty < point.threshold) visit(point);
    point.threshold = certainty;
    ++point.accepted;
    point.errors += margin < 0 ? 1 : margin == 0 ? 0.5 : 0;
  }
  visit(point);
}

/// Calls visit(k, e) for k = 1 … N, where e is the expected number of errors among the k most
/// certain rows if rows of equal |f| are in random order.
///
/// The product is exact and division rounds monotonically, so e never falls below a number of
/// errors (a multiple of ½) that it is above in truth: excess_aurc() relies on it.
template <class Visit>
void CertaintyOrder::for_each_count(const Visit& visit) const {
  CoveragePoint before{};
  for_each_point([&](const CoveragePoint& point) {
    const auto size = static_cast<double>(point.accepted - before.accepted);
    const double wrong = point.errors - before.errors;
    for (std::size_t k = before.accepted + 1; k <= point.accepted; ++k) {
      visit(static_cast<double>(k),
            before.errors + wrong * static_cast<double>(k - before.accepted) / size);
    }
    before = point;
  });
}

std::vector<CoveragePoint> CertaintyOrder::curve() const {
  std::vector<CoveragePoint> points;
  for_each_point([&](const CoveragePoint& point) { points.push_back(point); });
  return points;
}

double CertaintyOrder::aurc() const {
  double sum = 0;
  for_each_count([&](double k, double errors) { sum += errors / k; });
  return sum / static_cast<double>(rows());
}

double CertaintyOrder::excess_aurc() const {
  // With r right answers, h half errors and the rest wrong, the k most certain rows have at least
  //   0 errors up to k = r,   (k − r)/2 up to k = r + h,   k − r − h/2 beyond.
  const auto right = static_cast<double>(
      std::ranges::count_if(margins_, [](double margin) { return margin > 0; }));
  const auto halves = static_cast<double>(std::ranges::count(margins_, 0.0));
  double sum = 0;
  for_each_count([&](double k, double errors) {
    const double least = std::max({0.0, (k - right) / 2, k - right - halves / 2});
    sum += (errors - least) / k;
  });
  return sum / static_cast<double>(rows());
}

CertaintyOrder certainty_order(std::span<const double> scores, std::span<const std::int8_t> y) {
  require_scored_rows(scores, y);
  std::vector<double> margins(y.size());
  for (std::size_t n = 0; n < y.size(); ++n) margins[n] = y[n] * scores[n];
  return CertaintyOrder(std::move(margins));
}

std::vector<CoveragePoint> risk_coverage_curve(std::span<const double> scores,
                                               std::span<const std::int8_t> y) {
  return certainty_order(scores, y).curve();
}

double aurc(std::span<const double> scores, std::span<const std::int8_t> y) {
  return certainty_order(scores, y).aurc();
}

double excess_aurc(std::span<const double> scores, std::span<const std::int8_t> y) {
  return certainty_order(scores, y).excess_aurc();
}

}  // namespace rampart
