#include "data/sniff.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace rampart {
namespace {

using Lines = std::vector<std::string_view>;

TEST(Sniff, TheFirstLineWithASecondWordDecides) {
  EXPECT_EQ(sniff_format(Lines{"+1 1:2\n"}, "x"), Format::libsvm);
  EXPECT_EQ(sniff_format(Lines{"+1\n", "-1\n", "+1 1:2\n"}, "x"), Format::libsvm);
  EXPECT_EQ(sniff_format(Lines{"+1 -3:\n"}, "x"), Format::libsvm);
  EXPECT_EQ(sniff_format(Lines{"1 qid:3 1:2\n"}, "x"), Format::libsvm);
  EXPECT_EQ(sniff_format(Lines{"3:0.5 7:1\n"}, "x"), Format::libsvm);
  EXPECT_EQ(sniff_format(Lines{"70.0 1.0 2\n"}, "x"), Format::csv);
  EXPECT_EQ(sniff_format(Lines{"a,b\n", "x 12:30,1\n"}, "x"), Format::csv);
  EXPECT_EQ(sniff_format(Lines{"2020-01-01 12:30,1\n"}, "x"), Format::csv);
}

TEST(Sniff, TheExtensionDecidesOnlyWhatIsOpen) {
  EXPECT_EQ(sniff_format(Lines{"1\n", "-1\n"}, "x.libsvm.gz"), Format::libsvm);
  EXPECT_EQ(sniff_format(Lines{"1\n", "-1\n"}, "x.csv"), Format::csv);
  EXPECT_EQ(sniff_format(Lines{"1,2\n"}, "x.libsvm"), Format::csv);
  EXPECT_EQ(sniff_format(Lines{"1 1:2\n"}, "x.csv"), Format::libsvm);
}

TEST(Sniff, ADelimiterOccursEquallyOftenOnEveryLine) {
  EXPECT_EQ(named_delimiter("sep=;\r\na;b\n"), ';');
  EXPECT_EQ(named_delimiter("SEP=|\n"), '|');
  for (const char* text : {"", "sep=", "sep=\n", "sep=;;\n", "sep=\"\n", "a\nsep=;\n"}) {
    EXPECT_EQ(named_delimiter(text), std::nullopt) << text;
  }
  EXPECT_EQ(sniff_delimiter(Lines{"a,b,c\n", "1,2,3\n"}), ',');
  EXPECT_EQ(sniff_delimiter(Lines{"a;b\n", "1,5;2\n"}), ';');
  EXPECT_EQ(sniff_delimiter(Lines{"a\tb,c\n", "1\t2\n"}), '\t');
  EXPECT_EQ(sniff_delimiter(Lines{"a|b\n", "1|2\n"}), '|');
  EXPECT_EQ(sniff_delimiter(Lines{"1 2 3\n", " 4  5 6\n"}), ' ');
}

TEST(Sniff, DelimitersInsideQuotesDoNotCount) {
  EXPECT_EQ(sniff_delimiter(Lines{"\"a;b\",c\n", "1,2\n"}), ',');
  EXPECT_EQ(sniff_delimiter(Lines{"\"a;\"\";b\",c\n", "\"1;1\",2\n"}), ',');
  EXPECT_EQ(sniff_delimiter(Lines{"\"a;\n", "b\",c\n", "1,2\n"}), ',');
  EXPECT_EQ(sniff_delimiter(Lines{"5\";a,b\n", "1,2\n"}), ',');
}

TEST(Sniff, ARaggedRowDoesNotHideTheDelimiter) {
  EXPECT_EQ(sniff_delimiter(Lines{"1,2,3\n", "4,5\n"}), ',');
  EXPECT_EQ(sniff_delimiter(Lines{"1 2 3\n", "4 5\n"}), ' ');
}

}  // namespace
}  // namespace rampart
