#include "train/training_rows.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "data/classes.hpp"
#include "kernel/kernel_product.hpp"
#include "kernel/semidefinite.hpp"
#include "rampart/errors.hpp"
#include "util/parallel.hpp"

namespace rampart {
namespace {

constexpr double single_certifies = 1e-5;    // tolerance below which rows must be double
constexpr std::size_t small_problem = 2048;  // rows whose whole matrix is cheap in double
constexpr std::size_t rows_per_task = 1024;

void check(const Dataset& data) {
  if (const auto fault = fault_of(data.classes)) throw InputError(*fault);
  const std::size_t rows = data.y.size();
  if (data.x.size() != rows || (!data.weights.empty() && data.weights.size() != rows)) {
    throw InputError(fmt::format("{} rows, {} labels and {} weights do not belong together",
                                 data.x.size(), rows, data.weights.size()));
  }
  for (const int label : {-1, 1}) {
    bool counts = false;
    for (std::size_t n = 0; n < rows; ++n) {
      counts |= data.y[n] == label && (data.weights.empty() || data.weights[n] > 0);
    }
    if (!counts) {
      throw InputError(fmt::format("no row of class {}{}; two classes are needed",
                                   label < 0 ? data.classes.negative : data.classes.positive,
                                   data.weights.empty() ? "" : " carries any weight"));
    }
  }
  for (std::size_t n = 0; n < rows; ++n) {
    if (data.y[n] != 1 && data.y[n] != -1) {
      throw InputError(fmt::format("row {}: label {} is neither -1 nor 1", n + 1, data.y[n]));
    }
    if (!data.weights.empty() && !(data.weights[n] >= 0 && std::isfinite(data.weights[n]))) {
      throw InputError(
          fmt::format("row {}: weight {} must be >= 0 and finite", n + 1, data.weights[n]));
    }
  }
  if (data.x.columns() == 0) throw InputError("no features");
  data.x.require_finite();
}

/// The kernel matrix that the features of a precomputed kernel are, made symmetric.
struct GivenMatrix {
  Rows k;
  double asymmetry = 0;  ///< how far a value was moved, in units of √k(x, x)·√k(z, z)
};
GivenMatrix kernel_matrix(const Rows& x) {
  if (x.size() != x.columns()) {
    throw InputError(fmt::format("a precomputed kernel of {} rows needs as many columns, not {}",
                                 x.size(), x.columns()));
  }
  constexpr double largest = 1e150;  // products with coefficients must stay far from infinity
  constexpr double most_asymmetry = 1e-6;
  const Rows given = x.to_dense();
  const std::size_t size = x.size();
  std::vector<double> k(size * size);
  GivenMatrix matrix;
  for (std::size_t n = 0; n < size; ++n) {
    for (std::size_t m = 0; m <= n; ++m) {
      const double one = given.dense_row(n)[m];
      const double other = given.dense_row(m)[n];
      if (!(std::abs(one) <= largest && std::abs(other) <= largest)) {
        throw InputError(fmt::format("k({}, {}) = {}: too large to compute with", n + 1, m + 1,
                                     std::abs(one) <= largest ? other : one));
      }
      const double unit =
          std::sqrt(std::abs(given.dense_row(n)[n])) * std::sqrt(std::abs(given.dense_row(m)[m]));
      const double apart = std::abs(one - other);
      if (apart > most_asymmetry * std::max({unit, std::abs(one), std::abs(other)})) {
        throw InputError(
            fmt::format("a precomputed kernel is symmetric, but k({0}, {1}) = {2} and "
                        "k({1}, {0}) = {3}",
                        n + 1, m + 1, one, other));
      }
      k[n * size + m] = k[m * size + n] = one + (other - one) / 2;
      if (apart > 0) matrix.asymmetry = std::max(matrix.asymmetry, apart / unit);
    }
  }
  matrix.k = Rows::dense(size, std::move(k), size);
  return matrix;
}

/// Rows of a linear kernel. With free offsets it does not matter where 0 is, but the digits of a
/// feature that lies far from it would be lost in products with others.
void move_near_zero(const Rows& x, TrainingRows& rows) {
  Scaling centre = Scaling::fit(ScalingKind::centre, x);
  rows.moved = centre.kind != ScalingKind::none;
  rows.x = centre.apply(x);
  bool varies = false;  // a feature that was moved
  for (std::size_t j = 0; j < centre.offset.size(); ++j) {
    varies |= centre.offset[j] != 0 && centre.factor[j] != 0;
  }
  // A constant feature gets the weight 0: the model need not know that it was moved.
  if (varies) rows.scaling = std::move(centre);
}

/// Whether the parameters of the kernel are numbers of single precision at all.
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

/// Kv from rows that are in double precision anyway.
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

}  // namespace

TrainingRows TrainingRows::prepare(const Dataset& data, const TrainOptions& options) {
  check(data);
  TrainingRows rows;
  double asymmetry = 0;
  if (options.representation.kernel.type == KernelType::precomputed) {
    GivenMatrix matrix = kernel_matrix(data.x);
    rows.x = std::move(matrix.k);
    asymmetry = matrix.asymmetry;
  } else if (options.representation.kernel.type == KernelType::linear &&
             options.representation.scaling == ScalingKind::none) {
    move_near_zero(data.x, rows);
  } else {
    rows.scaling = Scaling::fit(options.representation.scaling, data.x);
    rows.x = rows.scaling.apply(data.x);
  }
  rows.kernel = make_kernel(options.representation.kernel, rows.x);
  rows.semidefinite = semidefinite_up_to(rows.kernel, rows.x, options.resources.threads);
  if (rows.semidefinite) rows.semidefinite = std::max(*rows.semidefinite, asymmetry);
  return rows;
}

bool wants_double(const TrainOptions& options, const Kernel& kernel, std::size_t rows) {
  if (options.exactness.precision == Precision::double_rows || !fits_single(kernel)) return true;
  return options.exactness.precision == Precision::automatic &&
         (options.exactness.tolerance < single_certifies || rows <= small_problem);
}

bool wants_double(const TrainOptions& options, const TrainingRows& rows) {
  if (wants_double(options, rows.kernel, rows.x.size())) return true;
  if (options.exactness.precision == Precision::single_rows) return false;
  constexpr double largest = 1e15;  // its square, times many columns, is a number in float
  bool fits = true;
  for (std::size_t n = 0; n < rows.x.size(); ++n) {
    rows.x.for_each(n, [&](std::size_t, double value) { fits &= std::abs(value) <= largest; });
  }
  return !fits;
}

std::vector<double> weights_of(const Rows& x, std::span<const double> v) {
  std::vector<double> w(x.columns(), 0.0);
  for (std::size_t n = 0; n < x.size(); ++n) {
    if (v[n] != 0) x.for_each(n, [&](std::size_t j, double value) { w[j] += v[n] * value; });
  }
  return w;
}

std::vector<double> linear_product(const Rows& x, std::span<const double> v, unsigned threads) {
  const std::vector<double> w = weights_of(x, v);
  std::vector<double> u(x.size(), 0.0);
  parallel_blocks(x.size(), rows_per_task, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      x.for_each(n, [&](std::size_t j, double value) { u[n] += w[j] * value; });
    }
  });
  return u;
}

template <class Real>
std::vector<double> OwnKernel<Real>::product(std::span<const double> v) {
  if (std::holds_alternative<LinearKernel>(rows_.kernel)) {
    return linear_product(rows_.x, v, threads_);
  }
  if constexpr (std::is_same_v<Real, double>) return product_by_rows(cache_, v);
  return kernel_product(rows_.kernel, rows_.x, v, threads_);
}

template class OwnKernel<float>;
template class OwnKernel<double>;

std::vector<double> SharedKernel::product(std::span<const double> v) {
  if (std::holds_alternative<LinearKernel>(rows_.kernel)) return linear_product(rows_.x, v, 1);
  return product_by_rows(part_, v);
}

}  // namespace rampart
