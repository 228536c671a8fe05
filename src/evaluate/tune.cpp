#include "evaluate/tune.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "evaluate/train_and_measure.hpp"
#include "rampart/errors.hpp"
#include "train/counted_rows.hpp"
#include "train/problem_part.hpp"
#include "train/trainer.hpp"

namespace rampart {
namespace {

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

std::size_t best_point(const std::vector<TrainOptions>& points,
                       const std::vector<CvSummary>& summaries) {
  const auto rank = [&](std::size_t k) {
    return std::tuple(summaries[k].weighted_risk.value_or(summaries[k].risk.mean),
                      points[k].objective.C, gamma_number(points[k]));
  };
  std::size_t best = 0;
  for (std::size_t k = 1; k < points.size(); ++k) {
    if (rank(k) < rank(best)) best = k;
  }
  return best;
}

namespace {

/// The hooks of a cross-validation of some points of a space. The hooks given speak of all points.
CvHooks hooks_for(const std::vector<std::size_t>& points, const CvHooks& hooks,
                  const std::vector<FoldResult>& before) {
  CvHooks part{.progress = hooks.progress, .found = {}, .known = {}};
  std::map<std::size_t, std::size_t> place;  // of a point among these
  for (std::size_t k = 0; k < points.size(); ++k) place.emplace(points[k], k);
  for (const std::vector<FoldResult>* known : {&hooks.known, &before}) {
    for (FoldResult result : *known) {
      const auto at = place.find(result.method);
      if (at == place.end()) continue;
      result.method = at->second;
      part.known.push_back(result);
    }
  }
  if (hooks.found) {
    part.found = [&points, &hooks](FoldResult result) {
      result.method = points[result.method];
      hooks.found(result);
    };
  }
  return part;
}

/// What the searches of a space have found so far.
struct Found {
  std::vector<std::size_t> points;  ///< tried, search by search
  std::vector<FoldResult> results;  ///< with the numbers of points in the space
  std::vector<TuneReport> searches;
};

/// Every search tries the grid that is longer at these ends of its own.
Found try_points(const Problem& data, const TuneSpace& space, const std::vector<GridEnds>& ends,
                 const FoldOptions& folds, unsigned threads, const CvHooks& hooks,
                 const std::vector<FoldResult>& before) {
  Found found;
  for (std::size_t search = 0; search < space.searches(); ++search) {
    const std::vector<std::size_t> tried = space.tried(search, ends[search]);
    found.points.insert(found.points.end(), tried.begin(), tried.end());
    found.searches.push_back({.points = {}, .summaries = {}, .best = 0, .widened = ends[search]});
    for (const std::size_t k : tried) found.searches.back().points.push_back(space.points()[k]);
  }
  std::vector<TrainOptions> methods;
  for (const std::size_t k : found.points) methods.push_back(space.points()[k]);
  CvReport report =
      cross_validate(data, methods, folds, threads, hooks_for(found.points, hooks, before));
  std::size_t method = 0;
  for (TuneReport& tuned : found.searches) {
    for (std::size_t k = 0; k < tuned.points.size(); ++k) {
      tuned.summaries.push_back(report.summary(method++));
    }
    tuned.best = best_point(tuned.points, tuned.summaries);
  }
  found.results = std::move(report.results);
  for (FoldResult& result : found.results) result.method = found.points[result.method];
  return found;
}

/// The numbers in the space of the best points, one a search.
std::vector<std::size_t> best_points(const Found& found) {
  std::vector<std::size_t> best;
  std::size_t begin = 0;
  for (const TuneReport& tuned : found.searches) {
    best.push_back(found.points[begin + tuned.best]);
    begin += tuned.points.size();
  }
  return best;
}

/// The ends of the grid at which the best point lies, unless a point elsewhere is as good: where
/// all points reject everything, no longer grid is called for. `points` are the numbers of its
/// points.
GridEnds ends_to_widen(const TuneSpace& space, std::span<const std::size_t> points,
                       const TuneReport& tuned) {
  GridEnds ends = space.ends_at(points[tuned.best]);
  for (std::size_t k = 0; k < tuned.points.size(); ++k) {
    if (tuned.summaries[k].risk.mean != tuned.summaries[tuned.best].risk.mean) continue;
    const GridEnds other = space.ends_at(points[k]);
    if (other.C != ends.C) ends.C = 0;
    if (other.gamma != ends.gamma) ends.gamma = 0;
  }
  return ends;
}

Found search_all(const Problem& data, const TuneSpace& space, const FoldOptions& folds,
                 unsigned threads, const CvHooks& hooks) {
  for (const FoldResult& result : hooks.known) {
    if (result.method >= space.points().size()) {
      throw InputError("a known result belongs to another tuning");
    }
  }
  std::vector<GridEnds> ends(space.searches());
  Found found = try_points(data, space, ends, folds, threads, hooks, {});
  std::size_t begin = 0;  // of the points of a search
  for (std::size_t search = 0; search < space.searches(); ++search) {
    const std::span points = std::span(found.points).subspan(begin);
    ends[search] = ends_to_widen(space, points, found.searches[search]);
    begin += found.searches[search].points.size();
  }
  const bool longer = std::ranges::any_of(ends, &GridEnds::any);
  return longer ? try_points(data, space, ends, folds, threads, hooks, found.results) : found;
}

}  // namespace

std::vector<TuneReport> tune(const Problem& data, const TuneSpace& space, const FoldOptions& folds,
                             unsigned threads, const CvHooks& hooks) {
  return search_all(data, space, folds, threads, hooks).searches;
}

std::vector<std::vector<FoldResult>> nested_estimate(
    const Problem& data, const TuneSpace& space, const FoldOptions& folds, unsigned threads,
    const std::function<CvHooks(std::size_t)>& hooks_of) {
  if (const auto counting = rows_with_weight(data)) {
    const ProblemPart part(data, *counting, *counting, space.points().front().representation);
    return nested_estimate(part.view(), space, folds, threads, hooks_of);
  }
  const std::vector<Split> splits = outer_splits(data, folds);
  std::vector<std::vector<FoldResult>> results(space.searches());
  for (std::size_t outer = 0; outer < folds.folds; ++outer) {
    const Split& split = splits[outer];
    const Representation& representation = space.points().front().representation;
    const ProblemPart rest(data, split.training, split.training, representation);
    const ProblemPart test(data, split.test, split.training, representation);
    const CvHooks hooks = hooks_of ? hooks_of(outer) : CvHooks{};
    const std::vector<std::size_t> best =
        best_points(search_all(rest.view(), space, folds, threads, hooks));
    for (std::size_t search = 0; search < best.size(); ++search) {
      TrainOptions chosen = space.points()[best[search]];
      chosen.resources.threads = threads;
      Trainer trainer(rest.view(), chosen, {.shared = {}, .for_measuring = true});
      FoldResult result = train_and_measure(trainer, chosen, test.view());
      result.method = best[search];
      result.fold = outer;
      results[search].push_back(result);
    }
  }
  return results;
}

}  // namespace rampart
