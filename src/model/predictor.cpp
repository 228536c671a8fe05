#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "kernel/kernel_expansion.hpp"
#include "kernel/kernel_sweep.hpp"
#include "model/consistent.hpp"
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
  std::optional<KernelExpansion> expansion;  // of the vectors, if there are any

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

  /// The support vectors as queries for all blocks of these rows; nothing if each block needs its
  /// own, or if there are no vectors.
  std::optional<Queries> prepare_for_all_of(RowsView x) const {
    if (vectors.size() == 0) return std::nullopt;
    const Rows row = scaling.apply(x.range(0, 1));
    const KernelSweep<double> sweep(function, RowsView(row).wider(features));
    return sweep.queries_fit_other_rows() ? std::optional(prepare_for(sweep)) : std::nullopt;
  }

  /// f of these rows, which are scaled.
  void score(RowsView x, const std::optional<Queries>& prepared, std::span<double> scores) const {
    if (vectors.size() > 0) {
      // The block of rows stays in the processor's cache while all support vectors pass over it.
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

  /// u of one row that is not scaled yet.
  double linear(std::span<const double> x) const {
    double u = 0;
    for (std::size_t j = 0; j < weights.size(); ++j) u += weights[j] * scaling.value(j, x[j]);
    return u;
  }
  double precomputed(std::span<const double> x) const {
    double u = 0;
    for (std::size_t i = 0; i < support.size(); ++i) u += coefficients[i] * x[support[i]];
    return u;
  }
  double kernel(std::span<const double> x) const {
    if (scaling.kind == ScalingKind::none) return (*expansion)(x);
    constexpr std::size_t most_on_stack = 4096;
    std::array<double, most_on_stack> some;
    std::vector<double> many(x.size() > most_on_stack ? x.size() : 0);
    const std::span<double> scaled(many.empty() ? some.data() : many.data(), x.size());
    for (std::size_t j = 0; j < x.size(); ++j) scaled[j] = scaling.value(j, x[j]);
    return (*expansion)(scaled);
  }

  /// Rows per block, which is scored, and copied if it is scaled, at once. Scaling a block of
  /// sparse rows takes some time per column, so blocks must not be small.
  [[nodiscard]] std::size_t rows_per_task(RowsView x) const {
    constexpr std::size_t few = 256;
    const bool sparse_and_scaled = scaling.kind != ScalingKind::none && !x.is_dense();
    return sparse_and_scaled ? std::max(few, features / few) : few;
  }
};

Predictor::Predictor(const Model& model, unsigned threads) {
  const Surface& surface = model.surface();
  require_consistent(model);
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
    state->expansion.emplace(model.kernel, RowsView(model.vectors).wider(model.features.count),
                             surface.coefficients);
  }
  state_ = std::move(state);
}
Predictor::~Predictor() = default;
Predictor::Predictor(Predictor&&) noexcept = default;
Predictor& Predictor::operator=(Predictor&&) noexcept = default;

double Predictor::score(std::span<const double> row) const {
  const State& state = *state_;
  if (row.size() != state.features) {
    throw ModelError(
        fmt::format("a row of {} features for a model of {}", row.size(), state.features));
  }
  for (std::size_t j = 0; j < row.size(); ++j) {
    if (!std::isfinite(row[j])) throw InputError(fmt::format("feature {} is {}", j + 1, row[j]));
  }
  const double u = state.expansion         ? state.kernel(row)
                   : state.support.empty() ? state.linear(row)
                                           : state.precomputed(row);
  require_finite(u + state.b);
  return u + state.b;
}

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

std::vector<Answer> Predictor::answers(RowsView x, Leniency) const {
  std::vector<Answer> answers;
  for (const double score : scores(x)) {
    const Decision decision = decide(score, 0);
    answers.push_back({.decision = decision,
                       .reason = decision == Decision::reject ? Reason::ambiguous : Reason::none,
                       .score = score});
  }
  return answers;
}

std::vector<Decision> predict(const Model& model, RowsView x, unsigned threads) {
  const double rho = model.surface().band.rho;
  std::vector<Decision> decisions;
  decisions.reserve(x.size());
  for (const double score : Predictor(model, threads).scores(x)) {
    decisions.push_back(decide(score, rho));
  }
  return decisions;
}

}  // namespace rampart
