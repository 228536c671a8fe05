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
/// floor = −μ² for the double ramp [eq:Rwbrho1], −∞ for the convex losses, whose hinges have no
/// flat part. Two offsets belong to the surfaces up (f = +ρ) and low (f = −ρ): τ_up = b − ρ, τ_low
/// = b + ρ. A single offset is b, and the loss fixes ρ.
struct RampSum {
  std::span<const std::int8_t> y;
  std::vector<HingeLayer> layers;  ///< their `flat` is empty
  std::size_t offsets = 1;
  double floor = -std::numeric_limits<double>::infinity();
  double fixed_rho = 0;  ///< with one offset
};

/// Weight of a row: its entry in `rows` (empty: all 1) times the weight of its class.
struct RowWeights {
  std::vector<double> rows;
  double positive = 1;
  double negative = 1;
};

/// The objective as a sum of ramps. Views the labels and the weights.
[[nodiscard]] RampSum ramp_sum(const Objective& objective, std::span<const std::int8_t> y,
                               const RowWeights& weights);
RampSum ramp_sum(const Objective&, std::span<const std::int8_t>, RowWeights&&) = delete;

/// Per layer and row, whether s < floor: there the ramp is flat and β = cap.  [eq:sets]
using FlatSets = std::vector<std::vector<std::uint8_t>>;
[[nodiscard]] FlatSets flat_sets(const RampSum& sum, std::span<const double> u,
                                 std::span<const double> offsets);
[[nodiscard]] FlatSets no_flat_sets(const RampSum& sum);
[[nodiscard]] std::size_t count(const FlatSets& sets);
[[nodiscard]] std::size_t changes(const FlatSets& one, const FlatSets& other);

/// ub(Θ, Θ⁽ˡ⁾) [eq:upbound] for the flat sets of Θ⁽ˡ⁾: an upper bound of R, equal to R where the
/// flat sets are these.
[[nodiscard]] HingeQp convex_part(const RampSum& sum, const FlatSets& flat);

/// The sum of the ramps: R without ½‖w‖².
[[nodiscard]] double loss(const RampSum& sum, std::span<const double> u,
                          std::span<const double> offsets);

/// R(Θ).
[[nodiscard]] double objective(const RampSum& sum, const DualPoint& point,
                               std::span<const double> offsets);

/// If ρ < 0, swaps the offsets. That never raises R while a rejection costs at most half an error
/// [lemma1], as with a single d ≤ ½. A cost table can violate this for one class, so ρ = 0 is taken
/// instead where it gives a lower R. Returns whether ρ was negative.
bool order_surfaces(const RampSum& sum, const DualPoint& point, std::vector<double>& offsets);

[[nodiscard]] Band band(const RampSum& sum, std::span<const double> offsets);

}  // namespace rampart
