#include <algorithm>
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

void require_finite(double score) {
  if (std::isfinite(score)) return;
  throw ModelError(
      fmt::format("f(x) = {} is not finite: numbers of the row or of the model are "
                  "too large to compute with",
                  score));
}

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
  double linear(RowsView x, std::size_t n) const {
    double u = 0;
    x.for_each(n, [&](std::size_t j, double value) { u += weights[j] * value; });
    return u;
  }
  double precomputed(RowsView x, std::size_t n) const {
    double u = 0;
    std::size_t i = 0;
    x.for_each(n, [&](std::size_t j, double value) {
      while (i < support.size() && support[i] < j) ++i;
      if (i < support.size() && support[i] == j) u += coefficients[i] * value;
    });
    return u;
  }

  using Queries = KernelSweep<double>::Queries;

  Queries prepare_for(const KernelSweep<double>& sweep) const {
    std::vector<std::size_t> all(vectors.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return sweep.prepare(vectors, all);
  }

  /// The support vectors as sweeps over parts of these rows need them; nothing if each part needs
  /// them otherwise, or if there are none.
  std::optional<Queries> prepare_for_all_of(RowsView x) const {
    if (vectors.size() == 0) return std::nullopt;
    const Rows row = scaling.apply(x.range(0, 1));
    const KernelSweep<double> sweep(function, RowsView(row).wider(features));
    return sweep.queries_fit_other_rows() ? std::optional(prepare_for(sweep)) : std::nullopt;
  }

  /// f of these rows, which are scaled.
  void score(RowsView x, const std::optional<Queries>& prepared, std::span<double> scores) const {
    if (vectors.size() > 0) {
      // The support vectors are swept over the rows, which are few enough to stay in the cache.
      const KernelSweep<double> rows(function, x.wider(features));
      rows.add_weighted_values(prepared ? *prepared : prepare_for(rows), coefficients, 0, x.size(),
                               scores.data());
    }
    for (std::size_t n = 0; n < x.size(); ++n) {
      if (!weights.empty()) scores[n] = linear(x, n);
      if (!support.empty()) scores[n] = precomputed(x, n);
      scores[n] += b;
    }
  }

  /// Rows that are scored, and copied if they are scaled, at once. Scaling some sparse rows takes
  /// some time for every column, which these rows must share.
  [[nodiscard]] std::size_t rows_per_task(RowsView x) const {
    constexpr std::size_t few = 256;
    const bool sparse_and_scaled = scaling.kind != ScalingKind::none && !x.is_dense();
    return sparse_and_scaled ? std::max(few, features / few) : few;
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
  std::vector<double> scores(x.size());
  if (x.size() == 0) return scores;
  const auto prepared = state.prepare_for_all_of(x);
  parallel_blocks(x.size(), state.rows_per_task(x), state.threads,
                  [&](std::size_t begin, std::size_t end) {
                    const RowsView part = x.range(begin, end);
                    const std::span<double> out(scores.data() + begin, end - begin);
                    if (state.scaling.kind == ScalingKind::none) {
                      state.score(part, prepared, out);
                    } else {
                      state.score(state.scaling.apply(part), prepared, out);
                    }
                  });
  for (const double score : scores) require_finite(score);
  return scores;
}

}  // namespace rampart
