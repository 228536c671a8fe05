#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "rampart/dataset.hpp"

namespace rampart::testing_support {

/// Rows of normal numbers, a third of them zero.
inline Rows random_rows(std::size_t rows, std::size_t columns, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<double> values(rows * columns);
  for (double& value : values) {
    const double u = static_cast<double>(random() % 20001) / 10000 - 1;
    value = random() % 3 == 0 ? 0 : 2 * u;
  }
  return Rows::dense(columns, std::move(values), rows);
}

/// The same rows with zeros left out.
inline Rows without_zeros(const Rows& dense) {
  std::vector<std::size_t> starts{0};
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  for (std::size_t n = 0; n < dense.size(); ++n) {
    dense.for_each(n, [&](std::size_t j, double value) {
      if (value == 0) return;
      indices.push_back(static_cast<std::uint32_t>(j));
      values.push_back(value);
    });
    starts.push_back(values.size());
  }
  return Rows::sparse(dense.columns(), std::move(starts), std::move(indices), std::move(values));
}

}  // namespace rampart::testing_support
