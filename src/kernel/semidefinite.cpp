#include "kernel/semidefinite.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

#include "kernel/kernel_matrix.hpp"
#include "kernel/panels.hpp"

namespace rampart {
namespace {

constexpr std::size_t most_rows = 2048;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// The most values that a row stores.
std::size_t most_values(RowsView x) {
  std::size_t most = 0;
  const std::size_t rows = x.is_dense() ? std::min<std::size_t>(x.size(), 1) : x.size();
  for (std::size_t n = 0; n < rows; ++n) most = std::max(most, x.stored_values(n));
  return most;
}

/// The largest square of the length of a row.
double largest_squares(RowsView x) {
  double largest = 0;
  for (std::size_t n = 0; n < x.size(); ++n) {
    double squares = 0;
    x.for_each(n, [&](std::size_t, double value) { squares += value * value; });
    largest = std::max(largest, squares);
  }
  return largest;
}

/// By Cholesky's factorisation, which exists for positive definite matrices only; in units of
/// √k(x, x)·√k(z, z), so that the slack is relative to each row.
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
      k(m, n) = value == 0 ? 0 : value / unit[n] / unit[m];
      // The Cauchy-Schwarz inequality; overflow fails it too, which the factorisation would miss.
      if (!(std::abs(k(m, n)) <= 1 + slack)) return false;
    }
    k(n, n) = 1 + slack;
  }
  return Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>>(k).info() == Eigen::Success;
}

}  // namespace

std::optional<double> semidefinite_up_to(const Kernel& kernel, RowsView x, unsigned threads) {
  const auto* polynomial = std::get_if<PolynomialKernel>(&kernel);
  const auto* rbf = std::get_if<RbfKernel>(&kernel);
  const bool always = rbf != nullptr || std::holds_alternative<LinearKernel>(kernel) ||
                      (polynomial != nullptr && polynomial->coef0 >= 0);
  if (always) {
    // x·z: every term is rounded once.
    const double rounding =
        std::max(least_kernel_rounding, epsilon * static_cast<double>(most_values(x)));
    if (polynomial != nullptr) return rounding * polynomial->degree;
    if (rbf == nullptr) return rounding;
    // Distances are computed from norms, which may be much larger, up to the point where they are
    // computed from differences.
    const double norms = rbf_rate(rbf->gamma) * largest_squares(x);
    return rounding + 4 * epsilon * std::min(norms, largest_cancellation<double>);
  }
  if (x.size() > most_rows) return std::nullopt;
  // An eigenvalue 0 may come out negative, by about the rounding of a row's sums.
  const double slack = std::max(least_kernel_rounding, 4 * epsilon * static_cast<double>(x.size()));
  if (!is_semidefinite(KernelMatrix(kernel, x, threads), slack)) return std::nullopt;
  return slack;
}

}  // namespace rampart
