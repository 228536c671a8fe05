#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <unordered_map>

#include <fmt/format.h>

#include "evaluate/principal.hpp"
#include "evaluate/scored_rows.hpp"
#include "rampart/errors.hpp"
#include "rampart/loss.hpp"
#include "rampart/report.hpp"

namespace rampart {
namespace {

constexpr double margin = 0.05;  // around the points, as a part of their range
constexpr std::size_t values_per_batch = std::size_t{1} << 22;

/// Finds rows among others by their values, zeros stored or not.
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
    std::uint64_t hash = 14695981039346656037U;  // FNV-1a, a word at a time
    const auto mix = [&](std::uint64_t word) { hash = (hash ^ word) * 1099511628211U; };
    x.for_each(n, [&](std::size_t j, double value) {
      if (value == 0) return;
      mix(j);
      mix(std::bit_cast<std::uint64_t>(value));
      hash ^= hash >> 32U;
    });
    return hash;
  }

  const Rows& rows_;
  std::unordered_multimap<std::uint64_t, std::size_t> by_hash_;
};

/// Whether each row is in the model. A kernel model says so itself. A linear one has forgotten: a
/// row is in it where the loss is not flat.
std::vector<bool> support_of(const Model& model, const Rows& scaled, std::span<const double> scores,
                             std::span<const std::int8_t> y) {
  std::vector<bool> support(y.size());
  if (!std::holds_alternative<LinearKernel>(model.kernel)) {
    const RowFinder vectors(model.vectors);
    for (std::size_t n = 0; n < y.size(); ++n) support[n] = vectors.contains(scaled, n);
    return support;
  }
  if (model.loss == LossKind::double_ramp) {
    const std::vector<Zone> zones = zones_of(model, scores, y);
    for (std::size_t n = 0; n < y.size(); ++n) {
      support[n] = zones[n] == Zone::margin || zones[n] == Zone::near_miss;
    }
    return support;
  }
  const std::vector<double> own = model.own_scores(scores);
  const double d = model.training.reject_cost.value_or(model.costs.reject_positive);
  const double flat_from =
      model.loss == LossKind::double_hinge ? DoubleHingeLoss{d}.entropy() / d : 1;
  const double slack = std::max(model.training.violation, 1e-9);
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
    // Points on one line, across which there is nothing to see.
    const bool none = !(range > 1e-9 * size) || !(range > 1e-9 * widest);
    const double room = none ? std::max(widest / 2, size > 0 ? size / 2 : 0.5) : margin * range;
    box[side] -= room;
    box[side + 1] += room;
  }
  return box;
}

/// f at the nodes of the grid. `row_at` writes the features of a point of the plane.
std::vector<double> grid_values(
    const Plane& plane, const Model& model, std::size_t features, unsigned threads,
    const std::function<void(double, double, std::span<double>)>& row_at) {
  const Predictor predictor(model, threads);
  const std::size_t nodes = plane.columns * plane.rows;
  const std::size_t batch = std::max<std::size_t>(1, values_per_batch / features);
  std::vector<double> values;
  values.reserve(nodes);
  while (values.size() < nodes) {
    const std::size_t first = values.size();
    const std::size_t count = std::min(batch, nodes - first);
    std::vector<double> rows(count * features);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t node = first + k;
      row_at(plane.x(node % plane.columns), plane.y(node / plane.columns),
             std::span(rows).subspan(k * features, features));
    }
    const auto found = predictor.scores(Rows::dense(features, std::move(rows), count));
    values.insert(values.end(), found.begin(), found.end());
  }
  return values;
}

/// Two features: the plane is theirs, in the user's units.
std::array<double, 2> coordinates(const Rows& x, std::size_t n) {
  std::array<double, 2> at{};
  x.for_each(n, [&](std::size_t j, double value) { at[j] = value; });
  return at;
}

/// More features: along the two directions, from the mean.
std::array<double, 2> coordinates(const Rows& scaled, std::size_t n, const PrincipalPlane& plane) {
  std::array<double, 2> at{};
  for (std::size_t k = 0; k < 2; ++k) {
    const std::vector<double>& direction = plane.directions[k];
    // Sparse rows are not filled up: what they lack is as far from the mean as 0 is.
    for (std::size_t j = 0; j < direction.size(); ++j) at[k] -= direction[j] * plane.mean[j];
    scaled.for_each(n, [&](std::size_t j, double value) { at[k] += direction[j] * value; });
  }
  return at;
}

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

  Plane plane{.projected = features > 2};
  plane.rows_per_point = (data.size() + most_points - 1) / most_points;
  std::vector<std::size_t> drawn;
  std::vector<double> drawn_scores;
  std::vector<std::int8_t> labels;
  for (std::size_t n = 0; n < data.size(); n += plane.rows_per_point) {
    drawn.push_back(n);
    drawn_scores.push_back(scores[n]);
    labels.push_back(data.y[n]);
  }
  const Rows x = data.x.subset(drawn);
  const Rows scaled = model.scaling.apply(x);
  const std::vector<bool> support = support_of(model, scaled, drawn_scores, labels);
  const auto draw = [&](const auto& position) {
    for (std::size_t n = 0; n < drawn.size(); ++n) {
      const std::array<double, 2> at = position(n);
      plane.points.push_back({at[0], at[1], labels[n], support[n]});
    }
    plane.box = box_around(plane.points);
  };

  if (!plane.projected) {
    for (std::size_t j = 0; j < 2; ++j) {
      plane.axes[j] =
          model.features.names.empty() ? fmt::format("feature {}", j + 1) : model.features.names[j];
    }
    draw([&](std::size_t n) { return coordinates(x, n); });
    plane.values = grid_values(plane, model, 2, threads, [](double at_x, double at_y, auto row) {
      row[0] = at_x;
      row[1] = at_y;
    });
    return plane;
  }

  std::optional<PrincipalPlane> principal = principal_plane(scaled, features);
  if (!principal) return std::nullopt;
  plane.axes = {"first principal component", "second principal component"};
  plane.variance_share = principal->variance_share;
  draw([&](std::size_t n) { return coordinates(scaled, n, *principal); });
  plane.origin = std::move(principal->mean);
  plane.directions = std::move(principal->directions);
  Model unscaled = model;  // points of the plane are scaled already
  unscaled.scaling = {};
  plane.values =
      grid_values(plane, unscaled, features, threads, [&](double at_x, double at_y, auto row) {
        for (std::size_t j = 0; j < features; ++j) {
          row[j] = plane.origin[j] + at_x * plane.directions[0][j] + at_y * plane.directions[1][j];
        }
      });
  return plane;
}

}  // namespace rampart
