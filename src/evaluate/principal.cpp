#include "evaluate/principal.hpp"

#include <Spectra/SymEigsSolver.h>
#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <random>

#include "util/assert.hpp"

namespace rampart {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double tolerance = 1e-9;  // of the residuals, against the largest variance

Index index(std::size_t j) { return static_cast<Index>(j); }

/// The matrix X whose rows are xₙ − mean. Dense rows are copied and centred; sparse rows stay as
/// they are, and every product subtracts the mean.
class CentredRows {
 public:
  explicit CentredRows(const Rows& x) : rows_(x), mean_(VectorXd::Zero(index(x.columns()))) {
    for (std::size_t n = 0; n < x.size(); ++n) {
      x.for_each(n, [&](std::size_t j, double value) { mean_[index(j)] += value; });
    }
    mean_ /= static_cast<double>(x.size());
    double squares = 0;
    if (x.is_dense()) {
      centred_.resize(size(), columns());
      for (std::size_t n = 0; n < x.size(); ++n) {
        x.for_each(n, [&](std::size_t j, double value) {
          centred_(index(n), index(j)) = value - mean_[index(j)];
        });
      }
      squares = centred_.squaredNorm();
    } else {
      for (std::size_t n = 0; n < x.size(); ++n) {
        x.for_each(n, [&](std::size_t, double value) { squares += value * value; });
      }
      squares -= static_cast<double>(x.size()) * mean_.squaredNorm();
    }
    variance_ = squares / static_cast<double>(x.size());
  }

  [[nodiscard]] const VectorXd& mean() const { return mean_; }
  [[nodiscard]] double variance() const { return variance_; }
  [[nodiscard]] Index size() const { return index(rows_.size()); }
  [[nodiscard]] Index columns() const { return mean_.size(); }

  /// X·v
  [[nodiscard]] VectorXd times(const VectorXd& v) const {
    if (rows_.is_dense()) return centred_ * v;
    VectorXd product = VectorXd::Constant(size(), -mean_.dot(v));
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      double& sum = product[index(n)];
      rows_.for_each(n, [&](std::size_t j, double value) { sum += value * v[index(j)]; });
    }
    return product;
  }
  /// Xᵀ·u
  [[nodiscard]] VectorXd transposed_times(const VectorXd& u) const {
    if (rows_.is_dense()) return centred_.transpose() * u;
    VectorXd product = -u.sum() * mean_;
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      const double factor = u[index(n)];
      rows_.for_each(n, [&](std::size_t j, double value) { product[index(j)] += value * factor; });
    }
    return product;
  }

 private:
  const Rows& rows_;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> centred_;  // if dense
  VectorXd mean_;
  double variance_ = 0;
};

/// XᵀX, or XXᵀ if X has fewer rows than columns, divided by its trace, as the product with a vector
/// that Spectra requires. The matrix itself is never formed.
class Covariance {
 public:
  using Scalar = double;

  explicit Covariance(const CentredRows& x) : x_(x) {}
  [[nodiscard]] bool by_rows() const { return x_.size() < x_.columns(); }
  [[nodiscard]] Index rows() const { return std::min(x_.size(), x_.columns()); }
  [[nodiscard]] Index cols() const { return rows(); }

  [[nodiscard]] VectorXd operator*(const VectorXd& v) const {
    const double trace = x_.variance() * static_cast<double>(x_.size());
    return (by_rows() ? x_.times(x_.transposed_times(v)) : x_.transposed_times(x_.times(v))) /
           trace;
  }
  void perform_op(const double* from, double* to) const {
    Eigen::Map<VectorXd>(to, rows()) = *this * Eigen::Map<const VectorXd>(from, rows());
  }

  /// The start vector: the same on every machine and for every order of the rows.
  [[nodiscard]] VectorXd start() const {
    std::mt19937 random(2015);
    VectorXd start(x_.columns());
    for (double& entry : start) entry = static_cast<double>(random()) / 4294967296.0 - 0.5;
    return by_rows() ? x_.times(start) : start;
  }

 private:
  const CentredRows& x_;
};

struct Eigenpairs {
  VectorXd values;   // two, the largest first
  MatrixXd vectors;  // their columns
};

/// The two largest eigenvalues of a small matrix, which is formed.
Eigenpairs largest_of_small(const Covariance& covariance) {
  MatrixXd matrix(covariance.rows(), covariance.rows());
  for (Index j = 0; j < matrix.cols(); ++j) {
    matrix.col(j) = covariance * VectorXd::Unit(matrix.rows(), j);
  }
  const Eigen::SelfAdjointEigenSolver<MatrixXd> all((matrix + matrix.transpose()) / 2);
  return {.values = all.eigenvalues().tail(2).reverse(),
          .vectors = all.eigenvectors().rightCols(2).rowwise().reverse()};
}

/// The two largest eigenvalues, by Lanczos' method with restarts. If the largest variances are so
/// close that it does not converge, directions of nearly as much variance will do: the best of a
/// larger Krylov space.
Eigenpairs largest(const Covariance& covariance) {
  constexpr Index few = 20;
  constexpr Index many = 64;
  constexpr Index most_restarts = 50;
  if (covariance.rows() <= few) return largest_of_small(covariance);
  const VectorXd start = covariance.start();
  Covariance product = covariance;  // Spectra keeps a reference that may change it
  Spectra::SymEigsSolver<Covariance> fine(product, 2, few);
  fine.init(start.data());
  if (fine.compute(Spectra::SortRule::LargestAlge, most_restarts, tolerance) == 2) {
    return {.values = fine.eigenvalues(), .vectors = fine.eigenvectors()};
  }
  Spectra::SymEigsSolver<Covariance> coarse(product, 2, std::min(covariance.rows(), many));
  coarse.init(start.data());
  if (coarse.compute(Spectra::SortRule::LargestAlge, 1, 1.0) != 2) {
    return {.values = VectorXd::Zero(2), .vectors = MatrixXd::Identity(covariance.rows(), 2)};
  }
  return {.values = coarse.eigenvalues(), .vectors = coarse.eigenvectors()};
}

/// The part of v that is orthogonal to a unit vector, as a unit vector. Subtracted twice, since the
/// first time leaves a rounding error that may be large against what remains.
VectorXd orthogonal_part(VectorXd v, const VectorXd& direction) {
  for (int pass = 0; pass < 2; ++pass) v -= direction.dot(v) * direction;
  return v.normalized();
}

/// A unit vector orthogonal to this one, for rows that lie on a line.
VectorXd across(const VectorXd& direction) {
  Index least = 0;
  direction.cwiseAbs().minCoeff(&least);
  return orthogonal_part(VectorXd::Unit(direction.size(), least), direction);
}

/// v or −v, whichever makes the largest entry positive; the first of entries that are equal up to
/// rounding.
std::vector<double> with_fixed_sign(VectorXd v) {
  const double largest_entry = v.cwiseAbs().maxCoeff();
  const auto first = std::find_if(v.begin(), v.end(), [&](double entry) {
    return std::abs(entry) >= (1 - 1e-9) * largest_entry;
  });
  if (*first < 0) v = -v;
  return {v.begin(), v.end()};
}

}  // namespace

// Maximise the variance of the rows along two orthonormal directions: the solution are the first
// two eigenvectors of XᵀX. Where there are fewer rows than columns, those of XXᵀ are found instead,
// which are shorter; Xᵀ turns one into the other.
std::optional<PrincipalPlane> principal_plane(const Rows& x) {
  RAMPART_ASSERT(x.columns() >= 2 && x.size() > 0, "a plane needs two features and a row");
  if (x.size() == 1) return std::nullopt;
  const CentredRows centred(x);
  const double rounding = 1e-15 * (centred.mean().squaredNorm() + centred.variance());
  if (!(centred.variance() > rounding) || !std::isfinite(centred.variance())) return std::nullopt;
  const Covariance covariance(centred);
  const Eigenpairs pairs = largest(covariance);
  const auto direction = [&](Index k) -> VectorXd {
    const VectorXd vector = pairs.vectors.col(k);
    return (covariance.by_rows() ? centred.transposed_times(vector) : vector).normalized();
  };
  const VectorXd first = direction(0);
  // A second variance that is only rounding error has no direction.
  const bool on_a_line = !(pairs.values[1] > 1e-13 * pairs.values[0]);
  const VectorXd second = on_a_line ? across(first) : orthogonal_part(direction(1), first);
  const double share = pairs.values[0] + (on_a_line ? 0 : pairs.values[1]);
  return PrincipalPlane{.mean = {centred.mean().begin(), centred.mean().end()},
                        .directions = {with_fixed_sign(first), with_fixed_sign(second)},
                        .variance_share = std::clamp(share, 0.0, 1.0)};
}

}  // namespace rampart
