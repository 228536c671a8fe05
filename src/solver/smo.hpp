#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "kernel/kernel_rows.hpp"
#include "solver/claim_loops.hpp"
#include "solver/hinge_qp.hpp"
#include "util/assert.hpp"

namespace rampart {

enum class SolveStatus { solved, step_limit, cancelled };

struct SmoOptions {
  double tolerance = 1e-3;  ///< stop when no two claims contradict by more than this
  std::uint64_t max_steps = std::numeric_limits<std::uint64_t>::max();
  std::size_t working_rows = 512;  ///< at least 2; small ones are for tests
  std::uint64_t pause = 1000;      ///< most steps between two calls of the observer
  std::function<bool(std::uint64_t steps, double violation)> observe;  ///< false: stop
};

struct SmoResult {
  std::uint64_t steps = 0;
  double violation = 0;
  SolveStatus status = SolveStatus::solved;
};

/// Sequential minimal optimisation of a HingeQp (its dual, see there), a few hundred rows at a
/// time.
///
/// A variable δᵣₙ with room to rise claims "the offset is at least yₙ·marginᵣ − uₙ", one with room
/// to fall "at most". The point is optimal when no claim contradicts another on the same offset.
/// Each step takes the highest lower claim, pairs it with the upper claim whose settlement lowers
/// the objective most (Fan, Chen and Lin 2005), and moves both variables by the same amount, which
/// keeps every sum.
///
/// A step that looks at all rows is bound by the memory that two kernel rows take. Hence the rows
/// with the most contradictory claims are taken together with their small part of the kernel
/// matrix, which stays in the cache, and settled among themselves; then u of all rows follows in
/// one product with the kernel rows that moved. The most contradictory pair is always among them,
/// so that this ends (Lin 2001).
///
/// Invariant of the outer loop: δ is feasible, and u = Kv.
template <KernelRows Kernel>
class SmoSolver {
 public:
  SmoSolver(const HingeQp& qp, Kernel& kernel, SmoOptions options)
      : qp_(qp), kernel_(kernel), options_(std::move(options)) {
    RAMPART_ASSERT(qp.layers.size() <= max_layers && qp.offsets <= qp.layers.size(),
                   "one or two layers, each on an offset");
    RAMPART_ASSERT(options_.working_rows >= 2, "a step moves two rows");
  }

  /// Improves a feasible point whose u belongs to its δ.
  SmoResult solve(DualPoint& point) {
    point_ = &point;
    v_ = point.coefficients();
    largest_ = point.largest();
    for (std::size_t r = 0; r < qp_.layers.size(); ++r) {
      all_.rise[r].resize(qp_.size());
      all_.fall[r].resize(qp_.size());
      for (std::size_t n = 0; n < qp_.size(); ++n) note_claims(r, n, all_, n);
    }
    std::swap(all_.u, point.u);
    SmoResult result;
    while (true) {
      const Contest contest = find_contest(all_);
      result.violation = contest.gap();
      if (result.violation <= options_.tolerance || result.status != SolveStatus::solved) break;
      if (!std::isfinite(result.violation)) break;  // what overflowed, the caller finds in R
      if (result.steps > 0 && options_.observe &&
          !options_.observe(result.steps, result.violation)) {
        result.status = SolveStatus::cancelled;
        break;
      }
      choose_rows(contest);
      settle_working_rows(result);
    }
    if (result.violation <= options_.tolerance) result.status = SolveStatus::solved;
    std::swap(all_.u, point.u);
    return result;
  }

 private:
  using Value = typename Kernel::Value;

  static constexpr std::size_t max_layers = 2;
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr double least_curvature = 1e-12;  // twin rows, or a kernel that is not one
  // How far the working rows are settled among themselves before all rows are looked at again: less
  // wastes kernel rows, more wastes steps on what the other rows will change.
  static constexpr double share_of_gap = 0.1;
  static constexpr std::uint64_t most_steps_per_row = 10;
  static constexpr std::size_t few_sets = 2;  // working sets that all rows would make: not worth it

  /// u and what the variables may claim, with u still to be subtracted, of rows side by side.
  struct Claims {
    std::vector<double> u;
    std::array<std::vector<double>, max_layers> rise;
    std::array<std::vector<double>, max_layers> fall;
  };

  struct Claim {
    double value;
    std::size_t layer;
    std::size_t at;
  };
  struct Disputed {
    Claim riser{-infinity, 0, 0};
    Claim faller{infinity, 0, 0};

    double gap() const { return riser.value - faller.value; }
    void join(const Disputed& other) {
      if (other.riser.value > riser.value) riser = other.riser;
      if (other.faller.value < faller.value) faller = other.faller;
    }
  };
  /// The highest lower and the lowest upper claim on each offset.
  struct Contest {
    std::array<Disputed, max_layers> on;

    const Disputed& worst() const { return on[1].gap() > on[0].gap() ? on[1] : on[0]; }
    double gap() const { return worst().gap(); }
  };

  /// What variable (r, n) may claim, noted at position a; ±∞ where it has no room.
  void note_claims(std::size_t r, std::size_t n, Claims& claims, std::size_t a) const {
    const double target = qp_.y[n] * qp_.layers[r].margin;
    const double delta = point_->delta[r][n];
    claims.rise[r][a] = qp_.may_rise(r, n, delta, largest_) ? target : -infinity;
    claims.fall[r][a] = qp_.may_fall(r, n, delta, largest_) ? target : infinity;
  }

  /// Adds step·(k_up − k_down) to u and finds the extreme claims, in one pass.
  Contest update_and_contest(Claims& claims, double step, const Value* k_up, const Value* k_down) {
    std::array<ClaimColumns, max_layers> columns{};
    for (std::size_t r = 0; r < qp_.layers.size(); ++r) {
      columns[r] = {claims.rise[r].data(), claims.fall[r].data()};
    }
    const auto extremes = update_claims(step, k_up, k_down, claims.u.size(), claims.u.data(),
                                        columns.data(), qp_.layers.size());
    Contest contest;
    for (std::size_t r = 0; r < qp_.layers.size(); ++r) {
      const ClaimExtremes& found = extremes[r];
      contest.on[qp_.layers[r].offset].join({.riser = {found.highest, r, found.highest_at},
                                             .faller = {found.lowest, r, found.lowest_at}});
    }
    return contest;
  }
  Contest find_contest(Claims& claims) { return update_and_contest(claims, 0, nullptr, nullptr); }

  // ---- which rows

  struct Candidate {
    double contradiction;  // with the opposite extreme claim
    std::uint32_t n;

    bool operator<(const Candidate& other) const {  // the better first
      return contradiction != other.contradiction ? contradiction > other.contradiction
                                                  : n < other.n;
    }
  };

  /// The rows whose claims contradict most, from both sides of every offset alike, and then those
  /// of the last time that may still move either way. Few rows are worked on all at once.
  void choose_rows(const Contest& contest) {
    if (qp_.size() <= options_.working_rows * few_sets) {
      if (rows_.empty()) take_all();
      return;
    }
    const std::vector<std::uint32_t> last = std::exchange(choice_, {});
    chosen_.assign(qp_.size(), 0);
    const std::size_t most = options_.working_rows;
    const std::size_t fresh = last.empty() ? most : std::max<std::size_t>(2, most / 2);
    take(static_cast<std::uint32_t>(contest.worst().riser.at));  // whatever rounding says below
    take(static_cast<std::uint32_t>(contest.worst().faller.at));
    take_from_each(candidates(contest, fresh), fresh);
    for (const bool free : {true, false}) {
      for (const std::uint32_t n : last) {
        if (choice_.size() < most && is_free(n) == free) take(n);
      }
    }
    replace_rows();
  }

  void take_all() {
    rows_.resize(qp_.size());
    std::iota(rows_.begin(), rows_.end(), 0U);
    matrix_rows_ = kernel_.whole();
    if (matrix_rows_.empty()) fill_matrix(positions(rows_.size()));
  }

  static std::vector<std::size_t> positions(std::size_t count) {
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }

  /// The best of each side in turn, until there are `enough`.
  void take_from_each(std::vector<std::vector<Candidate>> sides, std::size_t enough) {
    for (auto& side : sides) {
      if (side.size() > enough) {
        std::nth_element(side.begin(), side.begin() + static_cast<std::ptrdiff_t>(enough),
                         side.end());
        side.resize(enough);
      }
      std::sort(side.begin(), side.end());
    }
    for (std::size_t rank = 0; rank < enough; ++rank) {
      for (const auto& side : sides) {
        if (rank < side.size() && choice_.size() < enough) take(side[rank].n);
      }
    }
  }

  /// Puts the rows chosen in the place of those that go. A row that stays keeps its place, and with
  /// it what it has with the others that stay in the kernel matrix.
  void replace_rows() {
    if (rows_.size() != choice_.size()) {
      rows_ = choice_;
      fill_matrix(positions(rows_.size()));
      return;
    }
    std::vector<std::size_t> free_places;
    for (std::size_t a = 0; a < rows_.size(); ++a) {
      if (chosen_[rows_[a]] == 0) free_places.push_back(a);
      chosen_[rows_[a]] = 0;
    }
    std::size_t next = 0;
    for (const std::uint32_t n : choice_) {
      if (chosen_[n] != 0) rows_[free_places[next++]] = n;  // not there before
    }
    fill_matrix(free_places);
  }

  /// The kernel matrix among the working rows, where those at the places `fresh` are new.
  void fill_matrix(const std::vector<std::size_t>& fresh) {
    const std::size_t size = rows_.size();
    matrix_.resize(size * size);
    matrix_rows_.resize(size);
    for (std::size_t a = 0; a < size; ++a) matrix_rows_[a] = matrix_.data() + a * size;
    std::vector<std::uint32_t> numbers;
    std::vector<Value*> out;
    for (const std::size_t a : fresh) {
      numbers.push_back(rows_[a]);
      out.push_back(matrix_.data() + a * size);
    }
    kernel_.block(numbers, rows_, out);
    // By symmetry, the other rows' part; a few of them together, whose values lie side by side.
    constexpr std::size_t together = 64 / sizeof(Value);
    for (std::size_t begin = 0; begin < size; begin += together) {
      const std::size_t end = std::min(size, begin + together);
      for (const std::size_t k : fresh) {
        for (std::size_t a = begin; a < end; ++a) matrix_[a * size + k] = matrix_[k * size + a];
      }
    }
  }

  /// For each offset, the most disputed first, the rows with room to rise and those with room to
  /// fall that contradict the opposite extreme. Those that contradict by more than half the gap are
  /// often enough, and then the others need not be sorted out.
  std::vector<std::vector<Candidate>> candidates(const Contest& contest, std::size_t enough) const {
    std::vector<std::vector<Candidate>> sides = candidates_above(contest, 0.5);
    std::size_t found = 0;
    for (const auto& side : sides) found += std::min(side.size(), enough / sides.size());
    return found + sides.size() > enough ? sides : candidates_above(contest, 0);
  }

  std::vector<std::vector<Candidate>> candidates_above(const Contest& contest, double share) const {
    const std::size_t worst = contest.on[1].gap() > contest.on[0].gap() ? 1 : 0;
    std::vector<std::vector<Candidate>> sides(2 * qp_.offsets);
    for (std::size_t r = 0; r < qp_.layers.size(); ++r) {
      const std::size_t o = qp_.layers[r].offset;
      const std::size_t rank = o == worst ? 0 : 1;
      const double lowest = contest.on[o].faller.value;
      const double highest = contest.on[o].riser.value;
      const double least = share * std::max(0.0, contest.on[o].gap());
      const double* u = all_.u.data();
      std::vector<std::uint32_t> found;
      find_claims_above(lowest + least, all_.rise[r].data(), u, qp_.size(), found);
      for (const std::uint32_t n : found) {
        sides[2 * rank].push_back({all_.rise[r][n] - u[n] - lowest, n});
      }
      found.clear();
      find_claims_below(highest - least, all_.fall[r].data(), u, qp_.size(), found);
      for (const std::uint32_t n : found) {
        sides[2 * rank + 1].push_back({highest - (all_.fall[r][n] - u[n]), n});
      }
    }
    return sides;
  }

  void take(std::uint32_t n) {
    if (chosen_[n] != 0) return;
    chosen_[n] = 1;
    choice_.push_back(n);
  }

  bool is_free(std::size_t n) const {
    for (std::size_t r = 0; r < qp_.layers.size(); ++r) {
      if (all_.rise[r][n] != -infinity && all_.fall[r][n] != infinity) return true;
    }
    return false;
  }

  // ---- settling among them

  void settle_working_rows(SmoResult& result) {
    load();
    const bool all = rows_.size() == qp_.size();
    std::vector<double> before(rows_.size());
    for (std::size_t a = 0; a < rows_.size(); ++a) before[a] = v_[rows_[a]];

    Contest contest = find_contest(here_);
    const double enough =
        all ? options_.tolerance : std::max(options_.tolerance, share_of_gap * contest.gap());
    std::uint64_t left =
        all ? std::numeric_limits<std::uint64_t>::max() : most_steps_per_row * rows_.size();
    while (contest.gap() > enough && left-- > 0) {
      if (result.steps >= options_.max_steps) {
        result.status = SolveStatus::step_limit;
        break;
      }
      if (++since_pause_ >= options_.pause) {
        since_pause_ = 0;
        if (options_.observe && !options_.observe(result.steps, contest.gap())) {
          result.status = SolveStatus::cancelled;
          break;
        }
      }
      contest = settle(contest);
      ++result.steps;
    }

    std::vector<std::uint32_t> moved;
    std::vector<double> change;
    for (std::size_t a = 0; a < rows_.size(); ++a) {
      const std::uint32_t n = rows_[a];
      for (std::size_t r = 0; r < qp_.layers.size(); ++r) {
        all_.rise[r][n] = here_.rise[r][a];
        all_.fall[r][n] = here_.fall[r][a];
      }
      if (all) {
        all_.u[n] = here_.u[a];
      } else if (v_[n] != before[a]) {
        moved.push_back(n);
        change.push_back(v_[n] - before[a]);
      }
    }
    if (!moved.empty()) kernel_.add_rows(moved, change, all_.u);
  }

  void load() {
    here_.u.resize(rows_.size());
    diagonal_.resize(rows_.size());
    for (std::size_t a = 0; a < rows_.size(); ++a) {
      here_.u[a] = all_.u[rows_[a]];
      diagonal_[a] = kernel_.diagonal(rows_[a]);
    }
    for (std::size_t r = 0; r < qp_.layers.size(); ++r) {
      here_.rise[r].resize(rows_.size());
      here_.fall[r].resize(rows_.size());
      for (std::size_t a = 0; a < rows_.size(); ++a) note_claims(r, rows_[a], here_, a);
    }
  }

  /// One step: the highest lower claim of the most disputed offset is settled with its partner.
  Contest settle(const Contest& contest) {
    const Claim up = contest.worst().riser;
    const Value* k_up = matrix_rows_[up.at];
    const Claim down = best_partner(up, k_up);
    const double curvature =
        std::max(diagonal_[up.at] + diagonal_[down.at] - 2.0 * k_up[down.at], least_curvature);
    const double wanted = (up.value - down.value) / curvature;
    const double step = std::min({wanted, room_to_rise(up), room_to_fall(down)});
    move(up, step);
    move(down, -step);
    return update_and_contest(here_, step, k_up, matrix_rows_[down.at]);
  }

  /// Of all upper claims below `up`, the one whose settlement gains most.
  Claim best_partner(const Claim& up, const Value* k_up) const {
    ClaimPartner best;
    std::size_t layer = 0;
    for (std::size_t r = 0; r < qp_.layers.size(); ++r) {
      if (qp_.layers[r].offset != qp_.layers[up.layer].offset) continue;
      const ClaimPartner found =
          best_claim_partner(up.value, diagonal_[up.at], least_curvature, k_up, rows_.size(),
                             here_.u.data(), diagonal_.data(), here_.fall[r].data());
      if (found.gain > best.gain) {
        best = found;
        layer = r;
      }
    }
    return {here_.fall[layer][best.at] - here_.u[best.at], layer, best.at};
  }

  double room_to_rise(const Claim& c) const {
    const std::size_t n = rows_[c.at];
    return qp_.high(c.layer, n) - point_->delta[c.layer][n];
  }
  double room_to_fall(const Claim& c) const {
    const std::size_t n = rows_[c.at];
    return point_->delta[c.layer][n] - qp_.low(c.layer, n);
  }

  void move(const Claim& c, double by) {
    const std::size_t n = rows_[c.at];
    double& delta = point_->delta[c.layer][n];
    const double before = delta;
    // All the room used up means at the bound, exactly: bounds are where rows leave the model.
    if (by >= room_to_rise(c)) {
      delta = qp_.high(c.layer, n);
    } else if (-by >= room_to_fall(c)) {
      delta = qp_.low(c.layer, n);
    } else {
      delta += by;
    }
    largest_ = std::max(largest_, std::abs(delta));
    v_[n] = 0;
    for (const auto& layer : point_->delta) v_[n] += layer[n];
    if (delta != before) note_claims(c.layer, n, here_, c.at);
  }

  const HingeQp& qp_;
  Kernel& kernel_;
  const SmoOptions options_;
  DualPoint* point_ = nullptr;
  std::vector<double> v_;  // Σᵣ δᵣₙ, all rows
  double largest_ = 0;     // |δ| so far
  std::uint64_t since_pause_ = 0;
  Claims all_;

  std::vector<std::uint32_t> rows_;        // worked on now
  std::vector<const Value*> matrix_rows_;  // the kernel matrix among them
  std::vector<Value> matrix_;
  std::vector<std::uint32_t> choice_;  // the same rows, or the next, in the order of choosing
  std::vector<std::uint8_t> chosen_;   // per row: whether it is among them
  std::vector<double> diagonal_;
  Claims here_;
};

}  // namespace rampart
