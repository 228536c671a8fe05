#include "data/split_file.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <algorithm>
#include <cmath>
#include <map>

#include "data/packed.hpp"
#include "data/support.hpp"
#include "data/with_file.hpp"

namespace rampart {
namespace {

using testing_support::with_file;

struct Parts {
  std::string training;
  std::string test;
  std::vector<SplitClass> classes;
};

Parts split(std::string_view text, const SplitOptions& options = {}) {
  Parts parts;
  parts.classes = with_file(text, [&](const std::string& path) {
    return split_file(path, options, [&](bool to_test, std::string_view piece) {
      (to_test ? parts.test : parts.training) += piece;
    });
  });
  return parts;
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    all.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

RC_GTEST_PROP(SplitFile, EveryRowIsOnOneSideAndEveryClassHasItsShare, ()) {
  const auto labels = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 3));
  SplitOptions options{.test_share = *rc::gen::inRange(1, 20) / 20.0,
                       .seed = *rc::gen::inRange<std::uint64_t>(0, 100)};
  std::string text = "n,y\n";
  std::vector<std::string> rows;
  // Enough rows for both sides.
  for (int n = 0; n < 60; ++n) rows.push_back(std::to_string(n) + ",a");
  for (std::size_t n = 0; n < labels.size(); ++n) {
    rows.push_back("r" + std::to_string(n) + "," + "abc"[labels[n]]);
  }
  for (const std::string& row : rows) text += row + "\n";
  const Parts parts = split(text, options);
  auto training = lines(parts.training);
  auto test = lines(parts.test);
  RC_ASSERT(training.front() == "n,y" && test.front() == "n,y");
  std::vector<std::string> all(training.begin() + 1, training.end());
  all.insert(all.end(), test.begin() + 1, test.end());
  std::ranges::sort(all);
  std::ranges::sort(rows);
  RC_ASSERT(all == rows);
  for (const SplitClass& one : parts.classes) {
    const double count = static_cast<double>(one.training + one.test);
    RC_ASSERT(std::abs(static_cast<double>(one.test) - options.test_share * count) < 1.0 + 1e-6);
  }
}

TEST(SplitFile, TheSeedDecides) {
  std::string text = "a,y\n";
  for (int n = 0; n < 100; ++n) text += std::to_string(n) + (n % 2 ? ",p\n" : ",q\n");
  EXPECT_EQ(split(text, {.seed = 3}).test, split(text, {.seed = 3}).test);
  EXPECT_NE(split(text, {.seed = 3}).test, split(text, {.seed = 4}).test);
  const Parts parts = split(text, {.test_share = 0.3});
  EXPECT_EQ(lines(parts.test).size(), 31u);
  EXPECT_EQ(split(testing_support::gzip(text)).test, split(text).test);
}

TEST(SplitFile, RowsAreCopiedAsTheyAre) {
  std::string text = "# note\n\"the, name\" ;y\r\n";
  std::string row = " \"a\n\"\"b\"\"\" ; p\r\n";
  for (int n = 0; n < 4; ++n) text += row + "\n";
  text += "x;q";
  const Parts parts = split(text, {.test_share = 0.5});
  EXPECT_EQ(parts.training,
            "\"the, name\" ;y\r\n" + row + row + (parts.test.ends_with("x;q\n") ? "" : "x;q\n"));
  EXPECT_EQ(lines(parts.training).size() + lines(parts.test).size(), 2u + 8u + 1u);
}

TEST(SplitFile, ArffAndLibsvmFilesAreSplitToo) {
  const std::string head = "% c\n@relation r\n@attribute a real\n@attribute y {0,1}\n@data\n";
  std::string text = head;
  std::string sparse;
  for (int n = 0; n < 20; ++n) {
    text += std::to_string(n) + (n % 2 ? ",0\n" : ",1\n");
    sparse += (n % 2 ? "1 3:" : "-1 3:") + std::to_string(n) + "\n";
  }
  const Parts parts = split(text, {.test_share = 0.2});
  EXPECT_TRUE(parts.training.starts_with(head) && parts.test.starts_with(head));
  EXPECT_EQ(lines(parts.test).size(), 5u + 4u);
  EXPECT_EQ(lines(split(sparse, {.test_share = 0.2}).test).size(), 4u);
}

TEST(SplitFile, AGroupIsOnOneSide) {
  std::string text = "who,a,y\n";
  for (int n = 0; n < 300; ++n) {
    text += "g" + std::to_string(n % 50) + "," + std::to_string(n) + (n % 2 ? ",p\n" : ",q\n");
  }
  SplitOptions options{.read = {.group = "who"}};
  const Parts parts = split(text, options);
  std::map<std::string, int> sides;
  for (const std::string& line : lines(parts.training)) sides[line.substr(0, line.find(','))] |= 1;
  for (const std::string& line : lines(parts.test)) sides[line.substr(0, line.find(','))] |= 2;
  sides.erase("who");
  EXPECT_EQ(sides.size(), 50u);
  for (const auto& [group, side] : sides) EXPECT_NE(side, 3) << group;
}

TEST(SplitFile, WhatCannotBeSplitIsRefused) {
  EXPECT_THROW(split("a,y\n1,p\n2,q\n", {.test_share = 0}), OptionError);
  EXPECT_THROW(split("a,y\n1,p\n2,q\n", {.test_share = 1}), OptionError);
  EXPECT_THROW(split("a,y\n"), InputError);
  EXPECT_THROW(split("a,y\n1,p\n1\n"), InputError);
  std::string many = "a,y\n";
  for (int n = 0; n < 200; ++n) many += "1,label" + std::to_string(n) + "\n";
  EXPECT_THROW(split(many), InputError);
}

}  // namespace
}  // namespace rampart
