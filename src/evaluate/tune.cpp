#include "evaluate/tune.hpp"

#include <cmath>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "evaluate/train_and_measure.hpp"
#include "rampart/errors.hpp"
#include "train/problem_part.hpp"
#include "train/trainer.hpp"

namespace rampart {
namespace {

constexpr double most_points = 100'000;

/// 2^first, 2^(first+2), …, 2^last.
std::vector<double> powers_of_four(int first, int last) {
  std::vector<double> values;
  for (int k = first; k <= last; k += 2) values.push_back(std::ldexp(1.0, k));
  return values;
}

template <class T>
std::vector<T> or_else(const std::vector<T>& list, T single) {
  return list.empty() ? std::vector<T>{single} : list;
}

double gamma_number(const TrainOptions& method) {
  const double* number = std::get_if<double>(&method.representation.kernel.gamma);
  return number != nullptr ? *number : 0;  // a rule counts as the smallest γ
}

/// The outer folds of a nested estimate. Checks before the work that the rows outside each fold can
/// be split into folds again.
std::vector<Split> outer_splits(const Problem& data, const FoldOptions& folds) {
  const std::vector<std::size_t> fold_of = assign_folds(data.y, data.groups, folds, 0);
  std::vector<Split> splits;
  for (std::size_t outer = 0; outer < folds.folds; ++outer) {
    splits.push_back(split_at(fold_of, outer));
    std::vector<std::int8_t> y;
    std::vector<std::string> groups;
    for (const std::size_t n : splits.back().training) {
      y.push_back(data.y[n]);
      if (!data.groups.empty()) groups.push_back(data.groups[n]);
    }
    try {
      static_cast<void>(assign_folds(y, groups, folds, 0));
    } catch (const OptionError& error) {
      throw error_about(fmt::format("nested, without fold {}", outer + 1), error);
    }
  }
  return splits;
}

}  // namespace

TuneGrid TuneGrid::standard(const KernelOptions& kernel) {
  TuneGrid grid{.C = powers_of_four(-3, 9), .gamma = {}, .mu = {}, .training_cost = {}};
  if (kernel.has_gamma()) {
    for (const double gamma : powers_of_four(-9, 3)) grid.gamma.emplace_back(gamma);
  }
  return grid;
}

std::vector<TrainOptions> grid_points(const TrainOptions& base, const TuneGrid& grid) {
  if (!grid.gamma.empty() && !base.representation.kernel.has_gamma()) {
    throw OptionError("grid over gamma: the linear and precomputed kernels have none");
  }
  const bool ramp = traits_of(base.objective.loss).has_ramps;
  if (!grid.mu.empty() && !ramp) throw OptionError("grid over mu: only the double ramp has one");
  if (!grid.training_cost.empty() && !traits_of(base.objective.loss).uses_costs) {
    throw OptionError("grid over training costs: the hinge loss knows no costs");
  }
  if (!grid.training_cost.empty() && !base.costs().is_symmetric()) {
    throw OptionError("grid over training costs: needs a reject cost, not a table of costs");
  }
  std::vector<Costs> training_costs;
  for (const double d : grid.training_cost) training_costs.push_back(Costs::symmetric(d));

  const std::vector<Gamma> gammas = or_else(grid.gamma, base.representation.kernel.gamma);
  const std::vector<Costs> all_costs = or_else(training_costs, base.objective.costs);
  const std::vector<double> mus = or_else(grid.mu, base.objective.mu);
  const std::vector<double> Cs = or_else(grid.C, base.objective.C);
  double count = 1;
  for (const std::size_t size : {gammas.size(), all_costs.size(), mus.size(), Cs.size()}) {
    count *= static_cast<double>(size);
  }
  if (count > most_points) {
    throw OptionError(fmt::format("grid: {} points; at most {} are tried", count, most_points));
  }
  std::vector<TrainOptions> points;
  for (const Gamma& gamma : gammas) {
    for (const Costs& costs : all_costs) {
      for (const double mu : mus) {
        for (const double C : Cs) {
          TrainOptions point = base;
          point.representation.kernel.gamma = gamma;
          point.objective.mu = mu;
          point.objective.C = C;
          point.objective.costs = costs;
          point.band.decide_for.reset();
          if (costs != base.costs()) point.band.decide_for = base.costs();
          point.validate();
          points.push_back(std::move(point));
        }
      }
    }
  }
  return points;
}

std::size_t best_point(const std::vector<TrainOptions>& points,
                       const std::vector<CvSummary>& summaries) {
  const auto rank = [&](std::size_t k) {
    return std::tuple(summaries[k].risk.mean, points[k].objective.C, gamma_number(points[k]));
  };
  std::size_t best = 0;
  for (std::size_t k = 1; k < points.size(); ++k) {
    if (rank(k) < rank(best)) best = k;
  }
  return best;
}

TuneReport tune(const Problem& data, std::vector<TrainOptions> points, const FoldOptions& folds,
                unsigned threads, const CvHooks& hooks) {
  const CvReport report = cross_validate(data, points, folds, threads, hooks);
  TuneReport tuned{.points = std::move(points), .summaries = {}};
  for (std::size_t k = 0; k < tuned.points.size(); ++k) {
    tuned.summaries.push_back(report.summary(k));
  }
  tuned.best = best_point(tuned.points, tuned.summaries);
  return tuned;
}

std::vector<FoldResult> nested_estimate(const Problem& data,
                                        const std::vector<TrainOptions>& points,
                                        const FoldOptions& folds, unsigned threads,
                                        const std::function<CvHooks(std::size_t)>& hooks_of) {
  const std::vector<Split> splits = outer_splits(data, folds);
  std::vector<FoldResult> results;
  for (std::size_t outer = 0; outer < folds.folds; ++outer) {
    const Split& split = splits[outer];
    const Representation& representation = points.front().representation;
    const ProblemPart rest(data, split.training, split.training, representation);
    const ProblemPart test(data, split.test, split.training, representation);
    const CvHooks hooks = hooks_of ? hooks_of(outer) : CvHooks{};
    const TuneReport tuned = tune(rest.view(), points, folds, threads, hooks);
    TrainOptions chosen = tuned.points[tuned.best];
    chosen.resources.threads = threads;
    Trainer trainer(rest.view(), chosen, {.shared = {}, .for_measuring = true});
    results.push_back(train_and_measure(trainer, chosen, test.view()));
    results.back().method = tuned.best;
    results.back().fold = outer;
  }
  return results;
}

}  // namespace rampart
