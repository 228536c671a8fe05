#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "kernel/kernel_rows.hpp"
#include "solver/claim_loops.hpp"
#include "solver/hinge_qp.hpp"
#include "solver/round_solver.hpp"
#include "solver/working_matrix.hpp"
#include "solver/working_set.hpp"
#include "util/assert.hpp"

namespace rampart {

/// Small values are for tests.
struct SmoSizes {
  std::size_t working_rows = 512;  ///< at least 2
  std::uint64_t pause = 1000;      ///< most steps between two calls of the observer
};

/// Sequential minimal optimisation of a HingeQp (its dual, see there), a few hundred rows at a
/// time.
///
/// A variable δᵣₙ with room to rise (I_up) claims "the offset is at least yₙ·marginᵣ − uₙ", one
/// with room to fall (I_low) "at most". The point is optimal when no claim contradicts another on
/// the same offset. Each step takes the highest lower claim, pairs it with the upper claim that
/// lowers the objective most (Fan, Chen and Lin 2005), and moves both variables by the same amount,
/// which keeps every sum.
///
/// A step that looks at all rows is bound by the memory that two kernel rows take. Hence the rows
/// with the most contradictory claims are taken together with their small part of the kernel
/// matrix, which stays in the cache, and settled among themselves; then u of all rows follows in
/// one product with the kernel rows that moved. The maximal violating pair is always among them, so
/// that this ends (Lin 2001).
///
/// Invariant of the outer loop: δ is feasible, and u = Kv.
template <KernelRows Kernel>
class SmoSolver {
 public:
  SmoSolver(const HingeQp& qp, Kernel& kernel, SolveOptions options, SmoSizes sizes = {})
      : qp_(qp),
        kernel_(kernel),
        options_(std::move(options)),
        pause_(sizes.pause),
        working_(qp, sizes.working_rows) {
    RAMPART_ASSERT(qp.layers.size() <= max_layers && qp.offsets <= qp.layers.size(),
                   "one or two layers, each on an offset");
    RAMPART_ASSERT(sizes.working_rows >= 2, "a step moves two rows");
  }

  /// Improves a feasible point whose u belongs to its δ.
  SolveResult solve(DualPoint& point) {
    begin(point);
    SolveResult result;
    while (true) {
      const OffsetPairs pairs = by_offset(qp_, update_claims<Value>(0, nullptr, nullptr, all_));
      result.violation = worst(pairs).violation();
      if (result.violation <= options_.tolerance || result.status != SolveStatus::solved) break;
      if (!std::isfinite(result.violation)) break;  // the caller finds the overflow in R
      if (result.steps > 0 && !goes_on(result.steps, result.violation)) {
        result.status = SolveStatus::cancelled;
        break;
      }
      const std::vector<std::size_t> fresh = working_.choose(all_, pairs);
      matrix_.follow(kernel_, working_.rows(), fresh);
      settle_working_rows(result);
    }
    if (result.violation <= options_.tolerance) result.status = SolveStatus::solved;
    std::swap(all_.u, point.u);
    return result;
  }

 private:
  using Value = typename Kernel::Value;

  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr double least_curvature = 1e-12;  // twin rows, or a kernel that is indefinite
  // How far the working rows are settled among themselves before all rows are looked at again: less
  // wastes kernel rows, more wastes steps on what the other rows will change.
  static constexpr double share_of_violation = 0.1;
  static constexpr std::uint64_t most_steps_per_row = 10;

  void begin(DualPoint& point) {
    point_ = &point;
    v_ = point.coefficients();
    largest_ = point.largest();
    std::swap(all_.u, point.u);
    all_.resize(qp_.layers.size(), qp_.size());
    for (std::size_t r = 0; r < qp_.layers.size(); ++r) {
      for (std::size_t n = 0; n < qp_.size(); ++n) note_claims(r, n, all_, n);
    }
  }

  bool goes_on(std::uint64_t steps, double violation) const {
    return !options_.observe || options_.observe(steps, violation);
  }

  /// What variable (r, n) claims, noted at row a of a table.
  void note_claims(std::size_t r, std::size_t n, ClaimTable& claims, std::size_t a) const {
    const double target = qp_.y[n] * qp_.layers[r].margin;
    const double delta = point_->delta[r][n];
    claims.rise[r][a] = qp_.may_rise(r, n, delta, largest_) ? target : -infinity;
    claims.fall[r][a] = qp_.may_fall(r, n, delta, largest_) ? target : infinity;
  }

  void settle_working_rows(SolveResult& result) {
    const std::span<const std::uint32_t> rows = working_.rows();
    const bool all = working_.has_all_rows();
    load(rows);
    std::vector<double> before(rows.size());
    for (std::size_t a = 0; a < rows.size(); ++a) before[a] = v_[rows[a]];

    OffsetPairs pairs = by_offset(qp_, update_claims<Value>(0, nullptr, nullptr, here_));
    const double enough =
        all ? options_.tolerance
            : std::max(options_.tolerance, share_of_violation * worst(pairs).violation());
    std::uint64_t left =
        all ? std::numeric_limits<std::uint64_t>::max() : most_steps_per_row * rows.size();
    while (worst(pairs).violation() > enough && left-- > 0) {
      if (result.steps >= options_.max_steps) {
        result.status = SolveStatus::step_limit;
        break;
      }
      if (++since_pause_ >= pause_) {
        since_pause_ = 0;
        if (!goes_on(result.steps, worst(pairs).violation())) {
          result.status = SolveStatus::cancelled;
          break;
        }
      }
      pairs = settle(worst(pairs).riser);
      ++result.steps;
    }
    hand_back(rows, before, all);
  }

  void load(std::span<const std::uint32_t> rows) {
    here_.resize(qp_.layers.size(), rows.size());
    for (std::size_t a = 0; a < rows.size(); ++a) here_.u[a] = all_.u[rows[a]];
    for (std::size_t r = 0; r < qp_.layers.size(); ++r) {
      for (std::size_t a = 0; a < rows.size(); ++a) note_claims(r, rows[a], here_, a);
    }
  }

  /// The claims of the working rows, and u of all rows, after v of the working rows has changed.
  void hand_back(std::span<const std::uint32_t> rows, const std::vector<double>& before, bool all) {
    std::vector<std::uint32_t> moved;
    std::vector<double> change;
    for (std::size_t a = 0; a < rows.size(); ++a) {
      const std::uint32_t n = rows[a];
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

  /// One step: a riser and its best partner move until they agree or meet a bound.
  OffsetPairs settle(const Claim& up) {
    const Value* k_up = matrix_.row(up.at);
    const Claim down = partner_of(up, k_up);
    const double curvature = std::max(
        matrix_.diagonal(up.at) + matrix_.diagonal(down.at) - 2.0 * k_up[down.at], least_curvature);
    const double wanted = (up.value - down.value) / curvature;
    const double step = std::min({wanted, room_to_rise(up), room_to_fall(down)});
    move(up, step);
    move(down, -step);
    return by_offset(qp_, update_claims(step, k_up, matrix_.row(down.at), here_));
  }

  /// Of all upper claims below `up`, the one whose step gains most.
  Claim partner_of(const Claim& up, const Value* k_up) const {
    BestPartner best;
    std::size_t layer = 0;
    for (std::size_t r = 0; r < qp_.layers.size(); ++r) {
      if (qp_.layers[r].offset != qp_.layers[up.layer].offset) continue;
      const BestPartner found =
          best_partner(up.value, matrix_.diagonal(up.at), least_curvature, k_up, here_.u,
                       matrix_.diagonal(), here_.fall[r].data());
      if (found.gain > best.gain) {
        best = found;
        layer = r;
      }
    }
    return {here_.fall[layer][best.at] - here_.u[best.at], layer, best.at};
  }

  std::size_t row_of(const Claim& c) const { return working_.rows()[c.at]; }
  double room_to_rise(const Claim& c) const {
    const std::size_t n = row_of(c);
    return qp_.high(c.layer, n) - point_->delta[c.layer][n];
  }
  double room_to_fall(const Claim& c) const {
    const std::size_t n = row_of(c);
    return point_->delta[c.layer][n] - qp_.low(c.layer, n);
  }

  void move(const Claim& c, double by) {
    const std::size_t n = row_of(c);
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
  const SolveOptions options_;
  std::uint64_t pause_;
  std::uint64_t since_pause_ = 0;
  DualPoint* point_ = nullptr;
  std::vector<double> v_;  // Σᵣ δᵣₙ, all rows
  double largest_ = 0;     // |δ| so far
  ClaimTable all_;         // of all rows
  WorkingSet working_;
  WorkingMatrix<Kernel> matrix_;
  ClaimTable here_;  // of the working rows
};

}  // namespace rampart
