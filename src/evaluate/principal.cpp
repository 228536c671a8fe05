#include "evaluate/principal.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>

#include "util/assert.hpp"

namespace rampart {
namespace {

using Vector = std::vector<double>;
using Vectors = std::vector<Vector>;

constexpr std::size_t block = 8;  // more than two, so that only λ₉/λ₂ decides how fast it goes
constexpr std::size_t most_steps = 200;
constexpr double tolerance = 1e-9;  // of the residuals, against the largest variance

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void add(Vector& to, double times, const Vector& what) {
  for (std::size_t j = 0; j < to.size(); ++j) to[j] += times * what[j];
}

void scale(Vector& v, double times) {
  for (double& value : v) value *= times;
}

/// Gram and Schmidt, twice for the digits. Vectors that the others make up, but for rounding, go.
Vectors orthonormal(Vectors vectors) {
  Vectors kept;
  double largest = 0;
  for (Vector& v : vectors) {
    const double before = std::sqrt(dot(v, v));
    largest = std::max(largest, before);
    for (int twice = 0; twice < 2; ++twice) {
      for (const Vector& other : kept) add(v, -dot(v, other), other);
    }
    const double length = std::sqrt(dot(v, v));
    if (!(length > 1e-12 * largest) || !(length > 1e-10 * before)) continue;
    scale(v, 1 / length);
    kept.push_back(std::move(v));
  }
  return kept;
}

/// The rows as seen from their mean, which sparse rows keep aside and dense ones have subtracted.
struct Centred {
  Rows rows;
  Vector mean;   // of the rows as they were
  Vector shift;  // what is still to be subtracted
  double variance = 0;

  Centred(const Rows& x, std::size_t features) : rows(x), mean(features, 0), shift(features, 0) {
    const auto count = static_cast<double>(x.size());
    for (std::size_t n = 0; n < x.size(); ++n) {
      x.for_each(n, [&](std::size_t j, double value) { mean[j] += value; });
    }
    scale(mean, 1 / count);
    if (x.is_dense()) {
      Vector values;
      values.reserve(x.size() * x.columns());
      for (std::size_t n = 0; n < x.size(); ++n) {
        x.for_each(n, [&](std::size_t j, double value) { values.push_back(value - mean[j]); });
      }
      rows = Rows::dense(x.columns(), std::move(values), x.size());
    } else {
      shift = mean;
    }
    for (std::size_t n = 0; n < rows.size(); ++n) {
      rows.for_each(n, [&](std::size_t, double value) { variance += value * value; });
    }
    variance = variance / count - dot(shift, shift);
  }

  /// Sv for the covariance S = (1/N) Σ (x − m)(x − m)ᵀ, which is never formed.
  [[nodiscard]] Vector covariance_times(const Vector& v) const {
    Vector product(v.size(), 0);
    const double at_mean = dot(shift, v);
    double sum = 0;
    for (std::size_t n = 0; n < rows.size(); ++n) {
      double s = -at_mean;
      rows.for_each(n, [&](std::size_t j, double value) { s += value * v[j]; });
      rows.for_each(n, [&](std::size_t j, double value) { product[j] += s * value; });
      sum += s;
    }
    add(product, -sum, shift);
    scale(product, 1 / static_cast<double>(rows.size()));
    return product;
  }
};

/// Eigenvalues and eigenvectors of a small symmetric matrix, the largest first.
struct Spectrum {
  Vector values;
  Vectors vectors;
};
Spectrum spectrum(const Eigen::MatrixXd& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(symmetric);
  Spectrum found;
  for (Eigen::Index j = symmetric.cols() - 1; j >= 0; --j) {
    const Eigen::VectorXd vector = solver.eigenvectors().col(j);
    found.values.push_back(solver.eigenvalues()[j]);
    found.vectors.emplace_back(vector.begin(), vector.end());
  }
  return found;
}

Vector combine(const Vectors& vectors, const Vector& weights) {
  Vector sum(vectors.front().size(), 0);
  for (std::size_t j = 0; j < vectors.size(); ++j) add(sum, weights[j], vectors[j]);
  return sum;
}

/// The same numbers on every machine, and the same whatever the order of the rows.
Vectors any_start(std::size_t features) {
  std::mt19937 random(2015);
  Vectors start(std::min(block, features), Vector(features));
  for (Vector& v : start) {
    for (double& value : v) value = static_cast<double>(random()) / 4294967296.0 - 0.5;
  }
  return orthonormal(std::move(start));
}

struct Leading {
  Vectors directions;  // one or two, by falling variance
  double variance = 0;
};

/// Maximise the variance of the rows along two orthonormal directions: the solution are the first
/// two eigenvectors of S. A few more vectors are multiplied by S and made orthonormal again and
/// again; their span turns towards the leading eigenvectors, and the best two inside it
/// (Rayleigh and Ritz) are accepted when S only stretches them.
Leading leading_directions(const Centred& x, std::size_t features) {
  Vectors basis = any_start(features);
  Leading found;
  for (std::size_t step = 0; step < most_steps; ++step) {
    Vectors image;
    for (const Vector& v : basis) image.push_back(x.covariance_times(v));
    const auto size = static_cast<Eigen::Index>(basis.size());
    Eigen::MatrixXd inside(size, size);
    for (std::size_t i = 0; i < basis.size(); ++i) {
      for (std::size_t j = 0; j < basis.size(); ++j) {
        inside(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
            (dot(basis[i], image[j]) + dot(basis[j], image[i])) / 2;
      }
    }
    const Spectrum ritz = spectrum(inside);
    found = {};
    double residual = 0;
    for (std::size_t j = 0; j < std::min<std::size_t>(2, basis.size()); ++j) {
      found.directions.push_back(combine(basis, ritz.vectors[j]));
      found.variance += ritz.values[j];
      Vector error = combine(image, ritz.vectors[j]);
      add(error, -ritz.values[j], found.directions.back());
      residual = std::max(residual, std::sqrt(dot(error, error)));
    }
    if (residual <= tolerance * ritz.values.front()) break;
    Vectors next;
    for (const Vector& weights : ritz.vectors) next.push_back(combine(image, weights));
    basis = orthonormal(std::move(next));
    if (basis.empty()) break;
  }
  return found;
}

/// A unit vector orthogonal to this one, for rows that lie on a line.
Vector across(const Vector& direction) {
  const auto least = std::ranges::min_element(direction, std::less{},
                                              [](double value) { return std::abs(value); });
  Vector v(direction.size(), 0);
  v[static_cast<std::size_t>(least - direction.begin())] = 1;
  return orthonormal({direction, v}).back();
}

void fix_sign(Vector& v) {
  const auto largest =
      std::ranges::max_element(v, std::less{}, [](double value) { return std::abs(value); });
  if (*largest < 0) scale(v, -1);
}

}  // namespace

std::optional<PrincipalPlane> principal_plane(const Rows& x, std::size_t features) {
  RAMPART_ASSERT(features >= 2 && x.size() > 0, "a plane needs two features and a row");
  const Centred centred(x, features);
  const double rounding = 1e-15 * (dot(centred.mean, centred.mean) + centred.variance);
  if (!(centred.variance > rounding) || !std::isfinite(centred.variance)) return std::nullopt;
  Leading leading = leading_directions(centred, features);
  leading.directions = orthonormal(std::move(leading.directions));
  if (leading.directions.empty()) return std::nullopt;
  if (leading.directions.size() == 1) {
    leading.directions.push_back(across(leading.directions.front()));
  }
  PrincipalPlane plane{.mean = centred.mean,
                       .variance_share = std::clamp(leading.variance / centred.variance, 0.0, 1.0)};
  for (std::size_t j = 0; j < 2; ++j) {
    fix_sign(leading.directions[j]);
    plane.directions[j] = std::move(leading.directions[j]);
  }
  return plane;
}

}  // namespace rampart
