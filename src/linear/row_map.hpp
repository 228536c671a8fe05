#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rampart/rows.hpp"

namespace rampart {

/// Makes dense rows of rows: features that a linear model is trained on. A row becomes the same
/// bits whichever rows are mapped with it. Used by many threads at once.
class RowMap {
 public:
  virtual ~RowMap() = default;

  [[nodiscard]] virtual std::size_t columns() const = 0;

  /// Writes columns() values for every row of x.
  virtual void apply(RowsView x, std::span<double> out) const = 0;
};

/// Rows of a block after a map; without one, as they are.
class MappedBlock {
 public:
  MappedBlock(const RowMap* map, RowsView x) : view_(x) {
    if (map == nullptr) return;
    values_.resize(x.size() * map->columns());
    map->apply(x, values_);
    view_ = RowsView::dense(std::span<const double>(values_), x.size(), map->columns());
  }
  MappedBlock(const MappedBlock&) = delete;
  MappedBlock& operator=(const MappedBlock&) = delete;

  [[nodiscard]] RowsView view() const { return view_; }

 private:
  std::vector<double> values_;
  RowsView view_;
};

}  // namespace rampart
