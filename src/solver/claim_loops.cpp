#include "solver/claim_loops.hpp"

#include <type_traits>

#include "util/instruction_set.hpp"

// Highway includes this file once for every instruction set.
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

/// Rows per block of the search for the largest value.
constexpr std::size_t block_rows = 64;

/// The largest value of each lane, and the first block that has it. Its row in the block is found
/// at the end, which saves one comparison and two selections per vector.
struct Best {
  Vector value;
  Vector block;

  HWY_INLINE void see(Vector largest_of_block, Vector number) {
    const auto better = hn::Gt(largest_of_block, value);
    value = hn::IfThenElse(better, largest_of_block, value);
    block = hn::IfThenElse(better, number, block);
  }

  /// The largest of all lanes if it is above `best`, with the first row that has it.
  template <class ValueAt>
  HWY_INLINE void find(double& best, std::size_t& best_at, const ValueAt& value_at) const {
    HWY_ALIGN double lane_value[HWY_MAX_BYTES / sizeof(double)];
    HWY_ALIGN double lane_block[HWY_MAX_BYTES / sizeof(double)];
    hn::Store(value, Doubles(), lane_value);
    hn::Store(block, Doubles(), lane_block);
    double first_block = 0;
    bool found = false;
    for (std::size_t k = 0; k < hn::Lanes(Doubles()); ++k) {
      if (lane_value[k] > best || (found && lane_value[k] == best && lane_block[k] < first_block)) {
        best = lane_value[k];
        first_block = lane_block[k];
        found = true;
      }
    }
    if (!found) return;
    best_at = static_cast<std::size_t>(first_block) * block_rows;
    const std::size_t last = best_at + block_rows - 1;
    while (best_at < last && value_at(best_at) != best) ++best_at;
  }
};

template <class Real, std::size_t layers>
HWY_INLINE std::array<ViolatingPair, max_layers> update(double step, const Real* up,
                                                        const Real* down, std::size_t count,
                                                        double* HWY_RESTRICT u,
                                                        const ClaimTable& claims) {
  const double* rise[layers];
  const double* fall[layers];
  for (std::size_t r = 0; r < layers; ++r) {
    rise[r] = claims.rise[r].data();
    fall[r] = claims.fall[r].data();
  }
  const Doubles d;
  const std::size_t width = hn::Lanes(d);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Vector steps = hn::Set(d, step);
  const Vector none = hn::Set(d, -infinity);
  Best high[layers];
  Best low[layers];  // negated: the same search
  for (std::size_t r = 0; r < layers; ++r) high[r] = low[r] = {none, hn::Zero(d)};
  const std::size_t whole = count - count % width;
  Vector number = hn::Zero(d);
  for (std::size_t begin = 0; begin < whole; begin += block_rows) {
    const std::size_t end = std::min(whole, begin + block_rows);
    Vector highest[layers];
    Vector lowest[layers];
    for (std::size_t r = 0; r < layers; ++r) highest[r] = lowest[r] = none;
    for (std::size_t a = begin; a < end; a += width) {
      Vector now = hn::LoadU(d, u + a);
      if (up != nullptr) {
        // The difference is computed in the precision of the rows, its product with the step in
        // double.
        const Vector change = hn::Mul(steps, widen(hn::Sub(values(up, a), values(down, a))));
        now = hn::Add(now, change);
        hn::StoreU(now, d, u + a);
      }
      HWY_UNROLL(2)
      for (std::size_t r = 0; r < layers; ++r) {
        highest[r] = hn::Max(highest[r], hn::Sub(hn::LoadU(d, rise[r] + a), now));
        lowest[r] = hn::Max(lowest[r], hn::Sub(now, hn::LoadU(d, fall[r] + a)));
      }
    }
    for (std::size_t r = 0; r < layers; ++r) {
      high[r].see(highest[r], number);
      low[r].see(lowest[r], number);
    }
    number = hn::Add(number, hn::Set(d, 1.0));
  }
  std::array<ViolatingPair, max_layers> pairs;
  for (std::size_t r = 0; r < layers; ++r) {
    auto& [riser, faller] = pairs[r];
    riser.layer = faller.layer = r;
    double negated = -infinity;
    high[r].find(riser.value, riser.at, [&](std::size_t a) { return rise[r][a] - u[a]; });
    low[r].find(negated, faller.at, [&](std::size_t a) { return u[a] - fall[r][a]; });
    faller.value = -negated;
  }
  for (std::size_t a = whole; a < count; ++a) {
    if (up != nullptr) u[a] += step * static_cast<double>(up[a] - down[a]);
    const double now = u[a];
    for (std::size_t r = 0; r < layers; ++r) {
      const double lower = rise[r][a] - now;
      const double upper = fall[r][a] - now;
      if (lower > pairs[r].riser.value) pairs[r].riser = {lower, r, a};
      if (upper < pairs[r].faller.value) pairs[r].faller = {upper, r, a};
    }
  }
  return pairs;
}

template <class Real>
HWY_INLINE BestPartner partner(double claim, double diagonal_up, double least, const Real* up,
                               std::size_t count, const double* u, const double* diagonal,
                               const double* fall) {
  const Doubles d;
  const std::size_t width = hn::Lanes(d);
  const Vector claims = hn::Set(d, claim);
  const Vector own = hn::Set(d, diagonal_up);
  const Vector two = hn::Set(d, 2.0);
  const Vector flattest = hn::Set(d, least);
  Best best{hn::Zero(d), hn::Zero(d)};
  const std::size_t whole = count - count % width;
  Vector number = hn::Zero(d);
  for (std::size_t begin = 0; begin < whole; begin += block_rows) {
    const std::size_t end = std::min(whole, begin + block_rows);
    Vector largest = hn::Zero(d);
    for (std::size_t a = begin; a < end; a += width) {
      const Vector gap = hn::Sub(claims, hn::Sub(hn::LoadU(d, fall + a), hn::LoadU(d, u + a)));
      const auto contradicts = hn::Gt(gap, hn::Zero(d));
      if (hn::AllFalse(d, contradicts)) continue;
      const Vector curvature = hn::Max(
          hn::Sub(hn::Add(own, hn::LoadU(d, diagonal + a)), hn::Mul(two, widen(values(up, a)))),
          flattest);
      const Vector gain = hn::Div(hn::Mul(gap, gap), curvature);
      largest = hn::Max(largest, hn::IfThenElseZero(contradicts, gain));
    }
    best.see(largest, number);
    number = hn::Add(number, hn::Set(d, 1.0));
  }
  const auto gain_at = [&](std::size_t a) {
    const double gap = claim - (fall[a] - u[a]);
    if (!(gap > 0)) return 0.0;
    const double curvature =
        std::max(least, diagonal_up + diagonal[a] - 2.0 * static_cast<double>(up[a]));
    return gap * gap / curvature;
  };
  BestPartner found;
  best.find(found.gain, found.at, gain_at);
  for (std::size_t a = whole; a < count; ++a) {
    const double gain = gain_at(a);
    if (gain > found.gain) found = {gain, a};
  }
  return found;
}

/// Few rows are found, so several are tested together.
template <bool above>
HWY_INLINE void find(double bound, const double* column, const double* u, std::size_t count,
                     std::vector<std::uint32_t>& rows) {
  const Doubles d;
  const std::size_t width = hn::Lanes(d);
  const std::size_t together = 4 * width;
  const Vector bounds = hn::Set(d, bound);
  const auto look = [&](std::size_t a) HWY_ATTR {
    const Vector claim = hn::Sub(hn::LoadU(d, column + a), hn::LoadU(d, u + a));
    return above ? hn::Gt(claim, bounds) : hn::Lt(claim, bounds);
  };
  const auto note = [&](std::size_t begin, std::size_t end) {
    for (std::size_t a = begin; a < end; ++a) {
      const double claim = column[a] - u[a];
      if (above ? claim > bound : claim < bound) rows.push_back(static_cast<std::uint32_t>(a));
    }
  };
  std::size_t a = 0;
  for (; a + together <= count; a += together) {
    const auto any =
        hn::Or(hn::Or(look(a), look(a + width)), hn::Or(look(a + 2 * width), look(a + 3 * width)));
    if (!hn::AllFalse(d, any)) note(a, a + together);
  }
  note(a, count);
}
HWY_ATTR void find_above(double bound, const double* rise, const double* u, std::size_t count,
                         std::vector<std::uint32_t>& rows) {
  find<true>(bound, rise, u, count, rows);
}
HWY_ATTR void find_below(double bound, const double* fall, const double* u, std::size_t count,
                         std::vector<std::uint32_t>& rows) {
  find<false>(bound, fall, u, count, rows);
}

#define RAMPART_CLAIM_LOOPS(Real)                                                            \
  HWY_ATTR std::array<ViolatingPair, max_layers> update_##Real(                              \
      double step, const Real* up, const Real* down, ClaimTable& claims) {                   \
    double* u = claims.u.data();                                                             \
    return claims.layers == 1 ? update<Real, 1>(step, up, down, claims.u.size(), u, claims)  \
                              : update<Real, 2>(step, up, down, claims.u.size(), u, claims); \
  }                                                                                          \
  HWY_ATTR BestPartner partner_##Real(double claim, double diagonal_up, double least,        \
                                      const Real* up, std::size_t count, const double* u,    \
                                      const double* diagonal, const double* fall) {          \
    return partner(claim, diagonal_up, least, up, count, u, diagonal, fall);                 \
  }
RAMPART_CLAIM_LOOPS(float)
RAMPART_CLAIM_LOOPS(double)
#undef RAMPART_CLAIM_LOOPS

}  // namespace rampart::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rampart {

void ClaimTable::resize(std::size_t layer_count, std::size_t rows) {
  layers = layer_count;
  u.resize(rows);
  for (std::size_t r = 0; r < layers; ++r) {
    rise[r].resize(rows);
    fall[r].resize(rows);
  }
}

void find_claims_above(double bound, const double* rise, std::span<const double> u,
                       std::vector<std::uint32_t>& rows) {
  RAMPART_DISPATCH(find_above)(bound, rise, u.data(), u.size(), rows);
}
void find_claims_below(double bound, const double* fall, std::span<const double> u,
                       std::vector<std::uint32_t>& rows) {
  RAMPART_DISPATCH(find_below)(bound, fall, u.data(), u.size(), rows);
}

template <>
std::array<ViolatingPair, max_layers> update_claims(double step, const float* up, const float* down,
                                                    ClaimTable& claims) {
  return RAMPART_DISPATCH(update_float)(step, up, down, claims);
}
template <>
std::array<ViolatingPair, max_layers> update_claims(double step, const double* up,
                                                    const double* down, ClaimTable& claims) {
  return RAMPART_DISPATCH(update_double)(step, up, down, claims);
}
template <>
BestPartner best_partner(double claim, double diagonal_up, double least, const float* up,
                         std::span<const double> u, const double* diagonal, const double* fall) {
  return RAMPART_DISPATCH(partner_float)(claim, diagonal_up, least, up, u.size(), u.data(),
                                         diagonal, fall);
}
template <>
BestPartner best_partner(double claim, double diagonal_up, double least, const double* up,
                         std::span<const double> u, const double* diagonal, const double* fall) {
  return RAMPART_DISPATCH(partner_double)(claim, diagonal_up, least, up, u.size(), u.data(),
                                          diagonal, fall);
}

}  // namespace rampart
#endif
