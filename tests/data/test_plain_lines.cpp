// Plain LIBSVM lines are read eight characters at a time; what is read is what the C library reads,
// or what parse_libsvm_line() does, to the last bit.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "data/place.hpp"
#include "data/plain_lines.hpp"
#include "data/word_ends.hpp"
#include "util/eight_digits.hpp"
#include "util/every_target.hpp"
#include "util/number.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

std::vector<std::uint32_t> word_ends_of(std::string_view text) {
  std::vector<std::uint32_t> places(room_for_word_ends(text.size()));
  places.resize(find_word_ends(text, places.data()));
  return places;
}

struct Found {
  bool plain = false;
  std::string label;
  std::size_t width = 0;
  std::vector<std::uint32_t> indices;
  std::vector<std::uint64_t> bits;  // of the values

  bool operator==(const Found&) const = default;
};

Found found_in(const LibsvmLine& line, const std::vector<std::uint32_t>& indices,
               const std::vector<double>& values) {
  Found found{true, std::string(line.label), line.row.width, {}, {}};
  for (std::size_t k = 0; k < line.row.count; ++k) {
    found.indices.push_back(indices[k]);
    found.bits.push_back(std::bit_cast<std::uint64_t>(values[k]));
  }
  return found;
}

/// As a plain line, with exactly the characters behind it that may be read.
Found plain(const std::string& line, const LibsvmRules& rules = {}) {
  const std::string text = line + "\n" + std::string(read_behind_line, '7');
  const std::vector<char> exact(text.begin(), text.end());  // the sanitizer watches its end
  const std::vector<std::uint32_t> places = word_ends_of({exact.data(), line.size() + 1});
  std::vector<std::uint32_t> indices(line.size() + 1);
  std::vector<double> values(line.size() + 1);
  LibsvmLine parsed;
  const std::size_t words = parse_plain_line(exact.data(), 0, places.data(), rules, parsed,
                                             indices.data(), values.data());
  if (words == 0) return {};
  EXPECT_EQ(words, places.size());
  return found_in(parsed, indices, values);
}

/// As any line; not plain if it is refused or holds no row.
Found any(const std::string& line, const LibsvmRules& rules = {}) {
  std::vector<std::uint32_t> indices(line.size() + 1);
  std::vector<double> values(line.size() + 1);
  try {
    const std::string text = line + "\n";
    const auto parsed = parse_libsvm_line(text, {}, rules, indices.data(), values.data());
    return parsed ? found_in(*parsed, indices, values) : Found{};
  } catch (const RowError&) {
    return {};
  }
}

RC_GTEST_PROP(PlainLines, EveryInstructionSetFindsTheEndsOfAllWords, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::oneOf(
      rc::gen::arbitrary<char>(), rc::gen::element(' ', ':', '#', '\t', '\r', '\n', '0', '9')));
  const int times = *rc::gen::inRange(1, 5);
  std::string all;
  for (int k = 0; k < times; ++k) all += text + "1";
  std::vector<std::uint32_t> expected;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (is_space(all[k]) || all[k] == ':' || all[k] == '#') {
      expected.push_back(static_cast<std::uint32_t>(k));
    }
  }
  testing_support::with_every_target(
      [&](std::string_view) { RC_ASSERT(word_ends_of(all) == expected); });
}

TEST(PlainLines, EightDigitsAreAWholeNumberOfAnyLength) {
  std::mt19937_64 random(1);
  for (int k = 0; k < 100'000; ++k) {
    const auto count = static_cast<std::size_t>(1 + random() % 8);
    std::string text;
    for (int i = 0; i < 8; ++i) text += static_cast<char>(random());
    for (std::size_t i = 0; i < count; ++i) text[i] = static_cast<char>('0' + random() % 10);
    EightDigits digits;
    ASSERT_EQ(digits.take(text.data(), count), std::stoull(text.substr(0, count)));
    ASSERT_TRUE(digits.all());
    const char odd = static_cast<char>(random());
    text[random() % count] = odd;
    static_cast<void>(digits.take(text.data(), count));
    ASSERT_EQ(digits.all(), odd >= '0' && odd <= '9') << static_cast<int>(odd);
  }
}

TEST(PlainLines, ValuesHaveTheBitsOfTheCLibrary) {
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal;
  std::string number;
  const auto append_digits = [&](std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) number += static_cast<char>('0' + random() % 10);
  };
  for (int k = 0; k < 500'000; ++k) {
    if (k % 4 == 0) {
      number = format_number(normal(random));  // the shortest of 17 digits
    } else {
      number = random() % 2 == 0 ? "-" : "";
      append_digits(random() % 8 == 0 ? random() % 20 : 1);
      if (number.empty() || number == "-" || random() % 8 > 0) number += '.';
      append_digits(1 + random() % (k % 4 == 1 ? 20 : 9));
      if (random() % 16 == 0) number += "e-" + std::to_string(random() % 30);
    }
    const Found found = plain("+1 7:" + number);
    if (!found.plain && number.find('e') != number.npos) continue;  // an exponent looks like digits
    ASSERT_TRUE(found.plain) << number;
    const double expected = std::strtod(number.c_str(), nullptr);
    if (expected == 0) {
      ASSERT_TRUE(found.bits.empty()) << number;
    } else {
      ASSERT_EQ(found.bits, std::vector{std::bit_cast<std::uint64_t>(expected)}) << number;
    }
  }
}

TEST(PlainLines, BoundsAreThoseOfAnyLine) {
  for (const std::string line : {"1 1:0.12345678",
                                 "1 1:0.123456789",
                                 "1 1:9.99999999",
                                 "1 1:-9.99999999",
                                 "1 1:-0.0",
                                 "1 1:0.00000000",
                                 "1 1:5.",
                                 "1 1:.5",
                                 "1 1:-.5",
                                 "1 1:-",
                                 "1 1:.",
                                 "1 1:-.",
                                 "1 1:",
                                 "1 :1",
                                 "1 1",
                                 "1 1:1:1",
                                 "1 1:+5",
                                 "1 1:0x10",
                                 "1 1:1.5.5",
                                 "1 1:1.5x",
                                 "1 1:x.5",
                                 "1 1:nan",
                                 "1 1:inf",
                                 "1 1:1e400",
                                 "1 16777216:1",
                                 "1 16777217:1",
                                 "1 99999999:1",
                                 "1 100000000:1",
                                 "1 00000001:1",
                                 "1 000000001:1",
                                 "1 0:1",
                                 "1 0:3 1:1",
                                 "1 -1:1",
                                 "1 2:1 2:1",
                                 "1 2:1 1:1",
                                 "1 1:1 ",
                                 "1 1:1\r",
                                 "1 1:1 \r",
                                 "1 \t1:1\v2:2\f",
                                 "1 1:1 # 2:x",
                                 "1 1:1# 2:x",
                                 "1#",
                                 "#",
                                 "",
                                 " ",
                                 " 1 1:1",
                                 "1:1",
                                 "1",
                                 "1 ",
                                 "1\r",
                                 "a:b 1:1",
                                 "1 1 :1",
                                 "1 1: 1",
                                 "1 1:1,2:2",
                                 "1 1:0.5 2:0.\x01",
                                 "1 1\xff:1",
                                 "\xff 1:1"}) {
    for (const bool serial_numbers : {false, true}) {
      LibsvmRules rules{.labelled = true, .serial_numbers = serial_numbers, .expected = {}};
      const Found found = plain(line, rules);
      EXPECT_TRUE(!found.plain || found == any(line, rules)) << line;
      rules.expected = 1;
      const Found narrow = plain(line, rules);
      EXPECT_TRUE(!narrow.plain || narrow == any(line, rules)) << line;
    }
  }
}

TEST(PlainLines, UsualLinesArePlain) {
  for (const std::string line : {"+1 1:0.5 20:-0.25", "1 1:1 2:3 ", "-1", "yes 3:12.5\r",
                                 "1 1:0.12345678901234567 2:1e-05 3:255"}) {
    EXPECT_TRUE(plain(line).plain) << line;
    EXPECT_EQ(plain(line), any(line)) << line;
  }
}

RC_GTEST_PROP(PlainLines, ALineIsReadAsAnyOtherOrNotAtAll, ()) {
  const auto words = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      " ", " ", " ", "1", "2", "3", "10", "11", ":", ":", ":", "0.5", "-0.25", "7.12345678", "0",
      "-", ".", "+", "e5", "#", "\t", "\r", "  ", "x", "123456789", "\x01"));
  std::string line = *rc::gen::element<std::string>("+1 ", "1 1:2 ", "");
  for (const std::string& word : words) line += word;
  LibsvmRules rules;
  rules.labelled = *rc::gen::arbitrary<bool>();
  if (*rc::gen::arbitrary<bool>()) rules.expected = 10;
  const Found found = plain(line, rules);
  RC_CLASSIFY(found.plain);
  if (found.plain) RC_ASSERT(found == any(line, rules));
}

}  // namespace
}  // namespace rampart
