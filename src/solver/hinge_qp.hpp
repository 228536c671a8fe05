#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rampart {

/// One hinge per row: capₙ·[margin − sₙ]₊ with sₙ = yₙ(uₙ + offset). A flat row of a ramp adds
/// capₙ·sₙ, the tangent of what its ramp subtracts: beyond the margin it pulls the other way.
struct HingeLayer {
  double margin = 1;
  std::size_t offset = 0;                ///< which of the problem's offsets it sees
  double positive = 1;                   ///< cap of a positive row of weight 1; ≥ 0
  double negative = 1;                   ///< of a negative one
  std::span<const double> weights = {};  ///< ≥ 0, one per row, somebody else's; empty: all 1
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

  /// Whether δ can move at all: what rounding has left before a bound is no room. Claims of such
  /// variables would pin offsets that are in truth free. `largest` is the largest |δ| there is.
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

/// What the rows say about one offset. A variable with room to rise claims "at least
/// yₙ·margin − uₙ", one with room to fall "at most"; at the optimum no claims contradict.
struct OffsetClaims {
  double at_least;  ///< largest lower claim; −∞ without any
  double at_most;   ///< smallest upper claim; +∞ without any

  /// Largest contradiction, in units of f: the KKT violation. Not above 0 at an optimum.
  [[nodiscard]] double gap() const { return at_least - at_most; }

  /// A value that satisfies both, or is least wrong: their middle, or the one end there is.
  [[nodiscard]] double settled() const;
};
[[nodiscard]] std::vector<OffsetClaims> offset_claims(const HingeQp& qp, const DualPoint& point);

/// How good a candidate is, from the definitions alone.
struct Optimality {
  double infeasibility = 0;  ///< farthest distance of a δ from its box, or of a sum from 0
  double violation = 0;      ///< largest contradiction between claims, ≥ 0
  double primal = 0;         ///< value at w = Σ vφ(x) and these offsets
  double dual = 0;           ///< a lower bound of it, if feasible
};
[[nodiscard]] Optimality optimality(const HingeQp& qp, const DualPoint& point,
                                    std::span<const double> offsets);

/// Puts every variable that has no room before a bound exactly on it.
void snap_to_bounds(const HingeQp& qp, DualPoint& point);

/// The nearest sensible feasible point for the boxes of `qp`: clipped, then each sum brought back
/// to 0 by the variables that resist least. Only δ is moved; u is left as it was.
void fit_into_boxes(const HingeQp& qp, DualPoint& point);

}  // namespace rampart
