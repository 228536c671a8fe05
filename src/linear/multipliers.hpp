#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "linear/linear_state.hpp"
#include "linear/newton_step.hpp"
#include "linear/passes.hpp"

namespace rampart {

/// Minimises the double ramp's R, or a convex loss, over w and the offsets: the rounds of Algorithm
/// 1, whose convex problems are solved by the proximal method of multipliers. An outer step
/// minimises the smooth function of block_pass.hpp by Newton's method, then moves the centres a to
/// the t found; h shrinks when that stops helping.
///
/// Early rounds are not solved to the end: the flat sets change as soon as R falls. After a round
/// the line through the last two Θ is followed as far as R falls, because a round moves Θ too
/// little where R is a long valley. The flat sets are always those of the best Θ, so every dual
/// value bounds the convex problem that touches R there, and certifies the best Θ.
///
/// Once few flat sets change, most visits look at the rows near a kink only (near_rows.hpp). Their
/// sums are those of all rows as long as no row moves further than a reach. Whether one did is
/// estimated from how far the near rows moved; all rows are visited before that, and before
/// anything is certified. R and the flat sets of the best Θ count when they come from all rows.
///
/// All that is known of the rows are the sums that `passes` gives.
template <Passes Rows>
class Multipliers {
 public:
  /// `lambda`: λ of every column; `margin`: the largest of the loss.
  Multipliers(Rows& rows, std::vector<double> lambda, std::size_t offsets, double margin,
              LinearOptions options)
      : rows_(rows), lambda_(std::move(lambda)), offsets_(offsets), options_(std::move(options)) {
    state_.width = cold_widths * std::max(margin, least_margin);
    state_.reach = first_reach * std::max(margin, least_margin);
  }

  [[nodiscard]] LinearResult minimise(LinearPoint start) {
    state_.now = std::move(start);
    if (options_.started) {
      state_.width = std::min(state_.width, resting_width);
      visit(state_.now, kept_centres, true);
      if (!ended_) accept(state_.now, value_of(state_.now, sums_.loss), false);
    } else {
      visit(state_.now);
    }
    return to_the_end();
  }

  /// Goes on where a training stood that was given to `options.checkpoint`, to the same bits. The
  /// rows must have the centres that they had then.
  [[nodiscard]] LinearResult resume(LinearState state) {
    state_ = std::move(state);
    const bool gathers = std::exchange(state_.near, false);
    look(state_.now, 0, false, gathers);  // not counted: it was before
    return to_the_end();
  }

 private:
  [[nodiscard]] LinearResult to_the_end() {
    while (!ended_) {
      // What visits of near rows did is not in the state: all rows were visited last.
      if (options_.checkpoint && (!state_.near || just_gathered_)) options_.checkpoint(state_);
      step();
    }
    if (state_.best.w.empty()) take_present_point();
    if (best_is_near_) {
      const LinearStatus status = state_.result.status;
      const bool in_haste = status == LinearStatus::cancelled || status == LinearStatus::pass_limit;
      if (in_haste) {
        forget_near_rounds();
      } else {
        confirm_best();
      }
    }
    state_.result.point = state_.best;
    return std::move(state_.result);
  }

  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr double cold_widths = 4;  // w = 0 then lies well inside the smooth part
  static constexpr double least_margin = 0.1;
  static constexpr double resting_width = 0.5;  // h while the flat sets change
  static constexpr double least_width = 0.02;   // a smaller h makes Newton's steps short
  static constexpr double narrowing = 0.4;
  static constexpr double first_damping = 1e-4;
  static constexpr double last_damping = 1e-8;
  static constexpr double kept_centres = 1e300;  // t = a
  static constexpr double worthwhile = 0.5;      // fall of R, in units of the tolerance
  static constexpr double jump_worthwhile = 3;
  static constexpr double loose = 0.1;  // decrement at which a round that goes on anyway ends
  static constexpr std::size_t direct_columns = 600;  // more: conjugate gradients
  static constexpr int most_newton_steps = 50;
  static constexpr double short_step = 0.05;
  static constexpr std::size_t most_hasty_rounds = 40;
  static constexpr double first_reach = 0.5;  // in units of the margin
  static constexpr double least_reach = 0.02;
  static constexpr double movement = 0.8;  // of near rows, in units of the reach, at which it ends
  static constexpr double small_share = 0.15;     // of near rows: a longer reach costs little
  static constexpr double few_changes = 0.05;     // of the flat sets, so that a reach may hold
  static constexpr double worth_gathering = 0.5;  // near rows, as a share of all
  static constexpr std::uint64_t near_visits_a_pass = 8;
  static constexpr std::uint64_t useful_visits = 2;
  static constexpr double nearly_in_reach = 1.5;
  static constexpr std::uint64_t longest_pause = 4;

  /// A dual variable is known to rounding/h. Where R is tiny beside the caps, because rows are far
  /// apart, the dual variables are tiny too, and h must be large.
  double finest_width() const {
    constexpr double rounding = 1e-14;
    return rounding * options_.caps / (options_.gap * std::max(state_.result.objective, 1e-300));
  }

  /// Hasty rounds pay at first. Where they go on for long, the flat sets change without need.
  bool rounds_are_exact() const {
    return options_.exact_rounds || state_.result.history.size() >= most_hasty_rounds;
  }
  void end(LinearStatus status) {
    state_.result.status = status;
    ended_ = true;
  }

  /// Ended before the first round did: better than nothing is where it stands. The sums are not of
  /// this point if a visit was refused.
  void take_present_point() {
    Visit visit = at(state_.now);
    visit.want = Visit::Want::value;
    if (offsets_ == 2 && visit.offsets[0] > visit.offsets[1]) {
      std::swap(visit.offsets[0], visit.offsets[1]);
      std::swap(state_.now.offsets[0], state_.now.offsets[1]);
    }
    accept(state_.now, value_of(state_.now, rows_.run(visit).loss), false);
  }

  /// One outer step.
  void step() {
    const Newton newton = minimise_smooth();
    if (ended_) return;
    if (newton.steps == 0) state_.accuracy = std::max(state_.accuracy / 100, 1e-9);
    const double before = state_.width;
    // The first problem is not solved yet.
    if (state_.best.w.empty() && state_.width > resting_width) {
      state_.width = std::max(resting_width, narrowing * state_.width);
      visit(state_.now, before);
      return;
    }
    if (++state_.outer_steps > 20 * options_.max_rounds + 200) return end(LinearStatus::stalled);

    LinearPoint at = state_.now;
    double value = value_of(at, sums_.loss);
    const bool swapped = offsets_ == 2 && at.offsets[0] > at.offsets[1];
    if (swapped) {
      std::swap(at.offsets[0], at.offsets[1]);
      value = value_of(at, look_at(at).loss);
      if (ended_) return;
      // A table of costs may make the swap dearer than no band at all.
      LinearPoint merged = at;
      merged.offsets[0] = merged.offsets[1] = std::midpoint(at.offsets[0], at.offsets[1]);
      const double value_merged = value_of(merged, look_at(merged).loss);
      if (ended_) return;
      if (value_merged < value) {
        at = std::move(merged);
        value = value_merged;
      }
    }
    const double least_fall = worthwhile * options_.gap * std::abs(value);
    const bool solved = !rounds_are_exact() || is_solved();
    const bool falls =
        state_.result.objective == infinity || value < state_.result.objective - least_fall;
    const double changed = sums_.changed;
    const bool few = sums_.active < 8 * static_cast<double>(lambda_.size() + offsets_);
    state_.settled = changed <= 0.002 * sums_.rows;
    bool new_sets = false;
    if (falls && solved) {
      if (state_.result.history.size() >= options_.max_rounds)
        return end(LinearStatus::round_limit);
      const LinearPoint last = state_.best;
      const double fall = state_.result.objective - value;
      accept(at, value, swapped);
      new_sets = true;
      state_.now = std::move(at);
      const bool worth = fall > jump_worthwhile * options_.gap * std::abs(value);
      if (worth && !last.w.empty() && !rounds_are_exact()) jump(last);
      if (ended_) return;
    } else if (!state_.best.w.empty() && value < state_.result.objective && changed == 0 &&
               !swapped) {
      // Better, and the flat sets are the same.
      best_is_near_ = state_.near;
      state_.best = std::move(at);
      state_.result.objective = state_.result.history.back().objective = value;
    }
    if ((!new_sets || changed == 0) && (!few || rounds_are_exact() || newton.steps == 0)) {
      state_.width = std::max(std::min(state_.width, least_width), narrowing * state_.width);
    }
    state_.width = std::max(state_.width, finest_width());
    visit(state_.now, before, new_sets, may_gather());
    if (!ended_) certify();
  }

  [[nodiscard]] bool may_gather() {
    if (state_.near || state_.best.w.empty() || options_.most_near == 0) return false;
    if (state_.paused++ < state_.pause) return false;
    return sums_.rows >= options_.rows_for_near && sums_.changed <= few_changes * sums_.rows;
  }

  struct Newton {
    int steps = 0;
  };

  /// Newton's method for the smooth function. Ends early where the best Θ is certified.
  Newton minimise_smooth() {
    Newton newton;
    double first = 0;
    while (newton.steps < most_newton_steps) {
      if (newton.steps > 0 && certify()) return newton;
      const std::vector<double> gradient = gradient_now();
      const NewtonStep found = lambda_.size() <= direct_columns
                                   ? direct_step(gradient, lambda_, sums_, state_.damping)
                                   : iterative_step(gradient, lambda_, sums_, state_.damping,
                                                    [&](std::span<const double> v) {
                                                      count_pass();
                                                      if (ended_) return std::vector(v.size(), 0.0);
                                                      return rows_.product(at(state_.now), v);
                                                    });
      if (ended_) return newton;
      if (newton.steps == 0) first = found.decrement;
      const double scale =
          std::abs(std::min(state_.result.objective, value_of(state_.now, sums_.loss)));
      const double enough = std::max(state_.accuracy * options_.gap * scale,
                                     state_.settled || rounds_are_exact() ? 0 : loose * first);
      if (!(found.decrement / 2 > enough)) return newton;

      const Direction line = direction_of(found.step);
      const LinearPoint from = state_.now;
      const double value = value_of(from, sums_.smooth);
      state_.now = moved(from, line, 1);
      visit(state_.now);
      ++newton.steps;
      if (ended_) return newton;
      if (!(value_of(state_.now, sums_.smooth) <= value - 0.1 * found.decrement)) {
        const double length = search(from, line);
        if (ended_) return newton;
        state_.now = moved(from, line, length);
        visit(state_.now);
        if (length < short_step) state_.damping = std::max(8 * state_.damping, first_damping);
      } else {
        state_.damping = state_.damping > last_damping ? state_.damping / 4 : 0;
      }
      if (ended_) return newton;
    }
    return newton;
  }

  /// The point of least value on a line, found from slopes at many points at once.
  double search(const LinearPoint& from, const Direction& line) {
    constexpr int points = 12;
    double cross = 0;
    double own = 0;
    for (std::size_t j = 0; j < lambda_.size(); ++j) {
      cross += lambda_[j] * from.w[j] * line.w[j];
      own += lambda_[j] * line.w[j] * line.w[j];
    }
    double low = 0;
    double high = 1;
    for (int round = 0; round < 2; ++round) {
      std::vector<double> lengths;
      for (int k = 1; k <= points; ++k) {
        lengths.push_back(round == 0 ? std::pow(0.6, points - k)
                                     : low + (high - low) * k / (points + 1));
      }
      count_pass();
      if (ended_) return 0;
      const SearchSums sums = rows_.search(at(from), line, lengths);
      for (int k = 0; k < points; ++k) {
        const auto at = static_cast<std::size_t>(k);
        if (sums.slope[at] + cross + lengths[at] * own > 0) {
          high = lengths[at];
          break;
        }
        low = lengths[at];
      }
      if (low > 0 && high - low < 0.2 * low) break;
    }
    return low > 0 ? low + (high - low) / 2 : high / 2;
  }

  /// Follows the line from the last best Θ to this one as far as R falls.
  void jump(const LinearPoint& last) {
    static const std::vector<double> lengths{0.5, 1, 2, 3, 4.5, 7, 10};
    Direction line{state_.best.w, state_.best.offsets};
    for (std::size_t j = 0; j < line.w.size(); ++j) line.w[j] -= last.w[j];
    for (std::size_t o = 0; o < most_layers; ++o) line.offsets[o] -= last.offsets[o];
    count_pass();
    if (ended_) return;
    const LinearPoint from = state_.best;
    const SearchSums sums = rows_.search(at(from), line, lengths);
    for (std::size_t k = 0; k < lengths.size(); ++k) {
      LinearPoint to = moved(from, line, lengths[k]);
      if (offsets_ == 2 && to.offsets[0] > to.offsets[1]) break;
      const double value = value_of(to, sums.loss[k]);
      if (!(value < state_.result.objective)) continue;
      state_.result.objective = state_.result.history.back().objective = value;
      state_.best = state_.now = std::move(to);
    }
  }

  /// Whether the point solves the convex problem of the flat sets.
  bool is_solved() const {
    return value_of(state_.now, sums_.convex) - bound_estimate() <=
           worthwhile * options_.gap * std::abs(value_of(state_.now, sums_.loss));
  }

  /// Certifies the best Θ if that seems possible: one more pass over all rows, in which the dual
  /// variables are moved inside their boxes until they add up to 0.
  bool certify() {
    if (state_.result.objective == infinity) return false;
    const double allowed = options_.gap * std::abs(state_.result.objective);
    if (!(state_.result.objective - bound_estimate() <= allowed)) return false;
    Visit visit = at(state_.now);
    visit.want = Visit::Want::gradient;
    for (std::size_t o = 0; o < offsets_; ++o) {
      if (sums_.pull[o] == 0) continue;
      visit.repair[o] = sums_.pull[o] / sums_.room[o];
      if (std::abs(visit.repair[o]) <= 1) continue;
      if (!state_.near) return false;
      visit.repair[o] = 0;  // may be rounding of the sums of near rows; all rows will tell
    }
    const bool was_near = std::exchange(state_.near, false);
    visit.near = false;
    if (best_is_near_) confirm_best();
    count_pass();
    if (ended_) return false;
    if (options_.certifying) options_.certifying(state_.best);
    const PassSums repaired = rows_.run(visit);
    double bound = dual_of(repaired);
    for (std::size_t o = 0; o < offsets_; ++o) {  // what rounding left
      bound -= std::abs(repaired.pull[o]) * (1 + std::abs(state_.now.offsets[o]));
    }
    state_.result.bound = std::max(state_.result.bound, bound);
    state_.result.support = static_cast<std::size_t>(repaired.support);
    state_.result.violation = repaired.violation;
    if (state_.result.objective - state_.result.bound <=
        options_.gap * std::abs(state_.result.objective)) {
      end(LinearStatus::converged);
      return true;
    }
    if (was_near) this->visit(state_.now);
    return false;
  }

  /// Visits all rows at the best Θ that near rows led to: makes its flat sets those of all rows,
  /// and its R exact. If R did not fall, it goes back to the best Θ before.
  void confirm_best() {
    const auto flats_of_best = [&] {
      Visit visit = at(state_.best);
      visit.near = false;
      visit.want = Visit::Want::value;
      visit.width_before = kept_centres;
      visit.new_flats = true;
      count_pass();
      return value_of(state_.best, rows_.run(visit).loss);
    };
    const double value = flats_of_best();
    best_is_near_ = false;
    state_.result.bound = -infinity;
    if (!(value < confirmed_.objective)) {
      forget_near_rounds();
      flats_of_best();
      return;
    }
    state_.result.objective = value;
    std::vector<LinearRound>& history = state_.result.history;
    while (history.size() > 1 && history[history.size() - 2].objective < value) {
      history.erase(history.end() - 2);  // R that near rows promised
    }
    history.back().objective = value;
    confirmed_ = {state_.best, value, history.size()};
  }

  void forget_near_rounds() {
    best_is_near_ = false;
    state_.best = confirmed_.point;
    state_.result.objective = confirmed_.objective;
    state_.result.bound = -infinity;
    state_.result.history.resize(confirmed_.rounds);
    state_.result.history.back().objective = confirmed_.objective;
  }

  /// How far near rows have moved since they were gathered, as far as that can be estimated.
  [[nodiscard]] double movement_to(const LinearPoint& point) const {
    double of_offsets = 0;
    for (std::size_t o = 0; o < offsets_; ++o) {
      of_offsets = std::max(of_offsets, std::abs(point.offsets[o] - gathered_at_[o]));
    }
    return of_offsets + std::sqrt(sums_.moved / std::max(1.0, sums_.followed));
  }

  void accept(const LinearPoint& at, double value, bool swapped) {
    best_is_near_ = state_.near;
    state_.best = at;
    state_.result.objective = value;
    state_.result.bound = -infinity;  // the last one was of other flat sets
    const std::uint64_t before = state_.passes_of_rounds;
    state_.passes_of_rounds = state_.result.passes;
    state_.result.history.push_back({.objective = value,
                                     .passes = state_.result.passes - before,
                                     .violation = sums_.violation,
                                     .flat = static_cast<std::size_t>(sums_.flat),
                                     .swapped = swapped});
  }

  [[nodiscard]] double value_of(const LinearPoint& at, double loss) const {
    double sum = 0;
    for (std::size_t j = 0; j < lambda_.size(); ++j) sum += lambda_[j] * at.w[j] * at.w[j];
    return sum / 2 + loss;
  }

  /// The dual value of cap·t, a bound if it adds up to 0 for every offset.
  [[nodiscard]] double dual_of(const PassSums& sums) const {
    double norm = 0;
    for (std::size_t j = 0; j < lambda_.size(); ++j) {
      norm += sums.gradient[j] * sums.gradient[j] / lambda_[j];
    }
    return sums.dual - norm / 2;
  }

  /// About what the dual value will be when it does.
  [[nodiscard]] double bound_estimate() const {
    double bound = dual_of(sums_);
    for (std::size_t o = 0; o < offsets_; ++o) bound -= sums_.pull[o] * state_.now.offsets[o];
    return bound;
  }

  [[nodiscard]] std::vector<double> gradient_now() const {
    std::vector<double> gradient(lambda_.size() + offsets_);
    for (std::size_t j = 0; j < lambda_.size(); ++j) {
      gradient[j] = lambda_[j] * state_.now.w[j] - sums_.gradient[j];
    }
    for (std::size_t o = 0; o < offsets_; ++o) gradient[lambda_.size() + o] = -sums_.pull[o];
    return gradient;
  }

  [[nodiscard]] Direction direction_of(std::span<const double> step) const {
    Direction line;
    line.w.assign(step.begin(), step.begin() + static_cast<std::ptrdiff_t>(lambda_.size()));
    for (std::size_t o = 0; o < offsets_; ++o) line.offsets[o] = step[lambda_.size() + o];
    return line;
  }

  static LinearPoint moved(const LinearPoint& from, const Direction& line, double length) {
    LinearPoint to = from;
    for (std::size_t j = 0; j < to.w.size(); ++j) to.w[j] += length * line.w[j];
    for (std::size_t o = 0; o < most_layers; ++o) to.offsets[o] += length * line.offsets[o];
    return to;
  }

  [[nodiscard]] Visit at(const LinearPoint& point) const {
    return {.w = point.w, .offsets = point.offsets, .width = state_.width, .near = state_.near};
  }

  [[nodiscard]] Visit::Want wanted() const {
    return lambda_.size() <= direct_columns ? Visit::Want::curvature : Visit::Want::diagonal;
  }

  /// Looks at a point; first moves the centres there, if `width_before` > 0; `gathers` rows near a
  /// kink for the next visits. Visits all rows where near rows may no longer tell the truth.
  void visit(const LinearPoint& point, double width_before = 0, bool new_sets = false,
             bool gathers = false) {
    count_pass();
    if (ended_) return;
    look(point, width_before, new_sets, gathers);
    if (gathers || !state_.near) return;
    const double moved = movement_to(point);
    if (moved <= movement * state_.reach) return;
    const bool was_of_use = state_.near_visits - visits_before_ >= useful_visits ||
                            moved <= nearly_in_reach * state_.reach;
    state_.near = false;
    state_.pause = was_of_use ? 0 : std::clamp<std::uint64_t>(2 * state_.pause, 1, longest_pause);
    state_.paused = 0;
    if (share_ < small_share) {
      state_.reach =
          std::min(std::clamp(moved / movement, state_.reach, 8 * state_.reach), state_.most_reach);
    }
    if (best_is_near_) confirm_best();
    count_pass();
    if (!ended_) look(point, 0, false, was_of_use);
  }

  void look(const LinearPoint& point, double width_before = 0, bool new_sets = false,
            bool gathers = false) {
    Visit visit = at(point);
    visit.width_before = width_before;
    visit.new_flats = new_sets;
    visit.want = wanted();
    if (gathers) {
      visit.gather = state_.reach;
      visit.most_near = options_.most_near;
    }
    sums_ = rows_.run(visit);
    just_gathered_ = gathers;
    if (!gathers) return;
    gathered_at_ = point.offsets;
    confirmed_ = {state_.best, state_.result.objective, state_.result.history.size()};
    visits_before_ = state_.near_visits;
    share_ = sums_.near / sums_.rows;
    state_.near = share_ <= worth_gathering;
    if (state_.near || sums_.changed > few_changes * sums_.rows) return;
    state_.most_reach = state_.reach = std::max(least_reach, state_.reach / 2);
  }

  [[nodiscard]] PassSums look_at(const LinearPoint& point) {
    Visit visit = at(point);
    visit.want = Visit::Want::value;
    count_pass();
    return ended_ ? PassSums{} : rows_.run(visit);
  }

  void count_pass() {
    if (ended_) return;
    const std::uint64_t work = state_.result.passes + state_.near_visits / near_visits_a_pass;
    if (work >= options_.max_passes) return end(LinearStatus::pass_limit);
    ++(state_.near ? state_.near_visits : state_.result.passes);
    const double known = best_is_near_ ? confirmed_.objective : state_.result.objective;
    const double gap = sums_.gradient.empty() || known == infinity
                           ? infinity
                           : (known - bound_estimate()) / std::abs(known);
    if (options_.observe &&
        !options_.observe({state_.result.history.size() + 1, state_.result.passes, known, gap})) {
      end(LinearStatus::cancelled);
    }
  }

  Rows& rows_;
  std::vector<double> lambda_;
  std::size_t offsets_;
  LinearOptions options_;
  LinearState state_;
  PassSums sums_;  // at state_.now
  bool ended_ = false;

  struct Confirmed {
    LinearPoint point;
    double objective = infinity;
    std::size_t rounds = 0;
  };
  Confirmed confirmed_;        // the best Θ of all rows
  bool best_is_near_ = false;  // whether R of the best Θ comes from near rows
  bool just_gathered_ = false;
  double share_ = 1;                 // of near rows
  std::uint64_t visits_before_ = 0;  // near visits before they were gathered
  std::array<double, most_layers> gathered_at_{};
};

}  // namespace rampart
