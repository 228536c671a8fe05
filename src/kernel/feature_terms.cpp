#include "kernel/feature_terms.hpp"

// Highway compiles this file once for every instruction set, by including it again and again.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/feature_terms.cpp"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace rampart::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <bool distances, class Real>
HWY_INLINE void add(const Real* x, const Real* const* z, std::size_t features, std::size_t count,
                    Real* HWY_RESTRICT sums) {
  const hn::ScalableTag<Real> lanes;
  const std::size_t width = hn::Lanes(lanes);
  std::size_t i = 0;
  for (; i + width <= count; i += width) {
    auto sum = hn::LoadU(lanes, sums + i);
    for (std::size_t j = 0; j < features; ++j) {
      const auto value = hn::LoadU(lanes, z[j] + i);
      const auto own = hn::Set(lanes, x[j]);
      if constexpr (distances) {
        const auto difference = hn::Sub(value, own);
        sum = hn::Add(sum, hn::Mul(difference, difference));
      } else {
        sum = hn::Add(sum, hn::Mul(value, own));
      }
    }
    hn::StoreU(sum, lanes, sums + i);
  }
  for (; i < count; ++i) {
    for (std::size_t j = 0; j < features; ++j) {
      if constexpr (distances) {
        const Real difference = z[j][i] - x[j];
        sums[i] += difference * difference;
      } else {
        sums[i] += z[j][i] * x[j];
      }
    }
  }
}

#define RAMPART_ADD(name, distances, Real, features)                                       \
  HWY_ATTR void name(const Real* x, const Real* const* z, std::size_t count, Real* sums) { \
    add<distances>(x, z, features, count, sums);                                           \
  }
RAMPART_ADD(squares_of_one_float, true, float, 1)
RAMPART_ADD(squares_of_four_float, true, float, 4)
RAMPART_ADD(products_of_one_float, false, float, 1)
RAMPART_ADD(products_of_four_float, false, float, 4)
RAMPART_ADD(squares_of_one_double, true, double, 1)
RAMPART_ADD(squares_of_four_double, true, double, 4)
RAMPART_ADD(products_of_one_double, false, double, 1)
RAMPART_ADD(products_of_four_double, false, double, 4)
#undef RAMPART_ADD

}  // namespace rampart::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rampart {

#define RAMPART_ADD_TERMS(Real, features, number)                                           \
  HWY_EXPORT(squares_of_##number##_##Real);                                                 \
  HWY_EXPORT(products_of_##number##_##Real);                                                \
  template <>                                                                               \
  void add_terms(bool distances, const Real* x, const std::array<const Real*, features>& z, \
                 std::size_t count, Real* sums) {                                           \
    if (distances) {                                                                        \
      HWY_DYNAMIC_DISPATCH(squares_of_##number##_##Real)(x, z.data(), count, sums);         \
    } else {                                                                                \
      HWY_DYNAMIC_DISPATCH(products_of_##number##_##Real)(x, z.data(), count, sums);        \
    }                                                                                       \
  }
RAMPART_ADD_TERMS(float, 1, one)
RAMPART_ADD_TERMS(float, 4, four)
RAMPART_ADD_TERMS(double, 1, one)
RAMPART_ADD_TERMS(double, 4, four)
#undef RAMPART_ADD_TERMS

}  // namespace rampart
#endif
