#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <list>
#include <memory>
#include <span>
#include <vector>

#include "kernel/kernel_rows.hpp"
#include "kernel/kernel_sweep.hpp"

namespace rampart {

/// The kernel matrix of a set of rows with itself, computed row by row when asked for. As many rows
/// as fit the budget are kept, the least recently used give way; at least two are kept.
///
/// Rows are complete and in the order of the data, so what a row holds depends on nothing else.
template <class Real>
class RowCache {
 public:
  RowCache(const Kernel& kernel, const Rows& x, std::size_t budget_bytes)
      : x_(x), sweep_(kernel, x), slot_of_(x.size(), none), diagonal_(x.size()) {
    const std::size_t row_bytes = std::max<std::size_t>(1, x.size() * sizeof(Real));
    capacity_ =
        std::clamp<std::size_t>(budget_bytes / row_bytes, 2, std::max<std::size_t>(2, x.size()));
    for (std::size_t n = 0; n < x.size(); ++n) {
      Real value = 0;
      sweep_.prepare(x_, n, query_);
      sweep_(query_, n, n + 1, &value);
      diagonal_[n] = value;
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return diagonal_.size(); }
  [[nodiscard]] double diagonal(std::size_t n) const { return diagonal_[n]; }
  [[nodiscard]] std::uint64_t rows_computed() const noexcept { return rows_computed_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

  [[nodiscard]] std::span<const Real> row(std::size_t n) {
    if (slot_of_[n] == none) {
      slot_of_[n] = free_slot();
      Slot& slot = slots_[slot_of_[n]];
      slot.row = n;
      sweep_.prepare(x_, n, query_);
      sweep_(query_, 0, size(), slot.values.get());
      ++rows_computed_;
    }
    Slot& slot = slots_[slot_of_[n]];
    recent_.splice(recent_.begin(), recent_, slot.place);
    return {slot.values.get(), size()};
  }

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  struct Slot {
    std::size_t row = none;
    std::unique_ptr<Real[]> values;
    std::list<std::size_t>::iterator place;  // in recent_
  };

  std::size_t free_slot() {
    if (slots_.size() < capacity_) {
      recent_.push_front(slots_.size());
      slots_.push_back({none, std::make_unique_for_overwrite<Real[]>(size()), recent_.begin()});
      return slots_.size() - 1;
    }
    const std::size_t oldest = recent_.back();
    slot_of_[slots_[oldest].row] = none;
    return oldest;
  }

  const Rows& x_;
  KernelSweep<Real> sweep_;
  typename KernelSweep<Real>::Query query_;
  std::vector<std::size_t> slot_of_;  // per row: where it is kept, or none
  std::vector<Slot> slots_;
  std::list<std::size_t> recent_;  // slots, the most recently used first
  std::vector<double> diagonal_;
  std::size_t capacity_ = 0;
  std::uint64_t rows_computed_ = 0;
};

static_assert(KernelRows<RowCache<float>>);

}  // namespace rampart
