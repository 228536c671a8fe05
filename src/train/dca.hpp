#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "rampart/errors.hpp"
#include "rampart/train.hpp"
#include "solver/hinge_qp.hpp"
#include "solver/round_solver.hpp"
#include "train/ramp_sum.hpp"

namespace rampart {

struct DcaOptions {
  double tolerance = 1e-3;     ///< largest KKT violation of a round and of the result
  double first_tolerance = 0;  ///< of the first round, if that is looser: see DcaRounds
  std::size_t max_rounds = 100;
  std::uint64_t max_steps = std::numeric_limits<std::uint64_t>::max();
  double max_seconds = std::numeric_limits<double>::infinity();
  TrainObserver observe;
};

/// Θ on the training rows.
struct Theta {
  DualPoint point;
  bool exact = false;           ///< whether u comes from exact_product()
  std::vector<double> offsets;  ///< in order: τ_up ≤ τ_low
  bool swapped = false;         ///< whether the round ended with τ_up > τ_low
  FlatSets flat;                ///< of this Θ, not of the problem that gave it
  double objective = std::numeric_limits<double>::infinity();
  double violation = 0;  ///< KKT violation in the convex problem that gave this Θ
};

struct DcaResult {
  Theta theta;  ///< its u is exact
  /// Lower bound of the convex problem of Θ's flat sets; nothing if the kernel is not known to be
  /// positive semidefinite.
  std::optional<double> bound;
  double rounding = 0;  ///< bound of the rounding error of u
  std::uint64_t steps = 0;
  std::vector<Round> history;
  TrainStatus status = TrainStatus::converged;
};

inline constexpr double largest_gap = 1e-3;  ///< a larger gap certifies nothing

/// (R − bound) / R.
[[nodiscard]] inline double relative_gap(double objective, double bound) {
  constexpr double smallest_objective = 1e-300;
  return (objective - bound) / std::max(std::abs(objective), smallest_objective);
}

/// Sets R of the last round to its exact value. Earlier rounds whose R, computed from rounded rows,
/// was lower are merged into the last one: the history never rises.
inline void end_history_at(double objective, std::vector<Round>& history) {
  Round last = history.back();
  last.objective = objective;
  history.pop_back();
  while (!history.empty() && history.back().objective < objective) {
    last.steps += history.back().steps;
    history.pop_back();
  }
  history.push_back(last);
}

/// Minimises R by difference-of-convex rounds: the paper's Algorithm 1.
///
/// Each round replaces the flat parts of the ramps by their tangents and minimises what is left,
/// which never raises R. It ends when the flat sets repeat, since the next round would be the same
/// problem; there are finitely many sets. A convex loss has no flat parts and ends after one round.
///
/// Rounds are solved to a tolerance, so R may stop falling while the flat sets still change, even
/// in a cycle. If the best Θ is then an optimum of the problem of its own flat sets, to within the
/// tolerance, it has converged. If not, the rounds go on with smaller tolerances, down to what the
/// precision of the kernel rows allows; then the certified gap decides whether it has converged.
///
/// The first rounds need no accurate solution, because the next flat sets change the problem
/// anyway. Their tolerance starts loose, shrinks with every round, and reaches its final value once
/// few ramps change between flat and not flat.
///
/// A dual value bounds R from below only if the kernel is positive semidefinite. If that is not
/// known, nothing is certified: the rounds end at a point that satisfies the optimality conditions,
/// which may be no minimum (see train/zero_surface.hpp).
///
/// The time limit is checked where the observer is called, and between rounds. At a limit the best
/// Θ so far is certified, which takes one more product in double precision.
template <RoundSolver Solver>
class DcaRounds {
 public:
  DcaRounds(const RampSum& sum, Solver& solver, DcaOptions options)
      : sum_(sum),
        solver_(solver),
        certainty_(solver.certainty()),
        options_(std::move(options)),
        tolerance_(first_tolerance()) {}

  [[nodiscard]] DcaResult minimise(FlatSets start) {
    best_.flat = std::move(start);
    DualPoint point = DualPoint::zero(convex_part(sum_, best_.flat));
    while (true) {
      if (!result_.history.empty() && out_of_time()) {
        return stopped(TrainStatus::time_limit, std::move(point));
      }
      // The convex problem of the best Θ's flat sets: an upper bound of R that equals R at Θ.
      const FlatSets flat = best_.flat;
      const HingeQp qp = convex_part(sum_, flat);
      move_into(qp, point);
      const SolveStatus solved = solve(qp, point);
      Theta next = read(qp, point);
      if (solved != SolveStatus::solved) {
        accept_if_lower(std::move(next), point, flat);
        return stopped(limit_met(solved), std::move(point));
      }
      if (is_loose()) {
        tighten(next.flat, flat);
        accept_if_lower(std::move(next), point, flat);
        continue;
      }
      if (next.flat == flat) {
        next = make_exact(qp, point);
        if (has_drifted(next)) continue;
      }
      const bool repeats = next.flat == flat;
      const bool falls = accept_if_lower(std::move(next), point, flat);
      if (repeats || !falls) {
        // The point solves the problem of the best Θ's flat sets, so its dual value is a bound.
        const bool settled = falls || adopt_dual(qp, point);
        certify(std::move(point));
        if (is_enough(settled) || !refine()) return finished(settled);
        point = best_.point;
      }
      if (rounds_ >= options_.max_rounds) {
        return stopped(TrainStatus::round_limit, std::move(point));
      }
    }
  }

 private:
  using Clock = std::chrono::steady_clock;

  static constexpr int allowed_drifts = 5;
  static constexpr double solver_share = 0.9;  // of the tolerance; rounding may take the rest
  static constexpr double tightening = 0.3;
  static constexpr std::size_t rows_per_change = 200;  // at least, for flat sets to be settled

  bool out_of_time() const {
    const std::chrono::duration<double> passed = Clock::now() - begin_;
    return passed.count() >= options_.max_seconds;
  }

  /// Why a round was not solved.
  TrainStatus limit_met(SolveStatus solved) const {
    if (solved == SolveStatus::step_limit) return TrainStatus::step_limit;
    return timed_out_ ? TrainStatus::time_limit : TrainStatus::cancelled;
  }

  /// Warm start: moves the last point into the boxes of this round and updates u.
  void move_into(const HingeQp& qp, DualPoint& point) {
    const std::vector<double> before = point.coefficients();
    fit_into_boxes(qp, point);
    std::vector<std::uint32_t> moved;
    std::vector<double> change;
    for (std::size_t n = 0; n < before.size(); ++n) {
      const double after = point.coefficient(n);
      if (after == before[n]) continue;
      moved.push_back(static_cast<std::uint32_t>(n));
      change.push_back(after - before[n]);
    }
    if (!moved.empty()) solver_.follow(moved, change, point.u);
  }

  /// Kv in double precision. Late rounds change few coefficients, so K times the change is added to
  /// the last product, unless v was so much larger then that its rounding error would remain.
  std::vector<double> exact(std::vector<double> v) {
    if (solver_.product_is_cheap()) return solver_.exact_product(v);
    constexpr double most_shrinking = 4;  // of Σ|v| since the last full product
    std::vector<double> change = v;
    std::size_t changed = 0;
    std::size_t support = 0;
    double size = 0;
    for (std::size_t n = 0; n < v.size(); ++n) {
      if (!known_v_.empty()) change[n] -= known_v_[n];
      changed += change[n] != 0 ? 1 : 0;
      support += v[n] != 0 ? 1 : 0;
      size += std::abs(v[n]);
    }
    if (known_v_.empty() || 2 * changed > support || known_size_ > most_shrinking * size) {
      known_u_ = solver_.exact_product(v);
      known_size_ = size;
    } else if (changed > 0) {
      const std::vector<double> by = solver_.exact_product(change);
      for (std::size_t n = 0; n < by.size(); ++n) known_u_[n] += by[n];
      known_size_ = std::max(known_size_, size);
    }
    known_v_ = std::move(v);
    return known_u_;
  }

  SolveStatus solve(const HingeQp& qp, DualPoint& point) {
    const double known =
        result_.history.empty() ? std::numeric_limits<double>::quiet_NaN() : best_.objective;
    const SolveOptions options{
        .tolerance = solver_share * tolerance_,
        .max_steps = options_.max_steps - result_.steps,
        .observe = [&](std::uint64_t steps, double violation) {
          const std::size_t round = result_.history.size() + 1;
          if (options_.observe &&
              !options_.observe({round, round_steps_ + steps, violation, known})) {
            return false;
          }
          timed_out_ = out_of_time();
          return !timed_out_;
        }};
    const SolveResult result = solver_.solve(qp, point, options);
    round_steps_ += result.steps;
    result_.steps += result.steps;
    return result.status;
  }

  /// Θ of a dual point: offsets from the claims, R, flat sets. The point itself is copied only if Θ
  /// is accepted.
  Theta read(const HingeQp& qp, const DualPoint& point) const {
    Theta theta;
    for (const OffsetClaims& claims : offset_claims(qp, point)) {
      theta.offsets.push_back(claims.settled());
      theta.violation = std::max(theta.violation, claims.gap());
    }
    theta.swapped = order_surfaces(sum_, point, theta.offsets);
    theta.objective = objective(sum_, point, theta.offsets);
    theta.flat = flat_sets(sum_, point.u, theta.offsets);
    if (!std::isfinite(theta.objective)) {
      throw InputError("training overflowed; choose a smaller C or scale the features",
                       Setting::scaling);
    }
    return theta;
  }

  /// Θ of a dual point with u in double precision.
  Theta make_exact(const HingeQp& qp, DualPoint& point) {
    snap_to_bounds(qp, point);
    point.u = exact(point.coefficients());
    Theta theta = read(qp, point);
    theta.exact = true;
    return theta;
  }

  /// Whether the exact u violates the tolerance although the solver's u did not. The round is then
  /// solved again from the exact u.
  bool has_drifted(const Theta& exact_theta) {
    return exact_theta.violation > options_.tolerance && drifts_++ < allowed_drifts;
  }

  /// Makes `next` the best Θ if its R is lower. Returns whether it is.
  bool accept_if_lower(Theta next, const DualPoint& point, const FlatSets& solved_with) {
    if (next.objective >= best_.objective) return false;
    next.point = std::move(best_.point);  // reuses its memory
    best_ = std::move(next);
    best_.point = point;
    ++rounds_;
    result_.history.push_back({.objective = best_.objective,
                               .steps = std::exchange(round_steps_, 0),
                               .violation = best_.violation,
                               .flat = count(solved_with),
                               .swapped = best_.swapped});
    return true;
  }

  /// Sets R of the best Θ, computed from its exact u.
  void set_exact_objective(double value) {
    best_.exact = true;
    best_.objective = value;
    end_history_at(value, result_.history);
  }

  /// R did not fall, so the best Θ is, up to the tolerance, already an optimum of the convex
  /// problem that `point` solves. The optimal w is unique, the offsets need not be: takes w and the
  /// dual variables of `point` and keeps the offsets. Returns false if together they violate the
  /// tolerance, change the flat sets or raise R.
  bool adopt_dual(const HingeQp& qp, DualPoint& point) {
    point.u = exact(point.coefficients());
    const double value = objective(sum_, point, best_.offsets);
    const std::vector<OffsetClaims> claims = offset_claims(qp, point);
    double violation = 0;
    for (std::size_t o = 0; o < claims.size(); ++o) {
      violation = std::max(
          {violation, claims[o].at_least - best_.offsets[o], best_.offsets[o] - claims[o].at_most});
    }
    const std::size_t rounds = result_.history.size();
    const bool no_rise = rounds < 2 || value <= result_.history[rounds - 2].objective;
    if (violation > options_.tolerance || !no_rise ||
        flat_sets(sum_, point.u, best_.offsets) != best_.flat) {
      return false;
    }
    best_.point = point;
    set_exact_objective(value);
    best_.violation = violation;
    return true;
  }

  /// Whether the gap is as small as the tolerance lets one expect: at tolerance 1e-3, a relative
  /// gap of 1e-4.
  bool is_certified() const {
    const double most = std::clamp(options_.tolerance / 10, 1e-8, largest_gap);
    return is_semidefinite() && std::abs(relative_gap(best_.objective, bound_)) <= most;
  }

  /// The final tolerance if there is only one round: for a convex loss, or by max_rounds.
  double first_tolerance() const {
    const bool one_round = is_convex() || options_.max_rounds < 2;
    return one_round ? options_.tolerance : std::max(options_.tolerance, options_.first_tolerance);
  }

  bool is_semidefinite() const { return certainty_.semidefinite.has_value(); }
  bool is_convex() const { return std::isinf(sum_.floor); }

  /// Whether this round is solved to a looser tolerance than the final one.
  bool is_loose() const { return tolerance_ > options_.tolerance; }

  void tighten(const FlatSets& now, const FlatSets& before) {
    const bool settled = changes(now, before) * rows_per_change < sum_.y.size();
    const bool last = rounds_ + 2 >= options_.max_rounds;
    tolerance_ = settled || last ? options_.tolerance
                                 : std::max(options_.tolerance, tightening * tolerance_);
  }

  bool is_enough(bool settled) const { return settled && (is_certified() || !is_semidefinite()); }

  /// Lowers the tolerance of the rounds. Returns false if the solver cannot resolve a lower one.
  bool refine() {
    if (tolerance_ <= certainty_.finest_tolerance) return false;
    tolerance_ = std::max(tolerance_ / 10, certainty_.finest_tolerance);
    return true;
  }

  /// Computes in double precision R of the best Θ, and the lower bound that `dual`, moved into the
  /// boxes, gives for the problem of Θ's flat sets. The bound is lowered by its rounding error.
  void certify(DualPoint dual) {
    if (!best_.exact) {
      best_.point.u = exact(best_.point.coefficients());
      set_exact_objective(objective(sum_, best_.point, best_.offsets));
      best_.flat = flat_sets(sum_, best_.point.u, best_.offsets);
    }
    const HingeQp qp = convex_part(sum_, best_.flat);
    fit_into_boxes(qp, dual);
    dual.u =
        have_equal_coefficients(best_.point, dual) ? best_.point.u : exact(dual.coefficients());
    bound_ = optimality(qp, dual, best_.offsets).dual;
    if (is_semidefinite()) bound_ -= rounding_of_norm(dual);
  }

  static bool have_equal_coefficients(const DualPoint& one, const DualPoint& other) {
    for (std::size_t n = 0; n < one.u.size(); ++n) {
      if (one.coefficient(n) != other.coefficient(n)) return false;
    }
    return true;
  }

  /// S = Σ|vₙ|·√k(xₙ, xₙ). Since |k(x, z)| ≤ √k(x, x)·√k(z, z), |u(z)| ≤ √k(z, z)·S and ‖w‖² ≤ S².
  /// The error of each is at most its bound times the relative error of a kernel value.
  double sum_of_norms(const DualPoint& point) const {
    double sum = 0;
    for (std::size_t n = 0; n < point.u.size(); ++n) {
      const double v = point.coefficient(n);
      if (v != 0) sum += std::abs(v) * std::sqrt(std::abs(solver_.squared_norm(n)));
    }
    return sum;
  }

  double rounding_of_norm(const DualPoint& point) const {
    const double most = sum_of_norms(point);
    return *certainty_.semidefinite * most * most;
  }

  /// Bound of the rounding error of u of the best Θ.
  double rounding_of_u() const {
    if (!is_semidefinite()) return std::numeric_limits<double>::infinity();
    double largest = 0;
    for (std::size_t n = 0; n < sum_.y.size(); ++n) {
      largest = std::max(largest, std::abs(solver_.squared_norm(n)));
    }
    return *certainty_.semidefinite * std::sqrt(largest) * sum_of_norms(best_.point);
  }

  /// A Θ that meets the tolerance has converged even if R is so small that the relative gap is
  /// large (separable data in large units), but not if the rounding error of u exceeds the
  /// tolerance.
  DcaResult finished(bool settled) {
    if (!is_semidefinite()) return leave(settled ? TrainStatus::stationary : TrainStatus::stalled);
    const bool known = rounding_of_u() <= options_.tolerance &&
                       rounding_of_norm(best_.point) <= largest_gap * std::abs(best_.objective);
    const bool optimal = settled && known;
    return leave(optimal || is_certified() ? TrainStatus::converged : TrainStatus::stalled);
  }

  /// `memory`: a point whose memory can be reused.
  DcaResult stopped(TrainStatus status, DualPoint memory) {
    memory = best_.point;
    certify(std::move(memory));
    return leave(status);
  }

  DcaResult leave(TrainStatus status) {
    if (is_semidefinite()) result_.bound = bound_;
    result_.rounding = rounding_of_u();
    result_.theta = std::move(best_);
    result_.status = status;
    return std::move(result_);
  }

  const RampSum& sum_;
  Solver& solver_;
  const Certainty certainty_;
  DcaOptions options_;
  const Clock::time_point begin_ = Clock::now();
  bool timed_out_ = false;
  double tolerance_;  // of the current round
  int drifts_ = 0;    // rounds solved again: see has_drifted()
  std::uint64_t round_steps_ = 0;
  std::size_t rounds_ = 0;       // that lowered R; end_history_at() may have merged some
  std::vector<double> known_v_;  // of the last exact product
  std::vector<double> known_u_;
  double known_size_ = 0;  // largest Σ|v| since the last full product
  Theta best_;
  double bound_ = -std::numeric_limits<double>::infinity();  // lower bound of R
  DcaResult result_;  // history and steps, filled as the rounds go
};

}  // namespace rampart
