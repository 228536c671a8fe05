#include "kernel/kernel_product.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernel/kernel_sweep.hpp"
#include "kernel/panels.hpp"
#include "util/parallel.hpp"

namespace rampart {
namespace {

using Sweep = KernelSweep<double>;
constexpr std::size_t width = panel_rows<double>;

std::size_t whole_panels(std::size_t rows) { return (rows + width - 1) / width; }

/// The support vectors first, from the beginning of a panel, then the other rows, from one too.
struct Ordered {
  Rows rows;
  std::vector<std::size_t> place;  ///< of each row of x
  std::vector<double> v;           ///< by place
  std::size_t support = 0;
};

/// The rows with these numbers; of zeros where there is no such row.
Rows rows_with_gaps(const Rows& x, std::span<const std::size_t> numbers) {
  std::vector<double> values;
  if (x.is_dense()) {
    values.assign(numbers.size() * x.columns(), 0.0);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      if (numbers[k] >= x.size()) continue;
      std::ranges::copy(x.dense_row(numbers[k]),
                        values.begin() + static_cast<std::ptrdiff_t>(k * x.columns()));
    }
    return Rows::dense(x.columns(), std::move(values), numbers.size());
  }
  std::vector<std::size_t> starts{0};
  std::vector<std::uint32_t> columns;
  for (const std::size_t n : numbers) {
    if (n < x.size()) {
      const Rows::Sparse row = x.sparse_row(n);
      columns.insert(columns.end(), row.indices.begin(), row.indices.end());
      values.insert(values.end(), row.values.begin(), row.values.end());
    }
    starts.push_back(values.size());
  }
  return Rows::sparse(x.columns(), std::move(starts), std::move(columns), std::move(values));
}

Ordered order(const Rows& x, std::span<const double> v) {
  Ordered ordered;
  ordered.place.resize(x.size());
  ordered.support =
      static_cast<std::size_t>(std::ranges::count_if(v, [](double c) { return c != 0; }));
  std::size_t next[2] = {whole_panels(ordered.support) * width, 0};  // others, support vectors
  const std::size_t size = next[0] + x.size() - ordered.support;
  ordered.v.assign(whole_panels(size) * width, 0.0);
  std::vector<std::size_t> row_at(size, x.size());  // none: a row of zeros
  for (std::size_t n = 0; n < x.size(); ++n) {
    const std::size_t place = next[v[n] != 0 ? 1 : 0]++;
    ordered.place[n] = place;
    ordered.v[place] = v[n];
    row_at[place] = n;
  }
  ordered.rows = rows_with_gaps(x, row_at);
  return ordered;
}

std::vector<std::size_t> range(std::size_t begin, std::size_t end) {
  std::vector<std::size_t> numbers(end - begin);
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = begin + k;
  return numbers;
}

/// By panels. Each task takes some support vectors against all panels before them, both ways, and
/// against their own and those of the other rows, one way. What it adds to rows that are not its
/// own is kept apart, and put together at the end in the order of the tasks.
std::vector<double> product_by_panels(const Kernel& kernel, const Rows& x,
                                      std::span<const double> v, unsigned threads) {
  constexpr std::size_t most_tasks = 32;  // each needs room for all rows
  const Ordered ordered = order(x, v);
  const Sweep sweep(kernel, ordered.rows);
  const std::size_t support_panels = whole_panels(ordered.support);
  const std::size_t all_panels = whole_panels(ordered.rows.size());
  const std::size_t task_panels =
      std::max<std::size_t>(16, (support_panels + most_tasks - 1) / most_tasks);
  const std::size_t tasks = (support_panels + task_panels - 1) / task_panels;
  std::vector<std::vector<double>> of(tasks);
  parallel_blocks(tasks, 1, threads, [&](std::size_t task, std::size_t) {
    const std::size_t k = tasks - 1 - task;  // the longest first
    const std::size_t first = k * task_panels;
    const std::size_t last = std::min(support_panels, first + task_panels);
    const std::size_t begin = first * width;
    const std::size_t end = std::min(ordered.support, last * width);
    std::vector<double>& sums = of[k];
    sums.assign(all_panels * width, 0.0);
    const auto queries = sweep.prepare(ordered.rows, range(begin, end));
    const auto c = std::span(ordered.v).subspan(begin, end - begin);
    sweep.add_both_ways(queries, c, 0, first, ordered.v.data(), sums.data(), sums.data() + begin);
    sweep.add_weighted_values(queries, c, begin, end, sums.data() + begin);
    sweep.add_weighted_values(queries, c, support_panels * width, ordered.rows.size(),
                              sums.data() + support_panels * width);
  });
  std::vector<double> u(x.size(), 0.0);
  for (const std::vector<double>& sums : of) {
    for (std::size_t n = 0; n < u.size(); ++n) u[n] += sums[ordered.place[n]];
  }
  return u;
}

}  // namespace

std::vector<double> kernel_product(const Kernel& kernel, const Rows& x, std::span<const double> v,
                                   unsigned threads) {
  if (packs_into_panels(kernel, x)) return product_by_panels(kernel, x, v, threads);
  constexpr std::size_t rows_per_task = 8192;
  const Sweep sweep(kernel, x);
  std::vector<std::size_t> support;
  std::vector<double> c;
  for (std::size_t n = 0; n < v.size(); ++n) {
    if (v[n] == 0) continue;
    support.push_back(n);
    c.push_back(v[n]);
  }
  const auto queries = sweep.prepare(x, std::move(support));
  std::vector<double> u(x.size(), 0.0);
  parallel_blocks(x.size(), rows_per_task, threads, [&](std::size_t begin, std::size_t end) {
    sweep.add_weighted_values(queries, c, begin, end, u.data() + begin);
  });
  return u;
}

}  // namespace rampart
