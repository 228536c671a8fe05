#include <cmath>
#include <numeric>
#include <span>

#include <fmt/format.h>

#include "kernel/kernel_sweep.hpp"
#include "rampart/errors.hpp"
#include "rampart/model.hpp"
#include "util/parallel.hpp"

namespace rampart {
namespace {

constexpr std::size_t rows_per_task = 256;

}  // namespace

struct Predictor::State {
  Scaling scaling;
  std::size_t features;
  double b;
  unsigned threads;
  std::vector<double> weights;       // linear
  std::vector<std::size_t> support;  // precomputed
  std::vector<double> coefficients;  // of the support vectors: all but linear
  Kernel function;
  Rows vectors;

  /// u(x) = f(x) − b, every sum in the order of the support vectors or features.
  double linear(const Rows& x, std::size_t n) const {
    double u = 0;
    x.for_each(n, [&](std::size_t j, double value) { u += weights[j] * value; });
    return u;
  }
  double precomputed(const Rows& x, std::size_t n) const {
    double u = 0;
    std::size_t i = 0;
    x.for_each(n, [&](std::size_t j, double value) {
      while (i < support.size() && support[i] < j) ++i;
      if (i < support.size() && support[i] == j) u += coefficients[i] * value;
    });
    return u;
  }
  KernelSweep<double>::Queries prepare_for(const KernelSweep<double>& sweep) const {
    std::vector<std::size_t> all(vectors.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return sweep.prepare(vectors, all);
  }

  /// u of every row of x.
  void kernel(const Rows& x, std::vector<double>& u) const {
    if (x.size() == 0) return;
    const RowsView wide = RowsView(x).wider(features);
    // The rows are what the support vectors are swept over: few enough to stay in the cache.
    const auto sweep_over = [&](std::size_t begin, std::size_t end) {
      return KernelSweep<double>(function, wide.range(begin, end));
    };
    // The support vectors are prepared once if they fit every part of the rows.
    const KernelSweep<double> first = sweep_over(0, 1);
    const bool once = first.queries_fit_other_rows();
    const auto prepared = once ? prepare_for(first) : KernelSweep<double>::Queries{};
    parallel_blocks(x.size(), rows_per_task, threads, [&](std::size_t begin, std::size_t end) {
      const KernelSweep<double> rows = sweep_over(begin, end);
      const auto sweep = [&](const KernelSweep<double>::Queries& queries) {
        rows.add_weighted_values(queries, coefficients, 0, end - begin, u.data() + begin);
      };
      once ? sweep(prepared) : sweep(prepare_for(rows));
    });
  }
};

Predictor::Predictor(const Model& model, unsigned threads) {
  const Surface& surface = model.surface();
  auto state = std::make_unique<State>();
  state->scaling = model.scaling;
  state->features = model.features.count;
  state->b = surface.band.b;
  state->threads = threads;
  state->weights = surface.weights;
  state->support = model.support;
  state->coefficients = surface.coefficients;
  const KernelType type = type_of(model.kernel);
  const bool by_vectors = type != KernelType::linear && type != KernelType::precomputed;
  if (by_vectors && !surface.coefficients.empty()) {
    state->function = model.kernel;
    state->vectors = model.vectors;
  }
  state_ = std::move(state);
}
Predictor::~Predictor() = default;
Predictor::Predictor(Predictor&&) noexcept = default;
Predictor& Predictor::operator=(Predictor&&) noexcept = default;

std::vector<double> Predictor::scores(RowsView x) const {
  const State& state = *state_;
  const bool fits = x.is_dense() ? x.columns() == state.features : x.columns() <= state.features;
  if (!fits) {
    throw ModelError(
        fmt::format("rows of {} features for a model of {}", x.columns(), state.features));
  }
  x.require_finite();
  const Rows scaled = state.scaling.apply(x);
  std::vector<double> scores(x.size());
  if (state.vectors.size() > 0) state.kernel(scaled, scores);
  parallel_blocks(x.size(), rows_per_task, state.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      if (!state.weights.empty()) scores[n] = state.linear(scaled, n);
      if (!state.support.empty()) scores[n] = state.precomputed(scaled, n);
      scores[n] += state.b;
    }
  });
  for (const double score : scores) {
    if (!std::isfinite(score)) {
      throw ModelError(
          fmt::format("f(x) = {} is not finite: numbers of the row or of the model are "
                      "too large to compute with",
                      score));
    }
  }
  return scores;
}

}  // namespace rampart
