#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <list>
#include <new>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "kernel/kernel_rows.hpp"
#include "kernel/kernel_sweep.hpp"
#include "kernel/panels.hpp"
#include "rampart/errors.hpp"
#include "util/assert.hpp"
#include "util/big_buffer.hpp"
#include "util/parallel.hpp"

namespace rampart {

/// The kernel matrix of a set of rows with itself. Rows are computed when they are first needed,
/// all that are needed at a time together; as many as fit the budget are kept, the least recently
/// used give way. What does not fit is computed again, in pieces, and never stored whole.
///
/// An entry has the same bits whether it was kept or not, and sums have one order.
template <class Real>
class RowCache {
 public:
  using Value = Real;

  RowCache(const Kernel& kernel, const Rows& x, std::size_t budget_bytes, unsigned threads = 1)
      : x_(x),
        sweep_(kernel, x),
        threads_(threads),
        piece_(sweep_.uses_panels() ? panel_piece : wide_piece),
        stride_((x.size() + padding - 1) / padding * padding + padding),
        capacity_(std::min(budget_bytes / (stride_ * sizeof(Real)), x.size())),
        kept_(room_for(capacity_ * stride_)),
        slot_of_(x.size(), none),
        diagonal_(sweep_.diagonal(x)) {}

  [[nodiscard]] std::size_t size() const noexcept { return diagonal_.size(); }
  [[nodiscard]] double diagonal(std::size_t n) const { return diagonal_[n]; }
  [[nodiscard]] std::uint64_t rows_computed() const noexcept { return rows_computed_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

  [[nodiscard]] std::vector<const Real*> whole() {
    if (capacity_ < size()) return {};
    if (slots_.size() < size()) keep_all();
    std::vector<const Real*> rows(size());
    for (std::size_t n = 0; n < size(); ++n) rows[n] = kept_.data() + slot_of_[n] * stride_;
    return rows;
  }

  void block(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> columns,
             std::span<Real* const> out) const {
    const auto of_columns = sweep_.prepare(x_, {columns.begin(), columns.end()});
    const unsigned threads = threads_for(rows.size() * columns.size());
    parallel_blocks(rows.size(), block_piece, threads, [&](std::size_t begin, std::size_t end) {
      const auto which = rows.subspan(begin, end - begin);
      const auto of_rows = sweep_.prepare(x_, {which.begin(), which.end()});
      sweep_.between(of_rows, of_columns, out.data() + begin);
    });
  }

  void add_rows(std::span<const std::uint32_t> rows, std::span<const double> c,
                std::span<double> u) {
    RAMPART_ASSERT(rows.size() == c.size() && u.size() == size(), "one factor per row");
    for (std::size_t first = 0; first < rows.size(); first += rows_together) {
      const std::size_t count = std::min(rows_together, rows.size() - first);
      add_some(rows.subspan(first, count), c.data() + first, u);
    }
  }

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t padding = 64 / sizeof(Real);
  static constexpr std::size_t rows_together = 512;
  static constexpr std::size_t panel_piece = 512;  // columns of a row whose sums stay in the cache
  static constexpr std::size_t wide_piece = 8192;
  static constexpr std::size_t block_piece = 128;        // rows
  static constexpr std::size_t worth_threads = 1 << 17;  // entries: a tenth of a millisecond

  static BigBuffer<Real> room_for(std::size_t entries) {
    try {
      return BigBuffer<Real>(entries);
    } catch (const std::bad_alloc&) {
      throw InputError(fmt::format(
          "{} MB for kernel rows are more than the system gives; a smaller cache (--cache-mb) has "
          "the same result",
          entries / (1024 * 1024 / sizeof(Real))));
    }
  }

  struct Slot {
    std::size_t row;
    std::list<std::size_t>::iterator place;  // in recent_
  };

  unsigned threads_for(std::size_t entries) const { return entries < worth_threads ? 1 : threads_; }

  /// Every row of a matrix that fits.
  void keep_all() {
    std::vector<Real*> out(size());
    for (std::size_t n = 0; n < size(); ++n) {
      if (slot_of_[n] == none) slot_of_[n] = take_slot(n);
      out[n] = kept_.data() + slot_of_[n] * stride_;
    }
    rows_computed_ += size();
    sweep_.matrix(x_, out.data(), threads_for(size() * size()));
  }

  void add_some(std::span<const std::uint32_t> rows, const double* c, std::span<double> u) {
    std::vector<std::size_t> missing;
    for (const std::size_t n : rows) {
      if (slot_of_[n] == none) {
        missing.push_back(n);
      } else {
        recent_.splice(recent_.begin(), recent_, slots_[slot_of_[n]].place);
      }
    }
    rows_computed_ += missing.size();
    // Rows of this call may not push each other out: the rest of them goes through a scratch area.
    const std::size_t present = rows.size() - missing.size();
    const std::size_t to_keep = std::min(missing.size(), capacity_ - std::min(capacity_, present));
    for (std::size_t k = 0; k < to_keep; ++k) slot_of_[missing[k]] = take_slot(missing[k]);
    const std::size_t passing = missing.size() - to_keep;
    const auto queries = sweep_.prepare(x_, missing);

    const unsigned threads = threads_for(rows.size() * size());
    parallel_blocks(size(), piece_, threads, [&](std::size_t begin, std::size_t end) {
      const std::size_t width = end - begin;
      BigBuffer<Real> scratch(passing * (width + padding));
      std::vector<Real*> out(missing.size());
      for (std::size_t k = 0; k < missing.size(); ++k) {
        out[k] = k < to_keep ? kept_.data() + slot_of_[missing[k]] * stride_ + begin
                             : scratch.data() + (k - to_keep) * (width + padding);
      }
      if (!missing.empty()) sweep_.values(queries, begin, end, out.data());
      std::vector<const Real*> in(rows.size());
      std::size_t passed = 0;
      for (std::size_t k = 0; k < rows.size(); ++k) {
        const std::size_t slot = slot_of_[rows[k]];
        in[k] = slot != none ? kept_.data() + slot * stride_ + begin : out[to_keep + passed++];
      }
      add_weighted(in.data(), c, rows.size(), width, u.data() + begin);
    });
  }

  std::size_t take_slot(std::size_t row) {
    if (slots_.size() < capacity_) {
      recent_.push_front(slots_.size());
      slots_.push_back({row, recent_.begin()});
      return slots_.size() - 1;
    }
    const std::size_t oldest = recent_.back();
    slot_of_[slots_[oldest].row] = none;
    slots_[oldest].row = row;
    recent_.splice(recent_.begin(), recent_, slots_[oldest].place);
    return oldest;
  }

  const Rows& x_;
  KernelSweep<Real> sweep_;
  unsigned threads_;
  std::size_t piece_;
  std::size_t stride_;  // of the rows kept; no power of two, which caches dislike
  std::size_t capacity_;
  BigBuffer<Real> kept_;
  std::vector<std::size_t> slot_of_;  // per row: where it is kept, or none
  std::vector<Slot> slots_;
  std::list<std::size_t> recent_;  // slots, the most recently used first
  std::vector<double> diagonal_;
  std::uint64_t rows_computed_ = 0;
};

static_assert(KernelRows<RowCache<float>>);

}  // namespace rampart
