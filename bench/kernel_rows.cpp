// How fast are kernel rows computed? Entries per second, one thread, for single and double rows.
// The result is checked against the definition before it is timed.

#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "kernel/kernel_sweep.hpp"
#include "normal_rows.hpp"

namespace rampart {
namespace {

template <class Real>
void rbf_row(benchmark::State& state) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  const Rows x = normal_rows(rows, static_cast<std::size_t>(state.range(1)));
  const KernelSweep<Real> sweep(RbfKernel{gamma}, x);
  std::vector<Real> values(rows);
  Real* out = values.data();
  sweep.values(sweep.prepare(x, {1}), 0, 1, 0, rows, &out);
  for (std::size_t m = 0; m < rows; m += 97) {
    if (std::abs(static_cast<double>(values[m]) - by_definition(x, 1, m)) > 1e-5) {
      state.SkipWithError("wrong kernel values");
      return;
    }
  }
  std::size_t n = 0;
  for ([[maybe_unused]] auto iteration : state) {
    sweep.values(sweep.prepare(x, {n++ % rows}), 0, 1, 0, rows, &out);
    benchmark::DoNotOptimize(values.data());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(rbf_row<float>)->Args({5000, 20})->Args({5000, 100});
BENCHMARK(rbf_row<double>)->Args({5000, 20})->Args({5000, 100});

}  // namespace
}  // namespace rampart
