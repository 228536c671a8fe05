#include "kernel/fourier.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "util/instruction_set.hpp"

namespace rampart {
namespace {

TEST(CosinesPlusSines, AreThoseOfTheLibrary) {
  std::vector<double> angles;
  for (int k = -20000; k <= 20000; ++k) angles.push_back(k * 0.00137);
  for (double size = 1; size < 1e15; size *= 3.7) angles.insert(angles.end(), {size, -size});
  for (const InstructionSet set : available_instruction_sets()) {
    force_instruction_set(set);
    std::vector<double> found = angles;
    cosines_plus_sines(found);
    for (std::size_t k = 0; k < angles.size(); ++k) {
      ASSERT_NEAR(found[k], std::cos(angles[k]) + std::sin(angles[k]), 1e-15)
          << angles[k] << ' ' << to_string(set);
    }
  }
  force_instruction_set(std::nullopt);
  std::vector<float> floats{0, 1, -2.5F};
  cosines_plus_sines(floats);
  for (std::size_t k = 0; k < 3; ++k) {
    const double angle = std::vector<double>{0, 1, -2.5}[k];
    EXPECT_FLOAT_EQ(floats[k], static_cast<float>(std::cos(angle) + std::sin(angle)));
  }
}

TEST(CosinesPlusSines, OfWhatIsNotFiniteIsNotANumber) {
  const double infinite = std::numeric_limits<double>::infinity();
  std::vector<double> values{infinite, -infinite, std::nan(""), 0};
  cosines_plus_sines(values);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_TRUE(std::isnan(values[k]));
  EXPECT_EQ(values[3], 1);
}

TEST(CosinesPlusSines, DoNotDependOnWhereAValueStands) {
  std::vector<double> one{0.8125};
  cosines_plus_sines(one);
  for (std::size_t size = 1; size < 40; ++size) {
    std::vector<double> values(size, 0.8125);
    values.back() = size % 2 == 0 ? 1e9 : 0.8125;  // a large angle takes another way
    cosines_plus_sines(values);
    for (std::size_t k = 0; k + 1 < size; ++k) ASSERT_EQ(values[k], one.front()) << size;
  }
}

}  // namespace
}  // namespace rampart
