#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "rampart/model.hpp"
#include "rampart/options.hpp"
#include "solver/hinge_qp.hpp"

namespace rampart {

/// What training minimises, whatever the loss: a sum of ramps.
///
///   R(w, τ) = ½‖w‖² + Σᵣₙ capᵣₙ·([marginᵣ − sᵣₙ]₊ − [floor − sᵣₙ]₊),    sᵣₙ = yₙ(uₙ + τ)
///           = ½‖w‖² + Σᵣₙ capᵣₙ·(marginᵣ − sᵣₙ clamped to [floor, marginᵣ])
///
/// floor = −μ² for the double ramp [eq:Rwbrho1], −∞ for the convex losses, whose hinges never
/// flatten. With two offsets these are the surfaces up (f = +ρ) and low (f = −ρ):
/// τ_up = b − ρ, τ_low = b + ρ. With one offset it is b, and ρ is fixed by the loss.
struct RampSum {
  std::span<const std::int8_t> y;
  std::vector<HingeLayer> layers;  ///< their `flat` is empty
  std::size_t offsets = 1;
  double floor = -std::numeric_limits<double>::infinity();
  double fixed_rho = 0;  ///< with one offset
};

/// The losses as layers. `row_weights` already holds sample times class weight.
[[nodiscard]] RampSum ramp_sum(const Objective& objective, std::span<const std::int8_t> y,
                               std::span<const double> row_weights);

/// Per layer and row, whether s < floor: there the ramp is flat and β = cap.  [eq:sets]
using FlatSets = std::vector<std::vector<std::uint8_t>>;
[[nodiscard]] FlatSets flat_sets(const RampSum& sum, std::span<const double> u,
                                 std::span<const double> offsets);
[[nodiscard]] FlatSets no_flat_sets(const RampSum& sum);
[[nodiscard]] std::size_t count(const FlatSets& sets);
[[nodiscard]] std::size_t changes(const FlatSets& one, const FlatSets& other);

/// ub(Θ, Θ⁽ˡ⁾) [eq:upbound] for the flat sets of Θ⁽ˡ⁾: above R everywhere, equal to it where the
/// flat sets are these.
[[nodiscard]] HingeQp convex_part(const RampSum& sum, const FlatSets& flat);

/// What the ramps add to ½‖w‖².
[[nodiscard]] double loss(const RampSum& sum, std::span<const double> u,
                          std::span<const double> offsets);

/// R(Θ).
[[nodiscard]] double objective(const RampSum& sum, const DualPoint& point,
                               std::span<const double> offsets);

/// ρ < 0 swapped away, which never raises R while rejecting costs at most half an error [lemma1]:
/// always so for a single d. A table of costs can break that for one class; ρ = 0 is taken then if
/// it is better. Returns whether anything had to be done.
bool order_surfaces(const RampSum& sum, const DualPoint& point, std::vector<double>& offsets);

[[nodiscard]] Band band(const RampSum& sum, std::span<const double> offsets);

}  // namespace rampart
