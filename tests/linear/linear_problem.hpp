#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "kernel/random_rows.hpp"
#include "linear/block_pass.hpp"
#include "linear/multipliers.hpp"
#include "rampart/options.hpp"

namespace rampart::testing_support {

/// Labelled rows and a loss, determined by the seed. Values are exact in single precision.
struct LinearProblem {
  Rows x;  // dense
  Rows sparse;
  std::vector<float> single;
  std::vector<std::int8_t> y;
  std::vector<double> weights;
  HingeForm loss;
  Frame frame;
  std::mt19937 random;

  LinearProblem(std::size_t rows, std::size_t columns, const Objective& objective,
                std::uint32_t seed)
      : loss(hinge_form(objective)), random(seed) {
    const Rows any = random_rows(rows, columns, seed);
    std::vector<double> values;
    for (std::size_t n = 0; n < rows; ++n) {
      double score = 0.2;
      for (std::size_t j = 0; j < columns; ++j) {
        single.push_back(static_cast<float>(any.dense_row(n)[j]));
        values.push_back(static_cast<double>(single.back()));
        score += j < 3 ? values.back() : 0;
      }
      y.push_back((score > 0) != (random() % 6 == 0) ? 1 : -1);
    }
    y.front() = 1;
    y.back() = -1;
    x = Rows::dense(columns, std::move(values), rows);
    sparse = without_zeros(x);
  }

  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(random() % 1000001) / 1e6;
  }
  std::vector<double> list(std::size_t size, double low = -1, double high = 1) {
    std::vector<double> values(size);
    for (double& value : values) value = between(low, high);
    return values;
  }

  /// Weights, some of them 0.
  void weigh() {
    for (std::size_t n = 0; n < y.size(); ++n) {
      weights.push_back(n > 1 && n + 1 < y.size() && random() % 5 == 0 ? 0 : between(0.3, 3));
    }
  }
  /// A frame that is not the identity.
  void set_frame() { frame = {list(x.columns()), list(x.columns(), 0.5, 2)}; }
  void set_plain_frame() {
    frame = {std::vector<double>(x.columns(), 0.0), std::vector<double>(x.columns(), 1.0)};
  }

  [[nodiscard]] std::vector<double> lambda() const {
    std::vector<double> found(x.columns(), 1.0);
    for (std::size_t j = 0; j < frame.factor.size(); ++j) {
      found[j] = frame.factor[j] * frame.factor[j];
    }
    return found;
  }

  [[nodiscard]] std::size_t size() const { return y.size(); }
  [[nodiscard]] BlockRows rows() const { return {x, y, weights}; }
  [[nodiscard]] BlockRows sparse_rows() const { return {sparse, y, weights}; }
  [[nodiscard]] BlockRows single_rows() const {
    return {RowsView::dense(std::span(single), size(), x.columns()), y, weights};
  }

  std::vector<float> any_centres() {
    std::vector<float> centres;
    for (std::size_t k = 0; k < loss.hinges.size() * size(); ++k) {
      const double kind = between(0, 1);
      const double a = kind < 0.2 ? 0 : kind > 0.8 ? 1 : between(0, 1);
      const bool flat = std::isfinite(loss.floor) && random() % 3 == 0;
      centres.push_back(static_cast<float>(std::copysign(a, flat ? -1.0 : 1.0)));
    }
    return centres;
  }
  LinearPoint any_point(double size = 1) {
    return {list(x.columns(), -size, size), {between(-size, 0), between(0, size)}};
  }

  /// Row n in the frame.
  [[nodiscard]] std::vector<double> framed(std::size_t n) const {
    std::vector<double> row(x.dense_row(n).begin(), x.dense_row(n).end());
    for (std::size_t j = 0; j < frame.centre.size(); ++j) {
      row[j] = (row[j] - frame.centre[j]) * frame.factor[j];
    }
    return row;
  }
  [[nodiscard]] double score(std::size_t n, const std::vector<double>& w) const {
    const std::vector<double> row = framed(n);
    double sum = 0;
    for (std::size_t j = 0; j < row.size(); ++j) sum += w[j] * row[j];
    return sum;
  }
  [[nodiscard]] double cap(const Hinge& hinge, std::size_t n) const {
    return (y[n] > 0 ? hinge.positive : hinge.negative) * (weights.empty() ? 1 : weights[n]);
  }
  [[nodiscard]] double margin_of(const Hinge& hinge, std::size_t n, const LinearPoint& at) const {
    return y[n] * (score(n, at.w) + at.offsets[hinge.offset]);
  }
  [[nodiscard]] double half_norm(const std::vector<double>& w) const {
    const std::vector<double> each = lambda();
    double sum = 0;
    for (std::size_t j = 0; j < w.size(); ++j) sum += each[j] * w[j] * w[j];
    return sum / 2;
  }

  /// R, from the definition of the ramps.
  [[nodiscard]] double objective(const LinearPoint& at) const {
    double sum = half_norm(at.w);
    for (const Hinge& hinge : loss.hinges) {
      for (std::size_t n = 0; n < size(); ++n) {
        const double s = margin_of(hinge, n, at);
        sum += cap(hinge, n) * (std::max(hinge.margin - s, 0.0) - std::max(loss.floor - s, 0.0));
      }
    }
    return sum;
  }
};

inline Visit visit_of(const LinearPoint& at, double width,
                      Visit::Want want = Visit::Want::curvature) {
  return {.w = at.w, .offsets = at.offsets, .width = width, .want = want};
}

/// What one hinge of one row is at a visit, from the definitions in block_pass.hpp.
struct RowLayer {
  double cap, s, a, t, alpha, beta;  ///< alpha: the dual variable after the repair
  bool flat;

  RowLayer(const LinearProblem& problem, std::size_t r, std::size_t n, const Visit& visit,
           float stored) {
    const Hinge& hinge = problem.loss.hinges[r];
    const LinearPoint at{{visit.w.begin(), visit.w.end()}, visit.offsets};
    cap = problem.cap(hinge, n);
    s = problem.margin_of(hinge, n, at);
    a = std::abs(static_cast<double>(stored));
    flat = std::signbit(stored);
    if (visit.width_before > 0) {
      a = std::clamp(a + (hinge.margin - s) / visit.width_before, 0.0, 1.0);
      a = static_cast<double>(static_cast<float>(a));
      if (visit.new_flats) flat = s < problem.loss.floor;
    }
    t = std::clamp(a + (hinge.margin - s) / visit.width, 0.0, 1.0);
    beta = flat ? cap : 0;
    alpha = cap * (t - problem.y[n] * visit.repair[hinge.offset] * std::min(t, 1 - t));
  }
};

/// Every loss, d = 1/2, and a cost table.
inline std::vector<Objective> every_objective() {
  return {{.loss = LossKind::double_ramp, .costs = Costs::symmetric(0.21), .mu = 0.7, .C = 1.5},
          {.loss = LossKind::double_ramp, .costs = Costs::symmetric(0.5), .C = 2},
          {.loss = LossKind::double_ramp, .costs = {2, 1, 0.3, 0.25}, .C = 0.5},
          {.loss = LossKind::double_hinge, .costs = Costs::symmetric(0.13)},
          {.loss = LossKind::generalized_hinge, .costs = Costs::symmetric(0.33), .C = 0.2},
          {.loss = LossKind::hinge, .C = 3}};
}

}  // namespace rampart::testing_support
