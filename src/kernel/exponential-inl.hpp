// Per-target code, included by files that Highway compiles once for every instruction set: the
// include guard toggles with each of them.
#if defined(RAMPART_KERNEL_EXPONENTIAL_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef RAMPART_KERNEL_EXPONENTIAL_INL_HPP
#undef RAMPART_KERNEL_EXPONENTIAL_INL_HPP
#else
#define RAMPART_KERNEL_EXPONENTIAL_INL_HPP
#endif

#include <hwy/highway.h>

#include <array>
#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace rampart::HWY_NAMESPACE {

/// 2^t = 2ⁿ·2^f with n whole and |f| ≤ ½; 2^f is 1 + Σ powers[k]·f^(k+1), the polynomial of this
/// degree whose largest relative error is least (Remez): 3e-9 in float, 2e-17 in double.
template <class Real>
struct ExpConstants;
template <>
struct ExpConstants<float> {
  static constexpr float least = -127;          // 2ⁿ underflows to 0
  static constexpr float round_up = 0x1.8p23F;  // t + round_up holds round(t) in its lowest bits
  static constexpr float log2_e = 0x1.715476p0F;
  static constexpr float ln2_high = 0.693359375F;  // n·ln2_high is exact
  static constexpr float ln2_low = -2.12194440e-4F;
  static constexpr int mantissa_bits = 23;
  static constexpr std::array powers{0x1.62e432p-1F, 0x1.ebfbe2p-3F,  0x1.c6ae72p-5F,
                                     0x1.3b270ep-7F, 0x1.5f7276p-10F, 0x1.470b4ap-13F};
};
template <>
struct ExpConstants<double> {
  static constexpr double least = -1023;
  static constexpr double round_up = 0x1.8p52;
  static constexpr double log2_e = 0x1.71547652b82fep0;
  static constexpr double ln2_high = 0x1.62e42fefa0000p-1;
  static constexpr double ln2_low = 0x1.cf79abc9e3b39p-40;
  static constexpr int mantissa_bits = 52;
  static constexpr std::array powers{
      0x1.62e42fefa39f3p-1,  0x1.ebfbdff82c598p-3,  0x1.c6b08d7048f31p-5,  0x1.3b2ab6fba1e1cp-7,
      0x1.5d87fe7bbbe07p-10, 0x1.4309130961163p-13, 0x1.ffcbee3b0af8cp-17, 0x1.62bfd49ed0adfp-20,
      0x1.b54167a0b9061p-24, 0x1.e605f979c7a5dp-28, 0x1.c0638527edf34p-32};
};

/// 2ⁿ·2^f, n being in the lowest bits of `shifted`.
template <class D, class V = hwy::HWY_NAMESPACE::Vec<D>>
HWY_INLINE V scaled_power(D d, V shifted, V f) {
  namespace hn = hwy::HWY_NAMESPACE;
  using Constants = ExpConstants<hn::TFromD<D>>;
  const hn::RebindToSigned<D> bits;
  // Terms in pairs, as a polynomial in f²: a single chain of dependent operations is slower.
  constexpr auto& powers = Constants::powers;
  constexpr std::size_t pairs = powers.size() / 2;
  const auto pair = [&](std::size_t k) HWY_ATTR {
    return hn::MulAdd(hn::Set(d, powers[2 * k + 1]), f, hn::Set(d, powers[2 * k]));
  };
  const V square = hn::Mul(f, f);
  V sum = powers.size() % 2 == 1 ? hn::Set(d, powers.back()) : pair(pairs - 1);
  HWY_UNROLL(16)
  for (std::size_t k = powers.size() % 2 == 1 ? 0 : 1; k < pairs; ++k) {
    sum = hn::MulAdd(sum, square, pair(pairs - 1 - k));
  }
  sum = hn::MulAdd(sum, f, hn::Set(d, 1));
  const auto exponent = hn::ShiftLeft<Constants::mantissa_bits>(hn::BitCast(bits, shifted));
  return hn::BitCast(d, hn::Add(hn::BitCast(bits, sum), exponent));
}

/// 2^t for t ≤ 0: 0 for t ≤ least, and some subnormal number for t just above it.
template <class D, class V = hwy::HWY_NAMESPACE::Vec<D>>
HWY_INLINE V power_of_two(D d, V t) {
  namespace hn = hwy::HWY_NAMESPACE;
  using Constants = ExpConstants<hn::TFromD<D>>;
  const V round_up = hn::Set(d, Constants::round_up);
  const V kept = hn::Max(t, hn::Set(d, Constants::least));
  const V shifted = hn::Add(kept, round_up);
  return scaled_power(d, shifted, hn::Sub(kept, hn::Sub(shifted, round_up)));
}

/// exp(x) for x ≤ 0: half the work of Highway's Exp.
template <class D, class V = hwy::HWY_NAMESPACE::Vec<D>>
HWY_INLINE V exp_of_nonpositive(D d, V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  using Real = hn::TFromD<D>;
  using Constants = ExpConstants<Real>;
  constexpr Real least = (Constants::least + 1) * Constants::ln2_high;
  const V round_up = hn::Set(d, Constants::round_up);
  const V log2_e = hn::Set(d, Constants::log2_e);
  const V kept = hn::Max(x, hn::Set(d, least));
  const V shifted = hn::MulAdd(kept, log2_e, round_up);
  const V n = hn::Sub(shifted, round_up);
  const V high = hn::NegMulAdd(n, hn::Set(d, Constants::ln2_high), kept);
  const V rest = hn::NegMulAdd(n, hn::Set(d, Constants::ln2_low), high);
  const V result = scaled_power(d, shifted, hn::Mul(rest, log2_e));
  return hn::IfThenElseZero(hn::Ge(x, hn::Set(d, least)), result);
}

}  // namespace rampart::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
