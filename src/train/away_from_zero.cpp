#include "train/away_from_zero.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>
#include <vector>

#include "linear/row_sample.hpp"

namespace rampart {
namespace {

constexpr std::size_t many_rows = 40'000;
constexpr double rough_gap = 1e-3;  // of trials
constexpr double near_zero = 0.995;
constexpr double worth_all_rows = 0.99;  // R of a trial, in units of that at w = 0

/// Total weight of the rows of each class: negative, positive.
std::array<double, 2> totals(std::span<const std::int8_t> y, std::span<const double> weights) {
  std::array<double, 2> total{};
  for (std::size_t n = 0; n < y.size(); ++n) {
    total[y[n] > 0 ? 1 : 0] += weights.empty() ? 1 : weights[n];
  }
  return total;
}

/// R at w = 0.
double value_at_zero(const HingeForm& loss, const std::array<double, 2>& total,
                     const std::array<double, most_layers>& offsets) {
  double value = 0;
  for (const Hinge& hinge : loss.hinges) {
    const auto ramp = [&](double s) {
      return hinge.margin - std::clamp(s, std::min(loss.floor, hinge.margin), hinge.margin);
    };
    const double offset = offsets[hinge.offset];
    value += total[1] * hinge.positive * ramp(offset) + total[0] * hinge.negative * ramp(-offset);
  }
  return value;
}

/// w·x of every row.
std::vector<double> scores_of(const LinearTask& task, const std::vector<double>& w) {
  const MappedBlock block(task.rows.map, task.rows.x);
  const Scaling* const scaling = task.reading.scaling;
  std::vector<double> u(task.rows.x.size(), 0.0);
  for (std::size_t n = 0; n < u.size(); ++n) {
    block.view().for_each(n, [&](std::size_t j, double value) {
      u[n] += w[j] * (scaling == nullptr ? value : scaling->value(j, value));
    });
  }
  return u;
}

/// R without ½‖w‖² at `times` these scores, and a band of as many times ρ around b.
double scaled_loss(const BlockRows& rows, const HingeForm& form, const std::vector<double>& u,
                   double times, double b, double rho) {
  double total = 0;
  for (const Hinge& hinge : form.hinges) {
    const double offset = hinge.offset == 0 ? b - rho : b + rho;
    for (std::size_t n = 0; n < u.size(); ++n) {
      const double y = rows.y[n];
      const double cap =
          (y > 0 ? hinge.positive : hinge.negative) * (rows.weights.empty() ? 1 : rows.weights[n]);
      const double s = times * y * (u[n] + offset);
      total += cap * (hinge.margin - std::clamp(s, form.floor, hinge.margin));
    }
  }
  return total;
}

struct Start {
  LinearPoint point;
  double value;  // R
};

/// The support vector machine at several lengths, each with its best band.
std::vector<Start> hinge_with_bands(const LinearTask& task, const HingeForm& loss,
                                    std::initializer_list<double> lengths) {
  constexpr std::size_t bands = 20;
  HingeForm hinge{.hinges = {loss.hinges.back()}};
  hinge.hinges.front().offset = 0;
  const LinearPoint point = task.solve(hinge, {}).point;
  const double b = point.offsets[0];
  const std::vector<double> scores = scores_of(task, point.w);
  std::vector<double> sizes{0};
  for (const double u : scores) sizes.push_back(std::abs(u + b));
  std::ranges::sort(sizes);
  double half_norm = 0;
  for (const double w : point.w) half_norm += w * w / 2;
  std::vector<Start> found;
  for (const double times : lengths) {
    Start best{point, std::numeric_limits<double>::infinity()};
    for (double& w : best.point.w) w *= times;
    for (std::size_t k = 0; k < bands; ++k) {
      const double rho = sizes[k * (sizes.size() - 1) / bands];
      const double value =
          times * times * half_norm + scaled_loss(task.rows, loss, scores, times, b, rho);
      if (!(value < best.value)) continue;
      best.value = value;
      best.point.offsets = {times * (b - rho), times * (b + rho)};
    }
    found.push_back(std::move(best));
  }
  return found;
}

}  // namespace

PointAtZero cheapest_at_zero(const HingeForm& loss, std::span<const std::int8_t> y,
                             std::span<const double> weights) {
  const std::array<double, 2> total = totals(y, weights);
  std::vector<double> kinks;
  for (const Hinge& hinge : loss.hinges) {
    for (const double kink : {hinge.margin, loss.floor}) {
      if (std::isfinite(kink)) kinks.insert(kinks.end(), {kink, -kink});
    }
  }
  PointAtZero best;
  for (const double first : kinks) {
    for (const double second : kinks) {
      if (second < first) continue;
      const std::array<double, most_layers> offsets{first, second};
      const double value = value_at_zero(loss, total, offsets);
      if (value < best.value) best = {offsets, value};
    }
  }
  return best;
}

bool is_near_zero(double value, const PointAtZero& zero, std::size_t rows) {
  return value > (rows < many_rows ? not_visibly_less : near_zero) * zero.value;
}

std::optional<LinearPoint> start_away_from_zero(const LinearTask& task, const HingeForm& loss) {
  if (task.rows.y.size() < many_rows) {
    return std::ranges::min(hinge_with_bands(task, loss, {1, 2, 4, 8, 16, 32}), {}, &Start::value)
        .point;
  }
  const RowSample sample(task.rows, loss, task.rows.y.size() / (many_rows / 2));
  if (!sample.has_both_classes()) return std::nullopt;
  LinearTask some = task;
  some.rows = sample.rows();
  some.reading.sample = nullptr;
  some.reading.last_pass = nullptr;
  some.options.gap = std::max(rough_gap, task.options.gap);
  const PointAtZero zero = cheapest_at_zero(sample.loss(), some.rows.y, some.rows.weights);
  double least = worth_all_rows * zero.value;
  std::optional<LinearPoint> best;
  for (Start& start : hinge_with_bands(some, sample.loss(), {4, 16, 32})) {
    LinearResult trial = some.solve(sample.loss(), {.point = std::move(start.point)});
    if (!(trial.objective < least)) continue;
    least = trial.objective;
    best = std::move(trial.point);
  }
  return best;
}

}  // namespace rampart
