#include "data/describe.hpp"

#include <gtest/gtest.h>

#include "data/column_sketch.hpp"
#include "data/support.hpp"
#include "data/with_file.hpp"
#include "util/random.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

using testing_support::with_file;

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
  EXPECT_EQ(summary.columns[0].look, ColumnLook::id);
  EXPECT_TRUE(summary.columns[1].exact);
  EXPECT_EQ(summary.columns[1].different, 10'000u);
  EXPECT_EQ(summary.columns[1].look, ColumnLook::ordinary);
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
  EXPECT_EQ(summary.columns[1].look, ColumnLook::id);
  EXPECT_EQ(summary.columns[2].look, ColumnLook::leak);
  EXPECT_EQ(summary.columns[3].look, ColumnLook::constant);
  EXPECT_EQ(summary.warnings.size(), 3u);
  EXPECT_EQ(describe(text, {.ignore = {"day"}}).columns[0].trouble, "") << "it is not read";
}

TEST(Describe, ALabelMayBeANumberThatIsMissingElsewhere) {
  const TableSummary summary =
      describe("a,y\n-1,-1\n2,1\n3,-1\n", {.missing_values = {"-1", "unknown"}});
  EXPECT_EQ(summary.unlabelled, 0u);
  EXPECT_EQ(summary.label_counts, (std::vector<std::size_t>{2, 1}));
  EXPECT_EQ(summary.columns[0].missing, 1u);
  EXPECT_EQ(summary.columns[1].missing, 0u);
}

TEST(Describe, ALibsvmFileHasAWidthAndNoColumns) {
  const TableSummary summary = describe("1 16777216:1\n-1 1:1\n");
  EXPECT_EQ(summary.width, 16'777'216u);
  EXPECT_EQ(summary.columns.size(), 0u) << "one entry each would take gigabytes";
  EXPECT_EQ(describe("a,y\n1,p\n").width, 2u);
}

TEST(Describe, ManyValuesOfTextAreAnIdOnlyIfAboutAllAreDifferent) {
  std::string text = "name,word,number,mixed,y\n";
  for (int n = 0; n < 60'000; ++n) {
    const std::string often = std::to_string(n * 7919 % 20'000);
    text += "n" + std::to_string(n) + ",w" + often + "," + often + ",";
    text += (n < 100 ? std::to_string(n) : "w" + often) + (n % 2 ? ",p\n" : ",q\n");
  }
  const TableSummary summary = describe(text);
  for (std::size_t j = 0; j < 4; ++j) EXPECT_FALSE(summary.columns[j].exact);
  EXPECT_EQ(summary.columns[0].look, ColumnLook::id);
  for (std::size_t j = 1; j < 4; ++j) EXPECT_EQ(summary.columns[j].look, ColumnLook::ordinary) << j;
}

TEST(Describe, AnExampleIsCutBetweenCharacters) {
  std::string umlauts = "x";
  for (int n = 0; n < 50; ++n) umlauts += "ä";
  const TableSummary summary = describe("a,b,y\n" + umlauts + ",\xff,p\n");
  const std::string& example = summary.columns[0].example;
  EXPECT_TRUE(is_utf8(example));
  EXPECT_EQ(example, umlauts.substr(0, 77) + "…") << "39 characters and the mark";
  EXPECT_EQ(summary.columns[1].example, R"(\xff)");
}

// Whatever training warns of, describe says in the same words.
TEST(Describe, WarnsOfWhatTrainingWarnsOf) {
  for (const bool header : {true, false}) {
    std::string text = header ? "id,same,leak,stray,group,other,y\n" : "";
    for (int n = 0; n < 60; ++n) {
      text += std::to_string(100 + n) + ",7," + std::to_string(n % 2 * 10 + n % 3) + "," +
              (n == 5 ? "unknown" : std::to_string(n / 2 % 10)) + ",g" + std::to_string(n) + "," +
              std::to_string(n % 7) + (n % 2 ? ".5,p\n" : ".5,q\n");
    }
    const ReadOptions options{.group = "5"};
    const auto words = [](const std::vector<ColumnWarning>& warnings) {
      std::vector<std::string> all;
      for (const ColumnWarning& warning : warnings) all.push_back(warning.message);
      return all;
    };
    const std::vector<std::string> told = words(describe(text, options).warnings);
    EXPECT_EQ(told.size(), 5u);
    EXPECT_EQ(told, words(column_warnings(testing_support::parse(text, options))));
  }
}

TEST(Describe, SaysThatTextIsNoValueOfANumericAttribute) {
  const TableSummary summary = describe(
      "@relation r\n@attribute a real\n@attribute b string\n@attribute y {0,1}\n@data\n"
      "1,1,0\nlow,low,1\n");
  EXPECT_EQ(summary.columns[0].trouble,
            "line 7: 'low' is not a number, and the file declares numbers");
  EXPECT_EQ(summary.columns[1].trouble, "");
}

// The mean of many estimates is the number itself, about: each has an error of 6.5 %.
TEST(DistinctSketch, EstimatesFewAndManyValuesWithoutBias) {
  constexpr std::size_t streams = 200;
  for (const std::size_t count : {30, 60, 120, 250, 500, 1000, 4000, 20'000}) {
    double sum = 0;
    Random random(count);
    for (std::size_t k = 0; k < streams; ++k) {
      DistinctSketch sketch(20);
      for (std::size_t n = 0; n < count; ++n) {
        const std::uint64_t hash = random();
        sketch.add(hash, 0);
        sketch.add(hash, 0);
      }
      EXPECT_FALSE(sketch.exact());
      sum += static_cast<double>(sketch.count());
    }
    EXPECT_NEAR(sum / streams / static_cast<double>(count), 1, 0.03) << count;
  }
}

}  // namespace
}  // namespace rampart
