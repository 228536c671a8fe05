#include "data/split_file.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "data/describe.hpp"
#include "data/output_file.hpp"
#include "data/packed.hpp"
#include "data/support.hpp"

namespace rampart {
namespace {

// A file of this text, for one call.
template <class Call>
auto with_file(std::string_view text, const Call& call) {
  const std::string path =
      testing::TempDir() + "rampart_split_" + std::to_string(::getpid()) + ".txt";
  OutputFile out(path);
  out.write(text);
  out.commit();
  struct Remove {
    const std::string& path;
    ~Remove() { std::remove(path.c_str()); }
  } remove{path};
  return call(path);
}

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

TableSummary describe(std::string_view text, const ReadOptions& options = {}) {
  return with_file(text, [&](const std::string& path) { return describe_file(path, options); });
}

TEST(Describe, CountsWhatEveryColumnHolds) {
  const TableSummary summary =
      describe("who,sex,age,w,y\na,m,3,1,p\nb,f,?,1,q\nc,m,-2,2,q\nd,,3.0,1,\n",
               {.weight = "w", .id = "who"});
  EXPECT_EQ(summary.rows, 4u);
  EXPECT_EQ(summary.labels, (std::vector<std::string>{"p", "q"}));
  EXPECT_EQ(summary.label_counts, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(summary.unlabelled, 1u);
  ASSERT_EQ(summary.columns.size(), 5u);
  EXPECT_EQ(summary.columns[0].role, ColumnRole::id);
  EXPECT_EQ(summary.columns[3].role, ColumnRole::weight);
  EXPECT_EQ(summary.columns[4].role, ColumnRole::label);
  const ColumnSummary& sex = summary.columns[1];
  EXPECT_TRUE(sex.categorical());
  EXPECT_EQ(sex.missing, 1u);
  EXPECT_EQ(sex.different, 2u);
  EXPECT_EQ(sex.example, "m");
  const ColumnSummary& age = summary.columns[2];
  EXPECT_FALSE(age.categorical());
  EXPECT_EQ(age.different, 2u);
  EXPECT_EQ(age.least, -2);
  EXPECT_EQ(age.greatest, 3);
}

TEST(Describe, ManyDifferentValuesAreEstimated) {
  std::string text = "a,b,y\n";
  for (int n = 0; n < 50'000; ++n) {
    text += std::to_string(n) + "," + std::to_string(n % 10'000) + (n % 2 ? ",p\n" : ",q\n");
  }
  const TableSummary summary = describe(text);
  EXPECT_FALSE(summary.columns[0].exact);
  EXPECT_NEAR(static_cast<double>(summary.columns[0].different), 50'000, 15'000);
  EXPECT_TRUE(summary.columns[0].looks_like_id);
  EXPECT_TRUE(summary.columns[1].exact);
  EXPECT_EQ(summary.columns[1].different, 10'000u);
  EXPECT_FALSE(summary.columns[1].looks_like_id);
}

TEST(Describe, SaysWhatTrainingWouldRefuseAndWarnOf) {
  std::string text = "day,name,leak,same,y\n";
  for (int n = 0; n < 200; ++n) {
    text += "2024-01-01,n" + std::to_string(n) + "," + std::to_string(n % 2 * 5) + ",7," +
            (n % 2 ? "p\n" : "q\n");
  }
  const TableSummary summary = describe(text);
  EXPECT_EQ(summary.columns[0].trouble, "line 2: '2024-01-01' is a date, not a number");
  EXPECT_EQ(summary.columns[1].trouble,
            "200 different values, and a category column has at most 100");
  EXPECT_TRUE(summary.columns[1].looks_like_id);
  EXPECT_TRUE(summary.columns[2].separates);
  EXPECT_TRUE(summary.columns[3].constant);
  EXPECT_EQ(summary.warnings.size(), 3u);
}

}  // namespace
}  // namespace rampart
