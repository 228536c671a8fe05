#include "evaluate/subset_trainer.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "rampart/errors.hpp"
#include "rampart/folds.hpp"
#include "util/assert.hpp"

namespace rampart {
namespace {

/// Some rows of the data, as seen by a training on `training`: with a precomputed kernel the
/// features are the values against just those rows.
Rows features(const Dataset& data, std::span<const std::size_t> rows,
              std::span<const std::size_t> training, bool precomputed) {
  Rows x = data.x.subset(rows);
  if (!precomputed) return x;
  if (data.x.columns() != data.x.size()) {
    throw InputError(fmt::format("a precomputed kernel of {} rows needs as many columns, not {}",
                                 data.x.size(), data.x.columns()));
  }
  const Rows dense = x.to_dense();
  std::vector<double> values;
  values.reserve(rows.size() * training.size());
  for (std::size_t n = 0; n < rows.size(); ++n) {
    for (const std::size_t m : training) values.push_back(dense.dense_row(n)[m]);
  }
  return Rows::dense(training.size(), std::move(values), rows.size());
}

bool is_precomputed(const TrainOptions& options) {
  return options.representation.kernel.type == KernelType::precomputed;
}

void set_band(Model& model, const Thresholds& thresholds) {
  model.training.own_band = {model.b, model.rho};
  const double half = thresholds.high / 2 - thresholds.low / 2;
  model.b -= thresholds.low + half;
  model.rho = half;
}

/// As many as the rows of the smaller class, and the groups, allow.
std::size_t most_band_folds(const Dataset& data) {
  const auto positives = static_cast<std::size_t>(std::ranges::count(data.y, 1));
  const std::size_t smaller = std::min(positives, data.size() - positives);
  if (data.groups.empty()) return smaller;
  return std::min(smaller, std::set(data.groups.begin(), data.groups.end()).size());
}

/// What the model is meant for, and what training was told if that differs.
void set_costs(Model& model, const TrainOptions& method) {
  model.costs = method.costs();
  const bool told =
      method.objective.loss != LossKind::hinge && method.objective.costs != method.costs();
  model.training.reject_cost.reset();
  if (told) model.training.reject_cost = method.objective.costs.reject_positive;
}

}  // namespace

Dataset training_part(const Dataset& data, std::span<const std::size_t> rows,
                      const TrainOptions& options) {
  Dataset part = data.subset(rows);
  if (is_precomputed(options)) {
    part.x = features(data, rows, rows, true);
    part.features.clear();
  }
  return part;
}

bool can_share_kernel(const Dataset& data, const TrainOptions& options, std::size_t training_rows,
                      std::size_t parts) {
  if (is_precomputed(options)) return false;  // the data are the matrix, dense or not
  const bool by_rule = options.representation.kernel.has_gamma() &&
                       options.representation.kernel.gamma == Gamma(GammaRule::scale);
  if (options.representation.scaling != ScalingKind::none || by_rule) return false;
  const auto rows = static_cast<double>(data.size());
  const bool fits = rows * rows * sizeof(double) * (1 + static_cast<double>(parts)) <=
                    static_cast<double>(options.resources.cache_bytes);
  return fits &&
         wants_double(options, make_kernel(options.representation.kernel, data.x), training_rows);
}

std::size_t caches_at_once(std::span<const TrainOptions> methods) {
  const auto chooses = [](const TrainOptions& method) { return method.band.folds > 0; };
  return std::ranges::any_of(methods, chooses) ? 2 : 1;
}

SubsetTrainer::SubsetTrainer(const Dataset& data, std::vector<std::size_t> rows,
                             const TrainOptions& common, const KernelMatrix* shared)
    : data_(data),
      shared_(shared),
      which_(std::move(rows)),
      part_(training_part(data, which_, common)),
      rows_(TrainingRows::prepare(part_, common)) {
  const bool twice = wants_double(common, rows_);
  if (twice && shared != nullptr && !rows_.moved) {
    kernel_.emplace<SharedKernel>(rows_, *shared, which_);
  } else if (twice) {
    kernel_.emplace<OwnKernel<double>>(rows_, common.resources.cache_bytes,
                                       common.resources.threads);
  } else {
    kernel_.emplace<OwnKernel<float>>(rows_, common.resources.cache_bytes,
                                      common.resources.threads);
  }
}

Trained SubsetTrainer::train(const TrainOptions& options, const TrainObserver& observe) {
  return std::visit(
      [&](auto& kernel) -> Trained {
        if constexpr (std::is_same_v<std::decay_t<decltype(kernel)>, std::monostate>) {
          RAMPART_ASSERT(false, "the constructor chose a kernel");
          return {};
        } else {
          return train_on(part_, rows_, kernel, options, observe);
        }
      },
      kernel_);
}

std::vector<double> SubsetTrainer::scores(const Model& model,
                                          std::span<const std::size_t> rows) const {
  const bool precomputed = std::holds_alternative<PrecomputedKernel>(model.kernel);
  return Predictor(model, 1).scores(features(data_, rows, which_, precomputed));
}

SubsetTrainer::BandBasis SubsetTrainer::band_basis(const TrainOptions& method,
                                                   const TrainObserver& observe) {
  BandBasis basis{.options = method,
                  .folds = method.band.folds,
                  .trained = train(method, observe),
                  .out_of_fold = std::vector<double>(part_.size())};
  const FoldOptions folds{
      .folds = std::min(method.band.folds, most_band_folds(part_)), .repeats = 1, .seed = 1};
  if (folds.folds < 2) {
    throw InputError(
        "too few rows to choose a band on: at least two of each class, in two groups "
        "if there are any, are needed; 0 folds keep the band of the loss",
        Setting::band_folds);
  }
  const std::vector<std::size_t> fold_of = assign_folds(part_.y, part_.groups, folds, 0);
  for (std::size_t fold = 0; fold < folds.folds; ++fold) {
    Split split = split_at(fold_of, fold);
    const auto in_whole = [&](std::vector<std::size_t> rows) {
      for (std::size_t& n : rows) n = which_[n];
      return rows;
    };
    SubsetTrainer inner(data_, in_whole(split.training), method, shared_);
    const Model model = inner.train(method, observe).model;
    const std::vector<double> found = inner.scores(model, in_whole(split.test));
    for (std::size_t k = 0; k < found.size(); ++k) basis.out_of_fold[split.test[k]] = found[k];
  }
  return basis;
}

Trained SubsetTrainer::learn(const TrainOptions& method, const TrainObserver& observe) {
  Trained trained;
  if (method.band.folds == 0) {
    trained = train(method, observe);
  } else {
    const auto without_costs = [](TrainOptions options) {
      options.objective.costs = {};
      return options;
    };
    const bool known = basis_ && method.objective.loss == LossKind::hinge &&
                       basis_->folds == method.band.folds &&
                       without_costs(basis_->options) == without_costs(method);
    if (!known) basis_ = band_basis(method, observe);
    trained = basis_->trained;
    set_band(trained.model, best_thresholds(basis_->out_of_fold, part_.y, method.costs()));
  }
  set_costs(trained.model, method);
  return trained;
}

FoldResult SubsetTrainer::learn_and_measure(const TrainOptions& method,
                                            std::span<const std::size_t> test_rows,
                                            const TrainObserver& observe) {
  const Trained trained = learn(method, observe);
  const Model& model = trained.model;
  const std::vector<double> found = scores(model, test_rows);
  std::vector<std::int8_t> y;
  for (const std::size_t n : test_rows) y.push_back(data_.y[n]);
  return {.metrics = measure(found, y, model.rho, model.costs),
          .without_band = measure(model.own_scores(found), y, 0, model.costs),
          .aurc = aurc(found, y),
          .training_rows = part_.size(),
          .b = model.b,
          .rho = model.rho,
          .objective = trained.report.objective,
          .rounds = trained.report.history.size(),
          .support_vectors = trained.report.support_vectors,
          .status = trained.report.status};
}

Trained learn(const Dataset& data, const TrainOptions& method, const TrainObserver& observe) {
  return std::move(learn_each(data, {&method, 1}, observe).front());
}

std::vector<Trained> learn_each(const Dataset& data, std::span<const TrainOptions> methods,
                                const TrainObserver& observe) {
  std::vector<TrainOptions> options;
  for (const TrainOptions& method : methods) {
    method.validate();
    options.push_back(method);
  }
  require_same_kernel_rows(options);
  const std::size_t caches = caches_at_once(methods);
  if (caches == 1) {  // no bands: needs no part of the rows
    std::vector<Trained> all = train_each(data, options, observe);
    for (std::size_t k = 0; k < all.size(); ++k) set_costs(all[k].model, methods[k]);
    return all;
  }
  std::vector<std::size_t> every(data.size());
  std::iota(every.begin(), every.end(), std::size_t{0});
  TrainOptions common = options.front();
  common.resources.cache_bytes /= caches;
  SubsetTrainer trainer(data, std::move(every), common, nullptr);
  std::vector<Trained> all;
  for (std::size_t k = 0; k < methods.size(); ++k) {
    TrainOptions method = methods[k];
    method.resources.cache_bytes = common.resources.cache_bytes;
    Trained& trained = all.emplace_back(trainer.learn(method, nth_of_several(observe, k)));
    if (method.band.folds == 0) continue;
    trained.scores = Predictor(trained.model, method.resources.threads).scores(data.x);
  }
  return all;
}

}  // namespace rampart
