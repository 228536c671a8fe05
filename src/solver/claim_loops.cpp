#include "solver/claim_loops.hpp"

#include <type_traits>

#include "util/instruction_set.hpp"

// Highway compiles this file once for every instruction set, by including it again and again.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solver/claim_loops.cpp"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h
#include <hwy/highway.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace rampart::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::ScalableTag<double>;
using Vector = hn::Vec<Doubles>;

/// The next few values of a kernel row.
template <class Real>
HWY_INLINE auto values(const Real* row, std::size_t a) {
  return hn::LoadU(hn::Rebind<Real, Doubles>(), row + a);
}

HWY_INLINE Vector widen(hn::Vec<hn::Rebind<float, Doubles>> v) {
  return hn::PromoteTo(Doubles(), v);
}
HWY_INLINE Vector widen(Vector v) { return v; }

/// The largest value seen in each lane, and where it was first.
struct Best {
  Vector value;
  Vector at;

  HWY_INLINE void see(Vector candidate, Vector index) {
    const auto better = hn::Gt(candidate, value);
    value = hn::IfThenElse(better, candidate, value);
    at = hn::IfThenElse(better, index, at);
  }

  /// The largest of all lanes and of those in (value, at), the first of equals.
  HWY_INLINE void reduce(double& best, std::size_t& best_at, bool& found) const {
    HWY_ALIGN double lane_value[HWY_MAX_BYTES / sizeof(double)];
    HWY_ALIGN double lane_at[HWY_MAX_BYTES / sizeof(double)];
    hn::Store(value, Doubles(), lane_value);
    hn::Store(at, Doubles(), lane_at);
    for (std::size_t k = 0; k < hn::Lanes(Doubles()); ++k) {
      const auto index = static_cast<std::size_t>(lane_at[k]);
      if (lane_value[k] > best || (found && lane_value[k] == best && index < best_at)) {
        best = lane_value[k];
        best_at = index;
        found = true;
      }
    }
  }
};

template <class Real, std::size_t layers>
HWY_INLINE std::array<ClaimExtremes, 2> update(double step, const Real* up, const Real* down,
                                               std::size_t count, double* u,
                                               const ClaimColumns* columns) {
  const Doubles d;
  const std::size_t width = hn::Lanes(d);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Vector steps = hn::Set(d, step);
  const Vector width_vector = hn::Set(d, static_cast<double>(width));
  Vector index = hn::Iota(d, 0);
  Best high0{hn::Set(d, -infinity), hn::Zero(d)}, low0 = high0, high1 = high0, low1 = high0;
  std::size_t a = 0;
  for (; a + width <= count; a += width) {
    Vector now = hn::LoadU(d, u + a);
    if (up != nullptr) {
      // The difference in the precision of the rows, then times the step in double.
      const Vector change = hn::Mul(steps, widen(hn::Sub(values(up, a), values(down, a))));
      now = hn::Add(now, change);
      hn::StoreU(now, d, u + a);
    }
    high0.see(hn::Sub(hn::LoadU(d, columns[0].rise + a), now), index);
    low0.see(hn::Sub(now, hn::LoadU(d, columns[0].fall + a)), index);
    if constexpr (layers == 2) {
      high1.see(hn::Sub(hn::LoadU(d, columns[1].rise + a), now), index);
      low1.see(hn::Sub(now, hn::LoadU(d, columns[1].fall + a)), index);
    }
    index = hn::Add(index, width_vector);
  }
  std::array<ClaimExtremes, 2> extremes;
  const Best* highs[] = {&high0, &high1};
  const Best* lows[] = {&low0, &low1};
  for (std::size_t r = 0; r < layers; ++r) {
    double lowest = -infinity;  // negated: the same search
    bool high_found = false;
    bool low_found = false;
    highs[r]->reduce(extremes[r].highest, extremes[r].highest_at, high_found);
    lows[r]->reduce(lowest, extremes[r].lowest_at, low_found);
    extremes[r].lowest = -lowest;
  }
  for (; a < count; ++a) {
    if (up != nullptr) u[a] += step * static_cast<double>(up[a] - down[a]);
    const double now = u[a];
    for (std::size_t r = 0; r < layers; ++r) {
      const double lower = columns[r].rise[a] - now;
      const double upper = columns[r].fall[a] - now;
      if (lower > extremes[r].highest) {
        extremes[r].highest = lower;
        extremes[r].highest_at = a;
      }
      if (upper < extremes[r].lowest) {
        extremes[r].lowest = upper;
        extremes[r].lowest_at = a;
      }
    }
  }
  return extremes;
}

template <class Real>
HWY_INLINE ClaimPartner partner(double claim, double diagonal_up, double least, const Real* up,
                                std::size_t count, const double* u, const double* diagonal,
                                const double* fall) {
  const Doubles d;
  const std::size_t width = hn::Lanes(d);
  const Vector claims = hn::Set(d, claim);
  const Vector own = hn::Set(d, diagonal_up);
  const Vector two = hn::Set(d, 2.0);
  const Vector flattest = hn::Set(d, least);
  const Vector width_vector = hn::Set(d, static_cast<double>(width));
  Vector index = hn::Iota(d, 0);
  Best best{hn::Zero(d), hn::Zero(d)};
  std::size_t a = 0;
  for (; a + width <= count; a += width) {
    const Vector gap = hn::Sub(claims, hn::Sub(hn::LoadU(d, fall + a), hn::LoadU(d, u + a)));
    const auto contradicts = hn::Gt(gap, hn::Zero(d));
    if (!hn::AllFalse(d, contradicts)) {
      const Vector curvature = hn::Max(
          hn::Sub(hn::Add(own, hn::LoadU(d, diagonal + a)), hn::Mul(two, widen(values(up, a)))),
          flattest);
      best.see(hn::IfThenElseZero(contradicts, hn::Div(hn::Mul(gap, gap), curvature)), index);
    }
    index = hn::Add(index, width_vector);
  }
  ClaimPartner found;
  bool any = false;
  best.reduce(found.gain, found.at, any);
  for (; a < count; ++a) {
    const double gap = claim - (fall[a] - u[a]);
    if (!(gap > 0)) continue;
    const double curvature =
        std::max(diagonal_up + diagonal[a] - 2.0 * static_cast<double>(up[a]), least);
    const double gain = gap * gap / curvature;
    if (gain > found.gain) found = {gain, a};
  }
  return found;
}

#define RAMPART_CLAIM_LOOPS(Real)                                                          \
  HWY_ATTR std::array<ClaimExtremes, 2> update_##Real(                                     \
      double step, const Real* up, const Real* down, std::size_t count, double* u,         \
      const ClaimColumns* columns, std::size_t layers) {                                   \
    return layers == 1 ? update<Real, 1>(step, up, down, count, u, columns)                \
                       : update<Real, 2>(step, up, down, count, u, columns);               \
  }                                                                                        \
  HWY_ATTR ClaimPartner partner_##Real(double claim, double diagonal_up, double least,     \
                                       const Real* up, std::size_t count, const double* u, \
                                       const double* diagonal, const double* fall) {       \
    return partner(claim, diagonal_up, least, up, count, u, diagonal, fall);               \
  }
RAMPART_CLAIM_LOOPS(float)
RAMPART_CLAIM_LOOPS(double)
#undef RAMPART_CLAIM_LOOPS

}  // namespace rampart::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rampart {

template <>
std::array<ClaimExtremes, 2> update_claims(double step, const float* up, const float* down,
                                           std::size_t count, double* u,
                                           const ClaimColumns* columns, std::size_t layers) {
  return RAMPART_DISPATCH(update_float)(step, up, down, count, u, columns, layers);
}
template <>
std::array<ClaimExtremes, 2> update_claims(double step, const double* up, const double* down,
                                           std::size_t count, double* u,
                                           const ClaimColumns* columns, std::size_t layers) {
  return RAMPART_DISPATCH(update_double)(step, up, down, count, u, columns, layers);
}
template <>
ClaimPartner best_claim_partner(double claim, double diagonal_up, double least, const float* up,
                                std::size_t count, const double* u, const double* diagonal,
                                const double* fall) {
  return RAMPART_DISPATCH(partner_float)(claim, diagonal_up, least, up, count, u, diagonal, fall);
}
template <>
ClaimPartner best_claim_partner(double claim, double diagonal_up, double least, const double* up,
                                std::size_t count, const double* u, const double* diagonal,
                                const double* fall) {
  return RAMPART_DISPATCH(partner_double)(claim, diagonal_up, least, up, count, u, diagonal, fall);
}

}  // namespace rampart
#endif
