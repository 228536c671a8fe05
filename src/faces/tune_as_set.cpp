#include "faces/tune_as_set.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "faces/settle.hpp"
#include "train/first_reading.hpp"

namespace rampart {
namespace {

/// The results of the points of a search, by point, repetition and fold.
std::vector<FoldResult> results_of(const std::vector<std::size_t>& tried,
                                   std::vector<FoldResult> all) {
  std::vector<FoldResult> found;
  for (FoldResult& result : all) {
    const auto place = std::ranges::find(tried, result.method);
    if (place == tried.end()) continue;
    result.method = static_cast<std::size_t>(place - tried.begin());
    found.push_back(result);
  }
  std::ranges::sort(found, {}, [](const FoldResult& result) {
    return std::tuple(result.method, result.repeat, result.fold);
  });
  return found;
}

}  // namespace

TunedAsSet tune_as_set(const Problem& data, const TrainingSettings& settings,
                       const std::function<bool(std::size_t, std::size_t)>& progress) {
  TrainOptions base = settings.method();
  require_trainable(data);
  const RowsToTrainOn rows(data, settings.missing);
  const Problem& problem = rows.problem();
  settle(base, !settings.scaling, settings.missing, count_cells(problem));
  const TuneSpace space({base}, settings.tune_grid());
  const unsigned threads = base.resources.threads;

  TunedAsSet found;
  // The nested estimate comes first: if an outer fold is too small to be tuned, that shows before
  // the long work.
  const std::size_t parts = settings.nested ? 1 + settings.folds.folds : 1;
  const auto hooks_of = [&](std::size_t part) {
    CvHooks hooks;
    if (progress) {
      hooks.progress = [&, part](std::size_t done, std::size_t of) {
        return progress(part * of + done, parts * of);
      };
    }
    return hooks;
  };
  if (settings.nested) {
    found.outer =
        std::move(nested_estimate(problem, space, settings.folds, threads, hooks_of).front());
    for (const FoldResult& result : found.outer) {
      found.chosen.push_back(space.points()[result.method]);
    }
  }
  std::vector<FoldResult> all;
  CvHooks hooks = hooks_of(parts - 1);
  hooks.found = [&](const FoldResult& result) { all.push_back(result); };
  found.search = std::move(tune(problem, space, settings.folds, threads, hooks).front());
  found.results = results_of(space.tried(0, found.search.widened), std::move(all));
  found.trained = train(problem, found.search.points[found.search.best]);
  found.trained.scores = rows.spread(std::move(found.trained.scores));
  found.trained.support = rows.numbers(std::move(found.trained.support));
  return found;
}

}  // namespace rampart
