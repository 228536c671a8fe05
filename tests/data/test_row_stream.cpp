#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
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

TEST(RowStreamTest, ALabelIsNotNeeded) {
  const Values expected = {{1, 2}, {3, 4}};
  EXPECT_EQ(stream("1,2\n3,4\n", expecting(2)), expected);
  EXPECT_EQ(stream("1,2,yes\n3,4,\n", expecting(2)), expected);
  EXPECT_EQ(stream("a,1,2\nb,3,4\n", {.label = "1", .expected = FeatureLayout{2, {}}}), expected);
  EXPECT_EQ(stream("1:1 2:2\n1:3 2:4\n", expecting(2)), expected);
  EXPECT_EQ(stream("? 1:1 2:2\nx 1:3 2:4\n", expecting(2)), expected);
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

TEST(RowStreamTest, NoRowIsGivenOnceAValueIsMissing) {
  const File file("1,2\n3,?\n5,6\n?,8\n");
  RowStream rows(file.path(), expecting(2));
  EXPECT_EQ(rows.next(1).size(), 1u);
  EXPECT_THROW(static_cast<void>(rows.next(1)), InputError);
  EXPECT_EQ(complaint("1,2\n3,?\n5,6\n?,8\n", expecting(2)),
            "data:2: 2 missing values (column 1: 1, column 2: 1), the first in this line; fill or "
            "remove them");
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
