#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "data/output_file.hpp"
#include "data/support.hpp"

namespace rampart {
namespace {

namespace fs = std::filesystem;
using testing_support::row;

// A file that is there for as long as this is.
class File {
 public:
  explicit File(std::string_view text) {
    std::string name = (fs::temp_directory_path() / "rampart-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    OutputFile out(path());
    out.write(text);
    out.commit();
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { fs::remove_all(folder_); }
  [[nodiscard]] std::string path() const { return (folder_ / "data").string(); }

 private:
  fs::path folder_;
};

ReadOptions expecting(std::size_t count, std::vector<std::string> names = {}) {
  return {.expected = FeatureLayout{.count = count, .names = std::move(names)}};
}

// All rows, zeros included, read in batches.
std::vector<std::vector<double>> stream(std::string_view text, const ReadOptions& options,
                                        std::size_t most = 100) {
  const File file(text);
  RowStream rows(file.path(), options);
  std::vector<std::vector<double>> all;
  for (RowBatch batch = rows.next(most); batch.size() > 0; batch = rows.next(most)) {
    EXPECT_LE(batch.size(), most);
    EXPECT_EQ(batch.x.columns(), options.expected->count);
    for (std::size_t n = 0; n < batch.size(); ++n) all.push_back(row(batch.x, n));
  }
  return all;
}

// Without the name of the file, which is another one each time.
std::string complaint(std::string_view text, const ReadOptions& options) {
  try {
    stream(text, options, 1);
    return "";
  } catch (const InputError& error) {
    const std::string message = error.what();
    return message.substr(message.find("/data") + 1);
  }
}

using Values = std::vector<std::vector<double>>;

RC_GTEST_PROP(RowStreamTest, BatchesOfAnySizeGiveTheRowsOfTheDataSet, (const Dataset& data)) {
  Values expected;
  for (std::size_t n = 0; n < data.size(); ++n) expected.push_back(row(data.x, n));
  const auto most = *rc::gen::inRange<std::size_t>(1, 20);
  ReadOptions options = expecting(data.x.columns());
  RC_ASSERT(stream(to_csv(data), options, most) == expected);
  options.format = Format::libsvm;
  RC_ASSERT(stream(to_libsvm(data), options, most) == expected);
}

RC_GTEST_PROP(RowStreamTest, LabelsAreThoseOfTheDataSet, (const Dataset& data)) {
  ReadOptions options = expecting(data.x.columns());
  options.labelled = true;
  options.classes = data.classes;
  const auto most = *rc::gen::inRange<std::size_t>(1, 20);
  for (const Format format : {Format::csv, Format::libsvm}) {
    options.format = format;
    const File file(format == Format::csv ? to_csv(data) : to_libsvm(data));
    RowStream rows(file.path(), options);
    std::vector<std::int8_t> y;
    for (RowBatch batch = rows.next(most); batch.size() > 0; batch = rows.next(most)) {
      RC_ASSERT(batch.y.size() == batch.size());
      y.insert(y.end(), batch.y.begin(), batch.y.end());
    }
    RC_ASSERT(y == data.y);
  }
}

TEST(RowStreamTest, WhatIsWrongWithLabelsIsSaidAsOfADataSet) {
  ReadOptions options = expecting(1);
  options.classes = ClassNames{"a", "b"};
  options.header = false;
  for (const std::string text : {"1,a\n2,c\n", "1,a\n2,\n3,?\n4,b\n", "1\n2\n", "1,a\n2,A\n"}) {
    options.labelled = false;  // of the data set, every row has one
    const File file(text);
    std::string expected;
    try {
      static_cast<void>(read_dataset(file.path(), options));
    } catch (const InputError& error) {
      expected = error.what();
    }
    ASSERT_FALSE(expected.empty()) << text;
    options.labelled = true;
    EXPECT_EQ(complaint(text, options), expected.substr(expected.find("/data") + 1)) << text;
  }
  options.weight = "2";
  EXPECT_THAT(complaint("1,0,a\n2,0,b\n", options), ::testing::HasSubstr("every weight is 0"));
  EXPECT_EQ(complaint("1,0,a\n2,1,b\n", options), "");
}

TEST(RowStreamTest, ALabelIsNotNeeded) {
  const Values expected = {{1, 2}, {3, 4}};
  EXPECT_EQ(stream("1,2\n3,4\n", expecting(2)), expected);
  EXPECT_EQ(stream("1,2,yes\n3,4,\n", expecting(2)), expected);
  EXPECT_EQ(stream("a,1,2\nb,3,4\n", {.label = "1", .expected = FeatureLayout{2, {}}}), expected);
  EXPECT_EQ(stream("1:1 2:2\n1:3 2:4\n", expecting(2)), expected);
  EXPECT_EQ(stream("? 1:1 2:2\nx 1:3 2:4\n", expecting(2)), expected);
}

// An id and the features, or the features and the label? A guess would shift every feature by one.
TEST(RowStreamTest, AHeaderlessFileWithOneColumnTooManyIsNotGuessedAt) {
  ReadOptions options = expecting(2);
  options.expected->names = {"a", "b"};
  options.expected->label = "y";
  options.expected->id = "who";
  options.expected->fields = {2, 3};
  options.expected->file_columns = 4;
  EXPECT_THAT(complaint("7,1,2\n8,3,4\n", options),
              testing::HasSubstr("which of them are features cannot be told"));
  EXPECT_EQ(stream("1,2\n3,4\n", options), (std::vector<std::vector<double>>{{1, 2}, {3, 4}}));
  EXPECT_EQ(stream("7,1,2,0\n8,3,4,1\n", options),
            (std::vector<std::vector<double>>{{1, 2}, {3, 4}}));
}

TEST(RowStreamTest, FeaturesAreFoundByName) {
  const Values expected = {{2, 1}};
  EXPECT_EQ(stream("a,noise,b\n1,oops,2\n", expecting(2, {"b", "a"})), expected);
  EXPECT_EQ(complaint("a,c\n1,2\n", expecting(2, {"b", "a"})),
            "data: no column 'b', which the model needs; the file has: a, c");
}

TEST(RowStreamTest, AnyOtherNumberOfColumnsIsRefused) {
  EXPECT_EQ(complaint("1,2,3,4,5,6,7\n", expecting(5)),
            "data: has 7 columns, the model has 5 features");
  EXPECT_EQ(complaint("1,2\n", expecting(5)), "data: has 2 columns, the model has 5 features");
  EXPECT_EQ(complaint("1 1:1\n1 6:2\n", expecting(5)),
            "data:2: feature 6, but the model has 5 features");
}

TEST(RowStreamTest, NoRowIsGivenOnceAMissingValueIsRefused) {
  const File file("1,2\n3,?\n5,6\n?,8\n");
  ReadOptions options = expecting(2);
  options.refuse_missing = true;
  RowStream rows(file.path(), options);
  EXPECT_EQ(rows.next(1).size(), 1u);
  EXPECT_THROW(static_cast<void>(rows.next(1)), InputError);
  EXPECT_EQ(complaint("1,2\n3,?\n5,6\n?,8\n", options),
            "data:2: 2 missing values (column 1: 1, column 2: 1), the first in this line; fill or "
            "remove them");
}

// The faults of all rows, in batches of this size.
std::vector<std::string> faults(std::string_view text, ReadOptions options, std::size_t most) {
  options.tolerate_faults = true;
  const bool sparse_file = text.find("1:") != text.npos;
  const File file(text);
  RowStream rows(file.path(), options);
  std::vector<std::string> all;
  for (RowBatch batch = rows.next(most); batch.size() > 0; batch = rows.next(most)) {
    EXPECT_TRUE(batch.faults.empty() || batch.faults.size() == batch.size());
    for (std::size_t n = 0; n < batch.size(); ++n) {
      all.push_back(batch.faults.empty() ? "" : batch.faults[n]);
      if (all.back().empty()) continue;
      for (const double value : row(batch.x, n)) {
        EXPECT_TRUE(sparse_file ? value == 0 : std::isnan(value));
      }
    }
  }
  return all;
}

TEST(RowStreamTest, OneBadRowDoesNotLoseTheOthers) {
  const std::string text =
      "age,b,y\n1,2,p\nx,3,p\n4,5\n6,5\"1,p\n7,8,p\n12%,9,p\ninf,9,p\n10,11,\n";
  const std::vector<std::string> expected = {
      "",
      "line 3: column 'age': 'x' is not a number",
      "line 4: 2 fields where the first row has 3",
      "line 5: a quote inside a field: the whole field must be quoted, and quotes in it doubled",
      "",
      "line 7: column 'age': '12%' is a percentage, not a number",
      "line 8: column 'age': 'inf' is not a finite number",
      ""};
  for (const std::size_t most : {1, 3, 100}) {
    EXPECT_EQ(faults(text, expecting(2, {"age", "b"}), most), expected);
  }
  EXPECT_NE(complaint(text, expecting(2, {"age", "b"})), "");
}

TEST(RowStreamTest, OneBadLibsvmLineDoesNotLoseTheOthers) {
  const std::vector<std::string> expected = {"", "line 2: feature 3, but the model has 2 features",
                                             "line 3: feature 1: 'x' is not a number", "",
                                             "line 6: feature 1 after feature 2"};
  const std::string text = "1 1:1\n1 1:5 3:1\n1 1:x\n1 2:3\n\n1 2:1 1:1\n";
  for (const std::size_t most : {1, 2, 100}) {
    EXPECT_EQ(faults(text, expecting(2), most), expected);
  }
  const File file(text);
  ReadOptions options = expecting(2);
  options.tolerate_faults = true;
  RowStream rows(file.path(), options);
  const RowBatch batch = rows.next(100);
  EXPECT_EQ(row(batch.x, 0), (std::vector<double>{1, 0}));
  EXPECT_EQ(row(batch.x, 1), (std::vector<double>{0, 0}));
  EXPECT_EQ(row(batch.x, 3), (std::vector<double>{0, 3}));
}

TEST(RowStreamTest, WhatIsWrongWithTheWholeFileIsAnErrorAllTheSame) {
  ReadOptions options = expecting(2, {"a", "b"});
  options.tolerate_faults = true;
  EXPECT_EQ(complaint("a,c\n1,2\n", options),
            "data: no column 'b', which the model needs; the file has: a, c");
}

TEST(RowStreamTest, AQuoteThatIsNeverClosedLosesItsLineOnly) {
  const std::string stray = " a quote inside a field that ends in line ";
  const std::string after = ": the whole field must be quoted, and quotes in it doubled";
  const std::string open = " a quoted field is never closed";
  ReadOptions options = expecting(2, {"a", "b"});
  for (const std::size_t most : {1, 3, 100}) {
    EXPECT_EQ(faults("a,b\n1,2\n\"3,4\n5,6\n7,8", options, most),
              (std::vector<std::string>{"", "line 3:" + open, "", ""}));
    EXPECT_EQ(faults("a,b\n1,2\n3,\"4\n5,6\n\n7,\"8\"\n9,\"10\n1,2\n", options, most),
              (std::vector<std::string>{"", "line 3:" + stray + "6" + after, "", "",
                                        "line 7:" + open, ""}));
  }
  options.limits.cell_bytes = 100;
  std::string text = "a,b\n\"1,2\n";
  for (int n = 0; n < 200; ++n) text += "3,4\n";
  std::vector<std::string> expected(201);
  expected[0] =
      "line 2: a cell of more than 100 bytes: is a quote missing? a larger limit reads it";
  EXPECT_EQ(faults(text, options, 7), expected);
  EXPECT_EQ(stream("a,b\n\"1\n\",2\n3,4\n", options).size(), 2u) << "a cell of two lines";
}

// A line in any place is spoilt by a quote; all others keep what they have.
RC_GTEST_PROP(RowStreamTest, AStrayQuoteInAnyLineLosesNoOtherLine, ()) {
  const auto count = *rc::gen::inRange(1, 30);
  const auto spoilt = *rc::gen::inRange(0, count);
  const auto is_quoted = *rc::gen::container<std::vector<bool>>(static_cast<std::size_t>(count),
                                                                rc::gen::arbitrary<bool>());
  std::string text = "a,b\n";
  for (int n = 0; n < count; ++n) {
    const std::string value = std::to_string(n);
    text += n == spoilt                              ? "\"" + value
            : is_quoted[static_cast<std::size_t>(n)] ? "\"" + value + "\""
                                                     : value;
    text += ",1\n";
  }
  ReadOptions options = expecting(2, {"a", "b"});
  options.tolerate_faults = true;
  const Values rows = stream(text, options, *rc::gen::inRange<std::size_t>(1, 10));
  RC_ASSERT(rows.size() == static_cast<std::size_t>(count));
  for (int n = 0; n < count; ++n) {
    const double value = rows[static_cast<std::size_t>(n)][0];
    RC_ASSERT((n == spoilt ? std::isnan(value) : value == n));
  }
}

TEST(RowStreamTest, IdsAndColumnsToKeepPassThrough) {
  const File file("who,a,note,b\nann,1,\"x, y\",2\nbob,3\ncat,5,,6\n");
  ReadOptions options = expecting(2, {"b", "a"});
  options.expected->id = "who";
  options.keep = {"note", "2"};
  options.tolerate_faults = true;
  RowStream rows(file.path(), options);
  EXPECT_EQ(rows.id_name(), "who");
  EXPECT_EQ(rows.kept_names(), (std::vector<std::string>{"note", "a"}));
  const RowBatch batch = rows.next(10);
  EXPECT_EQ(batch.ids, (std::vector<std::string>{"ann", "bob", "cat"}));
  EXPECT_EQ(batch.kept,
            (std::vector<std::vector<std::string>>{{"x, y", "1"}, {"", "3"}, {"", "5"}}));
  options.keep = {};
  options.keep_all = true;
  RowStream all(file.path(), options);
  EXPECT_EQ(all.kept_names(), (std::vector<std::string>{"who", "a", "note", "b"}));
  EXPECT_EQ(all.next(1).kept[0], (std::vector<std::string>{"ann", "1", "x, y", "2"}));
}

TEST(RowStreamTest, RowsWithoutTheirLabelAreReadInThePlacesOfTraining) {
  // Training: id, a, label, ignored, b.
  ReadOptions options{.expected = FeatureLayout{.count = 2,
                                                .names = {},
                                                .label = "3",
                                                .categories = {},
                                                .id = "1",
                                                .fields = {2, 5},
                                                .file_columns = 5}};
  EXPECT_EQ(stream("7,1,p,0,2\n8,3,q,0,4\n", options), (Values{{1, 2}, {3, 4}}));
  EXPECT_EQ(stream("7,1,0,2\n8,3,0,4\n", options), (Values{{1, 2}, {3, 4}}));
  EXPECT_EQ(stream("1,2\n3,4\n", options), (Values{{1, 2}, {3, 4}}));
  const File unlabelled("7,1,0,2\n8,3,0,4\n");
  EXPECT_EQ(RowStream(unlabelled.path(), options).next(2).ids,
            (std::vector<std::string>{"7", "8"}));
}

TEST(RowStreamTest, FilesWithoutRowsAreRefused) {
  EXPECT_EQ(complaint("", expecting(2)), "data: no rows");
  EXPECT_EQ(complaint("a,b\n", expecting(2)), "data: no rows");
}

TEST(RowStreamTest, TellsTheWidestRowSoFar) {
  const File file("1 2:1\n1 4:1\n");
  RowStream rows(file.path(), expecting(9));
  static_cast<void>(rows.next(1));
  EXPECT_EQ(rows.widest(), 2u);
  static_cast<void>(rows.next(1));
  EXPECT_EQ(rows.widest(), 4u);
}

}  // namespace
}  // namespace rampart
