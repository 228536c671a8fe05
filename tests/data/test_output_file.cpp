#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "data/output_file.hpp"
#include "rampart/errors.hpp"
#include "rampart/io.hpp"

namespace rampart {
namespace {

namespace fs = std::filesystem;
using ::testing::ThrowsMessage;

class OutputFileTest : public ::testing::Test {
 protected:
  OutputFileTest() {
    std::string name = (fs::temp_directory_path() / "rampart-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~OutputFileTest() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }
  [[nodiscard]] std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }
  static std::string content(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void put(const std::string& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
  }
  static void write(const std::string& file, const std::string& text) {
    OutputFile out(file);
    out.write(text);
    out.commit();
  }

  fs::path folder_;
};

TEST_F(OutputFileTest, AppearsWholeOnCommit) {
  const std::string file = path("model.json");
  {
    OutputFile out(file);
    out.write("one ");
    out.write("two");
    EXPECT_FALSE(fs::exists(file));
    EXPECT_TRUE(fs::exists(out.temporary()));
    out.commit();
    EXPECT_TRUE(out.temporary().empty());
  }
  EXPECT_EQ(content(file), "one two");
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFileTest, WithoutCommitNothingIsLeftBehindAndTheOldFileStays) {
  const std::string file = path("model.json");
  put(file, "old");
  {
    OutputFile out(file);
    out.write("new");
  }
  EXPECT_EQ(content(file), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFileTest, KeepsTheModeOfTheFileItReplaces) {
  const std::string file = path("model.json");
  put(file, "old");
  fs::permissions(file, fs::perms(0640));
  write(file, "new");
  EXPECT_EQ(content(file), "new");
  EXPECT_EQ(fs::status(file).permissions(), fs::perms(0640));
}

TEST_F(OutputFileTest, ANewFileHasTheModeThatTheUmaskLeaves) {
  const mode_t old = ::umask(027);
  write(path("model.json"), "new");
  ::umask(old);
  EXPECT_EQ(fs::status(path("model.json")).permissions(), fs::perms(0640));
}

TEST_F(OutputFileTest, FollowsSymbolicLinks) {
  fs::create_directory(path("there"));
  put(path("there/file"), "old");
  fs::create_symlink("there/file", path("link"));
  fs::create_symlink("there/none", path("dangling"));
  write(path("link"), "new");
  write(path("dangling"), "fresh");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(content(path("there/file")), "new");
  EXPECT_TRUE(fs::is_symlink(path("dangling")));
  EXPECT_EQ(content(path("there/none")), "fresh");
}

TEST_F(OutputFileTest, LinksInACircleAreAnError) {
  fs::create_symlink("b", path("a"));
  fs::create_symlink("a", path("b"));
  EXPECT_THAT([&] { OutputFile out(path("a")); },
              ThrowsMessage<OutputError>(path("a") + ": Too many levels of symbolic links"));
}

TEST_F(OutputFileTest, APipeIsWrittenDirectly) {
  const std::string file = path("pipe");
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = content(file); });
  write(file, "through the pipe");
  reader.join();
  EXPECT_EQ(read, "through the pipe");
  EXPECT_TRUE(fs::is_fifo(file));
}

TEST_F(OutputFileTest, ADeviceIsWrittenDirectly) {
  OutputFile out("/dev/null");
  EXPECT_TRUE(out.temporary().empty());
  out.write("gone");
  out.commit();
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(OutputFileTest, WhatCannotBeWrittenIsFoundOutBeforeTheWork) {
  EXPECT_THAT([&] { OutputFile out(folder_.string()); },
              ThrowsMessage<OutputError>(folder_.string() + ": Is a directory"));
  EXPECT_THAT([&] { OutputFile out(path("none/file")); },
              ThrowsMessage<OutputError>(path("none/file") + ": No such file or directory"));
  EXPECT_EQ(files(), 0);
}

TEST_F(OutputFileTest, AFullDeviceIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP();
  OutputFile out("/dev/full");
  EXPECT_THAT([&] { out.write("x"); },
              ThrowsMessage<OutputError>("/dev/full: No space left on device"));
}

TEST_F(OutputFileTest, WhatAKilledProcessLeftIsRemoved) {
  put(path(".rampart-1-0.tmp"), "half");
  put(path(".rampart-4194304-17.tmp"), "");
  remove_abandoned_files(path("model.json"));
  EXPECT_EQ(files(), 0);
}

TEST_F(OutputFileTest, WhatIsBeingWrittenIsNotAbandoned) {
  const std::string file = path("model.json");
  OutputFile out(file);
  out.write("one");
  remove_abandoned_files(file);
  EXPECT_TRUE(fs::exists(out.temporary()));
  out.flush();
  remove_abandoned_files(file);
  out.commit();
  EXPECT_EQ(content(file), "one");
}

TEST_F(OutputFileTest, OtherFilesAreNotAbandonedOnes) {
  for (const char* name : {".rampart--0.tmp", ".rampart-1-.tmp", ".rampart-1.tmp", ".rampart-.tmp",
                           ".rampart-1-x.tmp", ".rampart-1-0.tmp~", "rampart-1-0.tmp", "kept"}) {
    put(path(name), "precious");
  }
  fs::create_hard_link(path("kept"), path(".rampart-1-0.tmp"));
  fs::create_symlink(path("kept"), path(".rampart-1-1.tmp"));
  fs::create_directory(path(".rampart-1-2.tmp"));
  ASSERT_EQ(::mkfifo(path(".rampart-1-3.tmp").c_str(), 0600), 0);
  const auto before = files();
  remove_abandoned_files(path("model.json"));
  EXPECT_EQ(files(), before);
}

TEST_F(OutputFileTest, AFolderThatCannotBeListedIsLeftAlone) {
  EXPECT_NO_THROW(remove_abandoned_files(path("none/model.json")));
}

// Every run of the command that writes looks for abandoned files: none may lose its own to another.
TEST_F(OutputFileTest, ManyMayWriteAndTidyAtOnce) {
  constexpr int writers = 4;
  constexpr int files_each = 50;
  {
    std::vector<std::jthread> threads;
    for (int writer = 0; writer < writers; ++writer) {
      threads.emplace_back([&, writer] {
        for (int k = 0; k < files_each; ++k) {
          const std::string file = path(std::to_string(writer) + "-" + std::to_string(k));
          OutputFile out(file);
          remove_abandoned_files(file);
          out.write(file);
          ASSERT_NO_THROW(out.commit());
        }
      });
    }
  }
  EXPECT_EQ(files(), writers * files_each);
}

}  // namespace
}  // namespace rampart
