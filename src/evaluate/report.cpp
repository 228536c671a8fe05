#include "evaluate/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rampart/errors.hpp"
#include "train/scored_rows.hpp"
#include "train/zone.hpp"

namespace rampart {
namespace {

constexpr double fewest_bins = 15;  // fitting them to the band may remove a third
constexpr double most_bins = 40;    // or add half as many

/// Freedman and Diaconis: 2·(interquartile range)/∛N, within the limits.
double bin_width(const std::vector<double>& sorted, double range) {
  const auto quantile = [&](double q) {
    return sorted[static_cast<std::size_t>(q * static_cast<double>(sorted.size() - 1))];
  };
  const double spread = quantile(0.75) - quantile(0.25);
  const double width = 2 * spread / std::cbrt(static_cast<double>(sorted.size()));
  return std::clamp(width, range / most_bins, range / fewest_bins);
}

/// Edges of equal bins that cover [low, high].
std::vector<double> bin_edges(double low, double high, double width, double rho) {
  std::vector<double> edges;
  // A band much narrower than a bin, or much wider than the scores, does not affect the edges.
  const double in_band = 2 * rho / width;
  if (in_band < 2.0 / 3 || in_band > 1e3) {
    const auto bins = static_cast<std::size_t>(std::ceil((high - low) / width * (1 - 1e-9)));
    for (std::size_t k = 0; k < bins; ++k) edges.push_back(low + static_cast<double>(k) * width);
    edges.push_back(std::max(high, low + static_cast<double>(bins) * width));
    return edges;
  }
  const double count = std::round(in_band);  // of bins between −ρ and ρ
  const double fitted = 2 * rho / count;
  double k = std::floor((low + rho) / fitted);
  while (k * fitted - rho > low) --k;  // rounding
  do {
    edges.push_back(k == count ? rho : k * fitted - rho);
    ++k;
  } while (edges.size() < 2 || edges.back() < high);
  return edges;
}

}  // namespace

ScoreHistogram score_histogram(std::span<const double> scores, std::span<const std::int8_t> y,
                               double rho) {
  require_scored_rows(scores, y);
  std::vector<double> sorted(scores.begin(), scores.end());
  std::ranges::sort(sorted);
  double low = sorted.front();
  double high = sorted.back();
  const double size = std::max(std::abs(low), std::abs(high));
  if (size > 1e300) throw InputError(fmt::format("a score of {} is too large to draw", size));
  if (high - low <= 1e-9 * size) {  // equal scores: a range around them
    const double padding = size > 0 ? size / 2 : 0.5;
    low -= padding;
    high += padding;
  }
  ScoreHistogram histogram;
  histogram.edges = bin_edges(low, high, bin_width(sorted, high - low), rho);
  const std::size_t bins = histogram.edges.size() - 1;
  histogram.negative.assign(bins, 0);
  histogram.positive.assign(bins, 0);
  for (std::size_t n = 0; n < y.size(); ++n) {
    const auto above = std::ranges::upper_bound(histogram.edges, scores[n]);
    const auto bin = static_cast<std::size_t>(above - histogram.edges.begin()) - 1;
    ++(y[n] > 0 ? histogram.positive : histogram.negative)[std::min(bin, bins - 1)];
  }
  return histogram;
}

std::vector<Zone> zones_of(const Model& model, std::span<const double> scores,
                           std::span<const std::int8_t> y) {
  if (!traits_of(model.surface().objective.loss).has_ramps) {
    throw ModelError(fmt::format("zones belong to the double ramp loss, this model has {}",
                                 to_string(model.surface().objective.loss)));
  }
  require_scored_rows(scores, y);
  const std::vector<double> own = model.surface().own_scores(scores);
  const double rho = model.surface().own_band().rho;
  // Free support vectors lie at the end of an interval, up to the KKT violation of training.
  const double slack = std::max(model.surface().certificate.violation, 1e-9);
  std::vector<Zone> zones(y.size());
  for (std::size_t n = 0; n < y.size(); ++n) {
    zones[n] = zone_of(y[n] * own[n], rho, model.surface().objective.mu, slack);
  }
  return zones;
}

ZoneSummary summarise_zones(const Model& model, std::span<const double> scores,
                            std::span<const std::int8_t> y, std::size_t most_outliers) {
  const std::vector<Zone> zones = zones_of(model, scores, y);
  ZoneSummary summary;
  for (std::size_t n = 0; n < zones.size(); ++n) {
    ++summary.counts[static_cast<std::size_t>(zones[n])][y[n] > 0 ? 1 : 0];
    if (zones[n] == Zone::ignored_outlier) summary.outliers.push_back({n + 1, y[n], scores[n]});
  }
  summary.outliers_total = summary.outliers.size();
  std::ranges::stable_sort(summary.outliers, std::less{},
                           [](const Outlier& outlier) { return outlier.y * outlier.score; });
  if (summary.outliers.size() > most_outliers) summary.outliers.resize(most_outliers);
  return summary;
}

}  // namespace rampart
