#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "invariants.hpp"
#include "kernel/random_rows.hpp"

namespace rampart::stress {

/// Where choices come from: a random generator, or the bytes of a fuzzer.
template <class C>
concept Choices = requires(C choose) {
  { choose(std::uint64_t{2}) } -> std::convertible_to<std::uint64_t>;  ///< below its argument
};

template <Choices C, class Value>
Value one_of(C& choose, std::initializer_list<Value> values) {
  return values.begin()[choose(values.size())];
}

/// From −1 to 1.
template <Choices C>
double unit(C& choose) {
  return static_cast<double>(choose(2'000'001)) / 1e6 - 1;
}

/// 10 to a power between −most and most, one as often as not.
template <Choices C>
double any_size(C& choose, int most) {
  if (choose(2) == 0) return 1;
  return std::pow(10.0,
                  static_cast<double>(choose(2 * static_cast<std::uint64_t>(most) + 1)) - most);
}

/// Sizes that data may well have, and now and then those that only hostile data have.
template <Choices C>
double any_feature_size(C& choose) {
  return any_size(choose, choose(8) == 0 ? 300 : 8);
}

/// A symmetric matrix: of inner products, or of anything.
template <Choices C>
Rows any_matrix(C& choose, std::size_t rows) {
  const std::size_t rank = 1 + choose(4);
  const double size = any_feature_size(choose);
  const double diagonal = one_of(choose, {0.0, 1.0, 1e-9, -1.0});
  std::vector<double> factors(rows * rank);
  for (double& value : factors) value = unit(choose);
  const double sign = one_of(choose, {1.0, 1.0, -1.0});
  const bool tiny = choose(8) == 0;
  std::vector<double> k(rows * rows, 0.0);
  for (std::size_t n = 0; n < rows; ++n) {
    for (std::size_t m = 0; m < rows; ++m) {
      for (std::size_t j = 0; j < rank; ++j) {
        k[n * rows + m] += factors[n * rank + j] * factors[m * rank + j];
      }
      k[n * rows + m] = size * (sign * k[n * rows + m] + (n == m ? diagonal : 0));
      if (n == m && tiny) k[n * rows + m] = 1e-300;
    }
  }
  return Rows::dense(rows, std::move(k));
}

/// Columns of very different sizes, far from 0 or not, constant, or mostly 0; labels that have
/// something to do with the first.
template <Choices C>
Dataset any_rows(C& choose, std::size_t rows, std::size_t columns) {
  std::vector<double> sizes(columns);
  std::vector<double> offsets(columns);
  std::vector<std::uint64_t> kinds(columns);
  for (std::size_t j = 0; j < columns; ++j) {
    sizes[j] = any_feature_size(choose);
    offsets[j] = choose(2) == 0 ? 0 : sizes[j] * any_size(choose, 12);
    kinds[j] = choose(6);
  }
  const double noise = one_of(choose, {0.0, 0.2, 2.0});
  Dataset data;
  std::vector<double> values;
  for (std::size_t n = 0; n < rows; ++n) {
    for (std::size_t j = 0; j < columns; ++j) {
      const double value = unit(choose);
      if (j == 0) data.y.push_back(value + noise * unit(choose) > 0 ? 1 : -1);
      const bool zero = kinds[j] == 0 && choose(3) > 0;
      values.push_back(zero ? 0 : (kinds[j] == 1 ? 0 : sizes[j] * value) + offsets[j]);
    }
    if (n > 0 && choose(8) == 0) {  // a row twice
      std::copy_n(values.end() - 2 * static_cast<std::ptrdiff_t>(columns), columns,
                  values.end() - static_cast<std::ptrdiff_t>(columns));
    }
  }
  data.x = Rows::dense(columns, std::move(values));
  if (choose(4) == 0) data.x = testing_support::without_zeros(data.x);
  return data;
}

template <Choices C>
Costs any_costs(C& choose, LossKind loss) {
  if (loss != LossKind::double_ramp || choose(3) > 0) {
    return Costs::symmetric(one_of(choose, {0.01, 0.1, 0.2, 0.3, 0.49, 0.5}));
  }
  const double wrong = any_size(choose, 3);
  return {1, wrong, wrong * one_of(choose, {0.05, 0.3, 0.6}), one_of(choose, {0.05, 0.3})};
}

template <Choices C>
Training any_training(C& choose, std::size_t most_rows) {
  Training training;
  TrainOptions& options = training.options;
  options.objective.loss =
      one_of(choose, {LossKind::double_ramp, LossKind::double_ramp, LossKind::hinge,
                      LossKind::double_hinge, LossKind::generalized_hinge});
  options.objective.costs = any_costs(choose, options.objective.loss);
  options.objective.mu = one_of(choose, {1.0, 0.5, 0.1, 1e-3});
  options.objective.C = any_size(choose, 12);
  options.representation.kernel.type =
      one_of(choose, {KernelType::linear, KernelType::linear, KernelType::rbf,
                      KernelType::polynomial, KernelType::sigmoid, KernelType::precomputed});
  options.representation.kernel.gamma =
      choose(3) == 0 ? Gamma(GammaRule::scale) : Gamma(any_size(choose, 12));
  options.representation.kernel.coef0 = one_of(choose, {0.0, 1.0, -1.0});
  options.representation.kernel.degree = static_cast<int>(1 + choose(5));
  options.exactness.tolerance = one_of(choose, {1e-3, 1e-3, 1e-6, 1e-1, 10.0});
  options.exactness.precision =
      one_of(choose, {Precision::automatic, Precision::automatic, Precision::single_rows});
  options.exactness.max_rounds = one_of<C, std::size_t>(choose, {100, 100, 100, 1, 2});
  options.exactness.max_steps = one_of<C, std::uint64_t>(choose, {20'000, 20'000, 20'000, 7});
  options.resources.threads = 1;

  const std::size_t rows = 2 + choose(most_rows - 1);
  Dataset& data = training.data;
  data = any_rows(choose, rows, 1 + choose(5));
  if (options.representation.kernel.type == KernelType::precomputed) {
    data.x = any_matrix(choose, rows);
  } else {
    options.representation.scaling =
        one_of(choose, {ScalingKind::none, ScalingKind::none, ScalingKind::none,
                        ScalingKind::minmax, ScalingKind::standard});
  }
  if (choose(4) == 0) {
    for (std::size_t n = 0; n < rows; ++n) {
      data.weights.push_back(choose(5) == 0 ? 0 : any_size(choose, choose(40) == 0 ? 300 : 3));
    }
  }
  if (choose(5) == 0) options.objective.class_weights["1"] = any_size(choose, 3);
  return training;
}

}  // namespace rampart::stress
