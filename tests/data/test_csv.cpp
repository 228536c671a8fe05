#include "data/csv.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "data/limits.hpp"
#include "data/support.hpp"

namespace rampart {
namespace {

using testing_support::complaint;
using testing_support::parse;
using Table = std::vector<std::vector<std::string>>;

Table rows_of(std::string_view text, char delimiter = ',', std::size_t chunk = 1 << 16) {
  CsvRows rows(LineReader(ByteSource::memory(text, "file", chunk)), delimiter);
  Table table;
  while (rows.next()) {
    table.emplace_back();
    const Fields& fields = rows.fields();
    for (std::size_t i = 0; i < fields.size(); ++i) table.back().emplace_back(fields[i]);
  }
  return table;
}

std::string two_called(const std::string& name) {
  return "file: two columns are called " + name +
         "; rename one, or say that the file has no header";
}

RC_GTEST_PROP(Csv, QuotedFieldsHoldAnything, ()) {
  const auto field =
      rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab ,;\t\"\n\r#")));
  const auto table =
      *rc::gen::container<Table>(rc::gen::container<std::vector<std::string>>(3, field));
  std::string text;
  for (const auto& row : table) {
    for (const std::string& cell : row) {
      text += '"';
      for (const char c : cell) text += c == '"' ? "\"\"" : std::string(1, c);
      text += &cell == &row.back() ? "\"\r\n" : "\",";
    }
  }
  RC_ASSERT(rows_of(text, ',', *rc::gen::inRange<std::size_t>(1, 20)) == table);
}

TEST(Csv, WhiteSpaceAroundFieldsBlankLinesAndCommentsAreDropped) {
  const Table expected = {{"a", "b c", ""}, {"1", "2", "3"}};
  EXPECT_EQ(rows_of("# made by hand\n\n a ,b c, \r\n  \n#\n1,2 ,\t3"), expected);
}

TEST(Csv, TabsSeparateEvenThoughTheyAreWhiteSpace) {
  EXPECT_EQ(rows_of("a;b\n;\r\n ; \n1;\n;", ';'), (Table{{"a", "b"}, {"1", ""}}))
      << "a row of delimiters is blank";
  const Table expected = {{"a", "", "b"}, {"1", "2 2", ""}};
  EXPECT_EQ(rows_of("a\t\tb\n1\t2 2\t\n", '\t'), expected);
}

TEST(Csv, RunsOfWhiteSpaceSeparateWords) {
  const Table expected = {{"1", "2", "3"}, {"4", "\"5", "6"}};
  EXPECT_EQ(rows_of("  1   2\t3  \r\n4 \"5 6", ' '), expected);
}

TEST(Csv, ARowKnowsTheLineItStartsAt) {
  CsvRows rows(LineReader(ByteSource::memory("a\n\n#\n\"b\n\nb\",1\nc\n", "file")), ',');
  std::vector<std::size_t> lines;
  while (rows.next()) lines.push_back(rows.place().line);
  EXPECT_EQ(lines, (std::vector<std::size_t>{1, 4, 7}));
}

TEST(Csv, MalformedQuotesAreErrorsWithALine) {
  const std::string stray =
      ": a quote inside a field: the whole field must be quoted, and quotes in it doubled";
  EXPECT_EQ(complaint("a,b\n1,x\n5\"1,y\n"), "file:3" + stray);
  EXPECT_EQ(complaint("a,b\n1,x\n\"5\"1,y\n"), "file:3" + stray);
  EXPECT_EQ(complaint("a,b\n1,x\n\"2,y\n3,x\n"), "file:3: a quoted field is never closed");
}

TEST(Csv, CellsAndRowsBeyondTheLimitsAreRefused) {
  const std::string text = "a,b\n1,\"x\n" + std::string(500, 'x') + "\nx\"\n2,y\n";
  EXPECT_EQ(complaint(text), "");
  const std::string after = ": is a quote missing? a larger limit reads it";
  const ReadLimits cell{.cell_bytes = 500};
  const ReadLimits row{.line_bytes = 505};
  EXPECT_EQ(complaint(text, {.limits = cell}), "file:2: a cell of more than 500 bytes" + after);
  EXPECT_EQ(complaint(text, {.limits = row}), "file:2: a row of more than 505 bytes" + after);
  EXPECT_EQ(complaint(text, {.limits = {.line_bytes = 509, .cell_bytes = 504}}), "");
  const std::string words = "1 " + std::string(20, 'a') + "\n2 b\n";
  EXPECT_EQ(complaint(words, {.delimiter = ' ', .limits = {.cell_bytes = 19}}),
            "file:1: a cell of more than 19 bytes" + after);
}

TEST(Columns, ThereAreNoMoreThanLibsvmFilesMayHave) {
  const std::string most = "a" + std::string(most_columns - 1, ',');
  EXPECT_EQ(complaint(most + "\n"),
            "file: 16777215 columns have no name; name them, or leave them out by number: "
            "2,3,4,5,6,7,8,9,…");
  EXPECT_EQ(complaint(most + ",\n"), "file:1: more than 16777216 columns");
  EXPECT_EQ(complaint(most + ","), "file:1: more than 16777216 columns");
}

TEST(Columns, TheFirstRowIsAHeaderIfItHoldsNoNumber) {
  EXPECT_EQ(parse("a,b\n1,x\n2,y\n").features, std::vector<std::string>{"a"});
  EXPECT_TRUE(parse("1,x\n2,y\n").features.empty());
  EXPECT_EQ(parse("1,class\n1,x\n2,y\n", {.label = "class"}).features,
            std::vector<std::string>{"1"});
  EXPECT_EQ(parse("1,2\n1,x\n2,y\n", {.header = true}).features, std::vector<std::string>{"1"});
  EXPECT_EQ(parse("a,b\n1,x\n2,b\n", {.header = false}).categories, (Categories{{"1", "2", "a"}}));
}

TEST(Columns, LabelByNameNumberOrLast) {
  const std::string text = "a,b,c\n1,2,3\n4,5,6\n";
  EXPECT_EQ(parse(text).classes, (ClassNames{"3", "6"}));
  EXPECT_EQ(parse(text, {.label = "b"}).classes, (ClassNames{"2", "5"}));
  EXPECT_EQ(parse(text, {.label = "1"}).classes, (ClassNames{"1", "4"}));
  EXPECT_EQ(parse(text, {.label = "1"}).x, Rows::dense(2, {2, 3, 5, 6}));
  EXPECT_EQ(parse("b,1\n1,2\n3,4\n", {.label = "1", .header = true}).classes,
            (ClassNames{"2", "4"}))
      << "a name wins over a number";
}

TEST(Columns, IgnoredAndWeightColumnsAreNoFeatures) {
  const Dataset data = parse("name,a,w,class\nx,1,2,p\ny,3,0.5,q\n",
                             {.label = "class", .weight = "w", .ignore = {"name"}});
  EXPECT_EQ(data.x, Rows::dense(1, {1, 3}));
  EXPECT_EQ(data.weights, (std::vector<double>{2, 0.5}));
  EXPECT_EQ(data.features, std::vector<std::string>{"a"});
  EXPECT_EQ(parse("1,p,2\n3,q,4\n", {.weight = "3"}).classes, (ClassNames{"p", "q"}))
      << "the label is the last column that has no other part";
}

TEST(Columns, AColumnThatIsNotThereIsNamedWithThoseThatAre) {
  EXPECT_EQ(complaint("a,b,c\n1,2,3\n", {.label = "foo"}),
            "file: no column 'foo'; the file has: a, b, c");
  EXPECT_EQ(complaint("a,b,c\n1,2,3\n", {.label = "4"}),
            "file: no column '4'; the file has: a, b, c");
  EXPECT_EQ(complaint("1,2,3\n", {.weight = "w"}),
            "file: no column 'w'; the file has 3 columns and no header");
  EXPECT_EQ(
      complaint("q1,q2,q3,q4,q5,q6,q7,q8,q9,status\n1,2,3,4,5,6,7,8,9,0\n", {.label = "State"}),
      "file: no column 'State'; the file has: status, q1, q2, q3, q4, q5, q6, q7, … (10 columns)");
}

TEST(Columns, AColumnHasOnePartOnly) {
  EXPECT_EQ(complaint("a,b\n1,2\n", {.label = "b", .weight = "2"}),
            "file: column 'b' cannot be the weight: it has another part already");
  EXPECT_EQ(complaint("a,b\n1,2\n", {.label = "b", .ignore = {"b"}}),
            "file: column 'b' cannot be the column left out: it has another part already");
}

TEST(Columns, NamesThatOccurTwiceCannotBeUsed) {
  EXPECT_EQ(complaint("a,a,b\n1,2,3\n4,5,6\n"), two_called("'a'"));
  EXPECT_EQ(complaint("a,b,b\n1,2,3\n4,5,6\n", {.label = "b"}), two_called("'b'"));
  EXPECT_EQ(complaint("a,a,a,b\n1,2,3,4\n4,5,6,7\n", {.ignore = {"2"}}), two_called("'a'"));
  EXPECT_EQ(parse("a,a,b\n1,2,3\n4,5,6\n", {.ignore = {"2"}}).x, Rows::dense(1, {1, 4}));
}

TEST(Columns, ALabelAloneIsNoDataSet) {
  EXPECT_EQ(complaint("1\n2\n"), "file: no features");
  EXPECT_EQ(complaint("a,b\n1,2\n", {.ignore = {"a"}}), "file: no features");
}

}  // namespace
}  // namespace rampart
