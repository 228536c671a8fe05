#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rampart {

/// One hinge per row: capₙ·[margin − sₙ]₊ with sₙ = yₙ(uₙ + offset). A row in the flat set adds
/// β·sₙ = capₙ·sₙ, the tangent of the concave part of its ramp, so that its term is constant for sₙ
/// ≤ margin.
struct HingeLayer {
  double margin = 1;
  std::size_t offset = 0;                ///< index of its offset
  double positive = 1;                   ///< cap of a positive row of weight 1; ≥ 0
  double negative = 1;                   ///< of a negative one
  std::span<const double> weights = {};  ///< ≥ 0, one per row, not owned; empty: all 1
  std::vector<std::uint8_t> flat = {};   ///< one per row; β = cap where set (eq:sets)

  [[nodiscard]] double cap(std::int8_t y, std::size_t n) const {
    const double of_class = y > 0 ? positive : negative;
    return weights.empty() ? of_class : of_class * weights[n];
  }
};

/// Every convex problem of this library.
///
///   primal   minimise over w and the offsets τ
///              ½‖w‖² + Σᵣₙ (capᵣₙ·[marginᵣ − sᵣₙ]₊ + βᵣₙ·sᵣₙ) + constant,
///              sᵣₙ = yₙ(uₙ + τ),  uₙ = w·φ(xₙ),  τ the offset of layer r
///
///   dual     minimise over δ
///              ½ vᵀKv − Σᵣₙ marginᵣ·yₙ·δᵣₙ,        vₙ = Σᵣ δᵣₙ
///            subject to lowᵣₙ ≤ δᵣₙ ≤ highᵣₙ and, for each offset, Σ δᵣₙ = 0 over its layers
///
/// With the paper's γ (eq:dual) δ = y·γ, so a positive row has the box [−β, cap − β] and a negative
/// one [β − cap, β]; w = Σ vₙφ(xₙ), u = Kv.
///
///   loss                 layers (margin, cap)                       offsets
///   hinge                (1, C)                                     b
///   generalized hinge    (1, C)  (0, C(1−2d)/d)                     b
///   double hinge         (H(d)/d, Cd)  (0, C(1−2d))                 b
///   double ramp          up: (μ, Cd/μ | C(1−d)/μ)                   b − ρ
///    one round           low: (μ, C(1−d)/μ | Cd/μ)                  b + ρ
///                        caps of positive | negative rows
///
/// The layers of the double ramp are its two surfaces f = ±ρ, not its two ramps: the paper's
/// constraints Σ y(γ′+γ″) = 0 and Σ(γ′−γ″) = 0 are the sum and the difference of one sum per
/// surface. Hence a feasible step moves two variables of one surface, as in an ordinary SVM.
struct HingeQp {
  std::span<const std::int8_t> y;  ///< N labels, ±1
  std::vector<HingeLayer> layers;
  std::size_t offsets = 1;
  double constant = 0;

  [[nodiscard]] std::size_t size() const noexcept { return y.size(); }

  [[nodiscard]] double cap(std::size_t r, std::size_t n) const { return layers[r].cap(y[n], n); }
  [[nodiscard]] double beta(std::size_t r, std::size_t n) const {
    const HingeLayer& layer = layers[r];
    return !layer.flat.empty() && layer.flat[n] != 0 ? cap(r, n) : 0;
  }
  [[nodiscard]] double low(std::size_t r, std::size_t n) const {
    return y[n] > 0 ? -beta(r, n) : beta(r, n) - cap(r, n);
  }
  [[nodiscard]] double high(std::size_t r, std::size_t n) const {
    return y[n] > 0 ? cap(r, n) - beta(r, n) : beta(r, n);
  }

  /// Whether δ can still increase or decrease. A distance to the bound that is only rounding error
  /// does not count, since its claim would fix an offset that is free. `largest` is max |δ|.
  [[nodiscard]] bool may_rise(std::size_t r, std::size_t n, double delta, double largest) const {
    return high(r, n) - delta > rounding * std::min(cap(r, n), largest);
  }
  [[nodiscard]] bool may_fall(std::size_t r, std::size_t n, double delta, double largest) const {
    return delta - low(r, n) > rounding * std::min(cap(r, n), largest);
  }

  static constexpr double rounding = 1e-12;  ///< relative to |δ|, or to Σ|δ| for a sum
};

/// δ of every layer with its u = Kv.
struct DualPoint {
  std::vector<std::vector<double>> delta;  ///< [layer][row]
  std::vector<double> u;

  [[nodiscard]] static DualPoint zero(const HingeQp& qp);

  /// vₙ = Σᵣ δᵣₙ: the coefficient of row n in w.
  [[nodiscard]] double coefficient(std::size_t n) const {
    double v = 0;
    for (const auto& layer : delta) v += layer[n];
    return v;
  }
  [[nodiscard]] std::vector<double> coefficients() const;

  [[nodiscard]] double largest() const;    ///< max |δ|
  [[nodiscard]] double half_norm() const;  ///< ½‖w‖² = ½ vᵀu
};

/// The bounds that all claims together set on one offset (see solver/claim_loops.hpp). At an
/// optimum they do not contradict each other.
struct OffsetClaims {
  double at_least;  ///< largest lower bound, of I_up; −∞ without any
  double at_most;   ///< smallest upper bound, of I_low; +∞ without any

  /// The KKT violation, in units of f. At most 0 at an optimum.
  [[nodiscard]] double gap() const { return at_least - at_most; }

  /// The offset with the smallest violation: the midpoint of both bounds, or the only bound.
  [[nodiscard]] double settled() const;
};
[[nodiscard]] std::vector<OffsetClaims> offset_claims(const HingeQp& qp, const DualPoint& point);

/// Quality of a dual point and offsets, computed from the definitions.
struct Optimality {
  double infeasibility = 0;  ///< largest distance of a δ from its box, or of a sum from 0
  double violation = 0;      ///< largest KKT violation, ≥ 0
  double primal = 0;         ///< value at w = Σ vφ(x) and these offsets
  double dual = 0;           ///< a lower bound of the optimum, if feasible
};
[[nodiscard]] Optimality optimality(const HingeQp& qp, const DualPoint& point,
                                    std::span<const double> offsets);

/// Moves every variable that differs from a bound only by rounding exactly onto it.
void snap_to_bounds(const HingeQp& qp, DualPoint& point);

/// Makes the point feasible for `qp`: clips δ to the boxes, then restores each sum to 0 by moving
/// the variables whose move raises the dual objective least. u is not updated.
void fit_into_boxes(const HingeQp& qp, DualPoint& point);

}  // namespace rampart
