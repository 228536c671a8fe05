#include "data/reserve_ahead.hpp"

#include <gtest/gtest.h>
#include <cstddef>
#include <optional>
#include <vector>

namespace rampart {
namespace {

// How often the values move while `count` of them are read, `columns` at a time.
std::size_t moves(std::size_t count, std::size_t columns, bool share_known) {
  std::vector<double> values;
  std::size_t moved = 0;
  while (values.size() < count) {
    const double* const before = values.data();
    const double share = static_cast<double>(values.size()) / static_cast<double>(count);
    reserve_ahead(values, columns, share_known ? std::optional(share) : std::nullopt);
    moved += before != nullptr && values.data() != before;
    values.insert(values.end(), columns, 1.0);
  }
  if (share_known) {
    EXPECT_LE(values.capacity(), 1.06 * static_cast<double>(count));
  }
  return moved;
}

TEST(ReserveAhead, ValuesOfAFileMoveOnceWhereItsSizeIsKnown) {
  EXPECT_LE(moves(1'000'000, 20, true), 1U);
  EXPECT_LE(moves(1'000'000, 1, true), 1U);
}

TEST(ReserveAhead, ValuesMoveALogarithmOfTheirNumberWhereItIsNot) {
  EXPECT_LE(moves(1'000'000, 20, false), 7U);  // 16384 · 2⁶ > 1e6
}

TEST(ReserveAhead, ThereIsAlwaysSpaceForTheNextRow) {
  std::vector<double> values;
  for (const std::size_t more : {1UL, 100'000UL, 50UL}) {
    reserve_ahead(values, more, 1.0);  // a file that says it is at its end, and is not
    EXPECT_GE(values.capacity(), values.size() + more);
    values.resize(values.size() + more);
  }
}

}  // namespace
}  // namespace rampart
