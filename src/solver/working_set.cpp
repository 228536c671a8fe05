#include "solver/working_set.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace rampart {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t rows_at_a_time = 1 << 16;   // limits the memory for candidates
constexpr std::size_t sets_of_small_problem = 2;  // up to this size, all rows are one set

std::vector<std::size_t> positions(std::size_t count) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

/// Whether a variable of the row is free: strictly inside its box.
bool is_free(const ClaimTable& claims, std::size_t n) {
  for (std::size_t r = 0; r < claims.layers; ++r) {
    if (claims.rise[r][n] != -infinity && claims.fall[r][n] != infinity) return true;
  }
  return false;
}

}  // namespace

OffsetPairs by_offset(const HingeQp& qp, const std::array<ViolatingPair, max_layers>& of_layers) {
  OffsetPairs pairs;
  for (std::size_t r = 0; r < qp.layers.size(); ++r) {
    ViolatingPair& pair = pairs[qp.layers[r].offset];
    if (of_layers[r].riser.value > pair.riser.value) pair.riser = of_layers[r].riser;
    if (of_layers[r].faller.value < pair.faller.value) pair.faller = of_layers[r].faller;
  }
  return pairs;
}

std::vector<std::size_t> WorkingSet::choose(const ClaimTable& claims, const OffsetPairs& pairs) {
  if (qp_.size() <= most_ * sets_of_small_problem) {
    if (!rows_.empty()) return {};
    rows_.resize(qp_.size());
    std::iota(rows_.begin(), rows_.end(), 0U);
    return positions(rows_.size());
  }
  const std::vector<std::uint32_t> last = std::exchange(choice_, {});
  chosen_.assign(qp_.size(), 0);
  const std::size_t fresh = last.empty() ? most_ : std::max<std::size_t>(2, most_ / 2);
  // The maximal violating pair must be in the set, even if its violation rounds to 0 below.
  take(static_cast<std::uint32_t>(worst(pairs).riser.at));
  take(static_cast<std::uint32_t>(worst(pairs).faller.at));
  take_best_of_each(candidates(claims, pairs, fresh), fresh);
  for (const bool free : {true, false}) {
    for (const std::uint32_t n : last) {
      if (choice_.size() < most_ && is_free(claims, n) == free) take(n);
    }
  }
  return replace_rows();
}

void WorkingSet::take(std::uint32_t n) {
  if (chosen_[n] != 0) return;
  chosen_[n] = 1;
  choice_.push_back(n);
}

void WorkingSet::keep_best(std::size_t enough, Side& side) {
  if (side.size() <= enough) return;
  std::nth_element(side.begin(), side.begin() + static_cast<std::ptrdiff_t>(enough), side.end());
  side.resize(enough);
}

/// Drops the worst candidates now and then: a side may have as many as there are rows.
void WorkingSet::add_candidate(const Candidate& candidate, std::size_t enough, Side& side) {
  constexpr std::size_t times = 8;
  side.push_back(candidate);
  if (side.size() >= times * enough) keep_best(enough, side);
}

/// Takes the best of each side in turn until there are `enough`.
void WorkingSet::take_best_of_each(std::vector<Side> sides, std::size_t enough) {
  for (Side& side : sides) {
    keep_best(enough, side);
    std::sort(side.begin(), side.end());
  }
  for (std::size_t rank = 0; rank < enough; ++rank) {
    for (const Side& side : sides) {
      if (rank < side.size() && choice_.size() < enough) take(side[rank].n);
    }
  }
}

/// Replaces the rows that leave by the new ones. Returns the positions of the new ones.
std::vector<std::size_t> WorkingSet::replace_rows() {
  if (rows_.size() != choice_.size()) {
    rows_ = choice_;
    return positions(rows_.size());
  }
  std::vector<std::size_t> fresh;
  for (std::size_t a = 0; a < rows_.size(); ++a) {
    if (chosen_[rows_[a]] == 0) fresh.push_back(a);
    chosen_[rows_[a]] = 0;
  }
  std::size_t next = 0;
  for (const std::uint32_t n : choice_) {
    if (chosen_[n] != 0) rows_[fresh[next++]] = n;  // not there before
  }
  return fresh;
}

/// For each offset, that of the largest violation first, the rows of I_up and of I_low that violate
/// against the opposite extreme. Rows with more than half the largest violation are often enough;
/// then the others need not be sorted.
std::vector<WorkingSet::Side> WorkingSet::candidates(const ClaimTable& claims,
                                                     const OffsetPairs& pairs,
                                                     std::size_t enough) const {
  std::vector<Side> sides = candidates_above(claims, pairs, 0.5, enough);
  std::size_t found = 0;
  for (const Side& side : sides) found += std::min(side.size(), enough / sides.size());
  return found + sides.size() > enough ? sides : candidates_above(claims, pairs, 0, enough);
}

std::vector<WorkingSet::Side> WorkingSet::candidates_above(const ClaimTable& claims,
                                                           const OffsetPairs& pairs, double share,
                                                           std::size_t enough) const {
  const std::size_t first = pairs[1].violation() > pairs[0].violation() ? 1 : 0;
  std::vector<Side> sides(2 * qp_.offsets);
  for (std::size_t r = 0; r < qp_.layers.size(); ++r) {
    const std::size_t o = qp_.layers[r].offset;
    const std::size_t rank = o == first ? 0 : 1;
    const double lowest = pairs[o].faller.value;
    const double highest = pairs[o].riser.value;
    const double least = share * std::max(0.0, pairs[o].violation());
    std::vector<std::uint32_t> found;
    for (std::size_t begin = 0; begin < qp_.size(); begin += rows_at_a_time) {
      const auto count = std::min(rows_at_a_time, qp_.size() - begin);
      const auto u = std::span(claims.u).subspan(begin, count);
      const double* rise = claims.rise[r].data() + begin;
      const double* fall = claims.fall[r].data() + begin;
      const auto candidate = [&](double violation, std::uint32_t at) {
        return Candidate{violation, static_cast<std::uint32_t>(begin) + at};
      };
      found.clear();
      find_claims_above(lowest + least, rise, u, found);
      for (const std::uint32_t at : found) {
        add_candidate(candidate(rise[at] - u[at] - lowest, at), enough, sides[2 * rank]);
      }
      found.clear();
      find_claims_below(highest - least, fall, u, found);
      for (const std::uint32_t at : found) {
        add_candidate(candidate(highest - (fall[at] - u[at]), at), enough, sides[2 * rank + 1]);
      }
    }
  }
  return sides;
}

}  // namespace rampart
