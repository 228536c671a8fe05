#include "train/training_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>

#include <fmt/format.h>

#include "data/fit.hpp"
#include "data/row_encoder.hpp"
#include "data/survey.hpp"
#include "data/visit_columns.hpp"
#include "kernel/semidefinite.hpp"
#include "rampart/errors.hpp"
#include "train/first_reading.hpp"
#include "train/learn_familiar.hpp"
#include "util/parallel.hpp"

namespace rampart {
namespace {

constexpr std::size_t rows_per_task = 1024;

/// Weights of at most 1 in the same proportion: sums of them do not overflow. They are divided by a
/// power of two, which rounds nothing.
std::vector<double> relative(std::span<const double> weights) {
  std::vector<double> found(weights.begin(), weights.end());
  if (found.empty()) return found;
  int exponent = 0;
  static_cast<void>(std::frexp(std::ranges::max(found), &exponent));
  for (double& weight : found) weight = std::ldexp(weight, -exponent);
  return found;
}

/// Replaces the rows by rows of the same number.
void replace(TrainingRows& rows, Rows other) {
  rows.own = std::make_unique<Rows>(std::move(other));
  rows.x = *rows.own;
  rows.sample = nullptr;
}

/// Learns the scaling of the encoded rows. Features that are 0 or 1 by construction stay what they
/// are: the deviation of a rare category would make it weigh more than any number.
Scaling learn_scaling(ScalingKind kind, const TrainingRows& rows, const Survey& survey,
                      unsigned threads) {
  const Encoding& encoding = rows.encoding;
  Scaling scaling = fit_scaling(kind, rows.x, RowEncoder(encoding, {}, rows.x.columns()), survey,
                                threads, rows.weights);
  const std::vector<bool> indicators = encoding.indicators();
  for (std::size_t j = 0; j < indicators.size(); ++j) {
    if (!indicators[j]) continue;
    scaling.offset[j] = 0;
    scaling.factor[j] = 1;
  }
  return scaling;
}

/// A precomputed kernel matrix, made symmetric.
struct GivenMatrix {
  Rows k;
  double asymmetry = 0;  ///< largest change of a value, in units of √k(x, x)·√k(z, z)
};
GivenMatrix kernel_matrix(const TrainingRows& rows) {
  const RowsView x = rows.x;
  if (x.size() != x.columns()) {
    throw InputError(fmt::format("a precomputed kernel of {} rows needs as many columns, not {}",
                                 x.size(), x.columns()));
  }
  constexpr double largest = 1e150;  // products with coefficients must not overflow
  constexpr double most_asymmetry = 1e-6;
  const std::size_t size = x.size();
  std::vector<double> k(size * size);
  for (std::size_t n = 0; n < size; ++n) x.copy_row(n, std::span(k).subspan(n * size, size));
  GivenMatrix matrix;
  for (std::size_t n = 0; n < size; ++n) {
    for (std::size_t m = 0; m <= n; ++m) {
      const double one = k[n * size + m];
      const double other = k[m * size + n];
      if (!(std::abs(one) <= largest && std::abs(other) <= largest)) {
        throw InputError(fmt::format("k({}, {}) = {}: too large to compute with",
                                     rows.number_of(n) + 1, rows.number_of(m) + 1,
                                     std::abs(one) <= largest ? other : one));
      }
      const double unit =
          std::sqrt(std::abs(k[n * size + n])) * std::sqrt(std::abs(k[m * size + m]));
      const double apart = std::abs(one - other);
      if (apart > most_asymmetry * std::max({unit, std::abs(one), std::abs(other)})) {
        throw InputError(
            fmt::format("a precomputed kernel is symmetric, but k({0}, {1}) = {2} and "
                        "k({1}, {0}) = {3}",
                        rows.number_of(n) + 1, rows.number_of(m) + 1, one, other));
      }
      k[n * size + m] = k[m * size + n] = one + (other - one) / 2;
      if (apart > 0) matrix.asymmetry = std::max(matrix.asymmetry, apart / unit);
    }
  }
  matrix.k = Rows::dense(size, std::move(k), size);
  return matrix;
}

/// Whether a feature that is not constant was moved.
bool moves_what_varies(const Scaling& centre) {
  for (std::size_t j = 0; j < centre.offset.size(); ++j) {
    if (centre.offset[j] != 0 && centre.factor[j] != 0) return true;
  }
  return false;
}

/// Centres features far from 0 for a linear kernel. The offsets are free, so this does not change
/// the problem, but uncentred features would lose digits in inner products.
void move_near_zero(TrainingRows& rows, const Survey& survey, unsigned threads) {
  Scaling centre = fit_scaling(ScalingKind::centre, rows.x,
                               RowEncoder(rows.encoding, {}, rows.x.columns()), survey, threads);
  rows.moved = centre.kind != ScalingKind::none;
  // A constant feature gets the weight 0, so the model needs no scaling for it.
  if (moves_what_varies(centre)) rows.scaling = centre;
  rows.applied = std::move(centre);
}

}  // namespace

/// A dense row may miss values, and holds codes in categorical columns. All else must be finite.
void TrainingRows::check_cells(const Problem& data, const Survey& survey) {
  std::vector<std::uint32_t> columns;  // that have categories
  for (std::size_t j = 0; j < data.categories.size(); ++j) {
    if (!data.categories[j].empty()) columns.push_back(static_cast<std::uint32_t>(j));
  }
  if (!data.x.is_dense() && !columns.empty()) {
    throw InputError("sparse rows cannot have categories");
  }
  if (survey.first_infinite) {
    const auto [n, j, value] = *survey.first_infinite;
    throw InputError(fmt::format("row {}: feature {} is {}", n + 1, j + 1, value));
  }
  for (std::size_t n = 0; n < data.size() && !columns.empty(); ++n) {
    visit_columns(data.x, n, columns, [&](std::size_t k, double value) {
      const std::size_t j = columns[k];
      const std::size_t categories = data.categories[j].size();
      const bool is_code =
          value == std::floor(value) && value >= 0 && value < static_cast<double>(categories);
      if (!std::isnan(value) && !is_code) {
        throw InputError(
            fmt::format("row {}: feature {} is {}, which is no code of its {} categories", n + 1,
                        j + 1, value, categories));
      }
    });
  }
}

TrainingRows TrainingRows::learn(const Problem& data, const Representation& representation,
                                 unsigned threads) {
  if (representation.kernel.type != KernelType::precomputed) {
    return learn(data, representation, read_first(data, {}, threads), threads);
  }
  data.x.ensure_readable();  // rows of a file that nobody has checked yet
  require_trainable(data);
  if (!are_features(data.x, data.categories)) {
    throw InputError("a precomputed kernel holds numbers only: no text, no missing value");
  }
  data.x.require_finite();
  TrainingRows rows;
  rows.x = data.x;
  rows.weights = relative(data.weights);
  return rows;
}

TrainingRows TrainingRows::learn(const Problem& data, const Representation& representation,
                                 const FirstReading& reading, unsigned threads) {
  TrainingRows rows;
  rows.x = data.x;
  rows.weights = relative(data.weights);
  rows.sample = reading.sample ? &*reading.sample : nullptr;
  const Survey& survey = reading.survey;
  check_cells(data, survey);
  rows.familiar =
      learn_familiar(data.x, data.categories, representation.unfamiliar, survey, threads);
  rows.encoding =
      fit_encoding(data.x, data.categories, representation.missing, survey, threads, rows.weights);
  if (representation.scaling != ScalingKind::none) {
    rows.scaling = learn_scaling(representation.scaling, rows, survey, threads);
    rows.applied = rows.scaling;
  } else if (representation.kernel.type == KernelType::linear) {
    move_near_zero(rows, survey, threads);
  }
  return rows;
}

void TrainingRows::materialise(const Representation& representation, unsigned threads) {
  double asymmetry = 0;
  if (representation.kernel.type == KernelType::precomputed) {
    GivenMatrix matrix = kernel_matrix(*this);
    replace(*this, std::move(matrix.k));
    asymmetry = matrix.asymmetry;
  } else {
    const RowEncoder to_features = encoder();
    if (!to_features.is_identity()) replace(*this, to_features.apply(x, threads));
  }
  kernel = make_kernel(representation.kernel, x, weights);
  semidefinite = semidefinite_up_to(kernel, x, threads);
  if (semidefinite) semidefinite = std::max(*semidefinite, asymmetry);
}

RowEncoder TrainingRows::encoder() const { return {encoding, applied, x.columns()}; }

TrainingRows TrainingRows::prepare(const Problem& data, const Representation& representation,
                                   unsigned threads) {
  TrainingRows rows = learn(data, representation, threads);
  rows.materialise(representation, threads);
  return rows;
}

std::vector<double> weights_of(RowsView x, std::span<const double> v) {
  std::vector<double> w(x.columns(), 0.0);
  for (std::size_t n = 0; n < x.size(); ++n) {
    if (v[n] != 0) x.for_each(n, [&](std::size_t j, double value) { w[j] += v[n] * value; });
  }
  return w;
}

std::vector<double> linear_product(RowsView x, std::span<const double> v, unsigned threads) {
  const std::vector<double> w = weights_of(x, v);
  std::vector<double> u(x.size(), 0.0);
  parallel_blocks(x.size(), rows_per_task, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      x.for_each(n, [&](std::size_t j, double value) { u[n] += w[j] * value; });
    }
  });
  return u;
}

}  // namespace rampart
