#include "data/arff.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <cmath>

#include "data/sniff.hpp"
#include "data/support.hpp"

namespace rampart {
namespace {

using ::testing::HasSubstr;
using testing_support::complaint;
using testing_support::parse;
using testing_support::row;

const std::string head =
    "% a comment\n@RELATION 'a test'\n\n@attribute age NUMERIC\n"
    "@Attribute \"eye colour\" {blue, 'dark brown', green}\n@attribute weight real\n"
    "@attribute Class {no,yes}\n@attribute note string\n@DATA\n";

TEST(Arff, NominalAttributesAreCategoriesInTheDeclaredOrder) {
  const Dataset data = parse(head + "% rows\n1,green,2.5,no,a\n?,'dark brown',3,yes,?\n");
  EXPECT_EQ(data.features, (std::vector<std::string>{"age", "eye colour", "weight", "note"}));
  EXPECT_EQ(data.categories, (Categories{{}, {"blue", "dark brown", "green"}, {}, {"a"}}));
  EXPECT_EQ(data.label, "Class");
  EXPECT_EQ(data.classes, (ClassNames{"no", "yes"}));
  EXPECT_EQ(row(data.x, 0), (std::vector<double>{1, 2, 2.5, 0}));
  EXPECT_TRUE(std::isnan(row(data.x, 1)[0]));
  EXPECT_EQ(row(data.x, 1)[1], 1);
  EXPECT_TRUE(std::isnan(row(data.x, 1)[3]));
}

TEST(Arff, TheLabelIsTheClassOrTheLastOrTheOneAskedFor) {
  const std::string text =
      "@relation r\n@attribute a numeric\n@attribute b {x,y}\n"
      "@attribute c {p,q}\n@data\n1,x,p\n2,y,q\n";
  EXPECT_EQ(parse(text).label, "c");
  EXPECT_EQ(parse(text, {.label = "b"}).label, "b");
  EXPECT_EQ(parse(text, {.label = "2"}).label, "b");
}

TEST(Arff, SparseRowsAreMadeComplete) {
  const Dataset data = parse(head + "{0 5, 3 yes, 4 z}\n{1 'dark brown', 2 7}\n{ }\n{3 yes }\n",
                             {.ignore = {"note"}});
  EXPECT_EQ(row(data.x, 0), (std::vector<double>{5, 0, 0}));
  EXPECT_EQ(row(data.x, 1), (std::vector<double>{0, 1, 7}));
  EXPECT_EQ(row(data.x, 2), (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(data.y, (std::vector<std::int8_t>{1, -1, -1, 1}));
}

TEST(Arff, QuotesEscapesAndTabs) {
  const std::string text =
      "@relation r\n@attribute 'it\\'s' {'a,b','c\\'d',\"}\"}\n"
      "@attribute y{0,1}\n@data\n'a,b',0\n'c\\'d'\t1\n\"}\" , 1\r\n";
  const Dataset data = parse(text);
  EXPECT_EQ(data.features, (std::vector<std::string>{"it's"}));
  EXPECT_EQ(data.categories, (Categories{{"a,b", "c'd", "}"}}));
  EXPECT_EQ(row(data.x, 2), (std::vector<double>{2}));
}

TEST(Arff, NumbersThatAreNominalAreOneCategoryHoweverTheyAreSpelt) {
  const Dataset data = parse(
      "@relation r\n@attribute a {-1,1.0,0}\n@attribute y {0,1}\n@data\n"
      "1,0\n-1,1\n1.00,1\n");
  EXPECT_EQ(data.categories, (Categories{{"-1", "1", "0"}}));
  EXPECT_EQ(row(data.x, 0), row(data.x, 2));
}

TEST(Arff, WhatIsWrongIsNamedWithItsLine) {
  EXPECT_EQ(complaint("@relation r\n@attribute a numeric\n"), "file: an ARFF file without @data");
  EXPECT_EQ(complaint("@relation r\n@data\n1\n"), "file:2: @data before any @attribute");
  EXPECT_EQ(complaint("@relation r\n@attribute a {x\n@data\n"),
            "file:2: attribute 'a': its list of values has no end");
  EXPECT_EQ(complaint("@relation r\n@attribute 'a numeric\n@data\n"),
            "file:2: a quoted value is never closed");
  EXPECT_THAT(complaint("@relation r\n@attribute a relational\n@data\n"),
              HasSubstr("file:2: attribute 'a': the type 'relational' is none of"));
  EXPECT_THAT(complaint("@relation r\nfoo\n@data\n"), HasSubstr("file:2: 'foo' in the head"));
  EXPECT_EQ(complaint(head + "1,red,2,no,a\n"),
            "file:10: column 'eye colour': 'red' is not among the values that the file declares");
  EXPECT_EQ(complaint(head + "1,blue,2,no\n"), "file:10: 4 fields where the first row has 5");
  EXPECT_EQ(complaint(head + "1,blue,2,no,a,b,c\n"), "file:10: 7 fields where the first row has 5");
  EXPECT_EQ(complaint(head + "{9 1}\n"),
            "file:10: '9' is not the number of an attribute, from 0 to 4");
  EXPECT_EQ(complaint(head + "{2 1, 0 1}\n"), "file:10: attribute 0 after attribute 2");
  EXPECT_EQ(complaint(head + "{2 1\n"), "file:10: a sparse row must end with }");
  EXPECT_EQ(complaint(head + "'1'x,blue,2,no,a\n"),
            "file:10: 'x,blue,2,no,a' after a quoted value, where a comma is expected");
  EXPECT_EQ(complaint("@relation r\n@attribute d date\n@attribute y {0,1}\n@data\n1,0\n2,1\n"),
            "file: column 'd' is a date; leave it out");
  EXPECT_EQ(complaint("@relation r\n@attribute d date 'yyyy'\n@attribute a real\n"
                      "@attribute y {0,1}\n@data\n1,1,0\n2,1,1\n",
                      {.ignore = {"d"}}),
            "");
  EXPECT_EQ(complaint(head + "1,blue,2,no,a\n1,blue,2,yes,a\n", {.max_categories = 2}),
            "file: column 'eye colour' has 3 values, and a category column has at most 2; name it "
            "as the id, leave it out, or allow more categories");
}

TEST(Arff, TextIsNoValueOfANumericAttribute) {
  for (const char* type : {"numeric", "Real", "INTEGER"}) {
    const std::string text = std::string("@relation r\n@attribute a ") + type +
                             "\n@attribute y {0,1}\n@data\n1,0\nlow,1\n?,1\n";
    EXPECT_EQ(complaint(text),
              "file:6: column 'a': 'low' is not a number, and the file declares numbers; correct "
              "it, or say that it is a missing value");
    EXPECT_EQ(complaint(text, {.missing_values = {"low"}}), "");
    EXPECT_EQ(parse(text, {.categorical = {"a"}}).categories, (Categories{{"1", "low"}}));
  }
}

TEST(Arff, IsRecognised) {
  std::string comments;
  for (int n = 0; n < 50; ++n) comments += "% line\n";
  EXPECT_EQ(parse(comments + head + "1,green,2.5,no,a\n2,blue,2,yes,?\n").x.columns(), 4u);
  EXPECT_EQ(parse("@attribute a real\n@attribute y {0,1}\n@data\n1,0\n2,1\n").x.columns(), 1u);
  EXPECT_EQ(parse("@relations,y\n1,p\n2,q\n").features, (std::vector<std::string>{"@relations"}));
}

TEST(Arff, AModelReadsItsRows) {
  const Dataset training = parse(head + "1,green,2.5,no,a\n2,blue,3,yes,b\n");
  const ReadOptions options{.expected = FeatureLayout{.count = 4,
                                                      .names = training.features,
                                                      .label = training.label,
                                                      .categories = training.categories},
                            .classes = training.classes};
  const Dataset data =
      parse("Class,note,weight,age,eye colour\nno,b,1,2,dark brown\nyes,c,1,2,pink\n", options);
  EXPECT_EQ(row(data.x, 0), (std::vector<double>{2, 1, 1, 1}));
  EXPECT_EQ(row(data.x, 1), (std::vector<double>{2, unseen_category, 1, unseen_category}));
}

TEST(ForeignFiles, AreAnsweredWithTheCommandThatConvertsThem) {
  const auto refusal = [](std::string_view bytes, const std::string& name) -> std::string {
    try {
      static_cast<void>(parse_dataset(bytes, name));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal(std::string_view("PAR1\x15\x04\0\0", 8), "a.parquet"),
            "a.parquet: a Parquet file, which is not read; convert it to CSV: python3 -c \"import "
            "sys, pandas as pd; pd.read_parquet(sys.argv[1]).to_csv(sys.argv[2], index=False)\" "
            "a.parquet a.csv");
  EXPECT_THAT(refusal(std::string_view("PAR1\x15\x04\0\0", 8), "dir.d/it's; rm x"),
              HasSubstr("'dir.d/it'\\''s; rm x' 'dir.d/it'\\''s; rm x.csv'"));
  EXPECT_THAT(refusal(std::string_view("PK\x03\x04\x14\0\0\0[Content_Types].xml", 27), "a.xlsx"),
              HasSubstr("an Excel file, which is not read; convert it to CSV: python3 -c \"import "
                        "sys, pandas as pd; pd.read_excel("));
  EXPECT_THAT(refusal(std::string_view("PK\x03\x04\x14\0\0\0data.csv", 16), "a.zip"),
              HasSubstr("a ZIP archive"));
  EXPECT_THAT(refusal("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a.xls"), HasSubstr("an Excel file"));
  EXPECT_THAT(refusal("[{\"a\": 1}, {\"a\": 2}]", "a.json"), HasSubstr("read_json(sys.argv[1])"));
  EXPECT_THAT(refusal("{\"a\": 1}\n{\"a\": 2}\n", "a.json"),
              HasSubstr("read_json(sys.argv[1], lines=True)"));
  EXPECT_THAT(refusal("{\n  \"a\": [1, 2]\n}\n", "a.json"), HasSubstr("read_json(sys.argv[1])"));
  EXPECT_THAT(refusal("{\"format\":\"rampart-model\"}\n", "m.json"),
              HasSubstr("a model of rampart, where rows are expected"));
}

TEST(ForeignFiles, TextThatStartsLikeThemIsRead) {
  EXPECT_EQ(parse("PAR1,y\n1,p\n2,q\n").features, (std::vector<std::string>{"PAR1"}));
  EXPECT_EQ(parse("[a],y\n1,p\n2,q\n").features, (std::vector<std::string>{"[a]"}));
  EXPECT_EQ(parse("{a},y\n1,p\n2,q\n").features, (std::vector<std::string>{"{a}"}));
}

}  // namespace
}  // namespace rampart
