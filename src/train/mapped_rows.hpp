#pragma once

#include <cstddef>
#include <variant>

#include "rampart/options.hpp"
#include "train/feature_map.hpp"
#include "train/training_rows.hpp"
#include "util/big_buffer.hpp"

namespace rampart {

/// Training rows behind the feature map of their kernel. They do not depend on the objective, so
/// many trainings share them. Mapped once, where that fits the cache budget; else whoever visits a
/// block of them maps it, to the same bits.
class MappedRows {
 public:
  /// Views `rows`. Only for kernels with maps_rows().
  MappedRows(const TrainingRows& rows, const TrainOptions& options);

  [[nodiscard]] const FeatureMap& map() const { return map_; }

  /// The rows, and the map that they still need; null: none.
  [[nodiscard]] RowsView x() const { return x_; }
  [[nodiscard]] const RowMap* rest() const { return mapped_ ? nullptr : &map_; }

 private:
  template <class Real>
  void store(const TrainingRows& rows, unsigned threads);

  FeatureMap map_;
  RowsView x_;
  bool mapped_ = false;
  std::variant<BigBuffer<float>, BigBuffer<double>> values_;
};

}  // namespace rampart
