#pragma once

#include <cstddef>

namespace rampart {

/// One dense row x against several panels that lie one after another (kernel/panels.hpp). As many
/// panels at a time as keep the processor busy: one alone would wait for each of its sums. Values
/// have the bits that panel_products() and panel_rbf() give.
struct RowTask {
  const double* x;
  double x_norm;  ///< ½‖x‖²; row_rbf() only
  std::size_t columns;
  const double* panels;
  const double* panel_norms;
  std::size_t count;  ///< of panels
  double* out;        ///< values of panel p go to out + p·panel_rows
};

void row_products(const RowTask& task);

/// Whether all values are good: false if distances of some rows lost too many digits in products.
/// With `far` false, that is known not to happen and is not looked at.
[[nodiscard]] bool row_rbf(const RowTask& task, double rate, bool far);

/// sum + Σᵢ c[i]·values[i] for i < count, in the order of i and rounded as add_weighted() rounds.
[[nodiscard]] double add_in_order(const double* values, const double* c, std::size_t count,
                                  double sum);

}  // namespace rampart
