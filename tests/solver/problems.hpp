#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "kernel/kernel_rows.hpp"
#include "solver/hinge_qp.hpp"

namespace rampart::testing_support {

/// A kernel matrix of given values.
class StoredMatrix {
 public:
  StoredMatrix(std::size_t size, std::vector<double> values)
      : size_(size), values_(std::move(values)) {}

  using Value = double;
  std::vector<const double*> whole() const {
    std::vector<const double*> rows;
    for (std::size_t n = 0; n < size_; ++n) rows.push_back(values_.data() + n * size_);
    return rows;
  }
  void block(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> columns,
             std::span<double* const> out) const {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t k = 0; k < columns.size(); ++k) out[i][k] = (*this)(rows[i], columns[k]);
    }
  }
  void add_rows(std::span<const std::uint32_t> rows, std::span<const double> c,
                std::span<double> u) const {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      for (std::size_t n = 0; n < size_; ++n) u[n] += c[k] * (*this)(rows[k], n);
    }
  }
  double diagonal(std::size_t n) const { return values_[n * size_ + n]; }
  std::size_t size() const { return size_; }
  double operator()(std::size_t n, std::size_t m) const { return values_[n * size_ + m]; }

 private:
  std::size_t size_;
  std::vector<double> values_;
};
static_assert(KernelRows<StoredMatrix>);

/// A random HingeQp with a random kernel matrix, reproducible from its seed.
struct RandomProblem {
  std::vector<std::int8_t> y;
  StoredMatrix kernel{0, {}};
  HingeQp qp;

  /// `layers` 1 or 2 on `offsets` 1 or 2; `rank` features behind the kernel matrix.
  std::vector<std::vector<double>> caps;  ///< of each layer

  RandomProblem(std::size_t rows, std::size_t layers, std::size_t offsets, std::size_t rank,
                std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto uniform = [&] { return static_cast<double>(random() % 10001) / 10000; };
    std::vector<double> x(rows * rank);
    for (double& value : x) value = 4 * uniform() - 2;
    for (std::size_t n = 0; n < rows; ++n) y.push_back(n % 2 == 0 ? 1 : -1);
    std::vector<double> k(rows * rows, 0.0);
    for (std::size_t n = 0; n < rows; ++n) {
      for (std::size_t m = 0; m < rows; ++m) {
        for (std::size_t j = 0; j < rank; ++j) k[n * rows + m] += x[n * rank + j] * x[m * rank + j];
      }
    }
    kernel = StoredMatrix(rows, std::move(k));
    qp.y = y;
    qp.offsets = offsets;
    caps.reserve(layers);
    for (std::size_t r = 0; r < layers; ++r) {
      HingeLayer layer{.margin = offsets == 2 ? 1.0 : 2 * uniform(),
                       .offset = offsets == 2 ? r : 0};
      std::vector<double>& cap = caps.emplace_back();
      for (std::size_t n = 0; n < rows; ++n) {
        const bool weightless = random() % 8 == 0;
        cap.push_back(weightless ? 0 : 0.1 + 2 * uniform());
        layer.flat.push_back(random() % 3 == 0 ? 1 : 0);
      }
      layer.weights = cap;
      qp.layers.push_back(std::move(layer));
    }
  }
  RandomProblem(const RandomProblem&) = delete;  // qp views y

  /// Kv, from the definition.
  std::vector<double> product(const std::vector<double>& v) const {
    std::vector<double> u(v.size(), 0.0);
    for (std::size_t n = 0; n < v.size(); ++n) {
      for (std::size_t m = 0; m < v.size(); ++m) u[n] += kernel(n, m) * v[m];
    }
    return u;
  }
};

inline std::vector<double> settled_offsets(const HingeQp& qp, const DualPoint& point) {
  std::vector<double> offsets;
  for (const OffsetClaims& claims : offset_claims(qp, point)) offsets.push_back(claims.settled());
  return offsets;
}

}  // namespace rampart::testing_support
