#include "model/json_numbers.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "rampart/errors.hpp"
#include "util/number.hpp"

namespace rampart {
namespace {

using Json = nlohmann::ordered_json;

std::string written(double value) {
  std::string text;
  append_json_array(text, std::span<const double>(&value, 1));
  return text.substr(1, text.size() - 2);
}

// Any finite double, but often a short decimal, of any size.
double any_finite(std::mt19937_64& random) {
  for (;;) {
    double value = std::bit_cast<double>(random());
    if (random() % 4 != 0) {
      const auto digits = static_cast<std::int64_t>(random() >> (1 + random() % 60));
      const auto exponent = static_cast<int>(random() % (random() % 2 == 0 ? 12 : 40));
      const std::string text = std::to_string(digits) + "e-" + std::to_string(exponent);
      value = parse_number(text).value;
    }
    if (std::isfinite(value)) return value;
  }
}

// "12500" for "0.0125e7": what is left of a number without its point and size.
std::string digits_of(const std::string& number) {
  std::string digits;
  for (const char c : number.substr(0, number.find('e'))) {
    if (c >= '0' && c <= '9') digits += c;
  }
  digits.erase(0, digits.find_first_not_of('0'));
  digits.erase(digits.find_last_not_of('0') + 1);
  return digits;
}

TEST(JsonNumbers, AreTheShortestThatReadBackToTheSameBits) {
  std::mt19937_64 random(7);
  int unlike = 0;
  constexpr int count = 300'000;
  for (int k = 0; k < count; ++k) {
    const double value = any_finite(random);
    const std::string text = written(value);
    const Json read = Json::parse(text);
    ASSERT_TRUE(read.is_number_float()) << text;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(read.get<double>()), std::bit_cast<std::uint64_t>(value))
        << text;
    std::array<char, 32> shortest{};
    std::to_chars(shortest.begin(), shortest.end(), value, std::chars_format::scientific);
    ASSERT_EQ(digits_of(text), digits_of(shortest.data())) << text;
    // nlohmann writes the same, but for the few numbers whose shortest form it misses.
    const std::string other = Json(value).dump();
    unlike += text != other;
    ASSERT_TRUE(text == other || digits_of(text) != digits_of(other)) << text << ' ' << other;
  }
  EXPECT_LT(unlike, count / 100);
}

TEST(JsonNumbers, AreSpeltAsTheLibrarySpellsThem) {
  for (const double value : {0.0,
                             -0.0,
                             1.0,
                             -1.0,
                             10.0,
                             0.1,
                             0.5,
                             0.0001,
                             0.00012,
                             0.00001,
                             1.25e-5,
                             123456789.0,
                             1e14,
                             1e15,
                             123456789012345.0,
                             1234567890123456.0,
                             1e16,
                             1e22,

                             1.5e300,
                             5e-324,
                             0.3,
                             2e-7,
                             2.2250738585072014e-308,
                             1.7976931348623157e308,
                             999999999999999.0,
                             0.999999999999999,
                             99999999.5,
                             1.0 / 3,
                             2.0 / 3 * 1e10,
                             9007199254740993.0,
                             4503599627370496.5}) {
    EXPECT_EQ(written(value), Json(value).dump());
    EXPECT_EQ(written(-value), Json(-value).dump());
  }
  std::string text;
  append_json_array(text, std::span<const double>());
  append_json_array(text, std::vector<std::uint32_t>{0, 4294967295});
  append_json_array(text, std::vector<std::size_t>(300, 18446744073709551615U));
  EXPECT_TRUE(text.starts_with("[][0,4294967295][18446744073709551615,1844"));
  EXPECT_EQ(Json::parse(text.substr(text.rfind('['))).size(), 300U);
}

TEST(JsonNumbers, ThatAreNotFiniteAreRefused) {
  for (const double value : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(static_cast<void>(written(value)), ModelError);
  }
}

// The JSON that was there before the numbers were taken out.
Json put_back(const Json& json, const TakenNumbers& taken) {
  if (json.is_object() && json.contains(TakenNumbers::key)) {
    const auto& array = taken.arrays.at(json[TakenNumbers::key].get<std::size_t>());
    const auto numbers = taken.numbers(array);
    if (!array.whole) return Json(std::vector<double>(numbers.begin(), numbers.end()));
    return Json(std::vector<std::uint64_t>(numbers.begin(), numbers.end()));
  }
  Json whole = json;
  if (json.is_structured()) {
    for (auto& item : whole) item = put_back(item, taken);
  }
  return whole;
}

TEST(JsonNumbers, TakenOutAndPutBackTheyAreTheSameText) {
  for (const std::string text :
       {"[1,2,3]", R"({"a":[1.5,-2.0,1e-05],"b":["x",[1]],"c":[],"d":[[1,2],[3.5,4.0]]})",
        R"({"[1,2]":"[3]","b":[0.1]} )", " [ 1 ,\n2\t, 3\r] ", "[1,true]", "[1,[2]]", "7",
        "[18446744073709551616.0]", "[0.30000000000000004,12345678901234567]"}) {
    const auto taken = take_numbers(text);
    ASSERT_TRUE(taken) << text;
    const Json expected = Json::parse(text);
    const Json found = put_back(Json::parse(taken->rest), *taken);
    EXPECT_EQ(found, expected) << text;
  }
  EXPECT_EQ(take_numbers("[1,2,3]")->rest, R"({"#":0})");
}

TEST(JsonNumbers, WhatIsNotJsonIsLeftToTheLibraryToRefuse) {
  for (const std::string text :
       {"[01]",    "[1.]",   "[.5]",  "[+1]",    "[-]",   "[1e]",  "[1.e5]", "[1,]", "[,1]",
        "[1 2]",   "[1",     "[0x1]", "[nan]",   "[1]]",  "[-01]", "[00]",   "[1]2", "[--1]",
        "[1e5.5]", "[1..2]", "[1\v]", "{[1]:2}", "\"[1]", "[1e+]", "[1-2]"}) {
    const auto taken = take_numbers(text);
    ASSERT_FALSE(Json::accept(text)) << text;
    EXPECT_TRUE(!taken || !Json::accept(taken->rest)) << text;
  }
}

TEST(JsonNumbers, ATextThatCouldSpellTheMarkItselfIsLeftAlone) {
  EXPECT_FALSE(take_numbers(R"({"a":{"#":0},"b":[1]})"));
  EXPECT_FALSE(take_numbers(R"({"a":{"\u0023":0},"b":[1]})"));
  EXPECT_TRUE(take_numbers(R"({"a":{"# ":0},"b":[1]})"));
}

TEST(JsonNumbers, TheIntegerMinusZeroIsZero) {
  EXPECT_FALSE(std::signbit(take_numbers("[-0]")->values[0]));
  EXPECT_TRUE(std::signbit(take_numbers("[-0.0]")->values[0]));
  EXPECT_FALSE(take_numbers("[-0]")->arrays[0].whole);
}

}  // namespace
}  // namespace rampart
