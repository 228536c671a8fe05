#include "rampart/train.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "data/classes.hpp"
#include "kernel/kernel_sweep.hpp"
#include "kernel/row_cache.hpp"
#include "rampart/errors.hpp"
#include "train/dca.hpp"
#include "train/ramp_sum.hpp"
#include "util/parallel.hpp"

namespace rampart {
namespace {

constexpr double single_certifies = 1e-5;    // tolerance below which rows must be double
constexpr std::size_t small_problem = 2048;  // rows whose whole matrix is cheap in double
constexpr std::size_t rows_per_task = 1024;

void check(const Dataset& data) {
  const std::size_t rows = data.y.size();
  if (data.x.size() != rows || (!data.weights.empty() && data.weights.size() != rows)) {
    throw InputError(fmt::format("{} rows, {} labels and {} weights do not belong together",
                                 data.x.size(), rows, data.weights.size()));
  }
  for (const int label : {-1, 1}) {
    bool counts = false;
    for (std::size_t n = 0; n < rows; ++n) {
      counts |= data.y[n] == label && (data.weights.empty() || data.weights[n] > 0);
    }
    if (!counts) {
      throw InputError(fmt::format("no row of class {} carries any weight; two classes are needed",
                                   label < 0 ? data.classes.negative : data.classes.positive));
    }
  }
  for (std::size_t n = 0; n < rows; ++n) {
    if (data.y[n] != 1 && data.y[n] != -1) {
      throw InputError(fmt::format("row {}: label {} is neither -1 nor 1", n + 1, data.y[n]));
    }
    if (!data.weights.empty() && !(data.weights[n] >= 0 && std::isfinite(data.weights[n]))) {
      throw InputError(
          fmt::format("row {}: weight {} must be >= 0 and finite", n + 1, data.weights[n]));
    }
    data.x.for_each(n, [&](std::size_t j, double value) {
      if (!std::isfinite(value)) {
        throw InputError(fmt::format("row {}: feature {} is {}", n + 1, j + 1, value));
      }
    });
  }
}

/// The kernel matrix that the features of a precomputed kernel are.
Rows kernel_matrix(const Rows& x) {
  if (x.size() != x.columns()) {
    throw InputError(fmt::format("a precomputed kernel of {} rows needs as many columns, not {}",
                                 x.size(), x.columns()));
  }
  Rows k = x.to_dense();
  for (std::size_t n = 0; n < k.size(); ++n) {
    for (std::size_t m = 0; m < n; ++m) {
      const double one = k.dense_row(n)[m];
      const double other = k.dense_row(m)[n];
      if (std::abs(one - other) > 1e-6 * std::max({1.0, std::abs(one), std::abs(other)})) {
        throw InputError(
            fmt::format("a precomputed kernel is symmetric, but k({0}, {1}) = {2} and "
                        "k({1}, {0}) = {3}",
                        n + 1, m + 1, one, other));
      }
    }
  }
  return k;
}

std::vector<double> row_weights(const Dataset& data, const TrainOptions& options) {
  double of_class[2] = {1, 1};
  for (const auto& [label, weight] : options.class_weights) {
    const std::string name = class_name(label);  // "+1" means the class "1"
    if (name != data.classes.negative && name != data.classes.positive) {
      throw OptionError(fmt::format("class weight {}={}: the classes are '{}' and '{}'", label,
                                    weight, data.classes.negative, data.classes.positive));
    }
    of_class[name == data.classes.positive ? 1 : 0] = weight;
  }
  std::vector<double> weights(data.size());
  for (std::size_t n = 0; n < weights.size(); ++n) {
    weights[n] = of_class[data.y[n] > 0 ? 1 : 0] * (data.weights.empty() ? 1 : data.weights[n]);
  }
  return weights;
}

std::vector<double> weights_of(const Rows& x, std::span<const double> v) {
  std::vector<double> w(x.columns(), 0.0);
  for (std::size_t n = 0; n < x.size(); ++n) {
    if (v[n] != 0) x.for_each(n, [&](std::size_t j, double value) { w[j] += v[n] * value; });
  }
  return w;
}

/// Kv, every sum in the order of the rows, so that it does not depend on the number of threads.
std::vector<double> exact_product(const Kernel& kernel, const Rows& x,
                                  const KernelSweep<double>& sweep, std::span<const double> v,
                                  unsigned threads) {
  std::vector<double> u(x.size(), 0.0);
  if (std::holds_alternative<LinearKernel>(kernel)) {
    const std::vector<double> w = weights_of(x, v);
    parallel_blocks(x.size(), rows_per_task, threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t n = begin; n < end; ++n) {
        x.for_each(n, [&](std::size_t j, double value) { u[n] += w[j] * value; });
      }
    });
    return u;
  }
  parallel_blocks(x.size(), rows_per_task, threads, [&](std::size_t begin, std::size_t end) {
    KernelSweep<double>::Query query;
    std::vector<double> values(end - begin);
    for (std::size_t m = 0; m < v.size(); ++m) {
      if (v[m] == 0) continue;
      sweep.prepare(x, m, query);
      sweep(query, begin, end, values.data());
      for (std::size_t n = begin; n < end; ++n) u[n] += v[m] * values[n - begin];
    }
  });
  return u;
}

/// The flat sets of a model on these rows: where the rounds start.
FlatSets flat_sets_of(const Model& model, const Dataset& data, const RampSum& sum,
                      unsigned threads) {
  if (model.classes != data.classes) {
    throw ModelError(fmt::format("the start tells '{}' from '{}', the data '{}' from '{}'",
                                 model.classes.negative, model.classes.positive,
                                 data.classes.negative, data.classes.positive));
  }
  if (model.features.count != data.x.columns()) {
    throw ModelError(fmt::format("the start has {} features, the data have {}",
                                 model.features.count, data.x.columns()));
  }
  const std::vector<double> f = Predictor(model, threads).scores(data.x);
  const std::vector<double> offsets =
      sum.offsets == 2 ? std::vector<double>{-model.rho, model.rho} : std::vector<double>{0};
  return flat_sets(sum, f, offsets);
}

void check(const RampSum& sum) {
  for (const HingeLayer& layer : sum.layers) {
    for (const double cap : layer.cap) {
      if (!std::isfinite(cap) || !std::isfinite(layer.margin)) {
        throw OptionError(
            "C, the costs, mu and the weights together give a loss that is not finite");
      }
    }
  }
}

/// Whether the parameters of the kernel are numbers of single precision at all.
bool fits_single(const Kernel& kernel) {
  const auto fits = [](double value) { return std::abs(value) <= 1e30; };
  if (const auto* rbf = std::get_if<RbfKernel>(&kernel)) return fits(rbf->gamma);
  if (const auto* polynomial = std::get_if<PolynomialKernel>(&kernel)) {
    return fits(polynomial->gamma) && fits(polynomial->coef0);
  }
  if (const auto* sigmoid = std::get_if<SigmoidKernel>(&kernel)) {
    return fits(sigmoid->gamma) && fits(sigmoid->coef0);
  }
  return true;
}

struct Rounds {
  DcaResult result;
  std::uint64_t kernel_rows = 0;
};

/// Products of kernel values and coefficients must stay far from infinity.
template <class Real>
void check_size(const RowCache<Real>& rows) {
  const double most = sizeof(Real) == sizeof(float) ? 1e30 : 1e150;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    if (!(std::abs(rows.diagonal(n)) <= most)) {
      throw InputError(
          fmt::format("row {}: its kernel value with itself is {}, too large to compute "
                      "with; scale the features (--scale)",
                      n + 1, rows.diagonal(n)));
    }
  }
}

template <class Real>
Rounds run_rounds(const RampSum& sum, const Kernel& kernel, const Rows& x, FlatSets start,
                  const TrainOptions& options, const TrainObserver& observe) {
  RowCache<Real> rows(kernel, x, options.cache_bytes);
  check_size(rows);
  const KernelSweep<double> sweep(kernel, x);
  const auto exact = [&](std::span<const double> v) {
    return exact_product(kernel, x, sweep, v, options.threads);
  };
  // A ramp is μ + μ² wide: what is small against f may not be small against that.
  const bool ramps = options.loss == LossKind::double_ramp;
  const DcaOptions dca{.tolerance = std::min(options.tolerance, ramps ? options.mu / 10 : 1.0),
                       .finest_tolerance = sizeof(Real) == sizeof(float) ? single_certifies : 1e-9,
                       .max_rounds = options.max_rounds,
                       .max_steps = options.max_steps > 0
                                        ? options.max_steps
                                        : std::max<std::uint64_t>(10'000'000, 100 * x.size()),
                       .observe = observe};
  DcaResult result = DcaRounds(sum, rows, exact, dca).minimise(std::move(start));
  return {std::move(result), rows.rows_computed()};
}

Model model_of(const Dataset& data, const TrainOptions& options, const Rows& x,
               const Kernel& kernel, Scaling scaling, const RampSum& sum, const DcaResult& found) {
  Model model{.loss = options.loss, .costs = options.costs, .mu = options.mu, .C = options.C};
  model.kernel = kernel;
  model.classes = data.classes;
  const Band learnt = band(sum, found.theta.offsets);
  model.b = learnt.b;
  model.rho = learnt.rho;
  model.scaling = std::move(scaling);
  model.features = {data.x.columns(), data.features, data.label};

  const std::vector<double> v = found.theta.point.coefficients();
  if (std::holds_alternative<LinearKernel>(kernel)) {
    model.weights = weights_of(x, v);
  } else {
    std::vector<std::size_t> support;
    for (std::size_t n = 0; n < v.size(); ++n) {
      if (v[n] == 0) continue;
      support.push_back(n);
      model.coefficients.push_back(v[n]);
    }
    if (std::holds_alternative<PrecomputedKernel>(kernel)) {
      model.support = std::move(support);
    } else {
      model.vectors = x.subset(support);
    }
  }
  model.training = {.rows = data.size(),
                    .objective = found.theta.objective,
                    .gap = found.gap,
                    .violation = found.theta.violation,
                    .rounds = found.history.size(),
                    .status = found.status};
  return model;
}

}  // namespace

Trained train(const Dataset& data, const TrainOptions& options, const TrainObserver& observe,
              const Model* start) {
  options.validate();
  check(data);
  Scaling scaling = Scaling::fit(options.scaling, data.x);
  const bool precomputed = options.kernel.type == KernelType::precomputed;
  const Rows x = precomputed ? kernel_matrix(data.x) : scaling.apply(data.x);
  const Kernel kernel = make_kernel(options.kernel, x);
  const std::vector<double> weights = row_weights(data, options);
  const RampSum sum = ramp_sum(options, data.y, weights);
  check(sum);
  FlatSets flat =
      start == nullptr ? no_flat_sets(sum) : flat_sets_of(*start, data, sum, options.threads);

  const bool double_rows = options.precision == Precision::double_rows || !fits_single(kernel) ||
                           (options.precision == Precision::automatic &&
                            (options.tolerance < single_certifies || data.size() <= small_problem));
  Rounds rounds = double_rows
                      ? run_rounds<double>(sum, kernel, x, std::move(flat), options, observe)
                      : run_rounds<float>(sum, kernel, x, std::move(flat), options, observe);

  Trained trained;
  trained.model = model_of(data, options, x, kernel, std::move(scaling), sum, rounds.result);
  for (const double u : rounds.result.theta.point.u) trained.scores.push_back(u + trained.model.b);
  const std::vector<double> v = rounds.result.theta.point.coefficients();
  trained.report = {.history = std::move(rounds.result.history),
                    .objective = rounds.result.theta.objective,
                    .gap = rounds.result.gap,
                    .violation = rounds.result.theta.violation,
                    .steps = rounds.result.steps,
                    .kernel_rows = rounds.kernel_rows,
                    .support_vectors = static_cast<std::size_t>(
                        std::ranges::count_if(v, [](double value) { return value != 0; })),
                    .status = rounds.result.status};
  return trained;
}

}  // namespace rampart
