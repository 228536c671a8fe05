// Several files are one data set.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "data/output_file.hpp"
#include "data/support.hpp"

namespace rampart {
namespace {

namespace fs = std::filesystem;

// Files part-0, part-1 … that are there for as long as this is.
class Files {
 public:
  explicit Files(const std::vector<std::string>& texts) {
    std::string name = (fs::temp_directory_path() / "rampart-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    for (const std::string& text : texts) {
      paths.push_back((folder_ / ("part-" + std::to_string(paths.size()))).string());
      OutputFile out(paths.back());
      out.write(text);
      out.commit();
    }
  }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;
  ~Files() { fs::remove_all(folder_); }

  // What reading them says is wrong, without the name of the folder.
  [[nodiscard]] std::string complaint(const ReadOptions& options = {}) const {
    try {
      static_cast<void>(read_dataset(paths, options));
      return "";
    } catch (const InputError& error) {
      std::string message = error.what();
      const std::string folder = folder_.string() + "/";
      for (auto at = message.find(folder); at != message.npos; at = message.find(folder)) {
        message.erase(at, folder.size());
      }
      return message;
    }
  }

  std::vector<std::string> paths;

 private:
  fs::path folder_;
};

// Cuts the lines of a text into this many texts, each after the same first line if there is one.
std::vector<std::string> cut(const std::string& text, std::size_t parts, bool header) {
  std::string first;
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    if (header && at == 0) {
      first = text.substr(0, end);
    } else {
      lines.push_back(text.substr(at, end - at));
    }
    at = end;
  }
  std::vector<std::string> texts(parts, first);
  for (std::size_t k = 0; k < lines.size(); ++k) texts[k * parts / lines.size()] += lines[k];
  return texts;
}

RC_GTEST_PROP(RowFilesTest, SeveralFilesAreTheDataSetOfOne, (const Dataset& data)) {
  const auto parts = *rc::gen::inRange<std::size_t>(1, 4);
  const bool sparse = *rc::gen::arbitrary<bool>();
  const std::string text = sparse ? to_libsvm(data) : to_csv(data);
  ReadOptions options{.format = sparse ? Format::libsvm : Format::csv};
  if (!sparse) options.header = true;
  options.positive = data.classes.positive;
  const Files files(cut(text, parts, !sparse));
  RC_ASSERT(read_dataset(files.paths, options) == parse_dataset(text, "one", options));
}

TEST(RowFilesTest, CategoriesAreUnited) {
  const std::vector<std::string> texts = {"c,x,y\nred,1,p\nblue,2,q\n", "c,x,y\ngreen,3,p\n",
                                          "c,x,y\n", "c,x,y\nred,,q\n7,5,p"};
  const Files files(texts);
  const Dataset data = read_dataset(files.paths);
  EXPECT_EQ(data.categories[0], (std::vector<std::string>{"7", "blue", "green", "red"}));
  EXPECT_EQ(data.size(), 5U);
  EXPECT_EQ(testing_support::row(data.x, 4), (std::vector<double>{0, 5}));
  EXPECT_EQ(data.features, (std::vector<std::string>{"c", "x"}));
}

// In one file too a column of numbers becomes one of categories where a text appears.
TEST(RowFilesTest, AColumnMayBecomeCategoricalInALaterFile) {
  const Files files({"a,y\n1,p\n2,q\n", "a,y\nx,p\n"});
  EXPECT_EQ(read_dataset(files.paths).categories[0], (std::vector<std::string>{"1", "2", "x"}));
}

TEST(RowFilesTest, TheFileThatDiffersIsNamed) {
  EXPECT_EQ(Files({"a,b,y\n1,2,p\n3,4,q\n", "a,c,y\n1,2,p\n"}).complaint().substr(0, 45),
            "part-1: column 2 is 'c', not 'b' as in part-0");
  EXPECT_THAT(Files({"a,b,y\n1,2,p\n3,4,q\n", "a,y\n1,p\n"}).complaint(),
              testing::StartsWith("part-1: has 2 columns, not the 3 of part-0"));
  EXPECT_THAT(Files({"1,2,p\n3,4,q\n", "1,2,p\n", "1,p\n"}).complaint(),
              testing::StartsWith("part-2: has 2 columns, not the 3 of"));
  EXPECT_THAT(Files({"a,y\n1,p\n3,q\n", "2,p\n"}).complaint(),
              testing::StartsWith("part-1: column 1 is '2', not 'a' as in"));
  EXPECT_THAT(Files({"1 1:2\n-1 1:3\n", "1 1:2 x\n"}).complaint(),
              testing::StartsWith("part-1:1: 'x' is not of the form"));
  const std::string arff = "@relation r\n@attribute a {u,v}\n@attribute y {p,q}\n@data\nu,p\nv,q\n";
  const std::string other = "@relation r\n@attribute a {u,w}\n@attribute y {p,q}\n@data\nu,p\n";
  EXPECT_EQ(Files({arff, arff}).complaint(), "");
  EXPECT_THAT(Files({arff, other}).complaint(),
              testing::StartsWith("part-1: declares other types or values than part-0"));
  EXPECT_THAT(Files({arff, "a,y\nu,p\n"}).complaint(),
              testing::StartsWith("part-1: is a CSV file, and part-0 is another kind"));
}

TEST(RowFilesTest, ErrorsNameTheFileAndTheLine) {
  EXPECT_THAT(Files({"a,y\n1,p\n2,q\n", "a,y\n1,p\n2,r\n"}).complaint(),
              testing::StartsWith("part-1:3: third class 'r'"));
  EXPECT_EQ(Files({"a,y\n1,p\n2,p\n", "a,y\n1,p\n"}).complaint(),
            "part-0 and 1 more file: all 3 rows have the label 'p'; two classes are needed");
  EXPECT_THAT(Files({"a,y\n1,p\n2,\n", "a,y\n1,q\n5,\n"}).complaint(),
              testing::StartsWith(
                  "part-0 and 1 more file: 2 rows have no label: lines part-0:3, part-1:3;"));
  EXPECT_EQ(Files({"", "a,y\n1,q\n5,p\n"}).complaint(), "part-0: no rows");
  EXPECT_EQ(Files({"a,y\n1,q\n,p\n", "a,y\n1,q\n,p\n,p\n"}).complaint({.refuse_missing = true}),
            "part-0:3: 3 missing values (column 'a': 3), the first in this line; fill or remove "
            "them");
}

TEST(RowFilesTest, AStreamGoesOnWithTheNextFile) {
  const Files files({"a,b\n1,2\n", "a,b\n3,4\n5,6\n", "a,b\n", "a,b\n7,8\n"});
  ReadOptions options;
  options.expected = FeatureLayout{.count = 2, .names = {"a", "b"}};
  RowStream rows(files.paths, options);
  std::vector<double> found;
  for (RowBatch batch = rows.next(2); batch.size() > 0; batch = rows.next(2)) {
    for (std::size_t n = 0; n < batch.size(); ++n) {
      for (const double value : testing_support::row(batch.x, n)) found.push_back(value);
    }
  }
  EXPECT_EQ(found, (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(RowFilesTest, NoFileIsAnError) {
  EXPECT_THROW(static_cast<void>(read_dataset(std::vector<std::string>())), InputError);
}

}  // namespace
}  // namespace rampart
