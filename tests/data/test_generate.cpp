#include "data/generate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <cmath>

#include "data/support.hpp"
#include "util/sha256.hpp"

namespace rampart {
namespace {

using ::testing::ThrowsMessage;
using testing_support::row;
using enum SyntheticSet;

constexpr SyntheticSet all_sets[] = {synthetic1, synthetic2, square};

// The label that the rule of the set gives before any is flipped.
int true_label(SyntheticSet set, const std::vector<double>& x) {
  return (set == square ? x[1] >= x[0] : x[0] >= 0) ? 1 : -1;
}

std::size_t flipped(SyntheticSet set, const Dataset& data) {
  std::size_t count = 0;
  for (std::size_t n = 0; n < data.size(); ++n)
    count += data.y[n] != true_label(set, row(data.x, n));
  return count;
}

RC_GTEST_PROP(Generate, SameSeedSameRowsOtherSeedOtherRows, (std::uint64_t seed)) {
  for (const auto set : all_sets) {
    RC_ASSERT(generate(set, 50, seed) == generate(set, 50, seed));
    RC_ASSERT(!(generate(set, 50, seed) == generate(set, 50, seed + 1)));
  }
}

RC_GTEST_PROP(Generate, TheFileHasTheSameBitsAsTheMemory, (std::uint64_t seed)) {
  for (const auto set : all_sets) {
    const Dataset data = generate(set, 40, seed);
    RC_ASSERT(parse_dataset(to_csv(data), "file") == data);
  }
}

RC_GTEST_PROP(Generate, Synthetic1FlipsATenthOfTheLabels, (std::uint64_t seed)) {
  const auto rows = *rc::gen::inRange<std::size_t>(2, 500);
  const Dataset data = generate(synthetic1, rows, seed);
  RC_ASSERT(flipped(synthetic1, data) ==
            static_cast<std::size_t>(std::floor(static_cast<double>(rows) / 10 + .5)));
  std::size_t left = 0;
  for (std::size_t n = 0; n < rows; ++n) {
    const auto x = row(data.x, n);
    RC_ASSERT(std::abs(x[0]) <= 10);
    RC_ASSERT(std::abs(x[1]) <= 5);
    left += x[0] < 0;
  }
  RC_ASSERT(left <= (rows + 1) / 2);
}

RC_GTEST_PROP(Generate, SquareFlipsAFifthOfTheLabelsNearTheDiagonal, (std::uint64_t seed)) {
  const auto rows = *rc::gen::inRange<std::size_t>(2, 500);
  const Dataset data = generate(square, rows, seed);
  std::size_t near_the_diagonal = 0;
  for (std::size_t n = 0; n < rows; ++n) {
    const auto x = row(data.x, n);
    RC_ASSERT((x[0] >= 0 && x[0] <= 1 && x[1] >= 0 && x[1] <= 1));
    const bool is_near = std::abs(x[1] - x[0]) < .225;
    near_the_diagonal += is_near;
    if (!is_near) RC_ASSERT(data.y[n] == true_label(square, x));
  }
  RC_ASSERT(flipped(square, data) == std::min((rows + 2) / 5, near_the_diagonal));
}

RC_GTEST_PROP(Generate, Synthetic2IsHalfAndHalf, (std::uint64_t seed)) {
  const auto rows = *rc::gen::inRange<std::size_t>(2, 200);
  const Dataset data = generate(synthetic2, rows, seed);
  RC_ASSERT(std::ranges::count(data.y, 1) == static_cast<std::ptrdiff_t>(rows / 2));
}

TEST(Generate, AnotherProblemSeedMovesTheCentresOfSynthetic2Only) {
  EXPECT_NE(generate(synthetic2, 20, 1, 1), generate(synthetic2, 20, 1, 2));
  EXPECT_EQ(generate(synthetic1, 20, 1, 1), generate(synthetic1, 20, 1, 2));
  EXPECT_EQ(generate(square, 20, 1, 1), generate(square, 20, 1, 2));
}

TEST(Generate, ClassesAreMixed) {
  for (const auto set : all_sets) {
    const Dataset data = generate(set, paper_size(set), 1);
    const auto half = data.y.begin() + static_cast<std::ptrdiff_t>(data.size() / 2);
    const auto first = std::count(data.y.begin(), half, 1);
    const auto second = std::count(half, data.y.end(), 1);
    EXPECT_LT(std::abs(first - second), static_cast<std::ptrdiff_t>(data.size() / 8));
  }
}

TEST(Generate, PaperSizes) {
  EXPECT_EQ(paper_size(synthetic1), 300u);
  EXPECT_EQ(paper_size(synthetic2), 200u);
  EXPECT_EQ(paper_size(square), 400u);
}

TEST(Generate, FewerThanTwoRowsAreRefused) {
  EXPECT_THAT([] { static_cast<void>(generate(square, 1, 1)); },
              ThrowsMessage<OptionError>("rows = 1: must be at least 2"));
}

// The file format promises the same bytes on every platform and in every version.
std::string sha256(std::string_view bytes) {
  Sha256 digest;
  digest.add(bytes);
  return digest.finish();
}

TEST(Generate, TheBytesNeverChange) {
  const std::string one = to_csv(generate(synthetic1, 300, 1));
  const std::string two = to_csv(generate(synthetic2, 200, 1));
  const std::string three = to_csv(generate(square, 400, 1));
  EXPECT_EQ(one.substr(0, 80),
            "x1,x2,label\n0.104914,0.002843,1\n9.545145,-0.36155,1\n-3.823274,-2.445572,-1\n9.006");
  EXPECT_EQ(two.substr(0, 80),
            "x1,x2,label\n2.879489,-0.025503,1\n1.997587,1.04124,1\n-0.555621,1.209484,1\n1.04919");
  EXPECT_EQ(three.substr(0, 80),
            "x1,x2,label\n0.331797,0.658226,1\n0.992486,0.821822,1\n0.802417,0.052404,-1\n0.79087");
  EXPECT_EQ(sha256(one), "27cebef577d9e823958511003dae137b8e5aa5437c84d09f08504989d9c2b311");
  EXPECT_EQ(sha256(two), "7008b56a4aa8ff6977fadff80cd55d72955cb54cc5a73f22283f4625f3ab4eb4");
  EXPECT_EQ(sha256(three), "e9f459f8666fee4804a10f8c8a8f279a5dcb0b59129912d73dca59c1da29a1bc");
}

}  // namespace
}  // namespace rampart
