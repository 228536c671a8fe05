#include "util/parallel.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace rampart {
namespace {

// The same tests for every implementation that this build has.
struct Implementation {
  const char* name;
  void (*run)(std::size_t, unsigned, IndexedTask);
};

const std::vector<Implementation> implementations = {
#ifdef RAMPART_WITH_TBB
    {"tbb", run_tasks_by_tbb},
#endif
    {"threads", run_tasks_by_threads},
    {"built_in", run_tasks},
};

class Parallel : public testing::TestWithParam<Implementation> {
 protected:
  template <class Body>
  static void blocks(std::size_t size, std::size_t block, unsigned threads, const Body& body) {
    parallel_blocks(size, block, threads, body, GetParam().run);
  }
};

INSTANTIATE_TEST_SUITE_P(, Parallel, testing::ValuesIn(implementations),
                         [](const auto& instance) { return instance.param.name; });

TEST_P(Parallel, BlocksAreTheSameForAnyNumberOfThreads) {
  for (const std::size_t size : {0, 1, 2, 6, 7, 8, 100, 1001}) {
    for (const std::size_t block : {1, 2, 7, 64, 5000}) {
      std::vector<std::pair<std::size_t, std::size_t>> expected;
      for (std::size_t begin = 0; begin < size; begin += block) {
        expected.emplace_back(begin, std::min(size, begin + block));
      }
      for (const unsigned threads : {0U, 1U, 2U, 3U, 100'000U}) {
        std::mutex guard;
        std::vector<std::pair<std::size_t, std::size_t>> seen;
        blocks(size, block, threads, [&](std::size_t begin, std::size_t end) {
          const std::lock_guard lock(guard);
          seen.emplace_back(begin, end);
        });
        std::ranges::sort(seen);
        ASSERT_EQ(seen, expected) << size << ' ' << block << ' ' << threads;
      }
    }
  }
}

TEST_P(Parallel, WhatBlocksWriteIsSeenAfterwardsWithoutALock) {
  std::vector<std::size_t> values(10'000);
  std::iota(values.begin(), values.end(), 0U);
  blocks(values.size(), 16, 4, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) values[n] = 3 * values[n] + 1;
  });
  for (std::size_t n = 0; n < values.size(); ++n) ASSERT_EQ(values[n], 3 * n + 1);
}

TEST_P(Parallel, NoMoreBlocksRunAtATimeThanThereMayBeThreads) {
  for (const unsigned threads : {1U, 2U, 3U}) {
    std::atomic<unsigned> running{0};
    std::atomic<unsigned> most{0};
    blocks(64, 1, threads, [&](std::size_t, std::size_t) {
      const unsigned now = ++running;
      for (unsigned seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
      }
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      --running;
    });
    EXPECT_LE(most, threads);
  }
}

TEST_P(Parallel, OneThreadIsTheCallersInTheOrderOfTheBlocks) {
  const auto caller = std::this_thread::get_id();
  std::vector<std::size_t> begins;
  blocks(10, 3, 1, [&](std::size_t begin, std::size_t) {
    begins.push_back(begin);
    EXPECT_EQ(std::this_thread::get_id(), caller);
  });
  EXPECT_THAT(begins, testing::ElementsAre(0, 3, 6, 9));
}

TEST_P(Parallel, BlocksMayRunLoopsOfTheirOwn) {
  constexpr std::size_t rows = 12;
  constexpr std::size_t columns = 50;
  std::vector<int> table(rows * columns);
  blocks(rows, 1, 3, [&](std::size_t row, std::size_t) {
    blocks(columns, 4, 2, [&](std::size_t begin, std::size_t end) {
      for (std::size_t j = begin; j < end; ++j) table[row * columns + j] += 1;
    });
  });
  EXPECT_THAT(table, testing::Each(1));
}

TEST_P(Parallel, AnExceptionOfABlockReachesTheCallerWhenNoBlockRunsAnyMore) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    for (const std::size_t thrower : {0, 7, 99}) {
      std::atomic<int> running{0};
      const auto body = [&](std::size_t begin, std::size_t) {
        ++running;
        std::this_thread::yield();
        --running;
        if (begin == thrower) throw std::runtime_error(std::to_string(begin));
      };
      try {
        blocks(100, 1, threads, body);
        FAIL() << "block " << thrower << " threw";
      } catch (const std::runtime_error& e) {
        EXPECT_EQ(e.what(), std::to_string(thrower));
      }
      EXPECT_EQ(running, 0);
    }
  }
}

TEST_P(Parallel, OfManyExceptionsOneReachesTheCaller) {
  const auto body = [](std::size_t begin, std::size_t) { throw begin; };
  for (const unsigned threads : {1U, 2U, 4U}) {
    try {
      blocks(100, 1, threads, body);
      FAIL() << "every block threw";
    } catch (const std::size_t begin) {
      EXPECT_LT(begin, 100U);
    }
  }
}

TEST_P(Parallel, AnExceptionPassesThroughALoopInsideALoop) {
  const auto body = [&](std::size_t, std::size_t) {
    blocks(8, 1, 2, [&](std::size_t begin, std::size_t) {
      if (begin == 5) throw std::runtime_error("inner");
    });
  };
  EXPECT_THROW(blocks(6, 1, 2, body), std::runtime_error);
}

TEST(BlocksInOrder, AreMergedInTheirOrderOnAnyNumberOfThreads) {
  for (const unsigned threads : {0U, 1U, 2U, 5U}) {
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{100}}) {
      std::vector<std::pair<std::size_t, std::size_t>> merged;
      blocks_in_order(
          size, 7, threads,
          [](std::size_t begin, std::size_t end) { return std::pair(begin, end); },
          [&](std::pair<std::size_t, std::size_t> part) { merged.push_back(part); });
      std::size_t next = 0;
      for (const auto& [begin, end] : merged) {
        EXPECT_EQ(begin, next);
        EXPECT_EQ(end, std::min(size, begin + 7));
        next = end;
      }
      EXPECT_EQ(next, size);
    }
  }
}

TEST(BlocksInOrder, AnErrorOfABlockArrives) {
  for (const unsigned threads : {1U, 3U}) {
    const auto compute = [](std::size_t begin, std::size_t) {
      if (begin == 20) throw std::runtime_error("of a block");
      return begin;
    };
    EXPECT_THROW(blocks_in_order(100, 10, threads, compute, [](std::size_t) {}),
                 std::runtime_error);
  }
}

}  // namespace
}  // namespace rampart
