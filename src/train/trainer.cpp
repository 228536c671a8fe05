#include "train/trainer.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "linear/linear_solver.hpp"
#include "rampart/errors.hpp"
#include "train/folds.hpp"
#include "train/linear_training.hpp"
#include "train/mapped_rows.hpp"
#include "train/problem_part.hpp"
#include "train/thresholds.hpp"
#include "train/train_once.hpp"
#include "train/training_rows.hpp"

namespace rampart {
namespace {

void set_band(Surface& surface, const Thresholds& thresholds) {
  surface.trained_band = surface.band;
  const double half = thresholds.high / 2 - thresholds.low / 2;
  surface.band = {surface.band.b - (thresholds.low + half), half};
}

/// The largest number of folds that the smaller class and the groups allow.
std::size_t most_band_folds(const Problem& data) {
  const auto positives = static_cast<std::size_t>(std::ranges::count(data.y, 1));
  const std::size_t smaller = std::min(positives, data.size() - positives);
  if (data.groups.empty()) return smaller;
  return std::min(smaller, std::set(data.groups.begin(), data.groups.end()).size());
}

/// Sets the costs of training and, if they differ, those of the decisions. A loss that does not use
/// costs gets those of the decisions.
void set_costs(Surface& surface, const TrainOptions& options) {
  const bool uses_costs = traits_of(options.objective.loss).uses_costs;
  surface.objective.costs = uses_costs ? options.objective.costs : options.costs();
  surface.decide_for.reset();
  if (surface.objective.costs != options.costs()) surface.decide_for = options.costs();
}

/// Whether neither the observer nor the clock ended it early.
bool is_complete(const Trained& trained) {
  const TrainStatus status = trained.report.status;
  return status != TrainStatus::cancelled && status != TrainStatus::time_limit;
}

/// Out-of-fold scores on which a band is chosen. Those of a support vector machine do not depend on
/// the costs, so bands for several costs use the same ones.
struct BandBasis {
  Objective objective;
  std::size_t folds;
  Trained trained;
  std::vector<double> out_of_fold;
  bool complete = true;  ///< all trainings in it

  [[nodiscard]] bool serves(const TrainOptions& options) const {
    const auto without_costs = [](Objective one) {
      one.costs = {};
      return one;
    };
    return complete && !traits_of(options.objective.loss).uses_costs &&
           folds == options.band.folds &&
           without_costs(objective) == without_costs(options.objective);
  }
};

/// Choosing a band trains on inner folds as well as on all rows; both share the cache budget.
TrainOptions within_budget(TrainOptions common) {
  if (common.band.folds > 0) common.resources.cache_bytes /= 2;
  return common;
}

}  // namespace

struct Trainer::State {
  Problem data;
  TrainOptions common;
  TrainerSetup setup;
  std::optional<FirstReading> own_reading;  // none: there is one in the setup, or none is needed
  TrainingRows rows;
  std::optional<AnySolver> solver;  // none: the linear solver needs no kernel rows
  std::optional<MappedRows> mapped;
  std::optional<BandBasis> basis;

  State(const Problem& problem, const TrainOptions& options, TrainerSetup with)
      : data(problem), common(options), setup(std::move(with)), rows(learn()) {
    const bool maps = common.representation.kernel.maps_rows();
    if (!common.uses_linear_solver() || maps || !makes_features_as_it_reads(rows)) {
      rows.materialise(common.representation, common.resources.threads);
    }
    if (!common.uses_linear_solver()) {
      solver.emplace(choose_solver(rows, within_budget(common), setup.shared));
    } else if (maps) {
      mapped.emplace(rows, within_budget(common));
    }
  }

  TrainingRows learn() {
    const unsigned threads = common.resources.threads;
    if (common.representation.kernel.type == KernelType::precomputed) {
      return TrainingRows::learn(data, common.representation, threads);
    }
    if (setup.reading == nullptr) {
      own_reading = read_first(
          data, {.fingerprint = !setup.for_measuring, .sample = may_want_sample(common)}, threads);
      setup.reading = &*own_reading;
    }
    return TrainingRows::learn(data, common.representation, *setup.reading, threads);
  }

  Trained once(const TrainOptions& options, const TrainObserver& observe, const Model* start) {
    if (solver) return train_once(data, rows, *solver, options, observe, start);
    Trained trained = train_by_linear_solver(data, rows, mapped ? &*mapped : nullptr, options,
                                             observe, start, !setup.for_measuring);
    if (!wants_second_opinion(options, trained)) return trained;
    Trained other = by_smo(options, observe, start);
    const bool better = other.report.status == TrainStatus::converged ||
                        other.report.objective < trained.report.objective;
    return better ? std::move(other) : std::move(trained);
  }

  /// Few rows that the linear solver could not finish, such as rows very far apart: sequential
  /// minimal optimisation costs little there.
  [[nodiscard]] bool wants_second_opinion(const TrainOptions& options,
                                          const Trained& trained) const {
    const TrainStatus status = trained.report.status;
    const bool unfinished = status == TrainStatus::step_limit || status == TrainStatus::stalled;
    return unfinished && !mapped && data.size() <= few_rows && options.exactness.max_steps == 0 &&
           options.exactness.solver == SolverKind::automatic;
  }

  /// From the rows as they are given, so that other trainings find theirs unchanged. Takes seconds
  /// at most: rows that are hard for both solvers end at a limit.
  Trained by_smo(TrainOptions options, const TrainObserver& observe, const Model* start) {
    options.exactness.max_steps = 2'000'000;
    const TrainingRows own =
        TrainingRows::prepare(data, common.representation, common.resources.threads);
    AnySolver smo = choose_solver(own, within_budget(common), {});
    return train_once(data, own, smo, options, observe, start);
  }

  BandBasis band_basis(const TrainOptions& options, const TrainObserver& observe,
                       const Model* start) {
    BandBasis found{.objective = options.objective,
                    .folds = options.band.folds,
                    .trained = once(options, observe, start),
                    .out_of_fold = std::vector<double>(data.size())};
    found.complete = is_complete(found.trained);
    const FoldOptions folds{
        .folds = std::min(options.band.folds, most_band_folds(data)), .repeats = 1, .seed = 1};
    if (folds.folds < 2) {
      throw InputError(
          "too few rows to choose a band on: at least two of each class, in two groups "
          "if there are any, are needed; 0 folds keep the band of the loss",
          Setting::band_folds);
    }
    TrainOptions inner = options;
    inner.resources = within_budget(common).resources;
    inner.resources.checkpoint.clear();
    inner.band = {};
    const std::vector<std::size_t> fold_of = assign_folds(data.y, data.groups, folds, 0);
    for (std::size_t fold = 0; fold < folds.folds; ++fold) {
      const Split split = split_at(fold_of, fold);
      const ProblemPart training(data, split.training, split.training, common.representation);
      const ProblemPart test(data, split.test, split.training, common.representation);
      Trainer trainer(training.view(), inner, inner_setup(split.training));
      const Trained trained = trainer.train(inner, observe);
      found.complete &= is_complete(trained);
      const std::vector<Answer> answers =
          Predictor(trained.model, inner.resources.threads).answers(test.view().x);
      for (std::size_t k = 0; k < answers.size(); ++k) {
        found.out_of_fold[split.test[k]] = answers[k].score_or(0);
      }
    }
    return found;
  }

  TrainerSetup inner_setup(const std::vector<std::size_t>& training) const {
    TrainerSetup inner{.for_measuring = true};
    inner.shared.whole = setup.shared.whole;
    if (inner.shared.whole == nullptr) return inner;
    for (const std::size_t n : training) inner.shared.which.push_back(setup.shared.which[n]);
    return inner;
  }

  Trained with_chosen_band(const TrainOptions& options, const TrainObserver& observe,
                           const Model* start) {
    if (!basis || !basis->serves(options)) basis = band_basis(options, observe, start);
    Trained trained = basis->trained;
    set_band(trained.model.surface(), best_thresholds(basis->out_of_fold, data.y, options.costs()));
    if (!setup.for_measuring) {
      trained.scores = Predictor(trained.model, options.resources.threads).scores(data.x);
    }
    return trained;
  }
};

Trainer::Trainer(const Problem& data, const TrainOptions& common)
    : Trainer(data, common, TrainerSetup{}) {}
Trainer::Trainer(const Problem& data, const TrainOptions& common, TrainerSetup setup) {
  common.validate();
  state_ = std::make_unique<State>(data, common, std::move(setup));
}
Trainer::~Trainer() = default;
Trainer::Trainer(Trainer&&) noexcept = default;
Trainer& Trainer::operator=(Trainer&&) noexcept = default;

Trained Trainer::train(const TrainOptions& options, const TrainObserver& observe,
                       const Model* start) {
  options.validate();
  if (!options.shares_kernel_rows_with(state_->common)) {
    throw OptionError(
        "trainings that share kernel rows: their options may differ in what is minimised and in "
        "the choice of the band only");
  }
  Trained trained = options.band.folds == 0 ? state_->once(options, observe, start)
                                            : state_->with_chosen_band(options, observe, start);
  set_costs(trained.model.surface(), options);
  if (state_->setup.reading != nullptr) {
    trained.model.fingerprint = state_->setup.reading->fingerprint;
  }
  return trained;
}

Trainer trainer_after(const FirstReading* reading, const Problem& data,
                      const TrainOptions& common) {
  return {data, common, TrainerSetup{.reading = reading}};
}

Trained train(const Problem& data, const TrainOptions& options, const TrainObserver& observe,
              const Model* start) {
  return Trainer(data, options).train(options, observe, start);
}

}  // namespace rampart
