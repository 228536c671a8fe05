#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace rampart {

/// The loops over rows of an SMO step and of working set selection, with the widest vector
/// instructions of the machine. They round as plain loops do, and take the first of equal values,
/// so results do not depend on the instruction set.

inline constexpr std::size_t max_layers = 2;  ///< of a HingeQp

/// The claims of many rows. A claim is the bound that the KKT conditions of one dual variable set
/// on its offset: at least rise − u if the variable can still increase (I_up), at most fall − u if
/// it can still decrease (I_low). rise = −∞ or fall = +∞ where it cannot.
struct ClaimTable {
  std::size_t layers = 0;
  std::vector<double> u;
  std::array<std::vector<double>, max_layers> rise;
  std::array<std::vector<double>, max_layers> fall;

  void resize(std::size_t layer_count, std::size_t rows);
};

/// The claim of one variable.
struct Claim {
  double value;
  std::size_t layer = 0;
  std::size_t at = 0;  ///< row of the table
};

/// The largest lower bound, of `riser` in I_up, and the smallest upper bound, of `faller` in I_low:
/// the maximal violating pair, if they contradict each other.
struct ViolatingPair {
  Claim riser{-std::numeric_limits<double>::infinity()};
  Claim faller{std::numeric_limits<double>::infinity()};

  [[nodiscard]] double violation() const { return riser.value - faller.value; }
};

/// Adds step·(up[a] − down[a]) to u[a] of every row a and returns the new pair of each layer. If
/// `up` is null, u does not change.
template <class Real>
std::array<ViolatingPair, max_layers> update_claims(double step, const Real* up, const Real* down,
                                                    ClaimTable& claims);

/// The faller whose step with a given riser lowers the objective most.
struct BestPartner {
  double gain = 0;  ///< violation²/curvature; 0: no faller violates
  std::size_t at = 0;
};

/// Over all a with violation = claim − (fall[a] − u[a]) > 0: the largest violation²/curvature,
/// where curvature = diagonal_up + diagonal[a] − 2·up[a], but at least `least`.
template <class Real>
BestPartner best_partner(double claim, double diagonal_up, double least, const Real* up,
                         std::span<const double> u, const double* diagonal, const double* fall);

/// Appends, in order, the rows whose lower bound rise[a] − u[a] is above `bound`.
void find_claims_above(double bound, const double* rise, std::span<const double> u,
                       std::vector<std::uint32_t>& rows);

/// The same for upper bounds fall[a] − u[a] below `bound`.
void find_claims_below(double bound, const double* fall, std::span<const double> u,
                       std::vector<std::uint32_t>& rows);

}  // namespace rampart
