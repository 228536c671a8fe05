#pragma once

#include <algorithm>
#include <array>
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

/// The kernel matrix of a set of rows with itself. Rows are computed when they are needed, many
/// together and in pieces that stay in the processor's cache. Those needed again and again are
/// kept, as many as fit the budget; the least recently used are dropped.
///
/// An entry has the same bits whether it was kept or not, and sums have one order.
template <class Real>
class RowCache {
 public:
  using Value = Real;

  /// Rows x must live as long as the cache. `uses_before_kept`: how often a row is computed before
  /// it is kept; 0: chosen by the number of features.
  RowCache(const Kernel& kernel, RowsView x, std::size_t budget_bytes, unsigned threads = 1,
           std::uint8_t uses_before_kept = 0)
      : x_(x),
        sweep_(kernel, x),
        threads_(x.size() * x.size() < worth_starting_threads ? 1 : threads),
        piece_(sweep_.piece()),
        stride_((x.size() + padding - 1) / padding * padding + padding),
        capacity_(std::min(budget_bytes / (stride_ * sizeof(Real)), x.size())),
        kept_(room_for(capacity_ * stride_)),
        slot_of_(x.size(), none),
        used_(x.size(), 0),
        uses_before_kept_(uses_before_kept != 0 ? uses_before_kept : uses_worth_keeping(x)),
        diagonal_(sweep_.diagonal(x)) {}

  [[nodiscard]] std::size_t size() const noexcept { return diagonal_.size(); }
  [[nodiscard]] double diagonal(std::size_t n) const { return diagonal_[n]; }
  [[nodiscard]] std::uint64_t rows_computed() const noexcept { return rows_computed_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

  [[nodiscard]] std::vector<const Real*> whole() {
    if (capacity_ < size()) return {};
    if (slots_.size() < size()) keep_all();
    std::vector<const Real*> rows(size());
    for (std::size_t n = 0; n < size(); ++n) rows[n] = kept_row(n);
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
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::size_t padding = 64 / sizeof(Real);
  static constexpr std::size_t rows_together = 512;
  static constexpr std::size_t few_missing = 24;         // rows computed at a time
  static constexpr std::size_t block_piece = 128;        // rows
  static constexpr std::size_t worth_threads = 1 << 17;  // entries: a tenth of a millisecond
  static constexpr std::size_t worth_starting_threads = 1 << 21;  // of the whole matrix

  static BigBuffer<Real> room_for(std::size_t entries) {
    try {
      return BigBuffer<Real>(entries);
    } catch (const std::bad_alloc&) {
      throw InputError(
          fmt::format("{} MB for kernel rows are more than the system gives; the result is the "
                      "same with a smaller cache",
                      entries / ((std::size_t{1} << 20U) / sizeof(Real))),
          Setting::cache);
    }
  }

  /// Half of all rows are needed only once, and the first write to new memory costs as much as
  /// computing the values of a row of few features. Sparse rows cost twice as much per value that
  /// is stored, since they meet a panel one by one.
  static std::uint8_t uses_worth_keeping(RowsView x) {
    constexpr std::size_t features_worth_touching = 64;
    const std::size_t rows = std::max<std::size_t>(1, x.size());
    const std::size_t features = x.stored_values() * (x.is_dense() ? 1 : 2) / rows;
    return static_cast<std::uint8_t>(2 +
                                     features_worth_touching / std::max<std::size_t>(1, features));
  }

  struct Slot {
    std::size_t row;
    std::list<std::size_t>::iterator place;  // in recent_
  };

  unsigned threads_for(std::size_t entries) const { return entries < worth_threads ? 1 : threads_; }

  /// Computes and keeps every row. For matrices that fit the budget.
  void keep_all() {
    std::vector<Real*> out(size());
    for (std::size_t n = 0; n < size(); ++n) {
      if (slot_of_[n] == none) slot_of_[n] = take_slot(n);
      out[n] = kept_row(n);
    }
    rows_computed_ += size();
    sweep_.matrix(x_, out.data(), threads_for(size() * size()));
  }

  void add_some(std::span<const std::uint32_t> rows, const double* c, std::span<double> u) {
    std::vector<std::size_t> missing;
    std::vector<std::size_t> again;  // of them, those to keep
    for (const std::size_t n : rows) {
      if (slot_of_[n] != none) {
        recent_.splice(recent_.begin(), recent_, slots_[slot_of_[n]].place);
        continue;
      }
      missing.push_back(n);
      if (used_[n] < uses_before_kept_) ++used_[n];
      if (used_[n] == uses_before_kept_) again.push_back(n);
    }
    rows_computed_ += missing.size();
    // Rows of this call must not drop each other.
    const std::size_t present = rows.size() - missing.size();
    const std::size_t room = capacity_ - std::min(capacity_, present);
    if (again.size() > room) again.resize(room);
    for (const std::size_t n : again) slot_of_[n] = take_slot(n);
    const auto queries = sweep_.prepare(x_, missing);

    const unsigned threads = threads_for(rows.size() * size());
    parallel_blocks(size(), piece_, threads, [&](std::size_t begin, std::size_t end) {
      add_piece(rows, c, missing, queries, begin, end, u.data() + begin);
    });
  }

  /// Columns begin … end of all rows: sums[i] += Σ c[k]·k(row k, begin + i), in the order of the
  /// rows. Those that are missing, of which the queries are made, are computed: in their slot if
  /// they are to be kept.
  void add_piece(std::span<const std::uint32_t> rows, const double* c,
                 std::span<const std::size_t> missing,
                 const typename KernelSweep<Real>::Queries& queries, std::size_t begin,
                 std::size_t end, double* sums) {
    const std::size_t width = end - begin;
    BigBuffer<Real> aside(std::min(few_missing, missing.size()) * (width + padding));
    std::vector<const Real*> in;
    std::array<Real*, few_missing> out;
    std::size_t computed = 0;
    for (std::size_t k = 0; k < rows.size(); k += in.size()) {
      const std::size_t first = computed;
      in.clear();
      for (const std::uint32_t n : rows.subspan(k)) {
        const bool is_missing = computed < missing.size() && missing[computed] == n;
        const std::size_t position = computed - first;
        if (is_missing && position == few_missing) break;
        Real* row =
            slot_of_[n] != none ? kept_row(n) + begin : aside.data() + position * (width + padding);
        if (is_missing) {
          out[position] = row;
          ++computed;
        }
        in.push_back(row);
      }
      if (computed > first) sweep_.values(queries, first, computed - first, begin, end, out.data());
      add_weighted(in.data(), c + k, in.size(), width, sums);
    }
  }

  Real* kept_row(std::size_t n) { return kept_.data() + slot_of_[n] * stride_; }

  std::uint32_t take_slot(std::size_t row) {
    if (slots_.size() < capacity_) {
      recent_.push_front(slots_.size());
      slots_.push_back({row, recent_.begin()});
      return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const std::size_t oldest = recent_.back();
    slot_of_[slots_[oldest].row] = none;
    slots_[oldest].row = row;
    recent_.splice(recent_.begin(), recent_, slots_[oldest].place);
    return static_cast<std::uint32_t>(oldest);
  }

  RowsView x_;
  KernelSweep<Real> sweep_;
  unsigned threads_;
  std::size_t piece_;
  std::size_t stride_;  // of the rows kept; with a power of two, their columns would compete for
                        // the same sets of the processor's cache
  std::size_t capacity_;
  BigBuffer<Real> kept_;
  std::vector<std::uint32_t> slot_of_;  // per row: where it is kept, or none
  std::vector<std::uint8_t> used_;      // per row: how often it was computed
  std::uint8_t uses_before_kept_;
  std::vector<Slot> slots_;
  std::list<std::size_t> recent_;  // slots, the most recently used first
  std::vector<double> diagonal_;
  std::uint64_t rows_computed_ = 0;
};

static_assert(KernelRows<RowCache<float>>);

}  // namespace rampart
