#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "linear/near_rows.hpp"
#include "util/parallel.hpp"

namespace rampart {

/// A line through a point of the solver.
struct Direction {
  std::vector<double> w;
  std::array<double, most_layers> offsets{};
};

/// A back end of the linear solver: all that it ever does with rows. The sums of all blocks are
/// added in the order of the blocks, so that the result does not depend on who computes them,
/// where, and when.
template <class P>
concept Passes = requires(P passes, const Visit& visit, const Direction& line,
                          std::span<const double> thetas, std::span<const double> v) {
  { passes.run(visit) } -> std::same_as<PassSums>;
  { passes.search(visit, line, thetas) } -> std::same_as<SearchSums>;
  { passes.product(visit, v) } -> std::same_as<std::vector<double>>;
};

/// Rows per block: a function of the width of a row alone, so that the blocks, and with them the
/// bits of a result, do not depend on the machine or on the files that hold the rows.
[[nodiscard]] inline std::size_t rows_per_block(double stored_per_row) {
  constexpr double wanted = 1 << 19;  // stored values
  std::size_t rows = 1024;
  while (rows < 65536 && 2 * static_cast<double>(rows) * stored_per_row <= wanted) rows *= 2;
  return rows;
}

/// Blocks of rows that this process can see, in memory or mapped, visited by its threads.
class LocalPasses {
 public:
  /// Called for the rows `begin` … `end`−1 of a block, by several threads at a time.
  using BlockUse = std::function<void(std::size_t begin, std::size_t end)>;

  /// Views rows and labels. `block`: rows of a block.
  LocalPasses(const BlockRows& rows, HingeForm loss, Frame frame, std::size_t block,
              unsigned threads)
      : rows_(rows),
        loss_(std::move(loss)),
        frame_(std::move(frame)),
        block_(block),
        threads_(threads),
        centres_(rows.y.size() * loss_.hinges.size(), 0.5F),
        blocks_((rows.y.size() + block - 1) / block) {}

  /// The centres of all rows, by block: what a checkpoint has to keep.
  [[nodiscard]] std::span<const float> centres() const { return centres_; }
  void set_centres(std::vector<float> centres) { centres_ = std::move(centres); }

  /// Sets the flat sets: those of scores u with these offsets.
  void set_flats(std::span<const double> u, std::span<const double> offsets) {
    const std::size_t layers = loss_.hinges.size();
    for (std::size_t n = 0; n < rows_.y.size(); ++n) {
      const std::size_t begin = n / block_ * block_;
      const std::size_t size = std::min(block_, rows_.y.size() - begin);
      for (std::size_t r = 0; r < layers; ++r) {
        float& centre = centres_[begin * layers + r * size + (n - begin)];
        const bool flat = rows_.y[n] * (u[n] + offsets[loss_.hinges[r].offset]) < loss_.floor;
        centre = std::copysign(centre, flat ? -1.0F : 1.0F);
      }
    }
  }

  [[nodiscard]] PassSums run(const Visit& visit) {
    const BlockUse use = std::exchange(use_in_next_run_, {});
    return add_up<PassSums>(
        visit,
        [&](VisitedBlock& block, const BlockRows& rows, std::span<float> centres) {
          return block.run(rows, loss_, frame_, visit, centres);
        },
        use);
  }

  /// Calls this for every block of the next run(), a visit of all rows, while they are at hand.
  void use_blocks_of_next_run(BlockUse use) { use_in_next_run_ = std::move(use); }

  [[nodiscard]] SearchSums search(const Visit& visit, const Direction& line,
                                  std::span<const double> thetas) {
    return add_up<SearchSums>(
        visit, [&](VisitedBlock& block, const BlockRows& rows, std::span<float> centres) {
          return block.search(rows, loss_, frame_, visit, line.w, line.offsets, thetas, centres);
        });
  }

  [[nodiscard]] std::vector<double> product(const Visit& visit, std::span<const double> v) {
    return add_up<Product>(
               visit,
               [&](VisitedBlock& block, const BlockRows& rows, std::span<float> centres) {
                 return Product{block.product(rows, loss_, frame_, visit, v, centres)};
               })
        .values;
  }

 private:
  struct Product {
    std::vector<double> values;
    void add(const Product& other) {
      values.resize(std::max(values.size(), other.values.size()), 0.0);
      for (std::size_t j = 0; j < other.values.size(); ++j) values[j] += other.values[j];
    }
  };

  template <class Sums, class Compute>
  Sums add_up(const Visit& visit, const Compute& compute, const BlockUse& use = {}) {
    const std::size_t blocks = blocks_.size();
    constexpr std::size_t wave = 16;  // blocks whose sums are held at the same time
    Sums total;
    std::vector<Sums> of_block(std::min(wave, blocks));
    for (std::size_t first = 0; first < blocks; first += wave) {
      const std::size_t count = std::min(wave, blocks - first);
      const auto task = [&](std::size_t k) {
        const std::size_t begin = (first + k) * block_;
        const std::size_t end = std::min(rows_.y.size(), begin + block_);
        const std::size_t layers = loss_.hinges.size();
        const auto centres = std::span(centres_).subspan(begin * layers, (end - begin) * layers);
        VisitedBlock& block = blocks_[first + k];
        if (!block.needs_rows(visit)) {
          of_block[k] = compute(block, BlockRows{}, centres);
          return;
        }
        const RowsView stored = rows_.x.range(begin, end);
        stored.ensure_readable();  // rows of a file
        const MappedBlock mapped(rows_.map, stored);
        const BlockRows rows{
            mapped.view(), rows_.y.subspan(begin, end - begin),
            rows_.weights.empty() ? rows_.weights : rows_.weights.subspan(begin, end - begin)};
        of_block[k] = compute(block, rows, centres);
        if (use) use(begin, end);
        stored.dont_need();
      };
      if (count > 1 && threads_ != 1) {
        run_tasks(count, threads_, IndexedTask(task));
      } else {
        for (std::size_t k = 0; k < count; ++k) task(k);
      }
      for (std::size_t k = 0; k < count; ++k) total.add(of_block[k]);
    }
    return total;
  }

  BlockRows rows_;
  HingeForm loss_;
  Frame frame_;
  std::size_t block_;
  unsigned threads_;
  std::vector<float> centres_;  // by block: the rows of each layer
  std::vector<VisitedBlock> blocks_;
  BlockUse use_in_next_run_;
};

static_assert(Passes<LocalPasses>);

}  // namespace rampart
