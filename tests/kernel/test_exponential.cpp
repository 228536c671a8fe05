#include "kernel/exponential.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace rampart {
namespace {

template <class Real>
void expect_close_to_the_library(Real most_negative) {
  std::vector<Real> values;
  for (int k = 0; k <= 5000; ++k) values.push_back(most_negative * static_cast<Real>(k) / 5000);
  std::vector<Real> found = values;
  exponentials(std::span(found), Real{-1});
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double truth = std::exp(-static_cast<double>(values[i]));
    const double unit = std::numeric_limits<Real>::epsilon() * truth;
    ASSERT_NEAR(static_cast<double>(found[i]), truth, 2 * unit) << -values[i];
  }
}

TEST(Exponentials, AreWithinTwoUnitsInTheLastPlace) {
  expect_close_to_the_library<float>(80);
  expect_close_to_the_library<double>(650);
}

TEST(Exponentials, OfZeroIsOneAndFarBelowIsZero) {
  std::vector<double> values{0, 1e4, 1e300, std::numeric_limits<double>::infinity()};
  exponentials(std::span(values), -1.0);
  EXPECT_EQ(values, (std::vector<double>{1, 0, 0, 0}));
  std::vector<float> floats{0, 1e4F, 1e30F, std::numeric_limits<float>::infinity()};
  exponentials(std::span(floats), -1.0F);
  EXPECT_EQ(floats, (std::vector<float>{1, 0, 0, 0}));
}

TEST(Exponentials, DoNotDependOnWhereAValueStands) {
  for (std::size_t size = 1; size < 40; ++size) {
    std::vector<float> values(size, 1.2345F);
    exponentials(std::span(values), -0.7F);
    for (const float value : values) ASSERT_EQ(value, values.front()) << size;
    std::vector<float> one{1.2345F};
    exponentials(std::span(one), -0.7F);
    ASSERT_EQ(one.front(), values.front());
  }
}

}  // namespace
}  // namespace rampart
