#include "util/number.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <bit>
#include <cmath>

namespace rampart {
namespace {

RC_GTEST_PROP(Number, ReadsBackEveryFiniteDoubleToTheSameBits, (std::uint64_t bits)) {
  const auto value = std::bit_cast<double>(bits);
  RC_PRE(std::isfinite(value));
  const ParsedNumber read = parse_number(format_number(value));
  RC_ASSERT(read.is_finite());
  RC_ASSERT(std::bit_cast<std::uint64_t>(read.value) == bits);
}

TEST(Number, AcceptsOneLeadingPlus) {
  EXPECT_EQ(parse_number("+1.5").value, 1.5);
  EXPECT_EQ(parse_number("+1.5").status, NumberStatus::finite);
  EXPECT_EQ(parse_number("++1").status, NumberStatus::not_a_number);
  EXPECT_EQ(parse_number("+-1").status, NumberStatus::not_a_number);
  EXPECT_EQ(parse_number("+").status, NumberStatus::not_a_number);
}

TEST(Number, TakesTheWholeTokenOrNothing) {
  for (const char* token :
       {"", " ", "1 ", " 1", "1x", "1e", "1,5", "0x10", "abc", "-", ".", "1.2.3"}) {
    EXPECT_EQ(parse_number(token).status, NumberStatus::not_a_number) << token;
  }
}

TEST(Number, TellsWhatIsNotFiniteFromWhatIsNoNumber) {
  for (const char* token : {"nan", "NaN", "-nan", "inf", "+inf", "-Infinity", "1e999", "-1e999"}) {
    EXPECT_EQ(parse_number(token).status, NumberStatus::not_finite) << token;
  }
  EXPECT_EQ(parse_number("nano").status, NumberStatus::not_a_number);
}

TEST(Number, WhatIsTooSmallForADoubleIsZero) {
  EXPECT_TRUE(parse_number("1e-999").is_finite());
  EXPECT_EQ(parse_number("1e-999").value, 0);
}

RC_GTEST_PROP(Number, IntegersOutsideTheirBoundsAreRefused, (std::int32_t value)) {
  const std::string text = std::to_string(value);
  RC_ASSERT(parse_integer(text, value, value) == value);
  RC_ASSERT(!parse_integer(text, std::int64_t{value} + 1, INT64_MAX));
  RC_ASSERT(!parse_integer(text, INT64_MIN, std::int64_t{value} - 1));
}

TEST(Number, IntegersAreDigitsOnly) {
  for (const char* token : {"", "+1", "1.0", "1e3", " 1", "1 ", "99999999999999999999"}) {
    EXPECT_FALSE(parse_integer(token, INT64_MIN, INT64_MAX)) << token;
  }
}

}  // namespace
}  // namespace rampart
