#pragma once

#include <cmath>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include "rampart/dataset.hpp"

/// What the benchmarks of kernel values share.
namespace rampart {

constexpr double gamma = 0.125;

inline Rows normal_rows(std::size_t rows, std::size_t columns) {
  std::mt19937 random(1);
  std::vector<double> values(rows * columns);
  for (double& value : values) {
    double sum = -6;  // twelve uniform numbers are normal enough here
    for (int i = 0; i < 12; ++i) sum += static_cast<double>(random()) / 4294967296.0;
    value = 2 * sum / std::sqrt(static_cast<double>(columns));
  }
  return Rows::dense(columns, std::move(values));
}

inline double by_definition(const Rows& x, std::size_t n, std::size_t m) {
  double distance = 0;
  for (std::size_t j = 0; j < x.columns(); ++j) {
    const double difference = x.dense_row(n)[j] - x.dense_row(m)[j];
    distance += difference * difference;
  }
  return std::exp(-gamma * distance);
}

}  // namespace rampart
