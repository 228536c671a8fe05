#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>
#include <cstdio>
#include <string>
#include <vector>

#include "data/output_file.hpp"
#include "data/packed.hpp"
#include "data/read_lines.hpp"
#include "data/row_reader.hpp"
#include "data/support.hpp"

namespace rampart {
namespace {

using testing_support::complaint;
using testing_support::parse;

std::string replace_all(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

RC_GTEST_PROP(Read, LineEndsMarksAndPackingMakeNoDifference, (const Dataset& data)) {
  for (const Format format : {Format::libsvm, Format::csv}) {
    const std::string text = format == Format::csv ? to_csv(data) : to_libsvm(data);
    const ReadOptions options{.format = format};
    const Dataset plain = parse(text, options);
    RC_ASSERT(parse(replace_all(text, "\n", "\r\n"), options) == plain);
    RC_ASSERT(parse(replace_all(text, "\n", "\n\n# no row\n"), options) == plain);
    RC_ASSERT(parse("\xef\xbb\xbf" + text, options) == plain);
    RC_ASSERT(parse(text.substr(0, text.size() - 1), options) == plain);
    RC_ASSERT(parse(testing_support::gzip(text), options) == plain);
    RC_ASSERT(parse(testing_support::xz(text), options) == plain);
  }
}

// Every row, and the features, of a text that arrives in pieces of this size.
std::pair<std::vector<std::string>, Rows> read_in_chunks(const std::string& text,
                                                         std::size_t chunk) {
  RowReader reader = open_rows(ByteSource::memory(text, "file", chunk), {}, true);
  return std::visit(
      [](auto& rows) {
        std::vector<std::string> heads;
        while (const auto head = rows.next()) {
          heads.push_back(std::string(head->label) + ":" + std::to_string(head->place.line));
        }
        return std::pair(heads, rows.take());
      },
      reader);
}

RC_GTEST_PROP(Read, PiecesOfAnySizeGiveTheSameRows, (const Dataset& data)) {
  const auto chunk = *rc::gen::inRange<std::size_t>(1, 64);
  for (const std::string& text : {to_csv(data), to_libsvm(data), "\xef\xbb\xbf" + to_csv(data),
                                  "# c\n\n" + to_libsvm(data)}) {
    RC_ASSERT(read_in_chunks(text, chunk) == read_in_chunks(text, 1 << 16));
  }
}

TEST(Read, LinesLongerThanAnyBufferAreRead) {
  std::string text;
  for (int j = 0; j < 100'000; ++j) text += "0.125,";
  EXPECT_EQ(parse(text + "a\n" + text + "b\n").x.columns(), 100'000u);
}

TEST(Read, LinesBeyondTheLimitAreRefused) {
  const std::string row = "1 1:1" + std::string(100'000, ' ') + "\n";
  const std::string text = "-1 1:3\n" + row + "-1 1:2\n";
  EXPECT_EQ(complaint(text, {.limits = {.line_bytes = row.size()}}), "");
  EXPECT_EQ(complaint(text, {.limits = {.line_bytes = row.size() - 1}}),
            "file:2: a line of more than 100005 bytes; a larger limit reads it");
  EXPECT_EQ(complaint(text.substr(0, 50'000), {.limits = {.line_bytes = 40'000}}),
            "file:2: a line of more than 40000 bytes; a larger limit reads it")
      << "without an end";
  try {
    static_cast<void>(parse(text, {.limits = {.line_bytes = row.size() - 1}}));
  } catch (const InputError& error) {
    EXPECT_EQ(error.setting(), Setting::line_limit);
  }
}

TEST(Labels, AreKeptAsTheyAreWritten) {
  EXPECT_EQ(parse("1,01\n2,02\n").classes, (ClassNames{"01", "02"}));
  EXPECT_EQ(parse("01 1:1\n02 1:2\n").classes, (ClassNames{"01", "02"}));
  EXPECT_EQ(parse("1,-0\n2,0\n").classes, (ClassNames{"-0", "0"}));
  EXPECT_EQ(parse("1,1e0\n2,-1.00\n").classes, (ClassNames{"-1.00", "1e0"}));
}

TEST(Labels, APlusBeforeANumberDoesNotCount) {
  const Dataset data = parse("1,+1\n2,1\n3,-1\n");
  EXPECT_EQ(data.y, (std::vector<std::int8_t>{1, 1, -1}));
  EXPECT_EQ(data.classes, (ClassNames{"-1", "1"}));
  EXPECT_EQ(parse("1,+01\n2,01\n3,+1.5\n").classes, (ClassNames{"01", "1.5"}));
  EXPECT_EQ(parse("1,+a\n2,a\n").classes, (ClassNames{"+a", "a"}));
  EXPECT_EQ(parse("1,++1\n2,1\n").classes, (ClassNames{"++1", "1"}));
}

TEST(Labels, NumbersThatADoubleCannotTellApartAreTwoClasses) {
  const ClassNames names{"9007199254740992", "9007199254740993"};
  for (const std::string text :
       {"1,9007199254740992\n2,9007199254740993\n", "1,9007199254740993\n2,9007199254740992\n"}) {
    EXPECT_EQ(parse(text).classes, names);
  }
  const std::string huge(400, '9');
  EXPECT_EQ(parse("1,1" + huge + "\n2,9" + huge + "\n").classes,
            (ClassNames{"1" + huge, "9" + huge}));
  EXPECT_EQ(parse("1,-1" + huge + "\n2,-9" + huge + "\n").classes,
            (ClassNames{"-9" + huge, "-1" + huge}));
}

RC_GTEST_PROP(Labels, TheirOrderDoesNotDependOnThatOfTheRows, ()) {
  const auto label = rc::gen::nonEmpty(
      rc::gen::container<std::string>(rc::gen::elementOf(std::string("0019-.ae"))));
  const std::string a = *label;
  const std::string b = *rc::gen::distinctFrom(label, a);
  const auto rows = [](const std::string& one, const std::string& other) {
    return parse("1," + one + "\n2," + other + "\n", {.header = false, .delimiter = ','}).classes;
  };
  RC_ASSERT(rows(a, b) == rows(b, a));
}

TEST(Labels, TheGreaterNumberOrTextIsPositive) {
  EXPECT_EQ(parse("1,10\n2,9\n").classes, (ClassNames{"9", "10"}));
  EXPECT_EQ(parse("1,no\n2,yes\n").classes, (ClassNames{"no", "yes"}));
  EXPECT_EQ(parse("1,b\n2,10\n").classes, (ClassNames{"10", "b"}));
  EXPECT_EQ(parse("1,-2\n2,-10\n").classes, (ClassNames{"-10", "-2"}));
  EXPECT_EQ(parse("1,1.0\n2,1\n").classes, (ClassNames{"1", "1.0"}));
  EXPECT_EQ(parse("1,010\n2,9\n").classes, (ClassNames{"9", "010"}));
}

TEST(Labels, ThePositiveClassCanBeChosen) {
  const Dataset data = parse("1,no\n2,yes\n", {.positive = "no"});
  EXPECT_EQ(data.classes, (ClassNames{"yes", "no"}));
  EXPECT_EQ(data.y, (std::vector<std::int8_t>{1, -1}));
  EXPECT_EQ(parse("1,1\n2,2\n", {.positive = "+1"}).classes, (ClassNames{"2", "1"}));
  EXPECT_EQ(complaint("1,no\n2,yes\n", {.positive = "maybe"}),
            "file: no class 'maybe'; the classes are 'no' and 'yes'");
}

TEST(Labels, ExactlyTwoClassesAreNeeded) {
  EXPECT_EQ(complaint("1,a\n2,b\n3,c\n"),
            "file:3: third class 'c' after 'a' and 'b'; two are needed; is this the label column?");
  EXPECT_EQ(complaint("1 1:1\n2 1:1\n3 1:1\n"),
            "file:3: third class '3' after '1' and '2'; two are needed");
  EXPECT_EQ(complaint("1,-1\n2,1\n3,1.0\n"),
            "file:3: third class '1.0' after '-1' and '1'; two are needed; '1.0' and '1' are one "
            "number, but two labels: spell them alike");
  EXPECT_EQ(complaint("1,a\n2,a\n3,a\n"),
            "file: all 3 rows have the label 'a'; two classes are needed");
  EXPECT_EQ(complaint("1,a\n"), "file: only one row; two classes are needed");
  EXPECT_EQ(complaint("1,a\n2,\n"),
            "file: 1 row has no label: line 2; fill it in, or remove the row");
}

TEST(Labels, AModelKnowsItsClasses) {
  const ReadOptions options{.classes = ClassNames{"no", "yes"}};
  const Dataset data = parse("1,no\n2,no\n", options);
  EXPECT_EQ(data.y, (std::vector<std::int8_t>{-1, -1}));
  EXPECT_EQ(data.classes, *options.classes);
  EXPECT_EQ(complaint("1,no\n2,maybe\n", options),
            "file:2: label 'maybe', but the classes of the model are 'no' and 'yes'; is this the "
            "label column?");
  EXPECT_EQ(complaint("1,01\n", {.classes = ClassNames{"1", "2"}}),
            "file:1: label '01', but the classes of the model are '1' and '2'; '01' and '1' are "
            "one number, but two labels: spell them alike");
  EXPECT_EQ(parse("+1 1:1\n", {.classes = ClassNames{"-1", "+1"}}).y, std::vector<std::int8_t>{1});
}

TEST(Weights, AreFiniteNotNegativeAndLeaveEveryClassASay) {
  const ReadOptions options{.weight = "w"};
  EXPECT_EQ(complaint("a,w,y\n1,-1,p\n2,1,q\n", options),
            "file:2: column 'w': the weight '-1' is not a finite number >= 0");
  EXPECT_EQ(complaint("a,w,y\n1,nan,p\n2,1,q\n", options),
            "file:2: column 'w': the weight 'nan' is not a finite number >= 0");
  EXPECT_EQ(complaint("a,w,y\n1,,p\n2,1,q\n", options),
            "file:2: column 'w': the weight '' is not a finite number >= 0");
  EXPECT_EQ(complaint("a,w,y\n1,0,p\n2,1,q\n", options),
            "file: no row of class 'p' has a weight > 0");
  EXPECT_EQ(complaint("a,w,y\n1,0,p\n2,0,q\n", options), "file: every weight is 0");
  EXPECT_EQ(complaint("a,w,y\n1,0,p\n2,1,q\n3,2,p\n", options), "");
}

TEST(Cells, RefusedMissingValuesAreCountedToTheEnd) {
  ReadOptions options{.refuse_missing = true};
  EXPECT_EQ(
      complaint("a,b,y\n1,2,p\n1,?,q\nna,N/A,p\n1,NULL,q\n ,2,p\n", options),
      "file:3: 5 missing values (column 'b': 3, column 'a': 2), the first in this line; fill or "
      "remove them");
  EXPECT_EQ(complaint("1,2,p\n1,,q\n,2,q\n", options),
            "file:2: 2 missing values (column 1: 1, column 2: 1), the first in this line; fill or "
            "remove them");
  EXPECT_EQ(complaint("a,b,y\n1,?,p\n1,2,q\n", options),
            "file:2: column 'b': the value is missing; fill it in or remove the row");
  options.header = false;
  EXPECT_EQ(
      complaint("?,?,?,?,?,?,?,y\n1,2,3,4,5,6,7,p\n,,,,,,,q\n", options),
      "file:1: 14 missing values (column 1: 2, column 2: 2, column 3: 2, column 4: 2, column 5: "
      "2, and 2 more columns), the first in this line; fill or remove them");
}

TEST(Cells, InfinityIsRefused) {
  EXPECT_EQ(complaint("a,y\ninf,p\n"), "file:2: column 'a': 'inf' is not a finite number");
  EXPECT_EQ(complaint("a,y\ntext,p\n1e999,q\n"),
            "file:3: column 'a': '1e999' is not a finite number");
}

TEST(Cells, RaggedRowsAreRefused) {
  EXPECT_EQ(complaint("1,2,3,4,p\n1,2,3,4,q\n1,2,3,p\n"),
            "file:3: 4 fields where the first row has 5");
  EXPECT_EQ(complaint("1 2 p\n1 2 3 q\n"), "file:2: 4 fields where the first row has 3");
}

TEST(Read, FilesWithoutRowsAreRefused) {
  for (const char* text : {"", "\n\n", "# nothing\n", "a,b\n", "\xef\xbb\xbf", "  \n"}) {
    EXPECT_EQ(complaint(text), "file: no rows") << text;
  }
  EXPECT_EQ(complaint("", {.format = Format::libsvm}), "file: no rows");
}

TEST(Read, BinaryFilesAreRefusedWithALine) {
  const std::string nul =
      ": a NUL byte: this is not a text file (if it is UTF-16, save it as UTF-8)";
  EXPECT_EQ(complaint(std::string_view("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16)), "file:3" + nul);
  EXPECT_EQ(complaint(std::string_view("\xff\xfe"
                                       "1\0,\0a\0\n\0",
                                       10)),
            "file:1" + nul);
}

TEST(Read, AModelFindsItsFeaturesByName) {
  const ReadOptions options{.expected = FeatureLayout{.count = 2, .names = {"b", "a"}}};
  const Dataset data = parse("a,extra,b,y\n1,oops,2,p\n3,oops,4,q\n", options);
  EXPECT_EQ(data.x, Rows::dense(2, {2, 1, 4, 3}));
  EXPECT_EQ(data.classes, (ClassNames{"p", "q"}));
  EXPECT_EQ(parse("y,a,b\np,1,2\nq,3,4\n", options).classes, (ClassNames{"p", "q"}))
      << "the label is the last column that is no feature";
  EXPECT_EQ(complaint("a,c,y\n1,2,p\n", options),
            "file: no column 'b', which the model needs; the file has: a, c, y");
  EXPECT_EQ(complaint("a,b\n1,2\n", options),
            "file: no label: every column is a feature of the model");
  ReadOptions named = options;
  named.expected->label = "status";
  EXPECT_EQ(complaint("a,b\n1,2\n", named),
            "file: no column 'status', which holds the labels; the file has: a, b");
}

TEST(Read, AModelFindsItsFeaturesByPosition) {
  const ReadOptions options{.expected = FeatureLayout{.count = 2, .names = {"b", "a"}}};
  EXPECT_EQ(parse("1,2,p\n3,4,q\n", options).x, Rows::dense(2, {1, 2, 3, 4}));
  EXPECT_EQ(complaint("1,2\n3,4\n", options),
            "file: has 2 columns, the model has 2 features: the label is missing");
  EXPECT_EQ(complaint("p,1,2,3\nq,3,4,5\n", {.label = "1", .expected = options.expected}),
            "file: has 3 feature columns, the model has 2 features");
}

TEST(Read, ALineOfExcelNamesTheDelimiter) {
  const Dataset data = parse("sep=;\r\na;b;y\r\n1;2;p\r\n;;\r\n3;4;q\r\n");
  EXPECT_EQ(data.features, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(data.size(), 2U);
  EXPECT_EQ(parse("sep=,\n1;v,2,p\n1;w,3,q\n").x.columns(), 2U) << "not what looks like one";
  EXPECT_EQ(parse("1;v,2,p\n1;w,3,q\n").x.columns(), 1U);
}

TEST(Read, LabelsThatDifferOnlyInCaseAreNamed) {
  const std::string end = "differ only in case: spell them alike";
  EXPECT_EQ(complaint("1,Ja\n2,ja\n3,nein\n"),
            "file:3: third class 'nein' after 'Ja' and 'ja'; two are needed; 'ja' and 'Ja' " + end);
  EXPECT_EQ(complaint("1,Ja\n2,nein\n3,ja\n"),
            "file:3: third class 'ja' after 'Ja' and 'nein'; two are needed; 'Ja' and 'ja' " + end);
}

TEST(Read, ColumnsWithoutNamesAreLeftOutByNumber) {
  EXPECT_EQ(complaint("a,,b,,y\n1,2,3,4,p\n5,6,7,8,q\n"),
            "file: 2 columns have no name; name them, or leave them out by number: 2,4");
  EXPECT_EQ(parse("a,,b,,y\n1,2,3,4,p\n5,6,7,8,q\n", {.ignore = {"2", "4"}}).x,
            Rows::dense(2, {1, 3, 5, 7}));
}

TEST(Read, FeaturesNeverMoveByOne) {
  // Training: a, b, label.
  const FeatureLayout trained{.count = 2,
                              .names = {},
                              .label = "3",
                              .categories = {},
                              .id = "",
                              .fields = {1, 2},
                              .file_columns = 3};
  const std::string is_feature =
      "it is a feature of the model, whose training file had 3 columns too; if this file has "
      "another order, remove the column";
  EXPECT_EQ(complaint("1,2,p\n3,4,q\n", {.id = "1", .expected = trained}),
            "file: column 1 cannot be the id: " + is_feature);
  EXPECT_EQ(complaint("1,2,p\n3,4,q\n", {.ignore = {"2"}, .expected = trained}),
            "file: column 2 cannot be left out: " + is_feature);
  EXPECT_EQ(complaint("7,1,2\n8,3,4\n", {.id = "1", .expected = FeatureLayout{2, {}}}),
            "file: has 2 other columns, the model has 2 features: the label is missing");
  const Rows rows = Rows::dense(2, {1, 2, 3, 4});
  EXPECT_EQ(parse("p,1,2\nq,3,4\n", {.label = "1", .expected = trained}).x, rows);
  const Dataset wider = parse("7,1,2,p\n8,3,4,q\n", {.id = "1", .expected = trained});
  EXPECT_EQ(wider.x, rows) << "the label is the third of the columns left, not of the file";
  EXPECT_EQ(wider.label, "4");
}

TEST(Read, ProgressIsToldEveryMegabyte) {
  std::string text;
  for (int n = 0; n < 300'000; ++n) text += n % 2 ? "1,2,3,a\n" : "4,5,6,b\n";
  std::vector<std::uint64_t> told;
  static_cast<void>(parse(text, {.progress = [&](std::uint64_t bytes) { told.push_back(bytes); }}));
  EXPECT_EQ(told.size(), 3u);
  EXPECT_EQ(told.back(), text.size());
}

// The path of a file of this text, which is overwritten by the next.
std::string file_of(std::string_view text) {
  const std::string path =
      testing::TempDir() + "rampart_read_" + std::to_string(::getpid()) + ".txt";
  OutputFile out(path);
  out.write(text);
  out.commit();
  return path;
}

RC_GTEST_PROP(Read, AFileGivesWhatItsTextGives, (const Dataset& data)) {
  for (const std::string& text : {to_csv(data), to_libsvm(data)}) {
    const std::string path = file_of(text);
    const Dataset read = read_dataset(path);
    std::remove(path.c_str());
    RC_ASSERT(read == parse(text));
  }
}

TEST(Groups, AreReadFromTheirColumnAndNeverEmpty) {
  const ReadOptions options{.group = "who"};
  const Dataset data = parse("who,a,y\nann,1,p\nbob,2,q\nann,3,q\n", options);
  EXPECT_EQ(data.groups, (std::vector<std::string>{"ann", "bob", "ann"}));
  EXPECT_EQ(data.x, Rows::dense(1, {1, 2, 3}));
  EXPECT_EQ(complaint("who,a,y\nann,1,p\n,2,q\n", options), "file:3: no group");
}

TEST(ReadLines, GivesOneNameALine) {
  const auto lines = [](std::string_view text) {
    const std::string path = file_of(text);
    const std::vector<std::string> names = read_lines(path);
    std::remove(path.c_str());
    return names;
  };
  const std::vector<std::string> expected{"ann", "bob", "ann"};
  EXPECT_EQ(lines("ann\nbob\nann\n"), expected);
  EXPECT_EQ(lines("ann\nbob\nann"), expected) << "without an end";
  EXPECT_EQ(lines(" ann \r\n\tbob\r\nann\r\n\n"), expected) << "white space around it";
  try {
    static_cast<void>(lines("ann\n\nbob\n"));
    FAIL() << "a row without a name";
  } catch (const InputError& error) {
    EXPECT_TRUE(std::string(error.what()).ends_with(":2: an empty line, where a name is expected"));
  }
}

TEST(Read, WhatIsNotUtf8IsRefused) {
  EXPECT_EQ(complaint("a,y\n1,\xff\n2,q\n"),
            "file:2: label '\\xff' is not UTF-8; convert the file (iconv)");
  EXPECT_EQ(complaint("\xff,y\n1,p\n2,q\n"),
            "file: the column name '\\xff' is not UTF-8; convert the file (iconv)");
}

TEST(Read, ADelimiterCannotBeWhatMarksQuotesCommentsAndLines) {
  for (const char delimiter : {'"', '#', '\n', '\r'}) {
    EXPECT_THROW(static_cast<void>(parse("1,p\n2,q\n", {.delimiter = delimiter})), OptionError);
  }
}

}  // namespace
}  // namespace rampart
