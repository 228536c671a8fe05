#include "linear/checkpoint.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "linear/linear_solver.hpp"
#include "linear_problem.hpp"
#include "rampart/errors.hpp"

namespace rampart {
namespace {

using testing_support::LinearProblem;

class CheckpointTest : public testing::Test {
 protected:
  CheckpointTest()
      : path_(testing::TempDir() + "rampart_checkpoint_" + std::to_string(::getpid())) {
    std::filesystem::remove(path_);
  }
  ~CheckpointTest() override { std::filesystem::remove(path_); }

  /// Trains; ends after so many passes, as if killed.
  LinearResult train(std::uint64_t passes, bool checkpoint) const {
    LinearOptions options{.gap = 1e-7, .rows_for_near = 100};
    options.observe = [&, count = std::uint64_t{0}](const LinearProgress&) mutable {
      return ++count <= passes;
    };
    return train_linear_surface(problem_.rows(), problem_.loss, {}, options, 1,
                                {checkpoint ? path_ : "", 0});
  }

  [[nodiscard]] std::string bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  static constexpr std::uint64_t no_limit = ~std::uint64_t{0};
  LinearProblem problem_{300, 7, Objective{}, 5};
  std::string path_;
};

TEST_F(CheckpointTest, AKilledTrainingGoesOnToTheSameBits) {
  const LinearResult undisturbed = train(no_limit, false);
  ASSERT_EQ(undisturbed.status, LinearStatus::converged);
  ASSERT_GT(undisturbed.passes, 30U);
  for (const std::uint64_t killed_after : {1U, 2U, 9U, 17U, 30U}) {
    const LinearResult first = train(killed_after, true);
    EXPECT_EQ(first.status, LinearStatus::cancelled);
    EXPECT_TRUE(std::filesystem::exists(path_));
    const LinearResult second = train(3, true);  // and once more
    EXPECT_EQ(second.status, LinearStatus::cancelled);
    const LinearResult whole = train(no_limit, true);
    EXPECT_EQ(whole.status, LinearStatus::converged);
    EXPECT_EQ(whole.point.w, undisturbed.point.w) << killed_after;
    EXPECT_EQ(whole.point.offsets, undisturbed.point.offsets);
    EXPECT_EQ(whole.objective, undisturbed.objective);
    EXPECT_EQ(whole.bound, undisturbed.bound);
    EXPECT_EQ(whole.history.size(), undisturbed.history.size());
    EXPECT_FALSE(std::filesystem::exists(path_)) << "removed at the end";
  }
}

TEST_F(CheckpointTest, OfAnotherTrainingIsRefused) {
  (void)train(5, true);
  problem_.y[3] = static_cast<std::int8_t>(-problem_.y[3]);
  EXPECT_THROW((void)train(5, true), InputError);
}

TEST_F(CheckpointTest, WithAWrongByteOrCutShortIsRefused) {
  (void)train(5, true);
  const std::string whole = bytes();
  const auto with = [&](const std::string& changed) {
    std::ofstream(path_, std::ios::binary) << changed;
    EXPECT_THROW((void)train(5, true), InputError);
  };
  for (std::size_t at = 0; at < whole.size(); at += 97) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    with(changed);
    with(whole.substr(0, at));
  }
}

}  // namespace
}  // namespace rampart
