#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <cmath>
#include <limits>
#include <set>

#include "data/category_table.hpp"
#include "data/missing.hpp"
#include "data/number_like.hpp"
#include "data/support.hpp"

namespace rampart {
namespace {

using ::testing::HasSubstr;
using testing_support::complaint;
using testing_support::parse;
using testing_support::row;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// The column of a data set as text: numbers, categories by name, "" for a missing value.
std::vector<std::string> column(const Dataset& data, std::size_t j) {
  std::vector<std::string> cells;
  for (std::size_t n = 0; n < data.size(); ++n) {
    const double value = row(data.x, n)[j];
    const bool categorical = !data.categories.empty() && !data.categories[j].empty();
    cells.push_back(std::isnan(value) ? ""
                    : categorical     ? data.categories[j].at(static_cast<std::size_t>(value))
                                      : category_of_number(value));
  }
  return cells;
}

using Cells = std::vector<std::string>;

// Whether an error advises this setting.
Setting setting_of(std::string_view text, const ReadOptions& options = {}) {
  try {
    static_cast<void>(parse(text, options));
  } catch (const InputError& error) {
    return error.setting();
  }
  return Setting::none;
}

TEST(Missing, TheUsualSpellingsInAnyCase) {
  for (const char* cell : {"", "?", "NA", "na", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null",
                           "None", "none", "-"}) {
    EXPECT_TRUE(is_missing_spelling(cell)) << cell;
  }
  for (const char* cell : {"0", "--", "no", "nope", "n.a.", "nulls", "N-A"}) {
    EXPECT_FALSE(is_missing_spelling(cell)) << cell;
  }
}

TEST(Missing, MinusAndNoneAreLabels) {
  const Dataset data = parse("1,-\n2,+\n3,-\n");
  EXPECT_EQ(data.classes, (ClassNames{"+", "-"}));
  EXPECT_EQ(parse("1,None\n2,some\n").classes, (ClassNames{"None", "some"}));
}

TEST(Missing, AddedNumbersAreComparedAsNumbers) {
  const ReadOptions options{.missing_values = {"-99", "unknown"}};
  const Dataset data = parse("a,b,y\n1,x,p\n-99.0,UNKNOWN,q\n-9.9e1,-99,q\n99,z,p\n", options);
  EXPECT_EQ(column(data, 0), (Cells{"1", "", "", "99"}));
  EXPECT_EQ(column(data, 1), (Cells{"x", "", "", "z"}));
}

TEST(Missing, AnAddedNumberIsNoMissingLabelAndAnAddedTextIs) {
  const std::string text = "a,y\n-1,-1\n2,1\n3,-1\n4,1\n";
  const Dataset data = parse(text, {.missing_values = {"-1"}});
  EXPECT_EQ(data.classes, (ClassNames{"-1", "1"}));
  EXPECT_EQ(column(data, 0), (Cells{"", "2", "3", "4"}));
  EXPECT_EQ(complaint("a,y\n1,p\n2,q\n3,Unknown\n", {.missing_values = {"unknown"}}),
            "file: 1 row has no label: line 4; fill it in, or remove the row");
}

TEST(Missing, AColumnWithoutAnyValueIsRefusedAtTraining) {
  EXPECT_EQ(complaint("a,b,y\n1,?,p\n2,,q\n"),
            "file: column 'b': all values are missing; leave it out");
  EXPECT_EQ(complaint("a,b,c,y\n1,?,,p\n2,,NA,q\n"),
            "file: column 'b' and 1 more: all values are missing; leave them out");
  EXPECT_EQ(setting_of("a,b,y\n1,?,p\n2,,q\n"), Setting::ignore);
  const ReadOptions model{.expected = FeatureLayout{.count = 2, .names = {"a", "b"}}};
  EXPECT_EQ(complaint("a,b,y\n1,?,p\n2,,q\n", model), "");
}

TEST(Labels, MissingOnesAreCountedAndTheFirstLinesNamed) {
  EXPECT_EQ(complaint("a,y\n1,p\n2,?\n3,q\n4,NA\n"),
            "file: 2 rows have no label: lines 3, 5; fill them in, or remove the rows");
  std::string text = "a,y\n1,p\n2,q\n";
  for (int n = 0; n < 10; ++n) text += "3,\n";
  EXPECT_EQ(
      complaint(text),
      "file: 10 rows have no label: lines 4, 5, 6, 7, 8, …; fill them in, or remove the rows");
}

TEST(Categories, TextMakesAColumnCategorical) {
  const Dataset data = parse("sex,age,y\nMale,3,p\nFemale,4,q\n?,5,q\nMale,6,p\n");
  EXPECT_EQ(data.categories, (Categories{{"Female", "Male"}, {}}));
  EXPECT_EQ(column(data, 0), (Cells{"Male", "Female", "", "Male"}));
  EXPECT_EQ(column(data, 1), (Cells{"3", "4", "5", "6"}));
}

TEST(Categories, NumbersBeforeTheFirstTextAreCategoriesToo) {
  const Dataset data = parse("a,y\n10,p\n2.0,q\n,p\n02,q\n-0,p\n0,q\nx,p\n1e1,q\n");
  EXPECT_EQ(data.categories, (Categories{{"0", "2", "10", "x"}}));
  EXPECT_EQ(column(data, 0), (Cells{"10", "2", "", "2", "0", "0", "x", "10"}));
}

TEST(Categories, NumbersAreCategoriesOnRequest) {
  const ReadOptions options{.categorical = {"a"}};
  const Dataset data = parse("a,b,y\n3,1,p\n1,2,q\n3.0,3,q\n", options);
  EXPECT_EQ(data.categories, (Categories{{"1", "3"}, {}}));
  EXPECT_EQ(column(data, 0), (Cells{"3", "1", "3"}));
  EXPECT_EQ(complaint("a,b,y\n3,1,p\n1,2,q\n", {.categorical = {"y"}}),
            "file: column 'y' cannot be categorical: it is no feature");
  EXPECT_THAT(complaint("a,b,y\n3,1,p\n1,2,q\n", {.categorical = {"z"}}),
              HasSubstr("no column 'z'"));
}

RC_GTEST_PROP(Categories, CodesDoNotDependOnTheOrderOfTheRows, ()) {
  const auto cell = rc::gen::elementOf(
      std::vector<std::string>{"a", "b", "1", "01", "1.0", "?", "", "-3", "2e0", "zz", "TRUE"});
  const auto cells = *rc::gen::container<Cells>(7, cell);
  std::string forward = "x,a,y\n";
  std::string backward = "x,a,y\n";
  for (std::size_t n = 0; n < 7; ++n) {
    const auto line = [&](std::size_t k) {
      return std::to_string(k) + "," + cells[k] + (k % 2 ? ",p\n" : ",q\n");
    };
    forward += line(n);
    backward += line(6 - n);
  }
  // A column must have a value.
  const ReadOptions options{.categorical = {"a"}};
  const Dataset one = parse(forward + "7,a,p\n", options);
  const Dataset other = parse(backward + "7,a,p\n", options);
  RC_ASSERT(one.categories == other.categories);
  Cells reversed = column(other, 1);
  std::reverse(reversed.begin(), reversed.end() - 1);
  RC_ASSERT(column(one, 1) == reversed);
}

TEST(Categories, TooManyAreRefusedAtOnceWithAGuess) {
  const auto table = [](auto cell) {
    std::string text = "a,b,y\n";
    for (int n = 0; n < 300; ++n) {
      text += cell(n) + "," + std::to_string(n) + (n % 2 ? ",p\n" : ",q\n");
    }
    return text;
  };
  const std::string names = table([](int n) { return "name" + std::to_string(n); });
  EXPECT_EQ(complaint(names),
            "file:102: column 'a': 'name100' is the 101st different value, and a category column "
            "has at most 100; all are different so far: it looks like names or ids; name it as the "
            "id, leave it out, or allow more categories");
  EXPECT_EQ(setting_of(names), Setting::text_column);
  EXPECT_EQ(complaint(names, {.max_categories = 300}), "");
  EXPECT_THAT(complaint(names, {.max_categories = 299}), HasSubstr("300th"));
  EXPECT_THAT(complaint(table([](int n) {
                return "the patient came back on day " + std::to_string(n) + " and said nothing";
              })),
              HasSubstr("free text"));
  EXPECT_THAT(complaint(table([](int n) { return "2024-01-" + std::to_string(10 + n % 20); })),
              HasSubstr("'2024-01-10' is a date"));
  const std::string repeated = table([](int n) { return "name" + std::to_string(n / 2); });
  EXPECT_THAT(complaint(repeated), HasSubstr("has at most 100; name it as"));
}

TEST(Categories, AStrayTextAmongManyNumbersIsNamed) {
  std::string text = "a,y\n";
  for (int n = 0; n < 200; ++n) text += std::to_string(n) + (n % 2 ? ",p\n" : ",q\n");
  text += "oops,p\n";
  EXPECT_EQ(complaint(text),
            "file:202: column 'a': 'oops' is not a number, and the column has 100 different "
            "numbers or more; correct it, or say that it is a missing value");
  EXPECT_EQ(setting_of(text), Setting::missing_values);
  EXPECT_EQ(complaint(text, {.missing_values = {"Oops"}}), "");
}

TEST(Categories, ManyDifferentOnesTakeNoQuadraticTime) {
  std::string text = "a,b,y\n";
  for (int n = 0; n < 200'000; ++n) {
    text += "c" + std::to_string(n) + "," + std::to_string(n) + (n % 2 ? ",p\n" : ",q\n");
  }
  const Dataset data = parse(text, {.max_categories = 1'000'000});
  EXPECT_EQ(data.categories[0].size(), 200'000u);
  EXPECT_TRUE(std::ranges::is_sorted(data.categories[0]));
}

TEST(Categories, ATextOfMegabytesIsNone) {
  const std::string text = "a,b,y\n" + std::string(10'000'000, 'x') + ",1,p\nz,2,q\n";
  EXPECT_EQ(complaint(text),
            "file:2: column 'a': a text of 10000000 bytes is no category; leave the column out");
  EXPECT_EQ(complaint(text, {.ignore = {"a"}}), "");
}

TEST(Categories, MustBeUtf8) {
  EXPECT_EQ(complaint("a,y\n\xff,p\nx,q\n"),
            "file:2: column 'a': '\\xff' is not UTF-8; convert the file (iconv)");
}

TEST(NumberLikeText, IsRefusedWithARemedyUnlessTheColumnIsCategorical) {
  for (const auto& [cell, what] :
       std::vector<std::pair<std::string, std::string>>{{"12%", "a percentage"},
                                                        {"\"1,234.5\"", "a number with a comma"},
                                                        {"\"1,5\"", "a number with a comma"},
                                                        {"$12", "an amount of money"},
                                                        {"2024-05-31", "a date"},
                                                        {"12:30", "a time"}}) {
    const std::string text = "a,b,y\n1,1,p\n" + cell + ",2,q\n";
    EXPECT_THAT(complaint(text), HasSubstr("file:3: column 'a': '")) << cell;
    EXPECT_THAT(complaint(text), HasSubstr(what + ", not a number")) << cell;
    EXPECT_EQ(setting_of(text), Setting::categorical);
    EXPECT_EQ(complaint(text, {.categorical = {"a"}}), "") << cell;
  }
}

TEST(NumberLikeText, IsToldFromOtherText) {
  using enum NumberLike;
  const std::vector<std::pair<std::string, NumberLike>> like = {
      {"12%", percentage},
      {"-1.5 %", percentage},
      {"1,234", number_with_commas},
      {"1,234,567.25", number_with_commas},
      {"1.234.567,25", number_with_commas},
      {"-0,5", number_with_commas},
      {"$1,234.50", amount_of_money},
      {"-$5", amount_of_money},
      {"12 \xe2\x82\xac", amount_of_money},
      {"EUR 12", amount_of_money},
      {"31/5/2024", date},
      {"31.05.2024", date},
      {"5/31/24", date},
      {"2024-05-31T12:30:00Z", date},
      {"2024-05-31 12:30", date},
      {"5-May", date},
      {"May 2024", date},
      {"31 December 2024", date},
      {"Sep 5, 2024 9:05 pm", date},
      {"9:05 am", time},
      {"23:59:59.5", time}};
  for (const auto& [cell, kind] : like) EXPECT_EQ(number_like(cell), kind) << cell;
  for (const char* cell : {"",          "a",           "A11",        "10-19",     "<20",
                           "1.2.3",     "x%",          "1,2,3",      "12a",       "may",
                           "1:2",       "192.168.0.1", "2024-123-1", "12,34,567", "March hare 3",
                           "1234-5678", "5 apples",    "$",          "%",         "1 2 3"}) {
    EXPECT_EQ(number_like(cell), std::nullopt) << cell;
  }
}

TEST(Ids, AreCarriedAndNeverFeatures) {
  const Dataset data = parse("name,a,y\nann,1,p\n\"bo,b\",2,q\n", {.id = "name"});
  EXPECT_EQ(data.ids, (Cells{"ann", "bo,b"}));
  EXPECT_EQ(data.id, "name");
  EXPECT_EQ(data.features, (Cells{"a"}));
  EXPECT_EQ(data.fields, (std::vector<std::uint32_t>{2}));
  EXPECT_EQ(data.file_columns, 3u);
  EXPECT_EQ(parse("7,1,p\n8,2,q\n", {.id = "1"}).id, "1");
  EXPECT_EQ(complaint("name,a,y\nann,1,p\n", {.label = "name", .id = "name"}),
            "file: column 'name' cannot be the id: it has another part already");
  EXPECT_EQ(complaint("name,a,y\nann,1,p\n", {.ignore = {"name"}, .id = "name"}),
            "file: column 'name' cannot be the column left out: it has another part already");
  EXPECT_EQ(complaint("name,a,y\n\xff,1,p\n", {.id = "name"}),
            "file:2: the id '\\xff' is not UTF-8; convert the file (iconv)");
}

TEST(Header, AColumnAskedForByNameMakesTheFirstLineOne) {
  const std::string text = "who,2019,y\nann,1,p\nbob,2,q\n";
  EXPECT_EQ(parse(text, {.id = "who"}).features, (Cells{"2019"}));
  EXPECT_EQ(parse(text, {.ignore = {"who"}}).features, (Cells{"2019"}));
  EXPECT_EQ(parse(text, {.group = "who"}).features, (Cells{"2019"}));
}

// The layout that a model trained on this data has.
FeatureLayout layout_of(const Dataset& data) {
  return {.count = data.x.columns(),
          .names = data.features,
          .label = data.label,
          .categories = data.categories,
          .id = data.id,
          .fields = data.fields,
          .file_columns = data.file_columns};
}

TEST(AModel, ReadsItsCategoriesAndMarksOthers) {
  const Dataset training = parse("a,b,y\nred,1,p\nblue,2,q\n7,?,q\n");
  ReadOptions options{.expected = layout_of(training), .classes = training.classes};
  const Dataset data = parse("b,a,y\n1,blue,p\n2,green,q\n,07.0,q\n3,?,q\n-1,8,q\n", options);
  EXPECT_EQ(data.categories, training.categories);
  const Categories expected = {{"7", "blue", "red"}, {}};
  EXPECT_EQ(data.categories, expected);
  EXPECT_EQ(row(data.x, 0), (std::vector<double>{1, 1}));
  EXPECT_EQ(row(data.x, 1), (std::vector<double>{unseen_category, 2}));
  EXPECT_EQ(row(data.x, 2)[0], 0);
  EXPECT_TRUE(std::isnan(row(data.x, 2)[1]));
  EXPECT_TRUE(std::isnan(row(data.x, 3)[0]));
  EXPECT_EQ(row(data.x, 4), (std::vector<double>{unseen_category, -1}));
  EXPECT_EQ(complaint("a,b,y\nred,x,p\n", options), "file:2: column 'b': 'x' is not a number");
  options.expected->missing_values = {"x", "-1"};
  const Dataset missing = parse("a,b,y\nred,x,p\nX,-1.0,q\n", options);
  EXPECT_TRUE(std::isnan(row(missing.x, 0)[1]));
  EXPECT_TRUE(std::isnan(row(missing.x, 1)[0]) && std::isnan(row(missing.x, 1)[1]));
}

TEST(AModel, KnowsItsBooleansInEverySpelling) {
  const Dataset training = parse("a,b,y\nTRUE,yes,p\nFALSE,true,q\n");
  const ReadOptions options{.expected = layout_of(training), .classes = training.classes};
  const Dataset data =
      parse("a,b,y\ntrue,true,p\nFalse,yes,q\n1,TRUE,q\n0.0,yes,q\n2,yes,q\n", options);
  std::vector<double> a;
  for (std::size_t n = 0; n < 5; ++n) a.push_back(row(data.x, n)[0]);
  EXPECT_EQ(a, (std::vector<double>{1, 0, 1, 0, unseen_category}));
  EXPECT_EQ(row(data.x, 2)[1], unseen_category) << "true and yes are no pair of booleans";
}

TEST(AModel, ReadsRawFilesWithoutHeaderInThePlacesOfTraining) {
  const std::string text = "id1,3,9,0.5,p\nid2,4,8,1.5,q\n";
  const Dataset training = parse(text, {.weight = "3", .header = false, .id = "1"});
  EXPECT_EQ(training.fields, (std::vector<std::uint32_t>{2, 4}));
  ReadOptions options{.expected = layout_of(training), .classes = training.classes};
  const Dataset again = parse(text, options);
  EXPECT_EQ(again.x, training.x);
  EXPECT_EQ(again.y, training.y);
  EXPECT_EQ(again.ids, (Cells{"id1", "id2"}));
  EXPECT_EQ(parse("3,0.5,p\n4,1.5,q\n", options).x, training.x) << "the features and the label";
  EXPECT_TRUE(parse("3,0.5,p\n4,1.5,q\n", options).ids.empty());
}

TEST(AModel, FindsItsIdColumnByNameIfItIsThere) {
  const Dataset training = parse("who,a,y\nann,1,p\nbob,2,q\n", {.id = "who"});
  const ReadOptions options{.expected = layout_of(training), .classes = training.classes};
  EXPECT_EQ(parse("a,who,y\n1,cat,p\n", options).ids, (Cells{"cat"}));
  EXPECT_TRUE(parse("a,y\n1,p\n", options).ids.empty());
}

TEST(Tables, AHundredThousandColumnsOfTextAreRead) {
  std::string header;
  std::string one;
  std::string two;
  for (int j = 0; j < 100'000; ++j) {
    header += "c" + std::to_string(j) + ",";
    one += "x,";
    two += "?,";
  }
  const Dataset data = parse(header + "y\n" + one + "p\n" + two + "q\n");
  EXPECT_EQ(data.categories.size(), 100'000u);
  EXPECT_EQ(data.categories.back(), (Cells{"x"}));
}

TEST(Tables, ColumnNamesMayHoldAnythingButMustDiffer) {
  const Dataset data = parse("\"a\"\"b\n<script>\",\"c,d\",y\n1,2,p\n3,4,q\n");
  EXPECT_EQ(data.features, (Cells{"a\"b\n<script>", "c,d"}));
  EXPECT_EQ(complaint("a,b,a,y\n1,2,3,p\n1,2,4,q\n"),
            "file: two columns are called 'a'; rename one, or say that the file has no header");
}

}  // namespace
}  // namespace rampart
