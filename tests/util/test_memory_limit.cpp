#include "util/memory_limit.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace rampart {
namespace {

namespace fs = std::filesystem;

/// What a system tells of its control groups, in a folder of its own.
class ControlGroups : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    root_ = fs::path(testing::TempDir()) / (std::string("memory_limit_") + test->name());
    fs::remove_all(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  void file(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  [[nodiscard]] std::optional<std::uint64_t> limit() const { return control_group_limit(root_); }

 private:
  fs::path root_;
};

TEST_F(ControlGroups, NoneIsNoLimit) { EXPECT_EQ(limit(), std::nullopt); }

TEST_F(ControlGroups, OfVersionTwoTheLeastOfAGroupAndItsParentsCounts) {
  file("proc/self/cgroup", "0::/batch/job\n");
  file("sys/fs/cgroup/batch/job/memory.max", "max\n");
  EXPECT_EQ(limit(), std::nullopt);
  file("sys/fs/cgroup/batch/memory.max", "3000000000\n");
  EXPECT_EQ(limit(), 3000000000U);
  file("sys/fs/cgroup/batch/job/memory.max", "5000000000\n");
  EXPECT_EQ(limit(), 3000000000U);
  file("sys/fs/cgroup/batch/job/memory.max", "2000000000\n");
  EXPECT_EQ(limit(), 2000000000U);
}

TEST_F(ControlGroups, OfVersionOneTheGroupOfMemoryCounts) {
  file("proc/self/cgroup", "9:pids:/job\n4:cpuset,memory:/job\n0::/\nno such line\n");
  file("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "1000000000\n");
  file("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(limit(), 1000000000U);
}

TEST_F(ControlGroups, InAContainerTheHostsPathIsNotThereButTheTopIs) {
  file("proc/self/cgroup", "0::/host/container\n");
  file("sys/fs/cgroup/memory.max", "4000000000\n");
  EXPECT_EQ(limit(), 4000000000U);
}

TEST(MemoryLimit, IsKnownHereAndNotAbsurd) {
  const auto limit = memory_limit();
  ASSERT_TRUE(limit);
  EXPECT_GT(*limit, std::uint64_t{16} << 20);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which need terabytes of it
TEST(MemoryLimit, IsNotAboveThatOfTheAddressSpace) {
  struct rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  struct rlimit lowered = before;
  lowered.rlim_cur = rlim_t{1} << 30;
  ASSERT_EQ(setrlimit(RLIMIT_AS, &lowered), 0);
  const auto limit = memory_limit();
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  ASSERT_TRUE(limit);
  EXPECT_LE(*limit, std::uint64_t{1} << 30);
}
#endif

}  // namespace
}  // namespace rampart
