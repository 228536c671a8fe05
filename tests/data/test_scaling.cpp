#include "rampart/dataset.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <cmath>

#include "data/support.hpp"

namespace rampart {
namespace {

using ::testing::ThrowsMessage;
using testing_support::row;

// Rows of moderate values: the laws below hold up to rounding.
Rows moderate_rows() {
  Rows x = *testing_support::any_rows();
  std::vector<double> values = *rc::gen::container<std::vector<double>>(
      x.size() * x.columns(),
      rc::gen::map(rc::gen::inRange(-500, 500), [](int k) { return k / 7.0; }));
  return Rows::dense(x.columns(), values);
}

bool is_constant(const Rows& x, std::size_t j) {
  for (std::size_t n = 1; n < x.size(); ++n) {
    if (row(x, n)[j] != row(x, 0)[j]) return false;
  }
  return true;
}

RC_GTEST_PROP(ScalingTest, MinMaxMapsTrainingFeaturesOntoZeroToOne, ()) {
  const Rows x = moderate_rows();
  const Rows scaled = Scaling::fit(ScalingKind::minmax, x).apply(x);
  for (std::size_t j = 0; j < x.columns(); ++j) {
    double least = 1, most = 0;
    for (std::size_t n = 0; n < x.size(); ++n) {
      least = std::min(least, row(scaled, n)[j]);
      most = std::max(most, row(scaled, n)[j]);
    }
    RC_ASSERT(least == 0);
    RC_ASSERT(std::abs(most - (is_constant(x, j) ? 0 : 1)) < 1e-12);
  }
}

RC_GTEST_PROP(ScalingTest, StandardGivesMeanZeroAndDeviationOne, ()) {
  const Rows x = moderate_rows();
  const Rows scaled = Scaling::fit(ScalingKind::standard, x).apply(x);
  for (std::size_t j = 0; j < x.columns(); ++j) {
    double sum = 0, squares = 0;
    for (std::size_t n = 0; n < x.size(); ++n) {
      sum += row(scaled, n)[j];
      squares += row(scaled, n)[j] * row(scaled, n)[j];
    }
    const auto count = static_cast<double>(x.size());
    RC_ASSERT(std::abs(sum / count) < 1e-9);
    RC_ASSERT(std::abs(squares / count - (is_constant(x, j) ? 0 : 1)) < 1e-9);
  }
}

RC_GTEST_PROP(ScalingTest, ImpliedZerosCountLikeStoredOnes, (const Rows& x)) {
  for (const auto kind : {ScalingKind::minmax, ScalingKind::standard}) {
    try {
      const Scaling of_dense = Scaling::fit(kind, x.to_dense());
      const Scaling of_sparse = Scaling::fit(kind, x);
      RC_ASSERT(of_sparse.offset == of_dense.offset);
      for (std::size_t j = 0; j < x.columns(); ++j) {
        const double a = of_sparse.factor[j], b = of_dense.factor[j];
        RC_ASSERT(std::abs(a - b) <= 1e-12 * std::abs(b));
      }
      const Rows one = of_dense.apply(x), other = of_dense.apply(x.to_dense());
      for (std::size_t n = 0; n < x.size(); ++n) RC_ASSERT(row(one, n) == row(other, n));
    } catch (const InputError&) {
      RC_DISCARD("too far apart to scale");
    }
  }
}

RC_GTEST_PROP(ScalingTest, NoneChangesNothing, (const Rows& x)) {
  RC_ASSERT(Scaling::fit(ScalingKind::none, x).apply(x) == x);
  RC_ASSERT(Scaling::fit(ScalingKind::none, x) == Scaling{});
}

TEST(ScalingTest, AFeatureConstantInTrainingNeverSpeaksUp) {
  const Rows x = Rows::dense(2, {0.1, 1, 0.1, 2, 0.1, 4});
  const Rows later = Rows::dense(2, {1e300, 3});
  for (const auto kind : {ScalingKind::minmax, ScalingKind::standard}) {
    const Scaling scaling = Scaling::fit(kind, x);
    EXPECT_EQ(scaling.offset[0], 0.1);
    EXPECT_EQ(scaling.factor[0], 0);
    EXPECT_EQ(row(scaling.apply(later), 0)[0], 0);
  }
}

TEST(ScalingTest, SparseRowsStaySparseWhereZerosStayZero) {
  const Rows x = Rows::sparse(3, {0, 1, 2}, {0, 2}, {4, 2});
  const Rows scaled = Scaling::fit(ScalingKind::minmax, x).apply(x);
  EXPECT_FALSE(scaled.is_dense());
  EXPECT_EQ(row(scaled, 0), (std::vector<double>{1, 0, 0}));
  EXPECT_TRUE(Scaling::fit(ScalingKind::standard, x).apply(x).is_dense());
}

TEST(ScalingTest, SparseRowsStaySparseWhereFewZerosAreFilled) {
  constexpr std::uint32_t columns = 100;
  const Rows x = Rows::sparse(columns, {0, 2, 3, 3}, {7, 99, 50}, {4, 2, -1});
  const Scaling scaling = Scaling::fit(ScalingKind::standard, x);
  const Rows scaled = scaling.apply(x);
  EXPECT_FALSE(scaled.is_dense());
  EXPECT_EQ(scaled.stored_values(), 9u) << "three columns in three rows";
  const Rows dense = scaling.apply(x.to_dense());
  for (std::size_t n = 0; n < x.size(); ++n) EXPECT_EQ(row(scaled, n), row(dense, n));
}

TEST(ScalingTest, FeaturesThatSparseRowsLackAreZeros) {
  const Scaling scaling{ScalingKind::standard, {1, 2, 3}, {1, 2, 1}};
  const Rows narrow = Rows::sparse(1, {0, 1}, {0}, {5});
  EXPECT_EQ(scaling.apply(narrow), Rows::dense(3, {4, -4, -3}));
}

TEST(ScalingTest, FillingTheZerosOfAHugeSparseSetIsRefused) {
  constexpr std::size_t columns = 1'000'000;
  const Scaling scaling{ScalingKind::standard, std::vector<double>(columns, 1),
                        std::vector<double>(columns, 1)};
  const Rows x = Rows::sparse(columns, std::vector<std::size_t>(601, 0), {}, {});
  EXPECT_THAT(
      [&] { static_cast<void>(scaling.apply(x)); },
      ThrowsMessage<InputError>("scaling would fill the zeros of 600 sparse rows of 1000000 "
                                "features, which takes 4 GiB; do without scaling"));
}

TEST(ScalingTest, ValuesNeitherOverflowNorVanishWhenSquared) {
  for (const double unit : {1e-200, 1e200}) {
    const Rows x = Rows::dense(1, {unit, 3 * unit});
    const Rows scaled = Scaling::fit(ScalingKind::standard, x).apply(x);
    EXPECT_NEAR(row(scaled, 0)[0], -1, 1e-12);
    EXPECT_NEAR(row(scaled, 1)[0], 1, 1e-12);
  }
}

TEST(ScalingTest, ValuesTooFarApartToScaleAreRefused) {
  const Rows x = Rows::dense(1, {-1.5e308, 1.5e308});
  EXPECT_THAT(
      [&] { static_cast<void>(Scaling::fit(ScalingKind::minmax, x)); },
      ThrowsMessage<InputError>("feature 1: values from -1.5e+308 to 1.5e+308 cannot be scaled"));
}

TEST(Centre, MovesOnlyWhatLiesFarFromZeroInEveryRow) {
  const Rows x = Rows::dense(4, {1e9, 5, 1e9, 7, 1e9 + 2, 5, 0, 8, 1e9 + 1, 5, 1e9, 9});
  const Scaling scaling = Scaling::fit(ScalingKind::centre, x);
  EXPECT_EQ(scaling.kind, ScalingKind::centre);
  EXPECT_EQ(scaling.offset, (std::vector<double>{1e9 + 1, 5, 0, 0}));
  EXPECT_EQ(scaling.factor, (std::vector<double>{1, 0, 1, 1}));
  EXPECT_EQ(scaling.apply(x), Rows::dense(4, {-1, 0, 1e9, 7, 1, 0, 0, 8, 0, 0, 1e9, 9}));
  EXPECT_EQ(Scaling::fit(ScalingKind::centre, Rows::dense(1, {1, 2})), Scaling{});
}

TEST(Centre, LeavesSparseRowsSparse) {
  const Rows x = Rows::sparse(1000, {0, 2, 5}, {3, 7, 3, 7, 900}, {1e9, 4, 1e9 + 2, 4, 0.5});
  const Rows moved = Scaling::fit(ScalingKind::centre, x).apply(x);
  EXPECT_EQ(moved, Rows::sparse(1000, {0, 1, 3}, {3, 3, 900}, {-1, 1, 0.5}));
  const Rows all = Rows::sparse(2, {0, 2, 4}, {0, 1, 0, 1}, {1e9, -1e9, 1e9 + 2, -1e9 - 2});
  EXPECT_FALSE(Scaling::fit(ScalingKind::centre, all).apply(all).is_dense());
}

}  // namespace
}  // namespace rampart
