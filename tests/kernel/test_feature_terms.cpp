#include "kernel/feature_terms.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "util/every_target.hpp"

namespace rampart {
namespace {

template <class Real, std::size_t features>
void expect_a_plain_loop(bool distances) {
  for (const std::size_t count : {1, 2, 3, 7, 8, 9, 31, 64}) {
    std::vector<std::vector<Real>> columns(features);
    std::array<const Real*, features> z{};
    std::vector<Real> x;
    for (std::size_t j = 0; j < features; ++j) {
      for (std::size_t i = 0; i < count; ++i) {
        columns[j].push_back(static_cast<Real>(1) / static_cast<Real>(3 + i + 5 * j));
      }
      z[j] = columns[j].data();
      x.push_back(static_cast<Real>(1) / static_cast<Real>(7 + j));
    }
    std::vector<Real> expected(count, static_cast<Real>(0.1));
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < features; ++j) {
        const Real difference = z[j][i] - x[j];
        expected[i] += distances ? difference * difference : z[j][i] * x[j];
      }
    }
    testing_support::with_every_target([&](const char* name) {
      std::vector<Real> sums(count, static_cast<Real>(0.1));
      add_terms(distances, x.data(), z, count, sums.data());
      EXPECT_EQ(sums, expected) << name << ", " << count;
    });
  }
}

TEST(FeatureTerms, AreThoseOfAPlainLoopOnEveryInstructionSet) {
  for (const bool distances : {false, true}) {
    expect_a_plain_loop<float, 1>(distances);
    expect_a_plain_loop<float, 4>(distances);
    expect_a_plain_loop<double, 1>(distances);
    expect_a_plain_loop<double, 4>(distances);
  }
}

}  // namespace
}  // namespace rampart
