#include "kernel/semidefinite.hpp"

#include <Eigen/Cholesky>

#include <cmath>
#include <limits>

#include "kernel/kernel_matrix.hpp"
#include "kernel/panels.hpp"

namespace rampart {
namespace {

constexpr std::size_t most_rows = 2048;
constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double rounding = 16 * epsilon;  // of a value k(x, z), in units of √k(x, x)·√k(z, z)

/// By Cholesky's factorisation, which exists for positive definite matrices only; in those units,
/// so that rows of small values are looked at as closely as others.
bool is_semidefinite(const KernelMatrix& matrix, double slack) {
  const auto size = static_cast<Eigen::Index>(matrix.size());
  Eigen::VectorXd unit(size);
  for (std::size_t n = 0; n < matrix.size(); ++n) {
    const double value = matrix.row(n)[n];
    if (!(value >= 0)) return false;
    unit[static_cast<Eigen::Index>(n)] = std::sqrt(value);
  }
  Eigen::MatrixXd k(size, size);
  for (Eigen::Index n = 0; n < size; ++n) {
    const auto row = matrix.row(static_cast<std::size_t>(n));
    for (Eigen::Index m = 0; m < size; ++m) {
      const double value = row[static_cast<std::size_t>(m)];
      if (value != 0 && (unit[n] == 0 || unit[m] == 0)) return false;
      k(m, n) = value == 0 ? 0 : value / unit[n] / unit[m];
    }
    k(n, n) = 1 + slack;
  }
  return Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>>(k).info() == Eigen::Success;
}

/// Distances are computed from norms, which may be much larger: the values are as much less exact,
/// up to the point where distances are computed from differences.
double rounding_of_rbf(double gamma, const Rows& x) {
  double largest = 0;
  for (std::size_t n = 0; n < x.size(); ++n) {
    double squares = 0;
    x.for_each(n, [&](std::size_t, double value) { squares += value * value; });
    largest = std::max(largest, squares);
  }
  return rounding + 4 * epsilon * std::min(rbf_rate(gamma) * largest, largest_cancellation<double>);
}

}  // namespace

std::optional<double> semidefinite_up_to(const Kernel& kernel, const Rows& x, unsigned threads) {
  if (std::holds_alternative<LinearKernel>(kernel)) return rounding;
  if (const auto* rbf = std::get_if<RbfKernel>(&kernel)) return rounding_of_rbf(rbf->gamma, x);
  const auto* polynomial = std::get_if<PolynomialKernel>(&kernel);
  if (polynomial != nullptr && polynomial->coef0 >= 0) return rounding * polynomial->degree;
  if (x.size() > most_rows) return std::nullopt;
  // An eigenvalue 0 may come out negative, by about the rounding of a row's sums.
  const double slack = std::max(rounding, 4 * epsilon * static_cast<double>(x.size()));
  if (!is_semidefinite(KernelMatrix(kernel, x, threads), slack)) return std::nullopt;
  return slack;
}

}  // namespace rampart
