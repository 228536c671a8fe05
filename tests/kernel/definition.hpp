#pragma once

#include <cmath>
#include <cstddef>
#include <variant>
#include <vector>

#include "rampart/kernel.hpp"
#include "rampart/rows.hpp"

namespace rampart::testing_support {

/// k(x, z) of row n of x and row m of z from the kernel's definition. A given matrix: entry m of
/// row n.
inline double by_definition(const Kernel& kernel, RowsView x, std::size_t n, RowsView z,
                            std::size_t m) {
  std::vector<double> a(x.columns());
  std::vector<double> b(z.columns());
  x.copy_row(n, a);
  z.copy_row(m, b);
  if (std::holds_alternative<PrecomputedKernel>(kernel)) return a[m];
  double product = 0;
  double distance = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    product += a[j] * b[j];
    distance += (a[j] - b[j]) * (a[j] - b[j]);
  }
  if (const auto* k = std::get_if<RbfKernel>(&kernel)) return std::exp(-k->gamma * distance);
  if (const auto* k = std::get_if<PolynomialKernel>(&kernel)) {
    return std::pow(k->gamma * product + k->coef0, k->degree);
  }
  if (const auto* k = std::get_if<SigmoidKernel>(&kernel)) {
    return std::tanh(k->gamma * product + k->coef0);
  }
  return product;
}

/// All of them: entry n·(rows of z) + m.
inline std::vector<double> matrix_by_definition(const Kernel& kernel, RowsView x, RowsView z) {
  std::vector<double> values;
  for (std::size_t n = 0; n < x.size(); ++n) {
    for (std::size_t m = 0; m < z.size(); ++m) {
      values.push_back(by_definition(kernel, x, n, z, m));
    }
  }
  return values;
}

}  // namespace rampart::testing_support
