#include "kernel/exponential.hpp"

#include <type_traits>

#include "util/instruction_set.hpp"

// Highway compiles this file once for every instruction set, by including it again and again.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/exponential.cpp"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "kernel/exponential-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rampart::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class Real>
HWY_ATTR void exponentials_of(Real* values, std::size_t count, Real factor) {
  const hn::ScalableTag<Real> lanes;
  const auto scale = hn::Set(lanes, factor);
  const std::size_t width = hn::Lanes(lanes);
  std::size_t i = 0;
  for (; i + width <= count; i += width) {
    const auto v = hn::LoadU(lanes, values + i);
    hn::StoreU(exp_of_nonpositive(lanes, hn::Mul(scale, v)), lanes, values + i);
  }
  if (i < count) {  // the rest, filled up with zeros: the same instructions, the same bits
    HWY_ALIGN std::array<Real, HWY_MAX_BYTES / sizeof(Real)> rest{};
    std::copy(values + i, values + count, rest.begin());
    hn::Store(exp_of_nonpositive(lanes, hn::Mul(scale, hn::Load(lanes, rest.data()))), lanes,
              rest.data());
    std::copy(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(count - i), values + i);
  }
}

HWY_ATTR void exponentials_float(float* values, std::size_t count, float factor) {
  exponentials_of(values, count, factor);
}
HWY_ATTR void exponentials_double(double* values, std::size_t count, double factor) {
  exponentials_of(values, count, factor);
}

}  // namespace rampart::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rampart {

void exponentials(std::span<float> values, float factor) {
  RAMPART_DISPATCH(exponentials_float)(values.data(), values.size(), factor);
}
void exponentials(std::span<double> values, double factor) {
  RAMPART_DISPATCH(exponentials_double)(values.data(), values.size(), factor);
}

}  // namespace rampart
#endif
