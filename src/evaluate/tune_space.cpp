#include "evaluate/tune_space.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "rampart/errors.hpp"
#include "util/assert.hpp"

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

constexpr int values_beyond = 3;  // an end

/// Values that go on at both ends as they rise inside.
template <class T>
std::vector<T> longer(const std::vector<T>& inside, double first, double second) {
  const double factor = second / first;
  std::vector<T> all;
  for (int k = values_beyond; k > 0; --k) all.emplace_back(first / std::pow(factor, k));
  all.insert(all.end(), inside.begin(), inside.end());
  double value = first;
  for (std::size_t k = 1; k < inside.size(); ++k) value *= factor;
  for (int k = 0; k < values_beyond; ++k) all.emplace_back(value *= factor);
  return all;
}

double number_of(const Gamma& gamma) { return std::get<double>(gamma); }

/// Where the value with this number lies on an axis of `count` values that may be longer than the
/// grid: below it (−1), inside (0) or above (1).
int side_of(std::size_t number, std::size_t count, bool widens) {
  if (!widens) return 0;
  if (number < values_beyond) return -1;
  return number + values_beyond >= count ? 1 : 0;
}

int end_of(std::size_t number, std::size_t count, bool widens) {
  if (!widens) return 0;
  if (number == values_beyond) return -1;
  return number + values_beyond + 1 == count ? 1 : 0;
}

}  // namespace

TuneGrid TuneGrid::standard(const KernelOptions& kernel) {
  TuneGrid grid{.C = powers_of_four(-3, 9), .widens_C = true};
  if (kernel.has_gamma()) {
    grid.widens_gamma = true;
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

TuneSpace::TuneSpace(std::vector<TrainOptions> points)
    : points_(std::move(points)), places_(points_.size()) {}

TuneSpace::TuneSpace(const std::vector<TrainOptions>& bases, const TuneGrid& grid)
    : searches_(bases.size()) {
  TuneGrid all = grid;
  if (grid.widens_C) {
    RAMPART_ASSERT(grid.C.size() >= 2, "two values tell how the others go on");
    all.C = longer(grid.C, grid.C[0], grid.C[1]);
  }
  if (grid.widens_gamma) {
    RAMPART_ASSERT(grid.gamma.size() >= 2, "two values tell how the others go on");
    all.gamma = longer(grid.gamma, number_of(grid.gamma[0]), number_of(grid.gamma[1]));
  }
  for (std::size_t search = 0; search < bases.size(); ++search) {
    const std::vector<TrainOptions> points = grid_points(bases[search], all);
    if (static_cast<double>(points.size()) * static_cast<double>(bases.size()) > most_points) {
      throw OptionError(fmt::format("grid: {} points at {} reject costs; at most {} are tried",
                                    points.size(), bases.size(), most_points));
    }
    // C varies fastest, γ slowest.
    const std::size_t Cs = std::max<std::size_t>(all.C.size(), 1);
    const std::size_t gammas = std::max<std::size_t>(all.gamma.size(), 1);
    const std::size_t of_each_gamma = points.size() / gammas;
    for (std::size_t k = 0; k < points.size(); ++k) {
      const std::size_t C = k % Cs;
      const std::size_t gamma = k / of_each_gamma;
      places_.push_back(
          {.search = search,
           .beyond = {side_of(C, Cs, grid.widens_C), side_of(gamma, gammas, grid.widens_gamma)},
           .at_end = {end_of(C, Cs, grid.widens_C), end_of(gamma, gammas, grid.widens_gamma)}});
    }
    points_.insert(points_.end(), points.begin(), points.end());
  }
}

std::vector<std::size_t> TuneSpace::tried(std::size_t search, GridEnds longer) const {
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < places_.size(); ++k) {
    const auto& [of, beyond, at_end] = places_[k];
    const bool in_C = beyond.C == 0 || beyond.C == longer.C;
    const bool in_gamma = beyond.gamma == 0 || beyond.gamma == longer.gamma;
    if (of == search && in_C && in_gamma) found.push_back(k);
  }
  return found;
}

}  // namespace rampart
