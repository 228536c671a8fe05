#include "train/trainer.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "linear/linear_solver.hpp"
#include "rampart/errors.hpp"
#include "rampart/io.hpp"
#include "train/counted_rows.hpp"
#include "train/folds.hpp"
#include "train/linear_training.hpp"
#include "train/mapped_rows.hpp"
#include "train/objective.hpp"
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

std::size_t size_of_smaller_class(std::span<const std::int8_t> y) {
  const auto positives = static_cast<std::size_t>(std::ranges::count(y, 1));
  return std::min(positives, y.size() - positives);
}

/// The largest number of folds that the smaller class and the groups allow.
std::size_t most_band_folds(const Problem& data) {
  const std::size_t smaller = size_of_smaller_class(data.y);
  if (data.groups.empty()) return smaller;
  return std::min(smaller, std::set(data.groups.begin(), data.groups.end()).size());
}

/// The fold of every row on which a band is chosen. `kinds`: of CountedRows. A row that is there
/// several times is in one fold: it would not be out of fold beside its copy. Throws InputError for
/// too few rows.
struct BandFolds {
  std::size_t folds;
  std::vector<std::size_t> fold_of;
};
BandFolds band_folds(const Problem& data, std::span<const std::size_t> kinds, std::size_t wanted) {
  const auto options = [&](std::size_t most) {
    return FoldOptions{.folds = std::min(wanted, most), .repeats = 1, .seed = 1};
  };
  if (!kinds.empty() && data.groups.empty()) {
    std::vector<std::int8_t> y(kinds.back() + 1);  // of each kind
    for (std::size_t n = 0; n < kinds.size(); ++n) y[kinds[n]] = data.y[n];
    const FoldOptions of_kinds = options(size_of_smaller_class(y));
    if (of_kinds.folds >= 2) {
      const std::vector<std::size_t> fold_of = assign_folds(y, {}, of_kinds, 0);
      BandFolds found{.folds = of_kinds.folds, .fold_of = {}};
      for (const std::size_t kind : kinds) found.fold_of.push_back(fold_of[kind]);
      return found;
    }
  }
  const FoldOptions of_rows = options(most_band_folds(data));
  if (of_rows.folds < 2) {
    throw InputError(
        "too few rows to choose a band on: at least two of each class, in two groups "
        "if there are any, are needed; 0 folds keep the band of the loss",
        Setting::band_folds);
  }
  return {of_rows.folds, assign_folds(data.y, data.groups, of_rows, 0)};
}

/// How much each row counts in the loss, also by its class; empty: all count 1.
std::vector<double> weights_in_loss(const Problem& data, const TrainOptions& options) {
  const Objective& objective = options.objective;
  if (data.weights.empty() && !objective.balanced && objective.class_weights.empty()) return {};
  const RowWeights of_rows = row_weights(data, with_class_weights(options, data).objective);
  std::vector<double> weights(data.size(), 1.0);
  for (std::size_t n = 0; n < data.size(); ++n) {
    if (!of_rows.rows.empty()) weights[n] = of_rows.rows[n];
    weights[n] *= data.y[n] > 0 ? of_rows.positive : of_rows.negative;
  }
  return weights;
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
  Problem given;
  TrainOptions common;
  TrainerSetup setup;
  CountedRows counted;
  Problem data;                             // of the counted rows
  std::optional<FirstReading> own_reading;  // none: there is one in the setup, or none is needed
  std::optional<Rows> counted_sample;       // FirstReading::sample of the counted rows
  TrainingRows rows;
  std::optional<AnySolver> solver;  // none: the linear solver needs no kernel rows
  std::optional<MappedRows> mapped;
  std::optional<BandBasis> basis;

  State(const Problem& problem, const TrainOptions& options, TrainerSetup with)
      : given(problem),
        common(options),
        setup(std::move(with)),
        counted(readable(given), options.representation),
        data(counted.view()),
        rows(learn()) {
    if (setup.shared.whole != nullptr && !counted.numbers().empty()) {
      const std::vector<std::size_t> which = std::exchange(setup.shared.which, {});
      for (const std::size_t n : counted.numbers()) setup.shared.which.push_back(which[n]);
    }
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

  /// Rows whose contents decide on their order are read before anything else looks at them.
  static const Problem& readable(const Problem& given) {
    require_trainable(given);
    if (given.size() <= most_ordered_rows) given.x.ensure_readable();
    return given;
  }

  TrainingRows learn() {
    const unsigned threads = common.resources.threads;
    const Representation& representation = common.representation;
    const bool as_given = counted.numbers().empty();
    TrainingRows learnt;
    if (representation.kernel.type == KernelType::precomputed) {
      learnt = TrainingRows::learn(given, representation, threads);
      if (!as_given) learnt = TrainingRows::learn(data, representation, threads);
    } else {
      const bool wants_sample = may_want_sample(common);
      if (setup.reading == nullptr) {
        own_reading = read_first(
            given, {.fingerprint = !setup.for_measuring, .sample = as_given && wants_sample},
            threads);
        setup.reading = &*own_reading;
      }
      if (as_given) {
        learnt = TrainingRows::learn(data, representation, *setup.reading, threads);
      } else {
        TrainingRows::check_cells(given, setup.reading->survey);  // by the numbers of these rows
        FirstReading reading = read_first(data, {.sample = wants_sample}, threads);
        learnt = TrainingRows::learn(data, representation, reading, threads);
        counted_sample = std::move(reading.sample);
        learnt.sample = counted_sample ? &*counted_sample : nullptr;
      }
    }
    learnt.numbers = counted.numbers();
    learnt.kinds = counted.kinds();
    return learnt;
  }

  /// Makes a result of the counted rows one of the rows given.
  void restore(Trained& trained) const {
    const std::span<const std::size_t> numbers = counted.numbers();
    if (numbers.empty()) return;
    Model& model = trained.model;
    if (counted.repeats()) {
      const std::set<std::size_t> different(numbers.begin(), numbers.end());
      model.surface().certificate.rows = different.size();
    }
    model.features = layout_of(given);  // of a precomputed kernel: all columns
    for (std::size_t& n : model.support) n = numbers[n];
    for (std::size_t& n : trained.support) n = numbers[n];
    if (trained.scores.empty()) return;
    const std::vector<double> found = std::exchange(trained.scores, {});
    std::vector<bool> is_counted(given.size(), false);
    trained.scores.resize(given.size());
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      trained.scores[numbers[k]] = found[k];
      is_counted[numbers[k]] = true;
    }
    std::vector<std::size_t> others;
    for (std::size_t n = 0; n < given.size(); ++n) {
      if (!is_counted[n]) others.push_back(n);
    }
    if (others.empty()) return;
    const std::vector<std::size_t> places = given.x.places_of(others);
    const std::vector<Answer> answers =
        Predictor(model, common.resources.threads)
            .answers(given.x.at_places(places), {.impute = true, .ignore_unseen = true});
    for (std::size_t k = 0; k < others.size(); ++k) {
      trained.scores[others[k]] = answers[k].score_or(0);
    }
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
    TrainingRows own = TrainingRows::prepare(data, common.representation, common.resources.threads);
    own.numbers = counted.numbers();
    own.kinds = counted.kinds();
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
    const auto [folds, fold_of] = band_folds(data, counted.kinds(), options.band.folds);
    TrainOptions inner = options;
    inner.resources = within_budget(common).resources;
    inner.resources.checkpoint.clear();
    inner.band = {};
    for (std::size_t fold = 0; fold < folds; ++fold) {
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
    set_band(trained.model.surface(), best_thresholds(basis->out_of_fold, data.y, options.costs(),
                                                      weights_in_loss(data, options)));
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
  state_->restore(trained);
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
