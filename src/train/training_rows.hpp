#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rampart/dataset.hpp"
#include "rampart/kernel.hpp"
#include "rampart/options.hpp"

namespace rampart {

/// The rows of a training, scaled, with the kernel between them: what does not depend on the
/// objective, and is therefore prepared once for many trainings.
///
/// Rows that scaling does not change are the caller's, which must outlive this.
struct TrainingRows {
  Scaling scaling;
  RowsView x;          ///< scaled
  Rows own;            ///< what x looks at, where that is not the caller's
  bool moved = false;  ///< whether features far from 0 were moved though no scaling was asked for
  Kernel kernel;
  std::optional<double> semidefinite;  ///< how nearly: see semidefinite_up_to()

  /// Throws InputError for rows that nothing can be learnt from.
  static TrainingRows prepare(const Problem& data, const Representation& representation,
                              unsigned threads);
};

/// w = Σ vₙxₙ of a linear kernel.
[[nodiscard]] std::vector<double> weights_of(RowsView x, std::span<const double> v);

/// Kv for a linear kernel, through w.
[[nodiscard]] std::vector<double> linear_product(RowsView x, std::span<const double> v,
                                                 unsigned threads);

}  // namespace rampart
