#include "kernel/fourier.hpp"

#include "util/instruction_set.hpp"

// Highway compiles this file once for every instruction set, by including it again and again.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/fourier.cpp"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace rampart::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// cos t + sin t = √2·sin(t + π/4), for |t| up to `largest_angle`. The multiple of π nearest to
/// t + π/4 is taken off in parts of 26 bits, whose products with it are exact.
template <class Tag, class Vector>
HWY_INLINE Vector cosine_plus_sine(Tag lanes, Vector t) {
  const auto set = [&](double value) { return hn::Set(lanes, value); };
  const auto q = hn::Round(hn::MulAdd(t, set(0.31830988618379067154), set(0.25)));
  auto r = hn::NegMulAdd(q, set(3.14159262180328369141), t);
  r = hn::NegMulAdd(q, set(3.17865094245917134685e-8), r);
  r = hn::NegMulAdd(q, set(1.22464679914735296065e-16), r);
  r = hn::Add(r, set(0.78539816339744830962));
  // −1 to the power of q: q minus twice the half of it, rounded down, is 0 or 1.
  const auto odd = hn::NegMulAdd(set(2.0), hn::Floor(hn::Mul(q, set(0.5))), q);
  const auto sign = hn::NegMulAdd(set(2.0), odd, set(1.0));
  const auto s = hn::Mul(r, r);
  auto p = set(-7.97255955009037868891952e-18);
  p = hn::MulAdd(p, s, set(2.81009972710863200091251e-15));
  p = hn::MulAdd(p, s, set(-7.64712219118158833288484e-13));
  p = hn::MulAdd(p, s, set(1.60590430605664501629054e-10));
  p = hn::MulAdd(p, s, set(-2.50521083763502045810755e-08));
  p = hn::MulAdd(p, s, set(2.75573192239198747630416e-06));
  p = hn::MulAdd(p, s, set(-0.000198412698412696162806809));
  p = hn::MulAdd(p, s, set(0.00833333333333332974823815));
  p = hn::MulAdd(p, s, set(-0.166666666666666657414808));
  const auto sine = hn::MulAdd(hn::Mul(s, p), r, r);
  return hn::Mul(hn::Mul(sign, set(1.41421356237309504880)), sine);
}

HWY_ATTR void cosines_plus_sines_here(double* values, std::size_t count) {
  constexpr double largest_angle = 1e7;
  const hn::ScalableTag<double> lanes;
  const std::size_t width = hn::Lanes(lanes);
  HWY_ALIGN std::array<double, HWY_MAX_BYTES / sizeof(double)> some{};
  for (std::size_t i = 0; i < count; i += width) {
    const std::size_t here = std::min(width, count - i);
    std::copy(values + i, values + i + here, some.begin());
    const auto t = hn::Load(lanes, some.data());
    const bool small = hn::AllTrue(lanes, hn::Le(hn::Abs(t), hn::Set(lanes, largest_angle)));
    const auto found = cosine_plus_sine(lanes, t);
    if (small && here == width) {
      hn::StoreU(found, lanes, values + i);
      continue;
    }
    HWY_ALIGN std::array<double, HWY_MAX_BYTES / sizeof(double)> out;
    hn::Store(found, lanes, out.data());
    for (std::size_t k = 0; k < here; ++k) {
      const double angle = some[k];
      values[i + k] = std::abs(angle) <= largest_angle ? out[k] : std::cos(angle) + std::sin(angle);
    }
  }
}

}  // namespace rampart::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rampart {

void cosines_plus_sines(std::span<double> values) {
  RAMPART_DISPATCH(cosines_plus_sines_here)(values.data(), values.size());
}

void cosines_plus_sines(std::span<float> values) {
  constexpr std::size_t together = 64;
  std::array<double, together> some{};
  for (std::size_t i = 0; i < values.size(); i += together) {
    const std::span<float> part = values.subspan(i, std::min(together, values.size() - i));
    std::copy(part.begin(), part.end(), some.begin());
    cosines_plus_sines(std::span(some).first(part.size()));
    std::transform(some.begin(), some.begin() + static_cast<std::ptrdiff_t>(part.size()),
                   part.begin(), [](double value) { return static_cast<float>(value); });
  }
}

}  // namespace rampart
#endif
