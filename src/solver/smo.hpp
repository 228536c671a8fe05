#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <type_traits>
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
  /// Steps between two looks at what can be put aside and two calls of the observer; 0: neither.
  std::uint64_t pause = 1000;
  std::function<bool(std::uint64_t steps, double violation)> observe;  ///< false: stop
};

struct SmoResult {
  std::uint64_t steps = 0;
  double violation = 0;
  SolveStatus status = SolveStatus::solved;
};

/// Sequential minimal optimisation of a HingeQp (its dual, see there).
///
/// A variable δᵣₙ with room to rise claims "the offset is at least yₙ·marginᵣ − uₙ", one with room
/// to fall "at most". The point is optimal when no claim contradicts another on the same offset.
/// Each step takes the highest lower claim, pairs it with the upper claim whose settlement lowers
/// the objective most (Fan, Chen and Lin 2005), and moves both variables by the same amount, which
/// keeps every sum.
///
/// Rows that cannot be part of a contradiction now (every variable at a bound, claiming what nobody
/// disputes) are put aside, and looked at again before the end (shrinking). Their u is brought up
/// to date from the coefficients that changed in the meantime.
///
/// Invariant of the loop: δ is feasible, and u = Kv on the active rows.
template <KernelRows Kernel>
class SmoSolver {
 public:
  SmoSolver(const HingeQp& qp, Kernel& kernel, SmoOptions options)
      : qp_(qp), kernel_(kernel), options_(std::move(options)) {
    RAMPART_ASSERT(qp.layers.size() <= max_layers && qp.offsets <= qp.layers.size(),
                   "one or two layers, each on an offset");
  }

  /// Improves a feasible point whose u belongs to its δ.
  SmoResult solve(DualPoint& point) {
    point_ = &point;
    v_ = point.coefficients();
    largest_ = point.largest();
    SmoResult result;
    Contest contest = activate_all();
    while (true) {
      result.violation = contest.gap();
      if (result.violation <= options_.tolerance) {
        if (all_active()) break;
        contest = activate_all();
        continue;
      }
      if (result.steps >= options_.max_steps) {
        result.status = SolveStatus::step_limit;
        break;
      }
      if (options_.pause != 0 && ++since_pause_ >= options_.pause) {
        since_pause_ = 0;
        if (options_.observe && !options_.observe(result.steps, result.violation)) {
          result.status = SolveStatus::cancelled;
          break;
        }
        contest = without_the_undisputed(contest);
      }
      contest = settle(contest);
      ++result.steps;
    }
    if (!all_active()) result.violation = activate_all().gap();
    write_back();
    return result;
  }

 private:
  static constexpr std::size_t max_layers = 2;
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr double least_curvature = 1e-12;  // twin rows, or a kernel that is not one
  static constexpr double worth_putting_aside = 0.1;

  struct Claim {
    double value;
    std::size_t layer;
    std::size_t at;  // position among the active rows
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

  bool all_active() const { return rows_.size() == qp_.size(); }

  /// One step: the highest lower claim of the most disputed offset is settled with its partner.
  Contest settle(const Contest& contest) {
    const Claim up = contest.worst().riser;
    const std::size_t i = rows_[up.at];
    const auto k_up = kernel_.row(i);
    const Claim down = best_partner(up, k_up);
    const std::size_t j = rows_[down.at];
    const auto k_down = kernel_.row(j);

    const double curvature =
        std::max(kernel_.diagonal(i) + kernel_.diagonal(j) - 2.0 * k_up[j], least_curvature);
    const double wanted = (up.value - down.value) / curvature;
    const double step = std::min({wanted, room_to_rise(up), room_to_fall(down)});
    move(up, step);
    move(down, -step);
    return update_and_contest(step, k_up.data(), k_down.data());
  }

  /// Of all upper claims below `up`, the one whose settlement gains most.
  Claim best_partner(const Claim& up, const auto& k_up) const {
    const double diagonal = kernel_.diagonal(rows_[up.at]);
    ClaimPartner best;
    std::size_t layer = 0;
    for (std::size_t r = 0; r < qp_.layers.size(); ++r) {
      if (qp_.layers[r].offset != qp_.layers[up.layer].offset) continue;
      const ClaimPartner found =
          best_claim_partner(up.value, diagonal, least_curvature, k_up.data(), row_indices(),
                             rows_.size(), u_.data(), diagonal_.data(), fall_[r].data());
      if (found.gain > best.gain) {
        best = found;
        layer = r;
      }
    }
    return {fall_[layer][best.at] - u_[best.at], layer, best.at};
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
    if (delta != before) note_claims(c.layer, c.at);
  }

  /// What variable (r, a) may claim, with u still to be subtracted; ±∞ where it has no room.
  void note_claims(std::size_t r, std::size_t a) {
    const std::size_t n = rows_[a];
    const double target = qp_.y[n] * qp_.layers[r].margin;
    const double delta = point_->delta[r][n];
    rise_[r][a] = qp_.may_rise(r, n, delta, largest_) ? target : -infinity;
    fall_[r][a] = qp_.may_fall(r, n, delta, largest_) ? target : infinity;
  }

  /// Adds step·(k_up − k_down) to u of every active row and finds the extreme claims, in one pass.
  template <class Real>
  Contest update_and_contest(double step, const Real* k_up, const Real* k_down) {
    std::array<ClaimColumns, max_layers> columns{};
    for (std::size_t r = 0; r < qp_.layers.size(); ++r) {
      columns[r] = {rise_[r].data(), fall_[r].data()};
    }
    const auto extremes = update_claims(step, k_up, k_down, row_indices(), rows_.size(), u_.data(),
                                        columns.data(), qp_.layers.size());
    Contest contest;
    for (std::size_t r = 0; r < qp_.layers.size(); ++r) {
      const ClaimExtremes& found = extremes[r];
      contest.on[qp_.layers[r].offset].join({.riser = {found.highest, r, found.highest_at},
                                             .faller = {found.lowest, r, found.lowest_at}});
    }
    return contest;
  }

  /// The extreme claims as they are.
  Contest find_contest() {
    using Real = std::remove_cvref_t<decltype(*kernel_.row(0).data())>;
    return update_and_contest<Real>(0, nullptr, nullptr);
  }

  /// For loops over the active rows: null while that is all of them.
  const std::uint32_t* row_indices() const { return all_active() ? nullptr : rows_.data(); }

  /// Puts rows aside whose claims contradict nothing, if they are many. Positions change by it, so
  /// the claims are found anew.
  Contest without_the_undisputed(const Contest& contest) {
    std::vector<std::size_t> kept;
    for (std::size_t a = 0; a < rows_.size(); ++a) {
      bool disputed = false;
      for (std::size_t r = 0; r < qp_.layers.size(); ++r) {
        const Disputed& on = contest.on[qp_.layers[r].offset];
        disputed |= rise_[r][a] - u_[a] >= on.faller.value || fall_[r][a] - u_[a] <= on.riser.value;
      }
      if (disputed) kept.push_back(a);
    }
    const std::size_t leaving = rows_.size() - kept.size();
    if (static_cast<double>(leaving) < worth_putting_aside * static_cast<double>(rows_.size())) {
      return contest;
    }
    write_back();
    for (const std::size_t n : rows_) put_aside_at_[n] = snapshots_.size();
    snapshots_.push_back(v_);
    std::vector<std::uint32_t> rows(kept.size());
    for (std::size_t k = 0; k < kept.size(); ++k) rows[k] = rows_[kept[k]];
    load(std::move(rows));
    return find_contest();
  }

  /// Brings u of the rows aside up to date and makes every row active.
  Contest activate_all() {
    if (!rows_.empty() && !all_active()) {
      write_back();
      std::vector<std::uint8_t> active(qp_.size(), 0);
      for (const std::size_t n : rows_) active[n] = 1;
      std::vector<std::size_t> aside;
      for (std::size_t n = 0; n < qp_.size(); ++n) {
        if (active[n] == 0) aside.push_back(n);
      }
      for (std::size_t m = 0; m < qp_.size(); ++m) {
        const auto changed = [&](const auto& snapshot) { return snapshot[m] != v_[m]; };
        if (std::ranges::none_of(snapshots_, changed)) continue;
        const auto k_m = kernel_.row(m);
        for (const std::size_t n : aside) {
          point_->u[n] += (v_[m] - snapshots_[put_aside_at_[n]][m]) * k_m[n];
        }
      }
    }
    snapshots_.clear();
    put_aside_at_.assign(qp_.size(), 0);
    std::vector<std::uint32_t> rows(qp_.size());
    std::iota(rows.begin(), rows.end(), 0U);
    load(std::move(rows));
    return find_contest();
  }

  void write_back() {
    for (std::size_t a = 0; a < rows_.size(); ++a) point_->u[rows_[a]] = u_[a];
  }

  /// Makes these the active rows.
  void load(std::vector<std::uint32_t> rows) {
    rows_ = std::move(rows);
    u_.resize(rows_.size());
    diagonal_.resize(rows_.size());
    for (std::size_t a = 0; a < rows_.size(); ++a) {
      u_[a] = point_->u[rows_[a]];
      diagonal_[a] = kernel_.diagonal(rows_[a]);
    }
    for (std::size_t r = 0; r < qp_.layers.size(); ++r) {
      rise_[r].resize(rows_.size());
      fall_[r].resize(rows_.size());
      for (std::size_t a = 0; a < rows_.size(); ++a) note_claims(r, a);
    }
  }

  const HingeQp& qp_;
  Kernel& kernel_;
  const SmoOptions options_;
  DualPoint* point_ = nullptr;
  std::vector<double> v_;  // Σᵣ δᵣₙ, all rows
  double largest_ = 0;     // |δ| so far
  std::uint64_t since_pause_ = 0;

  // The active rows, side by side.
  std::vector<std::uint32_t> rows_;
  std::vector<double> u_;
  std::vector<double> diagonal_;
  std::array<std::vector<double>, max_layers> rise_;
  std::array<std::vector<double>, max_layers> fall_;

  // The rows aside: their u is that of the coefficients in snapshots_[put_aside_at_[n]].
  std::vector<std::vector<double>> snapshots_;
  std::vector<std::size_t> put_aside_at_;
};

}  // namespace rampart
