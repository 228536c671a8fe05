#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace rampart {

/// The two loops over all rows at hand that a step of SMO consists of, and what chooses the rows,
/// with the widest vector instructions this machine has. They round as plain loops do, and of equal
/// values take the first: the outcome does not depend on the instruction set.

/// One layer's claims, with u still to be subtracted: ±∞ where a variable has no room.
struct ClaimColumns {
  const double* rise;
  const double* fall;
};

/// The highest lower claim rise − u and the lowest upper claim fall − u of a layer, and where.
struct ClaimExtremes {
  double highest = -std::numeric_limits<double>::infinity();
  std::size_t highest_at = 0;
  double lowest = std::numeric_limits<double>::infinity();
  std::size_t lowest_at = 0;
};

/// u[a] += step·(up[a] − down[a]) for every a < count, and the extremes after it. Null `up`: u
/// stays as it is. `layers` is 1 or 2.
template <class Real>
std::array<ClaimExtremes, 2> update_claims(double step, const Real* up, const Real* down,
                                           std::size_t count, double* u,
                                           const ClaimColumns* columns, std::size_t layers);

/// The upper claim whose settlement with a lower one gains most.
struct ClaimPartner {
  double gain = 0;  ///< gap²/curvature; 0: there is none
  std::size_t at = 0;
};

/// Over all a with gap = claim − (fall[a] − u[a]) > 0: the largest gap²/curvature, where curvature
/// = diagonal_up + diagonal[a] − 2·up[a], but at least `least`.
template <class Real>
ClaimPartner best_claim_partner(double claim, double diagonal_up, double least, const Real* up,
                                std::size_t count, const double* u, const double* diagonal,
                                const double* fall);

/// Appends the rows whose claim, rise[a] − u[a], is above `bound`, in their order.
void find_claims_above(double bound, const double* rise, const double* u, std::size_t count,
                       std::vector<std::uint32_t>& rows);

/// The same for fall[a] − u[a] below `bound`.
void find_claims_below(double bound, const double* fall, const double* u, std::size_t count,
                       std::vector<std::uint32_t>& rows);

}  // namespace rampart
