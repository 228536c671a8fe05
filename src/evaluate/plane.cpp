#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <unordered_map>

#define XXH_INLINE_ALL  // no library at run time
#include <xxhash.h>

#include "evaluate/original_columns.hpp"
#include "evaluate/principal.hpp"
#include "evaluate/report.hpp"
#include "evaluate/used_columns.hpp"
#include "model/losses.hpp"
#include "rampart/errors.hpp"
#include "train/scored_rows.hpp"
#include "train/zone.hpp"

namespace rampart {
namespace {

constexpr double margin = 0.05;  // around the points, as a part of their range

/// Finds rows by their values; stored zeros do not matter.
class RowFinder {
 public:
  explicit RowFinder(const Rows& rows) : rows_(rows) {
    for (std::size_t n = 0; n < rows.size(); ++n) by_hash_.emplace(hash(rows, n), n);
  }
  [[nodiscard]] bool contains(const Rows& x, std::size_t n) const {
    const auto [begin, end] = by_hash_.equal_range(hash(x, n));
    return std::any_of(begin, end, [&](const auto& entry) {
      return entries(x, n) == entries(rows_, entry.second);
    });
  }

 private:
  using Entries = std::vector<std::pair<std::size_t, double>>;

  [[nodiscard]] static Entries entries(const Rows& x, std::size_t n) {
    Entries found;
    x.for_each(n, [&](std::size_t j, double value) {
      if (value != 0) found.emplace_back(j, value);
    });
    return found;
  }
  [[nodiscard]] static std::uint64_t hash(const Rows& x, std::size_t n) {
    const Entries found = entries(x, n);
    static_assert(sizeof(Entries::value_type) == sizeof(std::size_t) + sizeof(double), "no gaps");
    return XXH3_64bits(found.data(), found.size() * sizeof(Entries::value_type));
  }

  const Rows& rows_;
  std::unordered_multimap<std::uint64_t, std::size_t> by_hash_;
};

/// Whether each row is a support vector. A kernel model stores its support vectors, one of the
/// linear solver does not: there a row is one where the loss is not flat.
std::vector<bool> support_of(const Model& model, const Rows& scaled, std::span<const double> scores,
                             std::span<const std::int8_t> y) {
  std::vector<bool> support(y.size());
  const bool stored = !std::holds_alternative<LinearKernel>(model.kernel) &&
                      !std::holds_alternative<FourierKernel>(model.kernel) &&
                      model.surface().certificate.landmarks == 0;
  if (stored) {
    const RowFinder vectors(model.vectors);
    for (std::size_t n = 0; n < y.size(); ++n) support[n] = vectors.contains(scaled, n);
    return support;
  }
  const Surface& surface = model.surface();
  if (traits_of(surface.objective.loss).has_ramps) {
    const std::vector<Zone> zones = zones_of(model, scores, y);
    for (std::size_t n = 0; n < y.size(); ++n) {
      support[n] = zones[n] == Zone::margin || zones[n] == Zone::near_miss;
    }
    return support;
  }
  const std::vector<double> own = surface.own_scores(scores);
  const double flat_from = hinge_form(surface.objective).hinges.front().margin;
  const double slack = std::max(surface.certificate.violation, 1e-9);
  for (std::size_t n = 0; n < y.size(); ++n) support[n] = y[n] * own[n] <= flat_from + slack;
  return support;
}

std::array<double, 4> box_around(const std::vector<Plane::Point>& points) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::array<double, 4> box{infinity, -infinity, infinity, -infinity};
  for (const Plane::Point& point : points) {
    box = {std::min(box[0], point.x), std::max(box[1], point.x), std::min(box[2], point.y),
           std::max(box[3], point.y)};
  }
  const double widest = std::max(box[1] - box[0], box[3] - box[2]);
  for (const std::size_t side : {0U, 2U}) {
    const double range = box[side + 1] - box[side];
    const double size = std::max(std::abs(box[side]), std::abs(box[side + 1]));
    // Points on a line have no extent across it.
    const bool none = !(range > 1e-9 * size) || !(range > 1e-9 * widest);
    const double padding = none ? std::max(widest / 2, size > 0 ? size / 2 : 0.5) : margin * range;
    box[side] -= padding;
    box[side + 1] += padding;
  }
  return box;
}

/// f at the nodes of the grid.
std::vector<double> grid_values(const Plane& plane, const Model& model, unsigned threads) {
  std::vector<double> nodes;
  nodes.reserve(2 * plane.columns * plane.rows);
  for (std::size_t row = 0; row < plane.rows; ++row) {
    for (std::size_t column = 0; column < plane.columns; ++column) {
      nodes.insert(nodes.end(), {plane.x(column), plane.y(row)});
    }
  }
  return Predictor(model, threads).scores(Rows::dense(2, std::move(nodes)));
}

bool misses_a_value(const Rows& x, std::size_t n) {
  bool misses = false;
  x.for_each(n, [&](std::size_t, double value) { misses |= std::isnan(value); });
  return misses;
}

/// Two features: the plane is theirs, in the user's units.
std::array<double, 2> coordinates(const Rows& x, std::size_t n) {
  std::array<double, 2> at{};
  x.for_each(n, [&](std::size_t j, double value) { at[j] = value; });
  return at;
}

/// Origin and directions with the original column numbers.
Rows frame_of(const PrincipalPlane& plane, const UsedColumns& used, std::size_t features) {
  std::vector<std::size_t> starts = {0};
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  for (const auto* row : {&plane.mean, &plane.directions[0], &plane.directions[1]}) {
    for (std::size_t k = 0; k < row->size(); ++k) {
      if ((*row)[k] == 0) continue;
      indices.push_back(used[k]);
      values.push_back((*row)[k]);
    }
    starts.push_back(values.size());
  }
  return Rows::sparse(features, std::move(starts), std::move(indices), std::move(values));
}

/// Coordinates of rows on a principal plane: of the feet of their perpendiculars, from the mean.
class Projection {
 public:
  explicit Projection(const PrincipalPlane& plane) : plane_(plane) {
    for (std::size_t k = 0; k < 2; ++k) {
      of_mean_[k] = std::inner_product(plane.mean.begin(), plane.mean.end(),
                                       plane.directions[k].begin(), 0.0);
    }
  }

  /// Sparse rows are not centred, which would fill them.
  [[nodiscard]] std::array<double, 2> operator()(const Rows& rows, std::size_t n) const {
    const bool dense = rows.is_dense();
    std::array<double, 2> at =
        dense ? std::array{0.0, 0.0} : std::array{-of_mean_[0], -of_mean_[1]};
    rows.for_each(n, [&](std::size_t j, double value) {
      const double from_mean = dense ? value - plane_.mean[j] : value;
      for (std::size_t k = 0; k < 2; ++k) at[k] += from_mean * plane_.directions[k][j];
    });
    return at;
  }

 private:
  const PrincipalPlane& plane_;
  std::array<double, 2> of_mean_{};
};

}  // namespace

double Plane::x(std::size_t column) const {
  const double part = static_cast<double>(column) / static_cast<double>(columns - 1);
  return box[0] * (1 - part) + box[1] * part;
}

double Plane::y(std::size_t row) const {
  const double part = static_cast<double>(row) / static_cast<double>(rows - 1);
  return box[2] * (1 - part) + box[3] * part;
}

std::optional<Plane> plane_of(const Model& model, const Dataset& data,
                              std::span<const double> scores, unsigned threads,
                              std::size_t most_points) {
  require_scored_rows(scores, data.y);
  if (most_points == 0) throw OptionError("most_points = 0: must be at least 1");
  const std::size_t features = model.features.count;
  if (std::holds_alternative<PrecomputedKernel>(model.kernel) || features < 2) return std::nullopt;

  Plane plane{.projected = features > 2 || !model.encoding.is_identity()};
  plane.rows_per_point = (data.size() + most_points - 1) / most_points;
  std::vector<std::size_t> drawn;
  std::vector<double> drawn_scores;
  std::vector<std::int8_t> labels;
  const bool fills_in = !model.encoding.columns.empty() && plane.projected;
  for (std::size_t n = 0; n < data.size(); n += plane.rows_per_point) {
    if (!fills_in && misses_a_value(data.x, n)) continue;  // has no place
    drawn.push_back(n);
    drawn_scores.push_back(scores[n]);
    labels.push_back(data.y[n]);
  }
  if (drawn.empty()) return std::nullopt;
  const Rows x = data.x.subset(drawn);
  const Rows scaled = model.scaling.apply(model.encoding.apply(x));
  const std::vector<bool> support = support_of(model, scaled, drawn_scores, labels);
  const auto draw = [&](const auto& position) {
    for (std::size_t n = 0; n < drawn.size(); ++n) {
      const std::array<double, 2> at = position(n);
      plane.points.push_back(
          {at[0], at[1], labels[n], decide(drawn_scores[n], model.surface().band.rho), support[n]});
    }
    plane.box = box_around(plane.points);
  };

  if (!plane.projected) {
    for (std::size_t j = 0; j < 2; ++j) {
      plane.axes[j] = name_of_column(model.features, j);
    }
    draw([&](std::size_t n) { return coordinates(x, n); });
    plane.values = grid_values(plane, model, threads);
    return plane;
  }

  // Leaves out columns of zeros, of which there may be millions.
  const std::size_t width = std::max(scaled.columns(), model.encoding.features(features));
  const UsedColumns used(scaled, width);
  const Rows rows = used.renumber(scaled);
  const std::optional<PrincipalPlane> principal = principal_plane(rows);
  if (!principal) return std::nullopt;
  plane.axes = {"first principal component", "second principal component"};
  plane.variance_share = principal->variance_share;
  plane.frame = frame_of(*principal, used, width);
  const Projection place_of(*principal);
  draw([&](std::size_t n) { return place_of(rows, n); });
  return plane;
}

}  // namespace rampart
