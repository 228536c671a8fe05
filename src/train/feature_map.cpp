#include "train/feature_map.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "kernel/kernel_matrix.hpp"
#include "rampart/errors.hpp"
#include "train/landmarks.hpp"
#include "util/random.hpp"

namespace rampart {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::size_t rows_together = 64;  // mapped at a time: their values stay in the cache
constexpr std::size_t part_rows = 128;     // of W

/// L⁻¹, row after row. A landmark that rounding makes depend on earlier ones gets a feature that
/// counts for nothing: `ridge` keeps the factorisation from failing.
std::vector<double> inverse_factor(const Kernel& kernel, const Rows& landmarks, unsigned threads) {
  const KernelMatrix values(kernel, landmarks, threads);
  const auto size = static_cast<Eigen::Index>(values.size());
  Matrix k(size, size);
  for (std::size_t n = 0; n < values.size(); ++n) {
    std::ranges::copy(values.row(n), k.row(static_cast<Eigen::Index>(n)).begin());
  }
  for (double ridge = 0;; ridge = std::max(1e-13, 10 * ridge)) {
    Matrix shifted = k;
    shifted.diagonal().array() += ridge;
    const Eigen::LLT<Matrix, Eigen::Lower> factors(shifted);
    if (factors.info() != Eigen::Success && ridge < 1) continue;
    Matrix inverse = Matrix::Identity(size, size);
    factors.matrixL().solveInPlace(inverse);
    if (!inverse.allFinite() && ridge < 1) continue;
    return {inverse.data(), inverse.data() + inverse.size()};
  }
}

}  // namespace

FeatureMap::FeatureMap(Kernel kernel, Rows vectors, bool single)
    : kernel_(kernel),
      vectors_(std::make_unique<Rows>(std::move(vectors))),
      sweep_(kernel, *vectors_),
      columns_(vectors_->size()),
      single_(single) {}

FeatureMap FeatureMap::of_landmarks(const RbfKernel& kernel, RowsView x, std::size_t landmarks,
                                    bool single, unsigned threads) {
  if (landmarks > x.size()) {
    throw InputError(fmt::format("landmarks = {}: more than the {} rows that are trained on",
                                 landmarks, x.size()));
  }
  const std::vector<std::size_t> chosen = choose_landmarks(kernel, x, landmarks, threads);
  const std::vector<std::size_t> places = x.places_of(chosen);
  FeatureMap map(kernel, x.at_places(places).to_rows(), single);
  map.matrix_ = inverse_factor(kernel, *map.vectors_, threads);
  for (std::size_t first = 0; first < map.columns_; first += part_rows) {
    const std::size_t end = std::min(map.columns_, first + part_rows);
    const auto rows = std::span<const double>(map.matrix_)
                          .subspan(first * map.columns_, (end - first) * map.columns_);
    map.parts_.push_back(
        {first, end,
         PanelStorage<double>(LinearKernel{},
                              RowsView::dense(rows, end - first, end, map.columns_))});
  }
  return map;
}

FeatureMap FeatureMap::of_frequencies(const RbfKernel& kernel, std::size_t columns,
                                      std::size_t features, bool single) {
  constexpr std::size_t most_values = std::size_t{1} << 27U;
  if (columns > most_values / features) {
    throw InputError(
        fmt::format("features = {}: {} frequencies of {} columns are too many numbers; fewer "
                    "features are needed, or landmarks, which may be sparse",
                    features, features, columns));
  }
  Random random(1);
  boost::random::normal_distribution<double> normal(0, std::sqrt(2 * kernel.gamma));
  std::vector<double> values;
  values.reserve(features * columns);
  for (std::size_t k = 0; k < features; ++k) {
    for (std::size_t j = 0; j < columns; ++j) {
      values.push_back(k % 2 == 0 ? normal(random) : -values[values.size() - columns]);
    }
  }
  FeatureMap map(FourierKernel{kernel.gamma}, Rows::dense(columns, std::move(values), features),
                 single);
  map.scale_ = 1 / std::sqrt(static_cast<double>(features));
  return map;
}

void FeatureMap::apply(RowsView x, std::span<double> out) const {
  std::vector<double> values(rows_together * columns_);
  std::vector<double*> row(rows_together);
  for (std::size_t n = 0; n < rows_together; ++n) row[n] = values.data() + n * columns_;
  for (std::size_t begin = 0; begin < x.size(); begin += rows_together) {
    const std::size_t count = std::min(rows_together, x.size() - begin);
    std::vector<std::size_t> which(count);
    std::iota(which.begin(), which.end(), begin);
    sweep_.values(sweep_.prepare(x, which), 0, count, 0, columns_, row.data());
    multiply(values, count, out.subspan(begin * columns_, count * columns_));
  }
  if (!single_) return;
  for (double& value : out) value = static_cast<double>(static_cast<float>(value));
}

/// Multiplies rows of k(V, x) by W.
void FeatureMap::multiply(std::span<const double> values, std::size_t rows,
                          std::span<double> out) const {
  if (parts_.empty()) {
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = scale_ * values[k];
    return;
  }
  std::vector<std::size_t> all(rows);
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<double*> to(rows);
  for (const Part& part : parts_) {
    const RowsView x = RowsView::dense(values.first(rows * columns_), rows, part.columns, columns_);
    for (std::size_t n = 0; n < rows; ++n) to[n] = out.data() + n * columns_ + part.first;
    part.rows.values(part.rows.prepare(x, all), 0, rows, 0, part.rows.size(), to.data());
  }
}

std::vector<double> FeatureMap::coefficients(std::span<const double> w) const {
  std::vector<double> found(columns_, 0.0);
  for (std::size_t k = 0; k < columns_; ++k) {
    if (parts_.empty()) {
      found[k] = scale_ * w[k];
      continue;
    }
    for (std::size_t i = 0; i <= k; ++i) found[i] += matrix_[k * columns_ + i] * w[k];
  }
  return found;
}

}  // namespace rampart
