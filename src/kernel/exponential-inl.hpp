// Per-target code, included by files that Highway compiles once for every instruction set; hence a
// guard that flips with each of them.
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

/// What exp(x) = 2ⁿ·exp(r), |r| ≤ ln2/2, needs in a precision.
template <class Real>
struct ExpConstants;
template <>
struct ExpConstants<float> {
  static constexpr float least = -87.3F;           // below it the result is no normal number: 0
  static constexpr float round_up = 0x1.8p23F;     // x + this: x rounded, in the lowest bits
  static constexpr float ln2_high = 0.693359375F;  // n times it is exact
  static constexpr float ln2_low = -2.12194440e-4F;
  static constexpr int mantissa_bits = 23;
  static constexpr int terms = 7;  // r⁸/8! < 6e-9
};
template <>
struct ExpConstants<double> {
  static constexpr double least = -708.3;
  static constexpr double round_up = 0x1.8p52;
  static constexpr double ln2_high = 0x1.62e42fefa0000p-1;
  static constexpr double ln2_low = 0x1.cf79abc9e3b39p-40;
  static constexpr int mantissa_bits = 52;
  static constexpr int terms = 12;  // r¹³/13! < 2e-16
};

template <class Real>
inline constexpr auto inverse_factorials = [] {
  std::array<Real, 13> values{};
  double factorial = 1;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (k > 0) factorial *= static_cast<double>(k);
    values[k] = static_cast<Real>(1 / factorial);
  }
  return values;
}();

/// exp(x) for x ≤ 0, the only arguments an RBF kernel has: half the work of Highway's Exp.
template <class D, class V = hwy::HWY_NAMESPACE::Vec<D>>
HWY_INLINE V exp_of_nonpositive(D d, V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  using Real = hn::TFromD<D>;
  using Constants = ExpConstants<Real>;
  const hn::RebindToSigned<D> bits;
  const V round_up = hn::Set(d, Constants::round_up);
  const V kept = hn::Max(x, hn::Set(d, Constants::least));
  const V shifted = hn::MulAdd(kept, hn::Set(d, static_cast<Real>(1.4426950408889634)), round_up);
  const V n = hn::Sub(shifted, round_up);
  const V high = hn::NegMulAdd(n, hn::Set(d, Constants::ln2_high), kept);
  const V r = hn::NegMulAdd(n, hn::Set(d, Constants::ln2_low), high);
  V sum = hn::Set(d, inverse_factorials<Real>[Constants::terms]);
  HWY_UNROLL(16)
  for (int k = Constants::terms - 1; k >= 0; --k) {
    sum = hn::MulAdd(sum, r, hn::Set(d, inverse_factorials<Real>[k]));
  }
  const auto exponent = hn::ShiftLeft<Constants::mantissa_bits>(hn::BitCast(bits, shifted));
  const V result = hn::BitCast(d, hn::Add(hn::BitCast(bits, sum), exponent));
  return hn::IfThenElseZero(hn::Ge(x, hn::Set(d, Constants::least)), result);
}

}  // namespace rampart::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
