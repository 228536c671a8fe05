#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace rampart {

/// The loops over rows that a step of SMO consists of, and those that choose the rows, with the
/// widest vector instructions this machine has. They round as plain loops do, and of equal values
/// take the first: the outcome does not depend on the instruction set.

inline constexpr std::size_t max_layers = 2;  ///< of a HingeQp

/// The claims of rows side by side: a variable with room to rise claims that its offset is at least
/// rise − u, one with room to fall that it is at most fall − u. ±∞ where there is no room.
struct ClaimTable {
  std::size_t layers = 0;
  std::vector<double> u;
  std::array<std::vector<double>, max_layers> rise;
  std::array<std::vector<double>, max_layers> fall;

  void resize(std::size_t layer_count, std::size_t rows);
};

/// What one variable claims of its offset.
struct Claim {
  double value;
  std::size_t layer = 0;
  std::size_t at = 0;  ///< row of the table
};

/// The highest lower and the lowest upper claim: the maximal violating pair, if they contradict
/// each other. `riser` is the variable of I_up, `faller` that of I_low.
struct ViolatingPair {
  Claim riser{-std::numeric_limits<double>::infinity()};
  Claim faller{std::numeric_limits<double>::infinity()};

  [[nodiscard]] double violation() const { return riser.value - faller.value; }
};

/// u[a] += step·(up[a] − down[a]) for every row a, and after it the pair of each layer. Null `up`:
/// u stays as it is.
template <class Real>
std::array<ViolatingPair, max_layers> update_claims(double step, const Real* up, const Real* down,
                                                    ClaimTable& claims);

/// The faller that a step with a given riser gains most with.
struct BestPartner {
  double gain = 0;  ///< violation²/curvature; 0: there is none
  std::size_t at = 0;
};

/// Over all a with violation = claim − (fall[a] − u[a]) > 0: the largest violation²/curvature,
/// where curvature = diagonal_up + diagonal[a] − 2·up[a], but at least `least`.
template <class Real>
BestPartner best_partner(double claim, double diagonal_up, double least, const Real* up,
                         std::span<const double> u, const double* diagonal, const double* fall);

/// Appends the rows whose claim, rise[a] − u[a], is above `bound`, in their order.
void find_claims_above(double bound, const double* rise, std::span<const double> u,
                       std::vector<std::uint32_t>& rows);

/// The same for fall[a] − u[a] below `bound`.
void find_claims_below(double bound, const double* fall, std::span<const double> u,
                       std::vector<std::uint32_t>& rows);

}  // namespace rampart
