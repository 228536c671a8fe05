#include "train/kernel_solver.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "kernel/kernel_product.hpp"
#include "rampart/errors.hpp"

namespace rampart {
namespace {

constexpr double single_certifies = 1e-5;    // tolerance below which rows must be double
constexpr std::size_t small_problem = 2048;  // rows whose whole matrix is cheap in double

/// Kv from kernel rows in double precision.
template <KernelRows Matrix>
std::vector<double> product_by_rows(Matrix& matrix, std::span<const double> v) {
  std::vector<std::uint32_t> support;
  std::vector<double> c;
  for (std::size_t n = 0; n < v.size(); ++n) {
    if (v[n] == 0) continue;
    support.push_back(static_cast<std::uint32_t>(n));
    c.push_back(v[n]);
  }
  std::vector<double> u(v.size(), 0.0);
  matrix.add_rows(support, c, u);
  return u;
}

/// Whether the kernel parameters are in the range of float.
bool fits_single(const Kernel& kernel) {
  const auto fits = [](double value) { return std::abs(value) <= 1e30; };
  if (const auto* rbf = std::get_if<RbfKernel>(&kernel)) {
    return fits(rbf->gamma) && rbf->gamma >= 1e-30;
  }
  if (const auto* polynomial = std::get_if<PolynomialKernel>(&kernel)) {
    return fits(polynomial->gamma) && fits(polynomial->coef0);
  }
  if (const auto* sigmoid = std::get_if<SigmoidKernel>(&kernel)) {
    return fits(sigmoid->gamma) && fits(sigmoid->coef0);
  }
  return true;
}

/// Whether squares of the features, summed over many columns, stay in the range of float.
bool fits_single(RowsView x) {
  constexpr double largest = 1e15;
  bool fits = true;
  for (std::size_t n = 0; n < x.size(); ++n) {
    x.for_each(n, [&](std::size_t, double value) { fits &= std::abs(value) <= largest; });
  }
  return fits;
}

/// Whether kernel rows are to be kept in double precision, as far as that does not depend on the
/// features.
bool wants_double(const Exactness& exactness, const Kernel& kernel, std::size_t rows) {
  if (exactness.precision == Precision::double_rows || !fits_single(kernel)) return true;
  return exactness.precision == Precision::automatic &&
         (exactness.tolerance < single_certifies || rows <= small_problem);
}

bool wants_double(const Exactness& exactness, const TrainingRows& rows) {
  if (wants_double(exactness, rows.kernel, rows.x.size())) return true;
  return exactness.precision != Precision::single_rows && !fits_single(rows.x);
}

}  // namespace

template <KernelRows Matrix>
std::vector<double> KernelSolver<Matrix>::exact_product(std::span<const double> v) {
  if (is_linear()) return linear_product(rows_.x, v, options_.threads);
  if constexpr (single) {
    return kernel_product(rows_.kernel, rows_.x, v, options_.threads);
  } else {
    return product_by_rows(matrix_, v);
  }
}

/// Products of kernel values and coefficients must not overflow.
template <KernelRows Matrix>
void KernelSolver<Matrix>::require_size(std::size_t rows) const {
  const double most = single ? 1e30 : 1e150;
  for (std::size_t n = 0; n < rows; ++n) {
    if (!(std::abs(squared_norm(n)) <= most)) {
      throw InputError(
          fmt::format("row {}: its kernel value with itself is {}, too large to compute "
                      "with; scale the features",
                      rows_.number_of(n) + 1, squared_norm(n)),
          Setting::scaling);
    }
  }
}

template class KernelSolver<RowCache<float>>;
template class KernelSolver<RowCache<double>>;
template class KernelSolver<KernelSubmatrix>;

AnySolver choose_solver(const TrainingRows& rows, const TrainOptions& options,
                        const SharedMatrix& shared) {
  const std::size_t cache_bytes = options.resources.cache_bytes;
  const unsigned threads = options.resources.threads;
  const KernelSolverOptions solver{.threads = threads};
  if (!wants_double(options.exactness, rows)) {
    return KernelSolver(rows, RowCache<float>(rows.kernel, rows.x, cache_bytes, threads), solver);
  }
  if (shared.whole != nullptr && !rows.moved) {
    return KernelSolver(rows, KernelSubmatrix(*shared.whole, shared.which), solver);
  }
  return KernelSolver(rows, RowCache<double>(rows.kernel, rows.x, cache_bytes, threads), solver);
}

bool can_share_matrix(const Problem& data, const TrainOptions& options, std::size_t training_rows,
                      std::size_t parts) {
  const KernelOptions& kernel = options.representation.kernel;
  const ScalingKind scaling = options.representation.scaling;
  if (kernel.type == KernelType::precomputed) return false;  // the data already are the matrix
  if (options.uses_linear_solver()) return false;            // needs none
  const bool by_rule = kernel.has_gamma() && kernel.gamma == Gamma(GammaRule::scale);
  if (scaling != ScalingKind::none || by_rule || !are_features(data.x, data.categories))
    return false;
  const auto rows = static_cast<double>(data.size());
  const bool fits = rows * rows * sizeof(double) * (1 + static_cast<double>(parts)) <=
                    static_cast<double>(options.resources.cache_bytes);
  return fits && wants_double(options.exactness, make_kernel(kernel, data.x), training_rows);
}

}  // namespace rampart
