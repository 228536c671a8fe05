#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>

namespace rampart {

/// A loss of the margin t = y·f(x), given the half width ρ of the rejection band.
/// Losses that do not depend on ρ ignore it.
template <class L>
concept MarginLoss = requires(const L loss, double t, double rho) {
  { loss(t, rho) } -> std::convertible_to<double>;
};

[[nodiscard]] constexpr double positive_part(double a) noexcept { return a > 0 ? a : 0; }

/// The 0-d-1 loss: a wrong answer costs 1, a rejection d.  [eq:disc-loss]
///
///   L(t, ρ) = 1 if t < −ρ,   d if |t| ≤ ρ,   0 otherwise
struct ZeroDOneLoss {
  double d;  ///< cost of a rejection, 0 < d ≤ 1/2

  constexpr double operator()(double t, double rho) const noexcept {
    return t < -rho ? 1 : t <= rho ? d : 0;
  }
};

/// The double ramp loss, a continuous upper bound of ZeroDOneLoss.  [paper §2.1]
///
///   L(t, ρ) = d·r(t − ρ) + (1 − d)·r(t + ρ),    r(s) = ([μ − s]₊ − [−μ² − s]₊) / μ
///
/// The first ramp is the cost of a rejection, the second the additional cost of an error.  The
/// tests hold it to Theorem 1:
///
///   L ≥ ZeroDOneLoss        for every ρ ≥ 0
///   L → ZeroDOneLoss        as μ → 0, except at t = ±ρ
///   L = d(1 + μ)            for μ − ρ ≤ t ≤ ρ − μ²   (the paper prints the ends swapped)
///   L ≤ 1 + μ
///   L = r(t)                for ρ = 0
///   L is not convex in (t, ρ)
struct DoubleRampLoss {
  double d;   ///< cost of a rejection, 0 < d ≤ 1/2
  double mu;  ///< the ramps rise over an interval μ + μ²; 0 < μ ≤ 1

  constexpr double operator()(double t, double rho) const noexcept {
    return d * ramp(t - rho) + (1 - d) * ramp(t + rho);
  }

  /// r(s), computed without subtracting two large hinges.
  constexpr double ramp(double s) const noexcept { return (mu - std::clamp(s, -mu * mu, mu)) / mu; }
};

/// The double hinge loss of Grandvalet et al.  [tab:losses]
///
///   L(t) = max(H(d) − (1 − d)t, H(d) − d·t, 0),   H(d) = −d·log d − (1 − d)·log(1 − d)
///
/// As hinges: d·[H(d)/d − t]₊ + (1 − 2d)·[−t]₊.
struct DoubleHingeLoss {
  double d;  ///< cost of a rejection, 0 < d ≤ 1/2

  double operator()(double t, double /*rho*/ = 0) const noexcept {
    const double h = entropy();
    return std::max({h - (1 - d) * t, h - d * t, 0.0});
  }

  /// H(d), the binary entropy in nats.
  [[nodiscard]] double entropy() const noexcept {
    return -d * std::log(d) - (1 - d) * std::log(1 - d);
  }

  /// The half width of the band of Grandvalet et al.: at t = ±ρ the two lines touch the logistic
  /// loss.
  [[nodiscard]] double threshold() const noexcept { return std::log((1 - d) / d); }
};

/// The generalized hinge loss of Bartlett and Wegkamp.  [tab:losses]
///
///   L(t) = 1 − t·(1 − d)/d  for t < 0,   1 − t  for 0 ≤ t < 1,   0 beyond
///
/// As hinges: [1 − t]₊ + ((1 − 2d)/d)·[−t]₊.
struct GeneralizedHingeLoss {
  double d;  ///< cost of a rejection, 0 < d ≤ 1/2

  constexpr double operator()(double t, double /*rho*/ = 0) const noexcept {
    return t < 0 ? 1 - t * (1 - d) / d : positive_part(1 - t);
  }

  /// An upper bound of ZeroDOneLoss for 0 < ρ ≤ 1 − d; Bartlett and Wegkamp take the middle.
  [[nodiscard]] constexpr double threshold() const noexcept { return 0.5; }
};

/// The hinge loss of the support vector machine: L(t) = [1 − t]₊.
struct HingeLoss {
  constexpr double operator()(double t, double /*rho*/ = 0) const noexcept {
    return positive_part(1 - t);
  }
};

static_assert(MarginLoss<ZeroDOneLoss> && MarginLoss<DoubleRampLoss> &&
              MarginLoss<DoubleHingeLoss> && MarginLoss<GeneralizedHingeLoss> &&
              MarginLoss<HingeLoss>);

}  // namespace rampart
