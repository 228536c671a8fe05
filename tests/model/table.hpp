#pragma once

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "rampart/dataset.hpp"

namespace rampart::testing_support {

/// Rows of a table: a number that never misses, a number that misses in a fifth of the rows, and
/// one of three categories. All three tell something about the label. Determined by the seed.
inline Dataset table(std::size_t rows, std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto uniform = [&] { return static_cast<double>(random() % 100001) / 50000 - 1; };
  Dataset data;
  std::vector<double> cells;
  for (std::size_t n = 0; n < rows; ++n) {
    const double one = uniform();
    const double other = uniform();
    const auto category = static_cast<double>(random() % 3);
    const double side = one + other / 2 + (category - 1) / 2 + 0.3 * uniform();
    cells.insert(
        cells.end(),
        {one, random() % 5 == 0 ? std::numeric_limits<double>::quiet_NaN() : other, category});
    data.y.push_back(n < 2 ? (n == 0 ? 1 : -1) : side > 0 ? 1 : -1);
  }
  data.x = Rows::dense(3, std::move(cells));
  data.features = {"one", "other", "colour"};
  data.categories = {{}, {}, {"red", "green", "blue"}};
  data.classes = {"no", "yes"};
  return data;
}

}  // namespace rampart::testing_support
