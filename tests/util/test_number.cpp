#include "util/number.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "util/plain_number.hpp"

namespace rampart {
namespace {

RC_GTEST_PROP(Number, ReadsBackEveryFiniteDoubleToTheSameBits, (std::uint64_t bits)) {
  const auto value = std::bit_cast<double>(bits);
  RC_PRE(std::isfinite(value));
  const ParsedNumber read = parse_number(format_number(value));
  RC_ASSERT(read.is_finite());
  RC_ASSERT(std::bit_cast<std::uint64_t>(read.value) == bits);
}

// What the C library reads, whose locale is "C" in tests.
std::uint64_t bits_by_strtod(const std::string& text) {
  return std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), nullptr));
}

TEST(Number, PlainDecimalsAreReadToTheBitsOfTheCLibrary) {
  std::mt19937_64 random(1);
  std::string text;
  const auto append_digits = [&](std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) text += static_cast<char>('0' + random() % 10);
  };
  for (int k = 0; k < 1'000'000; ++k) {
    text = random() % 2 == 0 ? "-" : "";
    append_digits(1 + random() % (k % 4 == 0 ? 20 : 4));
    if (random() % 4 > 0) {
      text += '.';
      append_digits(1 + random() % 20);
    }
    const ParsedNumber read = parse_number(text);
    ASSERT_TRUE(read.is_finite()) << text;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(read.value), bits_by_strtod(text)) << text;
  }
}

TEST(Number, TheBoundsOfPlainDecimalsAreReadToTheBitsOfTheCLibrary) {
  for (const std::string text : {"0",
                                 "-0",
                                 "-0.0",
                                 "00",
                                 "007.50",
                                 "9007199254740991",
                                 "9007199254740992",
                                 "9007199254740993",
                                 "9007199254740995",
                                 "900719925474099.3",
                                 "0.9007199254740993",
                                 "0.0000000000000000001",
                                 "0.00000000000000000001",
                                 "9999999999999999999",
                                 "18446744073709551615",
                                 "18446744073709551616",
                                 "99999999.99999999",
                                 "1234567.8",
                                 "12345678.1",
                                 "0.1234567",
                                 "0.12345678",
                                 "0.123456789",
                                 "5.",
                                 ".5",
                                 "-.5"}) {
    const ParsedNumber read = parse_number(text);
    ASSERT_TRUE(read.is_finite()) << text;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(read.value), bits_by_strtod(text)) << text;
  }
}

TEST(Number, APlainDecimalEndsWhereItsDigitsEnd) {
  // Every character behind and before a digit, at every place of a block of eight.
  for (int c = 0; c < 256; ++c) {
    for (std::size_t digits = 1; digits < 12; ++digits) {
      const std::string number = "1." + std::string(digits, '7');
      const std::string text = number + static_cast<char>(c) + "777777777";
      double value = 0;
      const char* const end = take_plain_number(text.data(), text.data() + text.size(), value);
      if (c >= '0' && c <= '9') continue;
      ASSERT_EQ(end, text.data() + number.size()) << text;
      ASSERT_EQ(value, std::strtod(number.c_str(), nullptr)) << text;
    }
  }
}

TEST(Number, NothingIsReadBehindTheEnd) {
  for (const std::string_view text : {"1", "-", "1.", "1.5", "1.1234567", "1.12345678"}) {
    const std::vector<char> exact(text.begin(), text.end());  // the sanitizer watches its end
    double value = 0;
    const char* const end = take_plain_number(exact.data(), exact.data() + exact.size(), value);
    EXPECT_TRUE(end == nullptr || end == exact.data() + exact.size()) << text;
  }
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

TEST(Number, NothingIsNoNumber) {
  EXPECT_NE(parse_number(std::string_view{}).status, NumberStatus::finite);
  EXPECT_NE(parse_number("").status, NumberStatus::finite);
}

// Digits come from another algorithm than std::to_chars, which defines what is written.
TEST(Number, IsWrittenAsTheStandardLibraryWritesIt) {
  const auto written = [](double value) {
    std::array<char, 64> text;
    return std::string(text.data(), std::to_chars(text.data(), text.data() + 64, value).ptr);
  };
  std::mt19937_64 random(1);
  std::vector<double> values = {
      0.0,    -0.0,   1,   -1,  10,  1e5,  1e-5, 123456, 1e22,   1e23,
      0x1p53, 0x1p54, 0.1, 0.3, 100, 1e15, 1e16, 1e17,   5e-324, 1.7976931348623157e308};
  for (int k = 0; k < 400'000; ++k) {
    const auto bits = random();
    values.push_back(std::bit_cast<double>(bits));
    const double small = static_cast<double>(random() % 1'000'000'007) /
                         std::pow(10.0, static_cast<double>(random() % 16));
    values.push_back(k % 2 == 0 ? small : -small);
    values.push_back(std::ldexp(static_cast<double>(bits >> 11), -static_cast<int>(random() % 75)));
  }
  for (int exponent = -25; exponent <= 25; ++exponent) {
    for (const double digits : {1.0, 1.5, 1.25, 9.0, 9.99, 1.2345678901234567}) {
      values.push_back(digits * std::pow(10.0, exponent));
      values.push_back(std::nextafter(values.back(), 0.0));
    }
  }
  for (const double value : values) ASSERT_EQ(format_number(value), written(value));
}

}  // namespace
}  // namespace rampart
