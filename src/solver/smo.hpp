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

/// Sizes of the two loops. Tests use small ones.
struct SmoSizes {
  std::size_t working_rows = 512;  ///< at least 2
  std::uint64_t pause = 1000;      ///< largest number of steps between two calls of the observer
};

/// Sequential minimal optimisation of a HingeQp (its dual, see there), a few hundred rows at a
/// time.
///
/// The KKT conditions of δᵣₙ bound its offset by the claim yₙ·marginᵣ − uₙ: from below if δᵣₙ can
/// still increase (I_up), from above if it can still decrease (I_low). The point is optimal when no
/// two claims on the same offset contradict each other. Each step pairs the largest lower bound
/// with the upper bound whose step lowers the objective most (Fan, Chen and Lin 2005), and moves
/// both variables by opposite amounts, which keeps every sum.
///
/// A step on all rows is limited by reading two kernel rows from memory. So the steps are made on a
/// working set: the rows with the largest violations, whose kernel submatrix fits the processor's
/// cache. Then u of all rows is updated by one product with the kernel rows of the changed
/// coefficients. The working set always contains the maximal violating pair, which implies
/// convergence (Lin 2001).
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

  /// Improves a feasible point with u = Kv.
  SolveResult solve(DualPoint& point) {
    begin(point);
    SolveResult result;
    while (true) {
      const OffsetPairs pairs = by_offset(qp_, update_claims<Value>(0, nullptr, nullptr, all_));
      result.violation = worst(pairs).violation();
      if (result.violation <= options_.tolerance || result.status != SolveStatus::solved) break;
      if (!std::isfinite(result.violation)) break;  // R overflows too: the caller reports it
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
  static constexpr double least_curvature = 1e-12;  // for equal rows and indefinite kernels
  // A working set is solved until its violation has fallen to this share. A larger share needs more
  // kernel rows, a smaller one more steps that later working sets undo.
  static constexpr double share_of_violation = 0.1;
  static constexpr std::uint64_t most_steps_per_row = 10;

  void begin(DualPoint& point) {
    point_ = &point;
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

  /// Writes the claims of variable (r, n) to row a of the table.
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
    for (std::size_t a = 0; a < rows.size(); ++a) before[a] = point_->coefficient(rows[a]);

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

  /// Copies the claims of the working rows back and updates u of all rows.
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
      } else if (const double change_of_v = point_->coefficient(n) - before[a]; change_of_v != 0) {
        moved.push_back(n);
        change.push_back(change_of_v);
      }
    }
    if (!moved.empty()) kernel_.add_rows(moved, change, all_.u);
  }

  /// One step: moves a riser and its best partner until their claims agree or one is at a bound.
  OffsetPairs settle(const Claim& up) {
    const Value* k_up = matrix_.row(up.at);
    const Claim down = partner_of(up, k_up);
    const double curvature = std::max(
        matrix_.diagonal(up.at) + matrix_.diagonal(down.at) - 2.0 * k_up[down.at], least_curvature);
    const double wanted = (up.value - down.value) / curvature;
    const double step = std::min({wanted, possible_rise(up), possible_fall(down)});
    move(up, step);
    move(down, -step);
    return by_offset(qp_, update_claims(step, k_up, matrix_.row(down.at), here_));
  }

  /// The upper bound below `up` whose step lowers the objective most.
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
  double possible_rise(const Claim& c) const {
    const std::size_t n = row_of(c);
    return qp_.high(c.layer, n) - point_->delta[c.layer][n];
  }
  double possible_fall(const Claim& c) const {
    const std::size_t n = row_of(c);
    return point_->delta[c.layer][n] - qp_.low(c.layer, n);
  }

  void move(const Claim& c, double by) {
    const std::size_t n = row_of(c);
    double& delta = point_->delta[c.layer][n];
    const double before = delta;
    // A full step ends exactly on the bound, so that coefficients become exactly 0.
    if (by >= possible_rise(c)) {
      delta = qp_.high(c.layer, n);
    } else if (-by >= possible_fall(c)) {
      delta = qp_.low(c.layer, n);
    } else {
      delta += by;
    }
    largest_ = std::max(largest_, std::abs(delta));
    if (delta != before) note_claims(c.layer, n, here_, c.at);
  }

  const HingeQp& qp_;
  Kernel& kernel_;
  const SolveOptions options_;
  std::uint64_t pause_;
  std::uint64_t since_pause_ = 0;
  DualPoint* point_ = nullptr;
  double largest_ = 0;  // largest |δ| so far
  ClaimTable all_;      // of all rows
  WorkingSet working_;
  WorkingMatrix<Kernel> matrix_;
  ClaimTable here_;  // of the working rows
};

}  // namespace rampart
