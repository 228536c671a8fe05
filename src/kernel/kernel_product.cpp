#include "kernel/kernel_product.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernel/kernel_sweep.hpp"
#include "kernel/panels.hpp"
#include "util/parallel.hpp"

namespace rampart {
namespace {

constexpr std::size_t width = panel_rows<double>;

std::size_t whole_panels(std::size_t rows) { return (rows + width - 1) / width; }

/// The support vectors (v ≠ 0) first, then the other rows; both begin with a panel of their own.
struct Order {
  std::vector<std::size_t> row_at;  ///< the row of x at each place, or PanelStorage::no_row
  std::vector<std::size_t> place;   ///< of each row of x
  std::vector<double> v;            ///< by place
  std::size_t support = 0;
};

Order order_of(std::span<const double> v) {
  Order order;
  order.place.resize(v.size());
  order.support =
      static_cast<std::size_t>(std::ranges::count_if(v, [](double c) { return c != 0; }));
  std::size_t next[2] = {whole_panels(order.support) * width, 0};  // others, support vectors
  const std::size_t size = next[0] + v.size() - order.support;
  order.v.assign(whole_panels(size) * width, 0.0);
  order.row_at.assign(size, PanelStorage<double>::no_row);
  for (std::size_t n = 0; n < v.size(); ++n) {
    const std::size_t place = next[v[n] != 0 ? 1 : 0]++;
    order.place[n] = place;
    order.v[place] = v[n];
    order.row_at[place] = n;
  }
  return order;
}

/// By panels. Each task takes some support vectors: against the support vectors of earlier tasks,
/// where each value is used for both rows, against each other, and against the other rows. Each
/// task has sums of its own, which are added up at the end in the order of the tasks.
std::vector<double> product_by_panels(const Kernel& kernel, RowsView x, std::span<const double> v,
                                      unsigned threads) {
  constexpr std::size_t most_tasks = 32;  // each has sums for all rows
  const Order order = order_of(v);
  const PanelStorage<double> storage(kernel, x, order.row_at);
  const std::size_t support_panels = whole_panels(order.support);
  const std::size_t all_panels = whole_panels(storage.size());
  const std::size_t task_panels =
      std::max<std::size_t>(16, (support_panels + most_tasks - 1) / most_tasks);
  const std::size_t tasks = (support_panels + task_panels - 1) / task_panels;
  std::vector<std::vector<double>> of(tasks);
  parallel_blocks(tasks, 1, threads, [&](std::size_t task, std::size_t) {
    const std::size_t k = tasks - 1 - task;  // the longest first
    const std::size_t first = k * task_panels;
    const std::size_t last = std::min(support_panels, first + task_panels);
    const std::size_t begin = first * width;
    const std::size_t end = std::min(order.support, last * width);
    std::vector<double>& sums = of[k];
    sums.assign(all_panels * width, 0.0);
    const auto queries = storage.prepare(x, std::span(order.row_at).subspan(begin, end - begin));
    const auto c = std::span(order.v).subspan(begin, end - begin);
    storage.add_both_ways(queries, c, 0, first, order.v.data(), sums.data(), sums.data() + begin);
    storage.add_weighted_values(queries, c, begin, end, sums.data() + begin);
    storage.add_weighted_values(queries, c, support_panels * width, storage.size(),
                                sums.data() + support_panels * width);
  });
  std::vector<double> u(x.size(), 0.0);
  for (const std::vector<double>& sums : of) {
    for (std::size_t n = 0; n < u.size(); ++n) u[n] += sums[order.place[n]];
  }
  return u;
}

}  // namespace

std::vector<double> kernel_product(const Kernel& kernel, RowsView x, std::span<const double> v,
                                   unsigned threads) {
  if (packs_into_panels(kernel, x)) return product_by_panels(kernel, x, v, threads);
  constexpr std::size_t rows_per_task = 8192;
  const KernelSweep<double> sweep(kernel, x);
  std::vector<std::size_t> support;
  std::vector<double> c;
  for (std::size_t n = 0; n < v.size(); ++n) {
    if (v[n] == 0) continue;
    support.push_back(n);
    c.push_back(v[n]);
  }
  const auto queries = sweep.prepare(x, support);
  std::vector<double> u(x.size(), 0.0);
  parallel_blocks(x.size(), rows_per_task, threads, [&](std::size_t begin, std::size_t end) {
    sweep.add_weighted_values(queries, c, begin, end, u.data() + begin);
  });
  return u;
}

}  // namespace rampart
