#include "data/survey.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "util/parallel.hpp"

namespace rampart {
namespace {

/// The columns of a block of dense rows.
struct Block {
  std::vector<Extremes> extremes;
  std::vector<double> least,
      most;  // the second least and largest: what lies between changes nothing
  std::vector<double> sum;
  std::vector<std::uint32_t> missing;
  std::optional<Survey::Place> infinite;

  explicit Block(std::size_t columns)
      : extremes(columns),
        least(columns, Extremes::infinity),
        most(columns, -Extremes::infinity),
        sum(columns, 0.0),
        missing(columns, 0) {}

  template <class Value>
  void add(std::span<const Value> row, std::size_t n) {
    constexpr double largest = std::numeric_limits<double>::max();
    // Without branches, so that it is done several values at a time.
    int noted = 0;
    for (std::size_t j = 0; j < row.size(); ++j) {
      const auto value = static_cast<double>(row[j]);
      sum[j] += value;
      noted |= static_cast<int>(value < least[j]) | static_cast<int>(value > most[j]) |
               static_cast<int>(!(std::abs(value) <= largest));
    }
    if (noted != 0) note(row, n);
  }

  template <class Value>
  void note(std::span<const Value> row, std::size_t n) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      const auto value = static_cast<double>(row[j]);
      if (std::isnan(value)) ++missing[j];
      if (std::isinf(value) && !infinite) infinite = {n, j, value};
      extremes[j].take(value, static_cast<std::uint32_t>(n));
      least[j] = extremes[j].next_low;
      most[j] = extremes[j].next_high;
    }
  }
};

/// Sparse rows are read more than once, so all of them are checked first; dense ones are checked as
/// they are read.
RowsView checked(RowsView x) {
  if (!x.is_dense()) x.ensure_readable();
  return x;
}

constexpr std::size_t values_at_once = 1 << 16;  // few enough to stay in the processor's cache
constexpr std::size_t rows_beside = 4096;

}  // namespace

Survey::Survey(RowsView x, unsigned threads, const Beside& beside)
    : rows(x.size()), occurring(checked(x)), columns(occurring.size()) {
  // Rows of files are read once for both. In memory, loops of their own share the work better: the
  // survey of sparse rows is one task, and so is that of a block of dense rows, which is large.
  const bool together = x.is_dense() && x.is_kept();
  if (x.is_dense()) {
    look_at_dense(x, threads, together ? beside : Beside());
  } else {
    look_at_sparse(x);
  }
  if (beside && !together) parallel_blocks(x.size(), rows_beside, threads, beside);
  add_zeros(x);
}

bool Survey::misses() const {
  return std::ranges::any_of(missing, [](std::uint32_t count) { return count > 0; });
}

void Survey::look_at_dense(RowsView x, unsigned threads, const Beside& beside) {
  std::size_t stored = x.columns();  // columns that are: a view may have more
  if (x.size() > 0) x.with_dense_row(0, [&](auto row) { stored = row.size(); });
  missing.assign(x.columns(), 0);
  sum.assign(x.columns(), 0.0);
  for (std::size_t j = 0; j < stored; ++j) columns[j].stored = static_cast<std::uint32_t>(rows);
  const std::size_t rows_at_once =
      std::max<std::size_t>(1, values_at_once / std::max<std::size_t>(1, stored));
  const auto look = [&](std::size_t begin, std::size_t end) {
    Block block(stored);
    for (std::size_t first = begin; first < end; first += rows_at_once) {
      const std::size_t last = std::min(end, first + rows_at_once);
      const RowsView some = x.range(first, last);
      some.ensure_readable();
      for (std::size_t n = first; n < last; ++n) {
        some.with_dense_row(n - first, [&](auto row) { block.add(row, n); });
      }
      if (beside) beside(first, last);
      some.dont_need();
    }
    return block;
  };
  blocks_in_order(x.size(), rows_per_sum, threads, look, [&](const Block& block) {
    for (std::size_t j = 0; j < stored; ++j) {
      columns[j].extremes.merge(block.extremes[j]);
      sum[j] += block.sum[j];
      missing[j] += block.missing[j];
    }
    if (!first_infinite) first_infinite = block.infinite;
  });
}

void Survey::look_at_sparse(RowsView x) {
  const auto fetch = [&](std::size_t n) {
    x.for_each(n, [&](std::size_t j, double) { __builtin_prefetch(&columns[occurring[j]], 1); });
  };
  // The columns of a row lie far apart in memory, and wait for each other unless they are asked for
  // ahead.
  constexpr std::size_t ahead = 2;
  for (std::size_t n = 0; n < std::min(ahead, x.size()); ++n) fetch(n);
  for (std::size_t n = 0; n < x.size(); ++n) {
    if (n + ahead < x.size()) fetch(n + ahead);
    x.for_each(n, [&](std::size_t j, double value) {
      Column& column = columns[occurring[j]];
      ++column.stored;
      if (!std::isnan(value)) {
        column.extremes.take_number(value, static_cast<std::uint32_t>(n));
      }
      if (!std::isfinite(value) && !first_infinite) first_infinite = {n, j, value};
    });
  }
}

/// The zeros that rows leave out.
void Survey::add_zeros(RowsView x) {
  std::unordered_map<std::size_t, std::uint64_t> one_left;  // columns that one row leaves out
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const std::size_t zeros = rows - columns[j].stored;
    if (zeros == 1) one_left.emplace(j, std::uint64_t{rows} * (rows - 1) / 2);
    for (std::size_t k = 0; zeros > 1 && k < 2; ++k)
      columns[j].extremes.take(0.0, Extremes::nobody);
  }
  if (one_left.empty()) return;
  // That row is the one whose number is missing from the sum of all numbers.
  for (std::size_t n = 0; n < x.size(); ++n) {
    x.for_each(n, [&](std::size_t j, double) {
      if (const auto found = one_left.find(occurring[j]); found != one_left.end()) {
        found->second -= n;
      }
    });
  }
  for (const auto& [j, row] : one_left) {
    columns[j].extremes.take(0.0, static_cast<std::uint32_t>(row));
  }
}

}  // namespace rampart
