// How long does it take to score one row, as a program does that embeds a model? 525 support
// vectors of 10 features, RBF: the kernel expansion alone, and Predictor::score() without and with
// scaling. Results are checked against the definition before they are timed.

#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "kernel/kernel_expansion.hpp"
#include "normal_rows.hpp"
#include "rampart/model.hpp"

namespace rampart {
namespace {

void score_one_row(benchmark::State& state) {
  const auto vectors = static_cast<std::size_t>(state.range(0));
  const auto columns = static_cast<std::size_t>(state.range(1));
  const Rows all = normal_rows(vectors + 64, columns);
  std::vector<double> coefficients;
  for (std::size_t i = 0; i < vectors; ++i) {
    coefficients.push_back(std::sin(static_cast<double>(i)));
  }
  const KernelExpansion expansion(RbfKernel{gamma}, RowsView(all).range(0, vectors), coefficients);
  for (std::size_t n = vectors; n < all.size(); ++n) {
    double expected = 0;
    for (std::size_t i = 0; i < vectors; ++i)
      expected += coefficients[i] * by_definition(all, i, n);
    if (std::abs(expansion(all.dense_row(n)) - expected) > 1e-10) {
      state.SkipWithError("wrong scores");
      return;
    }
  }
  std::size_t n = 0;
  for ([[maybe_unused]] auto iteration : state) {
    benchmark::DoNotOptimize(expansion(all.dense_row(vectors + n++ % 64)));
  }
}
BENCHMARK(score_one_row)->Args({525, 10})->Args({525, 100})->Args({5000, 20});

void predictor_score(benchmark::State& state) {
  const auto vectors = static_cast<std::size_t>(state.range(0));
  const auto columns = static_cast<std::size_t>(state.range(1));
  const bool scaled = state.range(2) != 0;
  const Rows all = normal_rows(vectors + 64, columns);
  Model model{.features = {.count = columns}, .kernel = RbfKernel{gamma}};
  if (scaled) {  // by 1: the definition stays
    model.scaling = {.kind = ScalingKind::standard,
                     .offset = std::vector<double>(columns, 0.0),
                     .factor = std::vector<double>(columns, 1.0)};
  }
  model.vectors = RowsView(all).range(0, vectors).to_rows();
  for (std::size_t i = 0; i < vectors; ++i) {
    model.surface().coefficients.push_back(std::sin(static_cast<double>(i)));
  }
  const Predictor predictor(model);
  for (std::size_t n = vectors; n < all.size(); ++n) {
    double expected = 0;
    for (std::size_t i = 0; i < vectors; ++i) {
      expected += model.surface().coefficients[i] * by_definition(all, i, n);
    }
    if (std::abs(predictor.score(all.dense_row(n)) - expected) > 1e-10) {
      state.SkipWithError("wrong scores");
      return;
    }
  }
  std::size_t n = 0;
  for ([[maybe_unused]] auto iteration : state) {
    benchmark::DoNotOptimize(predictor.score(all.dense_row(vectors + n++ % 64)));
  }
}
BENCHMARK(predictor_score)
    ->ArgNames({"vectors", "features", "scaled"})
    ->Args({525, 10, 0})
    ->Args({525, 10, 1});

}  // namespace
}  // namespace rampart
