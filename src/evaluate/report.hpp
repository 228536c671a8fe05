#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rampart/dataset.hpp"
#include "rampart/model.hpp"
#include "rampart/train.hpp"
#include "train/zone.hpp"

namespace rampart {

/// The contents of a report on a model and labelled rows. `scores` are f(x) of the rows.

/// Histograms of the scores of both classes, in bins of equal width.
///
/// The rule of Freedman and Diaconis gives the number of bins, limited to about ten to sixty. If
/// the bins are narrow enough, −ρ and ρ are edges, so that no bin is partly rejected.
struct ScoreHistogram {
  std::vector<double> edges;          ///< increasing; bin i is edges[i] ≤ f < edges[i+1]
  std::vector<std::size_t> negative;  ///< rows of class −1 per bin; the last bin is closed
  std::vector<std::size_t> positive;
};
[[nodiscard]] ScoreHistogram score_histogram(std::span<const double> scores,
                                             std::span<const std::int8_t> y, double rho);

inline constexpr std::array all_zones = {Zone::safe, Zone::margin, Zone::plateau, Zone::near_miss,
                                         Zone::ignored_outlier};

/// The zone of every row. Throws ModelError unless the loss is the double ramp.
[[nodiscard]] std::vector<Zone> zones_of(const Model& model, std::span<const double> scores,
                                         std::span<const std::int8_t> y);

/// A training row in the zone `ignored_outlier`.
struct Outlier {
  std::size_t row;  ///< from 1
  std::int8_t y;
  double score;
};
struct ZoneSummary {
  std::array<std::array<std::size_t, 2>, all_zones.size()> counts{};  ///< [zone][−, +]
  std::vector<Outlier> outliers;  ///< ignored outliers, the most wrong first
  std::size_t outliers_total = 0;
};
/// Lists at most `most_outliers` outliers, but counts all.
[[nodiscard]] ZoneSummary summarise_zones(const Model& model, std::span<const double> scores,
                                          std::span<const std::int8_t> y,
                                          std::size_t most_outliers = 200);

/// A plane on which rows and the answers to them are drawn.
///
/// A model of two features is drawn over the unscaled features, with f. For more features the plane
/// is that of the first two principal components of the drawn rows, in scaled features, through
/// their mean; the rows are projected onto it. It has no f: rows at the same place of the plane
/// get different answers, and few rows lie on it.
struct Plane {
  struct Point {
    double x;
    double y;
    std::int8_t label;  ///< −1 or +1
    Decision answer;    ///< of the model to the row, not to the point of the plane
    bool support;       ///< whether the row is a support vector
  };

  bool projected = false;
  std::array<std::string, 2> axes;
  double variance_share = 1;  ///< share of the drawn rows' variance that lies in the plane
  Rows frame;  ///< projected, in scaled features: the point (0, 0) and the two axes, orthonormal

  std::array<double, 4> box{};  ///< x from box[0] to box[1], y from box[2] to box[3]
  std::size_t columns = 81;     ///< nodes of the grid, both ends included
  std::size_t rows = 61;
  std::vector<double> values;  ///< f at the nodes, row by row, y from below; projected: none
  std::vector<Point> points;
  std::size_t rows_per_point = 1;  ///< 1: every row is drawn; k: every k-th

  [[nodiscard]] double x(std::size_t column) const;  ///< of a column of nodes
  [[nodiscard]] double y(std::size_t row) const;
};

/// Returns nothing for models of one feature or a precomputed kernel, and if all rows are equal.
[[nodiscard]] std::optional<Plane> plane_of(const Model& model, const Dataset& data,
                                            std::span<const double> scores, unsigned threads = 0,
                                            std::size_t most_points = 2000);

}  // namespace rampart
