#pragma once

#include <cstddef>

#include "kernel/panels.hpp"

namespace rampart {

/// One dense row x against several panels that lie one after another (kernel/panels.hpp). Several
/// panels at a time: the chains of sums of one panel are bound by the latency of a multiply-add.
/// Values have the bits that panel_products() and panel_rbf() give.
struct RowTask {
  const double* x;
  double x_norm;  ///< ½‖x‖²; row_rbf() only
  std::size_t columns;
  const double* panels;
  const double* panel_norms;
  std::size_t count;                   ///< of panels
  double* out;                         ///< values of panel p go to out + p·panel_rows
  SparseRowsView<double> sparse = {};  ///< instead of panels: panel_rows rows for each of them
  bool far = true;                     ///< as in PanelTask
};

void row_products(const RowTask& task);

void row_rbf(const RowTask& task, double rate);

/// sum + Σᵢ c[i]·values[i] for i < count, in the order of i and rounded as add_weighted() rounds.
[[nodiscard]] double add_in_order(const double* values, const double* c, std::size_t count,
                                  double sum);

}  // namespace rampart
