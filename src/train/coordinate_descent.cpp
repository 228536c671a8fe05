#include "train/coordinate_descent.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "rampart/errors.hpp"
#include "train/lowest_point.hpp"
#include "util/assert.hpp"
#include "util/random.hpp"

namespace rampart {
namespace {

constexpr std::size_t most_layers = 2;
constexpr std::size_t block_rows = 32;     // visited one after the other
constexpr std::uint8_t longest_rest = 31;  // sweeps
constexpr double convex_gap = 0.15;        // at which stage 1 ends
constexpr std::size_t least_convex = 2;    // sweeps of stage 1
constexpr std::size_t most_convex = 200;
constexpr std::size_t most_unread = 50;  // sweeps of stage 2 or 3 until Θ is read
constexpr double near_floor = 0.1;    // s is so near that its ramp may become flat, or cease to be
constexpr double largest_change = 4;  // of s by a visit of another row, for stage 2
constexpr double near_per_gap = 10;   // where the relative gap is small, near is nearer
constexpr double settled_gap = 0.01;  // at which the multipliers begin to follow
constexpr double least_fall = 0.1;    // of R, in units of the tolerance, to change flat sets

/// What a visit of a row needs beside its values. γ = y·δ, in [−β, cap − β].
struct RowState {
  std::array<double, most_layers> gamma{};
  double squared_norm = 0;
  std::array<std::uint8_t, most_layers> flat{};
  std::uint8_t rest = 0;  // sweeps to go without a visit
  std::uint8_t calm = 0;  // visits without a change
  std::int8_t y = 1;
};

/// A layer, with what its rows have in common.
struct Layer {
  double margin;
  std::size_t offset;
  double positive;
  double negative;
  const double* weights;  // null: all 1
};

/// The box of one variable.
struct Box {
  double low;
  double high;

  [[nodiscard]] double clamp(double value) const { return std::clamp(value, low, high); }
  [[nodiscard]] bool contains(double value) const { return value >= low && value <= high; }
};

struct SweepSums {
  double gap = 0;  // Σ cap·[margin − s]₊ − α(margin − s) ≥ 0 at each visit: primal − dual
  double loss = 0;  // Σ of the ramps at each visit
  std::size_t visits = 0;
};

template <class Reader>
class Descent {
 public:
  /// `reader` is that of RowsView::with_reader().
  Descent(const RampSum& sum, std::size_t columns, const DescentOptions& options, Reader reader)
      : sum_(sum),
        options_(options),
        reader_(reader),
        rows_(sum.y.size()),
        w_(columns, 0.0),
        offset_(sum.offsets, 0.0),
        centre_(sum.offsets, 0.0),
        excess_(sum.offsets, 0.0) {
    for (const HingeLayer& layer : sum.layers) {
      layers_.push_back({layer.margin, layer.offset, layer.positive, layer.negative,
                         layer.weights.empty() ? nullptr : layer.weights.data()});
    }
    double norms = 0;
    double caps = 0;
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      RowState& row = rows_[n];
      row.y = sum.y[n];
      reader_.for_each(n, [&](std::size_t, double value) { row.squared_norm += value * value; });
      norms += row.squared_norm;
      for (const Layer& layer : layers_) caps += cap(layer, n);
    }
    if (!std::isfinite(norms)) {
      throw InputError("training overflowed; scale the features", Setting::scaling);
    }
    const auto size = static_cast<double>(rows_.size());
    // Soft enough for a visit to move its row rather than the offset, stiff enough for the offset
    // to reach any row within a sweep.
    stiffness_ = std::min(norms > 0 ? std::sqrt(size) * size / (3 * norms) : 1.0, caps / 10);
    if (!(stiffness_ > 0)) stiffness_ = 1;
    const double mean_norm = norms / std::max(size, 1.0);
    double largest_cap = 0;
    for (const Layer& layer : layers_) {
      for (std::size_t n = 0; n < rows_.size(); ++n)
        largest_cap = std::max(largest_cap, cap(layer, n));
    }
    visits_are_small_ = largest_cap * mean_norm <= largest_change;
    if (sum.offsets == 2) {  // apart, so that the surfaces need not find out by visits
      centre_[0] = -sum.layers[0].margin / 2;
      centre_[1] = -centre_[0];
    }
    follow_sums();
  }

  DescentResult minimise(const DescentStart* start) {
    if (start != nullptr) {
      start_from(*start);
      if (read_theta()) return std::move(result_);
    }
    Stage stage = start != nullptr || is_convex() ? Stage::rounds : Stage::convex;
    std::size_t in_stage = 0;
    const double last_target = options_.tolerance;
    double target = stage == Stage::convex ? first_target() : last_target;
    std::size_t patience = 1;  // sweeps until Θ is read
    while (true) {
      const SweepSums sums = sweep(stage == Stage::flipping);
      ++in_stage;
      // Resting rows have no part in the loss: R is known from the first sweeps, later from Θ.
      if (result_.history.empty() && (sums.visits == rows_.size() || !(scale_ > 0))) {
        scale_ = half_norm() + sums.loss;
      }
      const double gap = sums.gap / std::max(scale_, smallest);
      near_ = std::min(near_floor, near_per_gap * gap);
      if (gap <= settled_gap) centre_ = offset_;
      follow_sums();
      const std::optional<TrainStatus> limit = limit_met(gap);
      if (limit) {
        if (!read_theta()) result_.status = *limit;
        return std::move(result_);
      }
      if (stage == Stage::convex) {
        const double enough = visits_are_small_ ? convex_gap : first_target();
        if ((gap <= enough && in_stage >= least_convex) || in_stage >= most_convex) {
          stage = visits_are_small_ ? Stage::flipping : Stage::rounds;
          in_stage = 0;
          for (RowState& row : rows_) row.rest = 0;
        }
      } else if ((gap <= target && in_stage >= patience) ||
                 in_stage >= most_unread + result_.sweeps / 4) {
        stage = Stage::rounds;
        in_stage = 0;
        const std::size_t rounds = result_.history.size();
        const double known_bound = result_.bound;
        if (read_theta()) return std::move(result_);
        // Without progress the multipliers need more sweeps: the repair of the sums, which the
        // estimated gap does not see, costs too much as yet.
        const bool progress = result_.history.size() > rounds || result_.bound > known_bound;
        patience = progress ? 1 : std::min(2 * patience, most_unread);
        // The estimate was too low, unless new flat sets opened the gap again.
        if (target > last_target) {
          target = std::max(last_target, target / 3);
        } else if (result_.history.size() == rounds && gap <= target) {
          const double known = relative(result_.objective - bound_);
          target = std::min(target, std::max(gap * options_.tolerance / known, gap / 4));
        }
      }
    }
  }

 private:
  enum class Stage { convex, flipping, rounds };
  using Clock = std::chrono::steady_clock;
  static constexpr double smallest = 1e-300;

  /// The estimated gap at which Θ is read for the first time.
  [[nodiscard]] double first_target() const {
    return visits_are_small_ ? options_.tolerance : std::max(options_.tolerance, 1e-3);
  }
  [[nodiscard]] bool is_convex() const { return std::isinf(sum_.floor); }

  [[nodiscard]] double cap(const Layer& layer, std::size_t n) const {
    const double of_class = rows_[n].y > 0 ? layer.positive : layer.negative;
    return layer.weights == nullptr ? of_class : of_class * layer.weights[n];
  }
  [[nodiscard]] static Box box(double cap, bool flat) { return flat ? Box{-cap, 0} : Box{0, cap}; }

  [[nodiscard]] double product(std::size_t n) const { return reader_.product(n, w_.data()); }
  void add(std::size_t n, double times) {
    double* const w = w_.data();
    reader_.for_each(n, [&](std::size_t j, double value) { w[j] += times * value; });
  }
  [[nodiscard]] double half_norm() const {
    double total = 0;
    for (const double w : w_) total += w * w / 2;
    return total;
  }
  [[nodiscard]] double relative(double difference) const {
    return difference / std::max(std::abs(result_.objective), smallest);
  }

  void follow_sums() {
    for (std::size_t o = 0; o < offset_.size(); ++o) {
      offset_[o] = centre_[o] + excess_[o] / stiffness_;
    }
  }

  void start_from(const DescentStart& start) {
    RAMPART_ASSERT(start.delta.size() == layers_.size(), "one δ per layer");
    RAMPART_ASSERT(start.offsets.size() == offset_.size(), "one start per offset");
    centre_ = start.offsets;
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      RowState& row = rows_[n];
      double v = 0;
      for (std::size_t r = 0; r < layers_.size(); ++r) v += start.delta[r][n];
      for (std::size_t r = 0; r < layers_.size(); ++r) row.gamma[r] = row.y * start.delta[r][n];
      if (v != 0) add(n, v);
    }
    // The flat sets of the start; γ that they leave outside its box is moved into it.
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      const double u = product(n);
      for (std::size_t r = 0; r < layers_.size(); ++r) {
        rows_[n].flat[r] = rows_[n].y * (u + start.offsets[layers_[r].offset]) < sum_.floor;
      }
    }
    for (std::size_t n = 0; n < rows_.size(); ++n) move_into_boxes(n);
    add_up_excess();
    follow_sums();
  }

  /// Clips the variables of a row, and lets w follow.
  void move_into_boxes(std::size_t n) {
    RowState& row = rows_[n];
    double change = 0;
    for (std::size_t r = 0; r < layers_.size(); ++r) {
      const double clipped = box(cap(layers_[r], n), row.flat[r] != 0).clamp(row.gamma[r]);
      change += clipped - row.gamma[r];
      row.gamma[r] = clipped;
    }
    if (change == 0) return;
    add(n, row.y * change);
    row.rest = 0;
    row.calm = 0;
  }

  void add_up_excess() {
    std::ranges::fill(excess_, 0.0);
    for (const RowState& row : rows_) {
      for (std::size_t r = 0; r < layers_.size(); ++r) {
        excess_[layers_[r].offset] += row.y * row.gamma[r];
      }
    }
  }

  /// The rows to visit in this sweep: those that do not rest, by blocks in a random order.
  void choose_order() {
    blocks_.resize((rows_.size() + block_rows - 1) / block_rows);
    for (std::size_t k = 0; k < blocks_.size(); ++k) blocks_[k] = static_cast<std::uint32_t>(k);
    shuffle(std::span(blocks_), random_, blocks_.size());
    order_.clear();
    for (const std::size_t block : blocks_) {
      const std::size_t end = std::min(rows_.size(), (block + 1) * block_rows);
      for (std::size_t n = block * block_rows; n < end; ++n) {
        if (rows_[n].rest > 0) {
          --rows_[n].rest;
        } else {
          order_.push_back(static_cast<std::uint32_t>(n));
        }
      }
    }
  }

  SweepSums sweep(bool choose_flats) {
    choose_order();
    SweepSums sums;
    sums.visits = order_.size();
    for (const std::size_t n : order_) visit(n, choose_flats, sums);
    ++result_.sweeps;
    result_.visits += sums.visits;
    return sums;
  }

  void visit(std::size_t n, bool choose_flats, SweepSums& sums) {
    RowState& row = rows_[n];
    const double u = product(n);
    std::array<Box, most_layers> boxes{};
    std::array<double, most_layers> slope{};  // of the dual in γ
    bool at_rest = true;
    bool restless = false;
    for (std::size_t r = 0; r < layers_.size(); ++r) {
      const Layer& layer = layers_[r];
      const double s = row.y * (u + offset_[layer.offset]);
      if (choose_flats) {
        row.flat[r] = s < sum_.floor ? 1 : 0;
        restless = restless || std::abs(s - sum_.floor) < near_;
      }
      const double most = cap(layer, n);
      boxes[r] = box(most, row.flat[r] != 0);
      slope[r] = layer.margin - s;
      // The gap of a row whose γ is at the bound that it is drawn to is 0.
      if (row.gamma[r] != (slope[r] > 0 ? boxes[r].high : boxes[r].low)) {
        at_rest = false;
        const double alpha = boxes[r].clamp(row.gamma[r]) - boxes[r].low;
        sums.gap += most * std::max(0.0, slope[r]) - alpha * slope[r];
      }
      sums.loss += most * (layer.margin - std::clamp(s, sum_.floor, layer.margin));
    }
    double change = 0;
    bool moved = false;
    if (!at_rest) {
      const std::array<double, most_layers> best = settle(row, boxes, slope);
      for (std::size_t r = 0; r < layers_.size(); ++r) {
        const double step = row.y * (best[r] - row.gamma[r]);
        if (step == 0) continue;
        moved = true;
        change += step;
        excess_[layers_[r].offset] += step;
        offset_[layers_[r].offset] += step / stiffness_;
        row.gamma[r] = best[r];
      }
    }
    if (change != 0) add(n, change);
    if (moved || restless) {
      row.calm = 0;
    } else {
      row.calm = static_cast<std::uint8_t>(std::min(row.calm + 1, 8));
      const unsigned rest = (1U << row.calm) - 1;
      row.rest = static_cast<std::uint8_t>(std::min<unsigned>(rest, longest_rest));
    }
  }

  /// The maximum of the penalised dual over the variables of one row:
  ///   slope·z − ½ zᵀHz,  z = γ_new − γ,  H = ‖x‖² + (1/stiffness where layers share an offset).
  [[nodiscard]] std::array<double, most_layers> settle(
      const RowState& row, const std::array<Box, most_layers>& boxes,
      const std::array<double, most_layers>& slope) const {
    const double own = row.squared_norm + 1 / stiffness_;
    const double inverse = 1 / own;
    if (layers_.size() == 1) return {boxes[0].clamp(row.gamma[0] + slope[0] * inverse), 0};
    const double shared = layers_[0].offset == layers_[1].offset ? own : row.squared_norm;
    const double determinant = own * own - shared * shared;
    if (determinant > 0) {
      const double first = row.gamma[0] + (own * slope[0] - shared * slope[1]) / determinant;
      const double second = row.gamma[1] + (own * slope[1] - shared * slope[0]) / determinant;
      if (boxes[0].contains(first) && boxes[1].contains(second)) return {first, second};
    }
    // Otherwise the maximum lies on an edge of the rectangle.
    std::array<double, most_layers> best{};
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t r = 0; r < most_layers; ++r) {
      const std::size_t other = 1 - r;
      for (const double bound : {boxes[r].low, boxes[r].high}) {
        const double z = bound - row.gamma[r];
        const double free =
            boxes[other].clamp(row.gamma[other] + (slope[other] - shared * z) * inverse);
        const double rest = free - row.gamma[other];
        const double value = slope[r] * z + slope[other] * rest -
                             (own * (z * z + rest * rest) + 2 * shared * z * rest) / 2;
        if (value > most) {
          most = value;
          best[r] = bound;
          best[other] = free;
        }
      }
    }
    return best;
  }

  /// Reads Θ off the current point: visits every row without changing it. If R fell,
  /// Θ is the best and its flat sets are those of the next problem. Returns
  /// whether the gap of the best Θ is within the tolerance.
  bool read_theta() {
    compute_w();
    u_.resize(rows_.size());
    for (std::size_t n = 0; n < rows_.size(); ++n) u_[n] = product(n);
    std::vector<double> offsets = offset_;
    for (std::size_t o = 0; o < offsets.size(); ++o) offsets[o] = best_offset(o);
    if (loss(sum_, u_, offsets) > loss(sum_, u_, offset_)) offsets = offset_;
    centre_ = offsets;
    const bool swapped = put_in_order(offsets);
    const double value = half_norm() + loss(sum_, u_, offsets);
    if (!std::isfinite(value)) {
      throw InputError("training overflowed; choose a smaller C or scale the features",
                       Setting::scaling);
    }
    const double fall = least_fall * options_.tolerance * std::abs(result_.objective);
    if (result_.history.empty() || value < result_.objective - fall) {
      take(value, offsets, swapped);
      centre_ = offsets;
    }
    offset_ = centre_;
    wake();
    bound_ = certify();
    if (bound_ > result_.bound || result_.delta.empty()) {
      result_.bound = bound_;
      keep_delta();
    }
    return relative(result_.objective - result_.bound) <= options_.tolerance;
  }

  /// The offset that minimises the current convex problem for this w.
  [[nodiscard]] double best_offset(std::size_t o) {
    kinks_.clear();
    double slope = 0;  // left of all kinks
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      const RowState& row = rows_[n];
      for (std::size_t r = 0; r < layers_.size(); ++r) {
        const double most = cap(layers_[r], n);
        if (layers_[r].offset != o || most == 0) continue;
        kinks_.push_back({row.y * layers_[r].margin - u_[n], most});
        if (row.y > 0) slope -= most;
        if (row.flat[r] != 0) slope += row.y * most;
      }
    }
    return lowest_point(kinks_, slope, offset_[o]);
  }

  bool put_in_order(std::vector<double>& offsets) const {
    if (offsets.size() < 2 || offsets[0] <= offsets[1]) return false;
    std::swap(offsets[0], offsets[1]);
    const std::vector<double> merged(2, offsets[0] + (offsets[1] - offsets[0]) / 2);
    if (loss(sum_, u_, merged) < loss(sum_, u_, offsets)) offsets = merged;
    return true;
  }

  /// Makes the current w the best Θ, with these offsets, and its flat sets the current ones.
  void take(double value, const std::vector<double>& offsets, bool swapped) {
    std::size_t flat_before = 0;
    for (const RowState& row : rows_) flat_before += row.flat[0] + row.flat[1];
    result_.objective = value;
    scale_ = value;
    result_.weights = w_;
    result_.offsets = offsets;
    result_.u = u_;
    result_.flat = flat_sets(sum_, u_, offsets);
    result_.bound = -std::numeric_limits<double>::infinity();
    result_.history.push_back({.objective = value,
                               .steps = result_.visits - counted_,
                               .violation = 0,
                               .flat = flat_before,
                               .swapped = swapped});
    counted_ = result_.visits;
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      for (std::size_t r = 0; r < layers_.size(); ++r) rows_[n].flat[r] = result_.flat[r][n];
      move_into_boxes(n);
    }
  }

  /// w = Σ δx from the beginning, so that rounding errors of the visits do not add up.
  void compute_w() {
    std::ranges::fill(w_, 0.0);
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      const double v = rows_[n].y * (rows_[n].gamma[0] + rows_[n].gamma[1]);
      if (v != 0) add(n, v);
    }
  }

  /// Rows that contribute to the gap are visited in the next sweep.
  void wake() {
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      RowState& row = rows_[n];
      if (row.rest == 0) continue;
      for (std::size_t r = 0; r < layers_.size(); ++r) {
        const double slope = layers_[r].margin - row.y * (u_[n] + offset_[layers_[r].offset]);
        const Box room = box(cap(layers_[r], n), row.flat[r] != 0);
        if ((slope > 0 && row.gamma[r] < room.high) || (slope < 0 && row.gamma[r] > room.low)) {
          row.rest = 0;
          row.calm = 0;
        }
      }
    }
  }

  /// Makes both sums 0 and returns the dual value.
  double certify() {
    add_up_excess();
    bool feasible = true;
    for (std::size_t o = 0; o < excess_.size(); ++o) feasible = repair(o) && feasible;
    add_up_excess();
    follow_sums();
    if (!feasible) return -std::numeric_limits<double>::infinity();
    double dual = -half_norm();
    for (std::size_t o = 0; o < excess_.size(); ++o) {  // what rounding left
      dual -= std::abs(excess_[o]) * (1 + std::abs(offset_[o]));
    }
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      const RowState& row = rows_[n];
      for (std::size_t r = 0; r < layers_.size(); ++r) {
        dual += layers_[r].margin * row.gamma[r];
        if (row.flat[r] != 0) dual += cap(layers_[r], n) * (layers_[r].margin - sum_.floor);
      }
    }
    return dual;
  }

  /// Moves variables of an offset until its sum is 0, at first those with s near the margin, whose
  /// move costs least. Returns false if there is not enough room, which needs one class without
  /// weight.
  bool repair(std::size_t offset) {
    double size = 0;
    for (const RowState& row : rows_) {
      for (std::size_t r = 0; r < layers_.size(); ++r) size += std::abs(row.gamma[r]);
    }
    double left = excess_[offset];
    double width = 1e-6;
    for (int round = 0; round < 60 && std::abs(left) > HingeQp::rounding * size; ++round) {
      for (std::size_t n = 0; n < rows_.size() && left != 0; ++n) {
        RowState& row = rows_[n];
        for (std::size_t r = 0; r < layers_.size(); ++r) {
          if (layers_[r].offset != offset) continue;
          const double slope = layers_[r].margin - row.y * (u_[n] + offset_[offset]);
          if (std::abs(slope) > width) continue;
          const Box room = box(cap(layers_[r], n), row.flat[r] != 0);
          const double moved = room.clamp(row.gamma[r] - row.y * left);
          const double change = row.y * (moved - row.gamma[r]);
          if (change == 0) continue;
          row.gamma[r] = moved;
          row.rest = 0;
          add(n, change);
          left += change;
        }
      }
      width *= 4;
    }
    return std::abs(left) <= HingeQp::rounding * size;
  }

  void keep_delta() {
    result_.delta.assign(layers_.size(), std::vector<double>(rows_.size()));
    for (std::size_t r = 0; r < layers_.size(); ++r) {
      for (std::size_t n = 0; n < rows_.size(); ++n) {
        result_.delta[r][n] = rows_[n].y * rows_[n].gamma[r];
      }
    }
  }

  [[nodiscard]] std::optional<TrainStatus> limit_met(double gap) const {
    if (options_.observe && !options_.observe({result_.sweeps, result_.visits, gap, scale_})) {
      return TrainStatus::cancelled;
    }
    if (result_.sweeps >= options_.max_sweeps) return TrainStatus::step_limit;
    const std::chrono::duration<double> passed = Clock::now() - begin_;
    if (passed.count() >= options_.max_seconds) return TrainStatus::time_limit;
    return std::nullopt;
  }

  const RampSum& sum_;
  const DescentOptions& options_;
  const Reader reader_;
  const Clock::time_point begin_ = Clock::now();
  std::vector<Layer> layers_;
  std::vector<RowState> rows_;
  std::vector<double> w_;       // Σ δx
  std::vector<double> offset_;  // centre + excess / stiffness
  std::vector<double> centre_;
  std::vector<double> excess_;  // Σ δ of each offset
  double stiffness_ = 1;
  double near_ = near_floor;
  bool visits_are_small_ = true;  // so that s at a visit tells where s will be
  double scale_ = 0;              // R, as far as it is known
  double bound_ = -std::numeric_limits<double>::infinity();
  Random random_{1};
  std::vector<std::uint32_t> blocks_;
  std::vector<std::uint32_t> order_;
  std::vector<double> u_;
  std::vector<Kink> kinks_;
  std::uint64_t counted_ = 0;  // visits of rounds in the history
  DescentResult result_;
};

}  // namespace

DescentResult coordinate_descent(const RampSum& sum, RowsView x, const DescentOptions& options,
                                 const DescentStart* start) {
  RAMPART_ASSERT(x.size() == sum.y.size(), "one label per row");
  RAMPART_ASSERT(!sum.layers.empty() && sum.layers.size() <= most_layers, "one or two layers");
  DescentResult result;
  x.with_reader([&](const auto& reader) {
    result = Descent(sum, x.columns(), options, reader).minimise(start);
  });
  return result;
}

}  // namespace rampart
