#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "data/row_encoder.hpp"
#include "kernel/kernel_expansion.hpp"
#include "kernel/kernel_sweep.hpp"
#include "model/consistent.hpp"
#include "model/familiarity.hpp"
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

/// What a row holds besides numbers, looked at before f is.
struct Look {
  Reason reason = Reason::none;  ///< that keeps it from an answer
  std::uint32_t column = 0;      ///< which the reason is about
  bool finite = true;            ///< whether every value is
  bool computable = true;        ///< whether f can be computed
  bool empty = false;            ///< whether every value is missing
};

/// The reason with the most weight is given.
int weight(Reason reason) {
  switch (reason) {
    case Reason::incomplete:
      return 3;
    case Reason::unseen:
      return 2;
    case Reason::unfamiliar:
      return 1;
    default:
      return 0;
  }
}

[[noreturn]] void refuse(RowsView x, std::size_t n, const Look& look) {
  if (look.reason == Reason::unseen) {
    throw InputError(fmt::format("row {}: feature {} holds a category that no training row has",
                                 n + 1, look.column + 1));
  }
  x.range(n, n + 1).require_finite(n);
  throw InputError(
      fmt::format("row {}: feature {} cannot be computed with", n + 1, look.column + 1));
}

}  // namespace

struct Predictor::State {
  Encoding encoding;
  std::vector<std::uint32_t> first_feature;  // of each column; empty: each column is its feature
  bool encodes;  // whether complete rows become other features, or some may miss values
  std::vector<std::uint32_t> categorical;  // columns
  std::optional<RowEncoder> encoder;       // of rows that training might have had
  std::optional<RowEncoder> filling;       // of rows that miss other values, if there are medians
  Familiarity familiarity;
  std::size_t columns;   // of a row
  std::size_t features;  // of an encoded row
  double rho;
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
    RowEncoder::Buffer buffer;
    const RowsView row = encoder->apply(x.range(0, 1).wider(columns), buffer);
    const KernelSweep<double> sweep(function, row.wider(features));
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

  /// f of dense rows that are their own features, but for the scaling. The sum of a row has the
  /// terms, and the order, of the sum of a scaled copy: what is constant adds a zero.
  void score_linear(RowsView x, std::span<double> scores) const {
    const std::span<const double> offset = encoder->offset();
    const std::span<const double> factor = encoder->factor();
    for (std::size_t n = 0; n < x.size(); ++n) {
      double u = 0;
      x.with_dense_row(n, [&](auto row) {
        if (offset.empty()) {
          for (std::size_t j = 0; j < row.size(); ++j) {
            u += weights[j] * static_cast<double>(row[j]);
          }
        } else {
          for (std::size_t j = 0; j < row.size(); ++j) {
            u += weights[j] * ((static_cast<double>(row[j]) - offset[j]) * factor[j]);
          }
        }
      });
      scores[n] = u + b;
    }
  }

  /// Whether every stored value of a row is finite. Without branches or comparisons of doubles, so
  /// that it is done several values at a time: the exponent of what is not finite has ones only,
  /// and one more makes it overflow into the sign.
  static bool is_finite(RowsView x, std::size_t n) {
    constexpr std::uint64_t sign = std::uint64_t{1} << 63U;
    constexpr std::uint64_t one_more = std::uint64_t{1} << 52U;
    std::uint64_t seen = 0;
    x.for_each(n, [&](std::size_t, double value) {
      seen |= (std::bit_cast<std::uint64_t>(value) & ~sign) + one_more;
    });
    return (seen & sign) == 0;
  }

  Look look_at(RowsView x, std::size_t n, Leniency leniency) const {
    Look look;
    if ((categorical.empty() || leniency.ignore_unseen) && is_finite(x, n)) return look;
    std::size_t missing = 0;
    const auto note = [&](Reason reason, std::size_t column) {
      if (weight(look.reason) >= weight(reason)) return;
      look.reason = reason;
      look.column = static_cast<std::uint32_t>(column);
    };
    x.for_each(n, [&](std::size_t j, double value) {
      const Encoding::Column* const column = encodes ? &encoding.columns[j] : nullptr;
      if (std::isinf(value)) {
        look.finite = look.computable = false;
        note(Reason::unfamiliar, j);
      } else if (std::isnan(value)) {
        const bool has_median = !encoding.columns.empty();
        const bool known = column != nullptr && column->misses;
        ++missing;
        look.finite = false;
        look.computable &= has_median;
        if (!has_median || (!known && !leniency.impute)) note(Reason::incomplete, j);
      } else if (column != nullptr && !column->seen.empty() && !column->has(value) &&
                 !leniency.ignore_unseen) {
        note(Reason::unseen, j);
      }
    });
    look.empty = x.is_dense() && missing == x.columns() && missing > 1;
    return look;
  }

  /// Notes the column that stands out, unless something else keeps the row from an answer.
  void judge(RowsView x, std::size_t n, Look& look) const {
    if (look.reason != Reason::none) return;
    if (const auto column = familiarity.stands_out(x, n)) {
      look.reason = Reason::unfamiliar;
      look.column = *column;
    }
  }

  /// The column whose value is largest after scaling. What a sparse row leaves out is not looked
  /// at.
  [[nodiscard]] std::uint32_t largest_value(RowsView x, std::size_t n) const {
    std::uint32_t found = 0;
    double largest = -1;
    x.for_each(n, [&](std::size_t j, double value) {
      if (!first_feature.empty() && !encoding.columns[j].seen.empty()) return;  // 0 or 1
      const double size =
          std::abs(encoder->scaled(first_feature.empty() ? j : first_feature[j], value));
      if (!(size > largest)) return;
      largest = size;
      found = static_cast<std::uint32_t>(j);
    });
    return found;
  }

  /// The answer to row n of x.
  [[nodiscard]] Answer conclude(RowsView x, std::size_t n, const Look& look, double score) const {
    Answer answer{.reason = look.reason, .column = look.column};
    // Whatever training learnt to do without, something must be known of a row. Where there is but
    // one column, that it is missing is all there is to know.
    if (look.empty) answer.reason = Reason::incomplete;
    if (look.computable && std::isfinite(score)) {
      answer.score = score;
    } else if (answer.reason == Reason::none) {
      answer.reason = Reason::unfamiliar;  // its numbers are too large to compute with
      answer.column = largest_value(x, n);
    }
    if (answer.reason != Reason::none) return answer;
    answer.decision = decide(answer.score, rho);
    if (answer.decision == Decision::reject) answer.reason = Reason::ambiguous;
    return answer;
  }

  /// The same rows where every value that is not finite is 0, or missing if there is a median for
  /// it. Sparse rows stay sparse: they may have millions of columns.
  Rows repaired(RowsView x) const {
    const bool has_medians = !encoding.columns.empty();
    const double instead = has_medians ? std::numeric_limits<double>::quiet_NaN() : 0.0;
    std::vector<double> values;
    values.reserve(x.stored_values());
    if (x.is_dense()) {
      for (std::size_t n = 0; n < x.size(); ++n) {
        x.for_each(n, [&](std::size_t, double value) {
          values.push_back(std::isfinite(value) ? value : instead);
        });
        values.resize((n + 1) * columns, 0.0);  // columns that a view only adds
      }
      return Rows::dense(columns, std::move(values), x.size());
    }
    std::vector<std::size_t> starts{0};
    std::vector<std::uint32_t> indices;
    for (std::size_t n = 0; n < x.size(); ++n) {
      x.for_each(n, [&](std::size_t j, double value) {
        if (!std::isfinite(value) && !has_medians) return;
        indices.push_back(static_cast<std::uint32_t>(j));
        values.push_back(std::isfinite(value) ? value : instead);
      });
      starts.push_back(values.size());
    }
    return Rows::sparse(x.columns(), std::move(starts), std::move(indices), std::move(values));
  }

  /// f of these rows as they are in the table.
  void score_columns(RowsView x, bool finite, const std::optional<Queries>& prepared,
                     RowEncoder::Buffer& buffer, std::span<double> scores) const {
    Rows own;
    RowsView rows = x;
    if (!finite) {
      own = repaired(rows);
      rows = own;
    }
    const bool fills = !finite && filling.has_value();
    if (!weights.empty() && rows.is_dense() && !encodes && !fills) {
      return score_linear(rows, scores);
    }
    if (encodes || fills) rows = rows.wider(columns);
    score((fills ? filling : encoder)->apply(rows, buffer), prepared, scores);
  }

  /// u of one row that is not scaled yet.
  double linear(std::span<const double> x) const {
    double u = 0;
    for (std::size_t j = 0; j < weights.size(); ++j) u += weights[j] * encoder->scaled(j, x[j]);
    return u;
  }
  double precomputed(std::span<const double> x) const {
    double u = 0;
    for (std::size_t i = 0; i < support.size(); ++i) u += coefficients[i] * x[support[i]];
    return u;
  }
  double kernel(std::span<const double> x) const {
    if (!encoder->scales()) return (*expansion)(x);
    constexpr std::size_t most_on_stack = 4096;
    std::array<double, most_on_stack> some;
    std::vector<double> many(x.size() > most_on_stack ? x.size() : 0);
    const std::span<double> scaled(many.empty() ? some.data() : many.data(), x.size());
    for (std::size_t j = 0; j < x.size(); ++j) scaled[j] = encoder->scaled(j, x[j]);
    return (*expansion)(scaled);
  }

  void require_width(RowsView x) const {
    const bool fits = x.is_dense() ? x.columns() == columns : x.columns() <= columns;
    if (fits) return;
    throw ModelError(fmt::format("rows of {} features for a model of {}", x.columns(), columns));
  }

  /// Calls use(n, look, f) for every row, in parallel: what it holds besides numbers, and f, which
  /// is meaningless where the look says that it cannot be computed.
  template <class Use>
  void for_each_row(RowsView x, Leniency leniency, bool judges, const Use& use) const {
    require_width(x);
    if (x.size() == 0) return;
    const auto prepared = prepare_for_all_of(x);
    parallel_blocks(x.size(), rows_per_task(x), threads, [&](std::size_t begin, std::size_t end) {
      std::vector<Look> looks(end - begin);
      std::vector<double> scores(end - begin);
      RowEncoder::Buffer buffer;
      bool finite = true;
      for (std::size_t n = begin; n < end; ++n) {
        looks[n - begin] = look_at(x, n, leniency);
        finite &= looks[n - begin].finite;
        if (judges) judge(x, n, looks[n - begin]);
      }
      score_columns(x.range(begin, end), finite, prepared, buffer, scores);
      for (std::size_t n = begin; n < end; ++n) use(n, looks[n - begin], scores[n - begin]);
    });
  }

  /// f of one row of finite numbers that is its own features.
  double score(std::span<const double> x) const {
    return (expansion ? kernel(x) : support.empty() ? linear(x) : precomputed(x)) + b;
  }

  /// Rows per block, which is scored, and copied if it is scaled, at once. Scaling a block of
  /// sparse rows takes some time per column, so blocks must not be small.
  [[nodiscard]] std::size_t rows_per_task(RowsView x) const {
    constexpr std::size_t few = 256;
    const bool sparse_and_scaled = encoder->scales() && !x.is_dense();
    if (sparse_and_scaled) return std::max(few, features / few);
    // To begin a task takes as long as some thousand products, which is all that linear f needs.
    constexpr std::size_t products = 1 << 15;
    const std::size_t of_a_row = x.is_dense() ? x.columns() : std::min<std::size_t>(features, 64);
    return weights.empty() ? few : std::max(few, products / std::max<std::size_t>(of_a_row, 1));
  }
};

Predictor::Predictor(const Model& model, unsigned threads) {
  const Surface& surface = model.surface();
  require_consistent(model);
  auto state = std::make_unique<State>();
  state->encoding = model.encoding;
  state->encodes = !model.encoding.is_identity();
  if (state->encodes) state->first_feature = model.encoding.first_features();
  state->familiarity = Familiarity(model.familiar, model.features.count);
  state->columns = model.features.count;
  state->encoder.emplace(model.encoding, model.scaling, state->columns);
  if (!state->encodes && !model.encoding.columns.empty()) {
    state->filling.emplace(model.encoding, model.scaling, state->columns, true);
  }
  for (std::size_t j = 0; j < model.encoding.columns.size(); ++j) {
    if (model.encoding.columns[j].seen.empty()) continue;
    state->categorical.push_back(static_cast<std::uint32_t>(j));
  }
  state->features = model.encoding.features(model.features.count);
  state->rho = surface.band.rho;
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
    state->expansion.emplace(model.kernel, RowsView(model.vectors).wider(state->features),
                             surface.coefficients);
  }
  state_ = std::move(state);
}
Predictor::~Predictor() = default;
Predictor::Predictor(Predictor&&) noexcept = default;
Predictor& Predictor::operator=(Predictor&&) noexcept = default;

double Predictor::score(std::span<const double> row) const {
  const State& state = *state_;
  if (row.size() != state.columns) {
    throw ModelError(
        fmt::format("a row of {} features for a model of {}", row.size(), state.columns));
  }
  if (state.encodes) return scores(RowsView::dense(row, 1, row.size())).front();
  for (std::size_t j = 0; j < row.size(); ++j) {
    if (!std::isfinite(row[j])) throw InputError(fmt::format("feature {} is {}", j + 1, row[j]));
  }
  const double score = state.score(row);
  require_finite(score);
  return score;
}

Answer Predictor::answer(std::span<const double> row, Leniency leniency) const {
  const State& state = *state_;
  const RowsView x = RowsView::dense(row, 1, row.size());
  state.require_width(x);
  Look look = state.look_at(x, 0, leniency);
  if (!look.finite || state.encodes) return answers(x, leniency).front();
  if (state.familiarity.is_on()) state.judge(x, 0, look);
  return state.conclude(x, 0, look, state.score(row));
}

std::vector<double> Predictor::scores(RowsView x) const {
  state_->require_width(x);
  std::vector<double> scores(x.size());
  std::atomic<std::size_t> first_refused = x.size();
  state_->for_each_row(x, {}, false, [&](std::size_t n, const Look& look, double score) {
    scores[n] = score;
    if (look.reason == Reason::none) return;
    std::size_t first = first_refused;
    while (n < first && !first_refused.compare_exchange_weak(first, n)) {
    }
  });
  if (const std::size_t n = first_refused; n < x.size()) refuse(x, n, state_->look_at(x, n, {}));
  for (const double score : scores) require_finite(score);
  return scores;
}

std::vector<Answer> Predictor::answers(RowsView x, Leniency leniency) const {
  state_->require_width(x);
  std::vector<Answer> answers(x.size());
  state_->for_each_row(x, leniency, state_->familiarity.is_on(),
                       [&](std::size_t n, const Look& look, double score) {
                         answers[n] = state_->conclude(x, n, look, score);
                       });
  return answers;
}

std::vector<Decision> predict(const Model& model, RowsView x, unsigned threads) {
  std::vector<Decision> decisions;
  decisions.reserve(x.size());
  for (const Answer& answer : Predictor(model, threads).answers(x)) {
    decisions.push_back(answer.decision);
  }
  return decisions;
}

}  // namespace rampart
