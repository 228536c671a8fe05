#include "util/ahead.hpp"

#include <gtest/gtest.h>
#include <atomic>
#include <stdexcept>

namespace rampart {
namespace {

TEST(Ahead, ResultsComeInTheirOrderWithAndWithoutAThread) {
  for (const std::size_t most : {0U, 1U, 2U, 100U}) {
    int last = 0;
    Ahead<int> results([&] { return ++last; }, [](int n) { return n == 50; }, most);
    for (int n = 1; n <= 50; ++n) EXPECT_EQ(results.next(), n);
  }
}

TEST(Ahead, AnExceptionComesAfterTheResultsBeforeIt) {
  for (const std::size_t most : {0U, 1U, 3U}) {
    int last = 0;
    const auto compute = [&] {
      if (last == 5) throw std::runtime_error("six");
      return ++last;
    };
    Ahead<int> results(
        compute, [](int) { return false; }, most);
    for (int n = 1; n <= 5; ++n) EXPECT_EQ(results.next(), n);
    EXPECT_THROW(static_cast<void>(results.next()), std::runtime_error);
  }
}

TEST(Ahead, NoMoreWaitThanAreAllowedAndNobodyNeedsToTakeThem) {
  std::atomic<int> calls = 0;
  {
    Ahead<int> results([&] { return ++calls; }, [](int) { return false; }, 2);
    EXPECT_EQ(results.next(), 1);
  }
  EXPECT_LE(calls, 4);  // the one taken, two that waited, and one that had no room
}

}  // namespace
}  // namespace rampart
