#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "rampart/train.hpp"
#include "train/zone.hpp"

namespace rampart {
namespace {

TEST(Zone, FollowsTheTableOfTheDualVariables) {
  const double rho = 2;
  const double mu = 0.5;  // ramps: [1.75, 2.5] and [−2.25, −1.5]
  EXPECT_EQ(zone_of(2.6, rho, mu), Zone::safe);
  EXPECT_EQ(zone_of(2.5, rho, mu), Zone::margin);
  EXPECT_EQ(zone_of(1.75, rho, mu), Zone::margin);
  EXPECT_EQ(zone_of(1.7, rho, mu), Zone::plateau);
  EXPECT_EQ(zone_of(-1.4, rho, mu), Zone::plateau);
  EXPECT_EQ(zone_of(-1.5, rho, mu), Zone::near_miss);
  EXPECT_EQ(zone_of(-2.25, rho, mu), Zone::near_miss);
  EXPECT_EQ(zone_of(-2.3, rho, mu), Zone::ignored_outlier);
}

RC_GTEST_PROP(Zone, NeverGetsBetterAsTheMarginFalls, ()) {
  const double rho = *rc::gen::inRange(0, 300) / 100.0;
  const double mu = *rc::gen::inRange(1, 101) / 100.0;
  const double t = *rc::gen::inRange(-500, 500) / 100.0;
  RC_ASSERT(zone_of(t, rho, mu) >= zone_of(t + 0.01, rho, mu));
}

TEST(Zone, RowsWithinTheSlackOfAKinkCountAsSupportVectors) {
  EXPECT_EQ(zone_of(3.0005, 2, 1), Zone::safe);
  EXPECT_EQ(zone_of(3.0005, 2, 1, 1e-3), Zone::margin);
  EXPECT_EQ(zone_of(-0.9995, 2, 1, 1e-3), Zone::near_miss);
}

}  // namespace
}  // namespace rampart
