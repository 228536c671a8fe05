#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "rampart/dataset.hpp"
#include "rampart/train.hpp"

namespace rampart::testing_support {

/// Rows on both sides of a line, with random labels in a band along it and a few outliers.
/// Determined by the seed.
inline Dataset noisy_line(std::size_t rows, std::uint32_t seed, std::size_t columns = 2) {
  std::mt19937 random(seed);
  const auto uniform = [&] { return static_cast<double>(random() % 100001) / 50000 - 1; };
  Dataset data;
  std::vector<double> values;
  for (std::size_t n = 0; n < rows; ++n) {
    double side = 0.1;
    for (std::size_t j = 0; j < columns; ++j) {
      values.push_back(uniform());
      if (j < 2) side += values.back();
    }
    const bool noise = std::abs(side) < 0.35 ? random() % 2 == 0 : random() % 20 == 0;
    data.y.push_back((side > 0) != noise ? 1 : -1);
  }
  data.y[0] = 1;
  data.y[1] = -1;
  data.x = Rows::dense(columns, std::move(values));
  data.classes = {"-1", "1"};
  return data;
}

/// These rows of a data set, in this order.
inline Dataset subset(const Dataset& data, const std::vector<std::size_t>& indices) {
  Dataset part{.x = data.x.subset(indices), .classes = data.classes, .features = data.features};
  for (const std::size_t n : indices) {
    part.y.push_back(data.y[n]);
    if (!data.weights.empty()) part.weights.push_back(data.weights[n]);
  }
  return part;
}

/// A first round that ends at w = 0 leaves rows exactly on a kink of their ramp, whether it rejects
/// everything (ρ = μ) or always gives the answer of the larger class (b = ±μ, ρ = 0): rounding then
/// decides on which side these rows count, and with it where the rounds go. Properties that compare
/// two trainings leave both cases out, and use costs that make no other ties.
inline bool ends_in_a_tie(const std::vector<Round>& history, const std::vector<std::int8_t>& y,
                          const TrainOptions& options) {
  const auto rows = static_cast<double>(y.size());
  const auto positives = static_cast<double>(std::ranges::count(y, 1));
  const double at_zero =
      options.objective.C * (1 + options.objective.mu) *
      std::min({options.objective.costs.reject_positive * rows, positives, rows - positives});
  return history.front().objective > at_zero * (1 - 1e-6);
}

}  // namespace rampart::testing_support
