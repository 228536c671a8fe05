#include "evaluate/plane_view.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "util/assert.hpp"

namespace rampart {
namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double dot(const Rows& rows, std::size_t n, std::span<const double> b) {
  double sum = 0;
  rows.for_each(n, [&](std::size_t j, double value) { sum += value * b[j]; });
  return sum;
}

}  // namespace

PlaneView::PlaneView(PrincipalPlane plane)
    : plane_(std::move(plane)),
      mean_x_(dot(plane_.mean, plane_.directions[0])),
      mean_y_(dot(plane_.mean, plane_.directions[1])),
      mean_squared_(dot(plane_.mean, plane_.mean)) {}

PlaneView::Place PlaneView::place_of(const Rows& rows, std::size_t n) const {
  const auto& [mean, directions, share] = plane_;
  Place place{0, 0, 0};
  double distance = 0;  // squared, from the mean
  if (rows.is_dense()) {
    rows.for_each(n, [&, &mean = mean, &directions = directions](std::size_t j, double value) {
      const double from_mean = value - mean[j];
      place.x += from_mean * directions[0][j];
      place.y += from_mean * directions[1][j];
      distance += from_mean * from_mean;
    });
  } else {
    place = {-mean_x_, -mean_y_, 0};
    distance = mean_squared_;
    rows.for_each(n, [&, &mean = mean, &directions = directions](std::size_t j, double value) {
      place.x += value * directions[0][j];
      place.y += value * directions[1][j];
      distance += value * (value - 2 * mean[j]);
    });
  }
  place.outside = std::max(0.0, distance - place.x * place.x - place.y * place.y);
  return place;
}

Model PlaneView::flatten(const Model& model, const Rows& vectors,
                         std::span<const double> weights) const {
  const auto& [mean, directions, share] = plane_;
  const Surface& surface = model.surface();
  Model flat{.features = {.count = 3}, .kernel = model.kernel};
  flat.surface().band.b = surface.band.b;
  if (std::holds_alternative<LinearKernel>(model.kernel)) {
    flat.surface().weights = {dot(weights, mean), dot(weights, directions[0]),
                              dot(weights, directions[1])};
    return flat;
  }
  RAMPART_ASSERT(vectors.size() == surface.coefficients.size(), "one coefficient a vector");
  std::vector<double>& coefficients = flat.surface().coefficients = surface.coefficients;
  const RbfKernel* rbf = std::get_if<RbfKernel>(&model.kernel);
  std::vector<double> values;
  values.reserve(3 * vectors.size());
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    if (rbf != nullptr) {
      const Place place = place_of(vectors, i);
      coefficients[i] *= std::exp(-rbf->gamma * place.outside);
      values.insert(values.end(), {1, place.x, place.y});
    } else {
      values.insert(values.end(), {dot(vectors, i, mean), dot(vectors, i, directions[0]),
                                   dot(vectors, i, directions[1])});
    }
  }
  flat.vectors = Rows::dense(3, std::move(values), vectors.size());
  return flat;
}

}  // namespace rampart
