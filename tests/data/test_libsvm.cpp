#include "data/libsvm.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "data/packed.hpp"
#include "data/support.hpp"

namespace rampart {
namespace {

using testing_support::row;

std::string complaint(std::string_view text, ReadOptions options = {}) {
  options.format = Format::libsvm;
  return testing_support::complaint(text, options);
}

Dataset parse(std::string_view text, ReadOptions options = {}) {
  options.format = Format::libsvm;
  return testing_support::parse(text, options);
}

TEST(Libsvm, ReadsLabelsIndicesAndValues) {
  const Dataset data = parse("+1 1:0.5 3:-2e1\n-1 2:+7\n");
  EXPECT_EQ(data.classes, (ClassNames{"-1", "1"}));
  EXPECT_EQ(data.y, (std::vector<std::int8_t>{1, -1}));
  EXPECT_EQ(data.x, Rows::dense(3, {0.5, 0, -20, 0, 7, 0}));
}

TEST(Libsvm, CommentsBlankLinesTabsAndLineEndsOfAnyKindAreAccepted) {
  const Dataset plain = parse("1 1:2 3:4\n-1 2:5\n");
  EXPECT_EQ(parse("1 1:2 3:4\r\n-1 2:5\r\n"), plain);
  EXPECT_EQ(parse("\xef\xbb\xbf"
                  "1 1:2 3:4\n-1 2:5"),
            plain);
  EXPECT_EQ(parse("# by hand\n\n1\t1:2  3:4 # first\n   \n  -1 2:5#second\n\n"), plain);
}

TEST(Libsvm, ErrorsNameTheFileTheLineAndTheRule) {
  const auto second_line = [](const std::string& features) {
    return complaint("1 1:1\n-1 " + features + "\n");
  };
  EXPECT_EQ(second_line("0:1"), "file:2: feature 0: indices start at 1");
  EXPECT_EQ(second_line("-3:1"), "file:2: feature -3: indices start at 1");
  EXPECT_EQ(second_line("5:1 3:1"), "file:2: feature 3 after feature 5");
  EXPECT_EQ(second_line("5:1 5:1"), "file:2: feature 5 after feature 5");
  EXPECT_EQ(second_line("16777217:1"), "file:2: feature 16777217: indices go up to 16777216");
  EXPECT_EQ(second_line("99999999999999999999:1"),
            "file:2: feature 99999999999999999999: indices go up to 16777216");
  EXPECT_EQ(second_line("3: 4:1"), "file:2: feature 3 has no value");
  EXPECT_EQ(second_line("3:abc"), "file:2: feature 3: 'abc' is not a number");
  EXPECT_EQ(second_line("3:nan"), "file:2: feature 3: 'nan' is not a finite number");
  EXPECT_EQ(second_line("3:-inf"), "file:2: feature 3: '-inf' is not a finite number");
  EXPECT_EQ(second_line("3:1e999"), "file:2: feature 3: '1e999' is not a finite number");
  EXPECT_EQ(second_line("3:1:2"), "file:2: feature 3: '1:2' is not a number");
  EXPECT_EQ(second_line("abc"), "file:2: 'abc' is not of the form index:value");
  EXPECT_EQ(second_line("x:1"), "file:2: 'x:1': the index is not a whole number");
  EXPECT_EQ(second_line("1.5:1"), "file:2: '1.5:1': the index is not a whole number");
  EXPECT_EQ(second_line("qid:7 1:1"), "file:2: 'qid:7': ranking data (qid) are not supported");
  EXPECT_EQ(complaint("1 1:1\n2:3 4:5\n"), "file:2: no label before '2:3'");
}

TEST(Libsvm, LongAndUnprintableTokensAreShortenedAndEscaped) {
  EXPECT_EQ(complaint("1 1:\x1b[2J\n"), R"(file:1: feature 1: '\x1b[2J' is not a number)");
  EXPECT_EQ(complaint("1 1:" + std::string(100, 'x') + "\n"),
            "file:1: feature 1: '" + std::string(39, 'x') + "…' is not a number");
}

TEST(Libsvm, NulBytesAreNotText) {
  EXPECT_EQ(complaint(std::string_view("1 1:1\n\0\0\0", 9)),
            "file:2: a NUL byte: this is not a text file (if it is UTF-16, save it as UTF-8)");
}

TEST(Libsvm, SerialNumbersAreDroppedOnlyWhenAskedFor) {
  const Dataset data = parse("1 0:1 1:2 2:3\n-1 0:2 1:4\n", {.serial_numbers = true});
  EXPECT_EQ(data.x, Rows::dense(2, {2, 3, 4, 0}));
  EXPECT_EQ(complaint("1 1:2 0:1\n", {.serial_numbers = true}),
            "file:1: feature 0: indices start at 1");
}

TEST(Libsvm, OptionsOfCsvFilesAreRefused) {
  const std::string text = "1 1:2\n-1 1:3\n";
  EXPECT_EQ(complaint(text, {.label = "1"}),
            "file: a label column is for CSV files, and this is a LIBSVM file");
  EXPECT_EQ(complaint(text, {.weight = "1"}),
            "file: a column of weights is for CSV files, and this is a LIBSVM file");
  EXPECT_EQ(complaint(text, {.ignore = {"1"}}),
            "file: leaving out a column is for CSV files, and this is a LIBSVM file");
  for (const ReadOptions& options :
       {ReadOptions{.group = "1"}, ReadOptions{.header = true}, ReadOptions{.delimiter = ','},
        ReadOptions{.id = "1"}, ReadOptions{.categorical = {"1"}}, ReadOptions{.max_categories = 7},
        ReadOptions{.missing_values = {"-1"}}, ReadOptions{.refuse_missing = false},
        ReadOptions{.refuse_missing = true}, ReadOptions{.keep = {"1"}},
        ReadOptions{.keep_all = true}}) {
    EXPECT_THAT(complaint(text, options),
                ::testing::EndsWith(" is for CSV files, and this is a LIBSVM file"));
  }
}

TEST(Libsvm, AModelBoundsTheIndicesAndSetsTheWidth) {
  const ReadOptions options{.expected = FeatureLayout{.count = 4, .names = {}}};
  EXPECT_EQ(parse("1 1:2\n-1 2:3\n", options).x.columns(), 4u);
  EXPECT_EQ(complaint("1 1:2\n-1 5:3\n", options),
            "file:2: feature 5, but the model has 4 features");
}

TEST(Libsvm, RowsAreDenseFromThirtyPercentOn) {
  EXPECT_EQ(parse("1 1:1 2:1 3:1\n-1 10:0\n").x.stored_values(), 3u);
  EXPECT_FALSE(parse("1 1:1 2:1 3:1 10:0\n-1 1:1 2:1\n").x.is_dense());
  EXPECT_TRUE(parse("1 1:1 2:1 3:1 10:0\n-1 1:1 2:1 3:1\n").x.is_dense());
}

TEST(Libsvm, AHugeIndexCostsNoMemory) {
  const Dataset data = parse("1 16777216:1\n-1 1:1\n");
  EXPECT_EQ(data.x.columns(), 16'777'216u);
  EXPECT_FALSE(data.x.is_dense());
}

TEST(Libsvm, ARowMayBeNothingButALabel) {
  const Dataset data = parse("1\n-1 1:1\n1\n");
  EXPECT_EQ(row(data.x, 0), std::vector<double>{0});
  EXPECT_EQ(complaint("1\n-1\n"), "file: no features");
}

TEST(Libsvm, PlainAndUnusualSpellingsOfAFeatureAreTheSame) {
  const Dataset plain = parse("1 7:2.5 8:-300\n-1 8:0.125 9:1\n");
  EXPECT_EQ(parse("1 007:+2.50 8:-3e2\n-1 8:.125 9:1.\n"), plain);
  EXPECT_EQ(parse("1 000000007:25e-1\v8:-300.0\f\n-1 8:1.25E-1 0000000009:1.0000000000000000000\n"),
            plain);
  EXPECT_EQ(parse("1 7:2.5 8:-300#9:1\n-1 8:0.125 9:1#\n"), plain);
}

TEST(Libsvm, LongFilesAreReadWholeWhetherTheirSizeIsKnownOrNot) {
  // More values than room is made for at first, in lines that grow: every guess is too small.
  std::string text;
  std::vector<double> values;
  for (std::size_t n = 1; n <= 400; ++n) {
    text += n % 2 == 0 ? "1" : "-1";
    for (std::size_t j = 1; j <= 400; ++j) {
      values.push_back(j <= n ? static_cast<double>(n * j) / 8 : 0);
      if (j <= n) text += " " + std::to_string(j) + ":" + std::to_string(values.back());
    }
    text += '\n';
  }
  const Rows expected = Rows::dense(400, values);
  EXPECT_EQ(parse(text).x, expected);
  EXPECT_EQ(parse(testing_support::gzip(text)).x, expected);
}

RC_GTEST_PROP(Libsvm, StoredZerosMakeNoDifference, (const Dataset& data)) {
  std::string text = to_libsvm(data);
  const std::size_t end = text.find('\n');
  const std::string last = " " + std::to_string(data.x.columns()) + ":";
  if (text.substr(0, end).find(last) == std::string::npos) text.insert(end, last + "-0");
  RC_ASSERT(parse(text) == parse(to_libsvm(data)));
}

}  // namespace
}  // namespace rampart
