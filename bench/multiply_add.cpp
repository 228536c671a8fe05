// The most multiply-adds of floats that one core does: independent chains in registers, no memory.

#include "multiply_add.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "multiply_add.cpp"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace rampart::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

HWY_ATTR double chains(std::size_t rounds) {
  const hn::ScalableTag<float> lanes;
  const auto a = hn::Set(lanes, 0.999F);
  const auto b = hn::Set(lanes, 0.001F);
  auto c0 = a, c1 = a, c2 = a, c3 = a, c4 = a, c5 = a, c6 = a, c7 = a, c8 = a, c9 = a;
  for (std::size_t k = 0; k < rounds; ++k) {
    c0 = hn::MulAdd(c0, a, b);
    c1 = hn::MulAdd(c1, a, b);
    c2 = hn::MulAdd(c2, a, b);
    c3 = hn::MulAdd(c3, a, b);
    c4 = hn::MulAdd(c4, a, b);
    c5 = hn::MulAdd(c5, a, b);
    c6 = hn::MulAdd(c6, a, b);
    c7 = hn::MulAdd(c7, a, b);
    c8 = hn::MulAdd(c8, a, b);
    c9 = hn::MulAdd(c9, a, b);
  }
  const auto sum = hn::Add(hn::Add(hn::Add(c0, c1), hn::Add(c2, c3)),
                           hn::Add(hn::Add(hn::Add(c4, c5), hn::Add(c6, c7)), hn::Add(c8, c9)));
  volatile float kept = hn::GetLane(sum);  // or all of this could be left out
  static_cast<void>(kept);
  return 2.0 * 10.0 * static_cast<double>(hn::Lanes(lanes)) * static_cast<double>(rounds);
}

}  // namespace rampart::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rampart {
HWY_EXPORT(chains);
double multiply_add_chains(std::size_t rounds) { return HWY_DYNAMIC_DISPATCH(chains)(rounds); }
}  // namespace rampart
#endif
