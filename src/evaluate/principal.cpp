#include "evaluate/principal.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>

#include "util/assert.hpp"

namespace rampart {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Pair = Eigen::Matrix<double, Eigen::Dynamic, 2, Eigen::RowMajor>;  // two vectors, abreast

constexpr Index most_vectors = 64;  // of a basis, before it is cut down to its best
constexpr Index kept_vectors = 8;
constexpr int most_passes = 100;
constexpr double tolerance = 1e-9;  // of the residuals, against the largest variance

/// The rows as seen from their mean: the matrix X whose rows are xₙ − mean. Dense rows have it
/// subtracted; sparse ones stay sparse, and it is kept aside.
class Centred {
 public:
  explicit Centred(const Rows& x) : rows_(x), mean_(VectorXd::Zero(index(x.columns()))) {
    for (std::size_t n = 0; n < x.size(); ++n) {
      x.for_each(n, [&](std::size_t j, double value) { mean_[index(j)] += value; });
    }
    mean_ /= static_cast<double>(x.size());
    if (x.is_dense()) {
      std::vector<double> values;
      values.reserve(x.size() * x.columns());
      for (std::size_t n = 0; n < x.size(); ++n) {
        x.for_each(n,
                   [&](std::size_t j, double value) { values.push_back(value - mean_[index(j)]); });
      }
      rows_ = Rows::dense(x.columns(), std::move(values), x.size());
      aside_ = VectorXd::Zero(mean_.size());
    } else {
      aside_ = mean_;
    }
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      rows_.for_each(n, [&](std::size_t, double value) { variance_ += value * value; });
    }
    variance_ = variance_ / static_cast<double>(x.size()) - aside_.squaredNorm();
  }

  [[nodiscard]] const VectorXd& mean() const { return mean_; }
  [[nodiscard]] double variance() const { return variance_; }
  [[nodiscard]] Index size() const { return index(rows_.size()); }
  [[nodiscard]] Index columns() const { return mean_.size(); }

  /// X·v
  [[nodiscard]] Pair times(const Pair& v) const {
    const Eigen::RowVector2d at_mean = aside_.transpose() * v;
    Pair product(size(), 2);
    for (Index n = 0; n < size(); ++n) {
      Eigen::RowVector2d sum = -at_mean;
      rows_.for_each(static_cast<std::size_t>(n),
                     [&](std::size_t j, double value) { sum += value * v.row(index(j)); });
      product.row(n) = sum;
    }
    return product;
  }
  /// Xᵀ·u
  [[nodiscard]] Pair transposed_times(const Pair& u) const {
    Pair product = -aside_ * u.colwise().sum();
    for (Index n = 0; n < size(); ++n) {
      const Eigen::RowVector2d factor = u.row(n);
      rows_.for_each(static_cast<std::size_t>(n),
                     [&](std::size_t j, double value) { product.row(index(j)) += value * factor; });
    }
    return product;
  }

 private:
  static Index index(std::size_t j) { return static_cast<Index>(j); }

  Rows rows_;
  VectorXd mean_;   // of the rows as they were
  VectorXd aside_;  // what is still to be subtracted
  double variance_ = 0;
};

/// Appends vectors to an orthonormal basis. Gram and Schmidt, twice for the digits; vectors that
/// the others make up, but for rounding, are left out.
void append(MatrixXd& basis, const MatrixXd& vectors) {
  double largest = 0;
  for (Index k = 0; k < vectors.cols(); ++k) {
    VectorXd v = vectors.col(k);
    const double before = v.norm();
    largest = std::max(largest, before);
    for (int twice = 0; twice < 2; ++twice) v -= basis * (basis.transpose() * v).eval();
    const double length = v.norm();
    if (!(length > 1e-12 * largest) || !(length > 1e-10 * before)) continue;
    basis.conservativeResize(v.size(), basis.cols() + 1);
    basis.rightCols(1) = v / length;
  }
}

MatrixXd orthonormal(const MatrixXd& vectors) {
  MatrixXd basis(vectors.rows(), 0);
  append(basis, vectors);
  return basis;
}

/// The same numbers on every machine, and the same whatever the order of the rows.
Pair any_start(Index columns) {
  std::mt19937 random(2015);
  Pair start(columns, 2);
  for (Index k = 0; k < 2; ++k) {
    for (Index j = 0; j < columns; ++j) {
      start(j, k) = static_cast<double>(random()) / 4294967296.0 - 0.5;
    }
  }
  return start;
}

struct Leading {
  MatrixXd directions;  // one or two orthonormal columns, by falling variance
  double variance = 0;
};

/// Maximise the variance of the rows along two orthonormal directions: the solution are the first
/// two eigenvectors of XᵀX/N. Where there are fewer rows than columns, those of XXᵀ/N are found
/// instead, which are shorter; Xᵀ turns one into the other.
///
/// Neither matrix is formed. A basis grows by what the matrix makes of the best two vectors inside
/// its span (Rayleigh and Ritz) and the span does not hold, until the matrix only stretches them.
Leading leading_directions(const Centred& x) {
  const bool by_rows = x.size() < x.columns();
  const auto image_of = [&](const Pair& v) -> Pair {
    return (by_rows ? x.times(x.transposed_times(v)) : x.transposed_times(x.times(v))) /
           static_cast<double>(x.size());
  };
  const Pair start = any_start(x.columns());
  MatrixXd basis = orthonormal(by_rows ? x.times(start) : start);
  MatrixXd image(basis.rows(), 0);
  MatrixXd best;  // one or two columns
  VectorXd values;
  for (int pass = 0; basis.cols() > image.cols(); ++pass) {
    const Index fresh = basis.cols() - image.cols();  // one or two
    Pair vectors = Pair::Zero(basis.rows(), 2);
    vectors.leftCols(fresh) = basis.rightCols(fresh);
    image.conservativeResize(basis.rows(), basis.cols());
    image.rightCols(fresh) = image_of(vectors).leftCols(fresh);

    const MatrixXd inside = basis.transpose() * image;
    const Eigen::SelfAdjointEigenSolver<MatrixXd> ritz((inside + inside.transpose()) / 2);
    const Index leading = std::min<Index>(2, basis.cols());
    values = ritz.eigenvalues().tail(leading).reverse();
    const MatrixXd weights = ritz.eigenvectors().rightCols(leading).rowwise().reverse();
    best = basis * weights;
    const MatrixXd residual = image * weights - best * values.asDiagonal();
    const double error = residual.colwise().norm().maxCoeff();
    if (error <= tolerance * values[0] || pass == most_passes) break;
    if (basis.cols() >= most_vectors) {
      const MatrixXd keep = ritz.eigenvectors().rightCols(kept_vectors);
      basis = (basis * keep).eval();
      image = (image * keep).eval();
    }
    append(basis, residual);
  }
  if (basis.cols() == 0) return {};
  // A second variance of rounding errors has no direction.
  if (values.size() == 2 && !(values[1] > 1e-13 * values[0]))
    best.conservativeResize(Eigen::NoChange, 1);
  Leading found{.variance = values.sum()};
  if (!by_rows) {
    found.directions = orthonormal(best);
  } else {
    Pair vectors = Pair::Zero(best.rows(), 2);
    vectors.leftCols(best.cols()) = best;
    found.directions = orthonormal(x.transposed_times(vectors).leftCols(best.cols()));
  }
  return found;
}

/// A unit vector orthogonal to this one, for rows that lie on a line.
VectorXd across(const VectorXd& direction) {
  Index least = 0;
  direction.cwiseAbs().minCoeff(&least);
  MatrixXd basis = direction;
  append(basis, VectorXd::Unit(direction.size(), least));
  return basis.col(1);
}

std::vector<double> with_fixed_sign(VectorXd v) {
  Index largest = 0;
  v.cwiseAbs().maxCoeff(&largest);
  if (v[largest] < 0) v = -v;
  return {v.begin(), v.end()};
}

}  // namespace

std::optional<PrincipalPlane> principal_plane(const Rows& x) {
  RAMPART_ASSERT(x.columns() >= 2 && x.size() > 0, "a plane needs two features and a row");
  const Centred centred(x);
  const double rounding = 1e-15 * (centred.mean().squaredNorm() + centred.variance());
  if (!(centred.variance() > rounding) || !std::isfinite(centred.variance())) return std::nullopt;
  const Leading leading = leading_directions(centred);
  if (leading.directions.cols() == 0) return std::nullopt;
  const VectorXd first = leading.directions.col(0);
  const VectorXd second =
      leading.directions.cols() == 2 ? VectorXd(leading.directions.col(1)) : across(first);
  return PrincipalPlane{
      .mean = {centred.mean().begin(), centred.mean().end()},
      .directions = {with_fixed_sign(first), with_fixed_sign(second)},
      .variance_share = std::clamp(leading.variance / centred.variance(), 0.0, 1.0)};
}

}  // namespace rampart
