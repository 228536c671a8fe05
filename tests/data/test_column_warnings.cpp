#include "data/column_warnings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <functional>

#include "data/support.hpp"

namespace rampart {
namespace {

using ::testing::HasSubstr;
using testing_support::parse;

// Forty rows; the other column is harmless.
Dataset table(const std::function<std::string(int)>& cell, const ReadOptions& options = {}) {
  std::string text = "a,other,y\n";
  for (int n = 0; n < 40; ++n) {
    text += cell(n) + "," + std::to_string(n % 7) + ".5," + (n % 2 ? "p\n" : "q\n");
  }
  return parse(text, options);
}

std::vector<Setting> settings(const Dataset& data) {
  std::vector<Setting> found;
  for (const ColumnWarning& warning : column_warnings(data)) found.push_back(warning.setting);
  return found;
}

using Settings = std::vector<Setting>;

TEST(ColumnWarnings, IdsAreWholeNumbersOrTextThatAreAllDifferent) {
  const Dataset ids = table([](int n) { return std::to_string(1000 - n); });
  EXPECT_EQ(settings(ids), (Settings{Setting::id}));
  EXPECT_EQ(column_warnings(ids)[0].message,
            "column 'a': all values are different, as of an id; name it as the id or leave it out");
  EXPECT_EQ(settings(table([](int n) { return "n" + std::to_string(n); })), Settings{Setting::id});
  EXPECT_EQ(settings(table([](int n) { return std::to_string(n) + ".25"; })), Settings{});
  EXPECT_EQ(settings(table([](int n) { return std::to_string(n / 2 * 2 % 30); })), Settings{});
}

TEST(ColumnWarnings, ConstantColumnsTellNothing) {
  const Dataset data = table([](int) { return "5"; });
  ASSERT_EQ(settings(data), (Settings{Setting::ignore}));
  EXPECT_THAT(column_warnings(data)[0].message, HasSubstr("all values are the same"));
  EXPECT_EQ(settings(table([](int n) { return n == 3 ? "?" : "5"; })), Settings{})
      << "where the value is missing tells something";
}

TEST(ColumnWarnings, AColumnThatSeparatesTheClassesMayBeALeak) {
  const auto leak = [](int n) { return std::to_string(n % 2 * 10 + n % 3); };
  ASSERT_EQ(settings(table(leak)), (Settings{Setting::ignore}));
  EXPECT_THAT(column_warnings(table(leak))[0].message, HasSubstr("it separates the classes alone"));
  EXPECT_EQ(settings(table([](int n) { return n % 2   ? "dead"
                                              : n % 4 ? "alive"
                                                      : "well"; })),
            Settings{Setting::ignore});
  EXPECT_EQ(settings(table([](int n) { return n == 0 ? "10" : std::to_string(n % 2 * 10); })),
            Settings{})
      << "a single row on the other side";
}

TEST(ColumnWarnings, AFewTextsAmongNumbersMayBeMissingValues) {
  const Dataset data = table([](int n) { return n == 5 ? "unknown" : std::to_string(n / 2 % 10); });
  ASSERT_EQ(settings(data), (Settings{Setting::missing_values}));
  EXPECT_THAT(column_warnings(data)[0].message, HasSubstr("numbers, but for 'unknown'"));
}

TEST(ColumnWarnings, GroupsOfOneRowEach) {
  const auto cell = [](int n) { return "g" + std::to_string(n); };
  EXPECT_EQ(settings(table(cell, {.group = "a"})), Settings{Setting::groups});
  EXPECT_EQ(settings(table([](int n) { return std::to_string(n / 2); }, {.group = "a"})),
            Settings{});
}

TEST(ColumnWarnings, ManyColumnsOfAKindAreOneWarning) {
  std::string header;
  std::string cells;
  for (int j = 0; j < 9; ++j) {
    header += "c" + std::to_string(j) + ",";
    cells += "1,";
  }
  const Dataset data = parse(header + "y\n" + cells + "p\n" + cells + "q\n");
  ASSERT_EQ(settings(data), (Settings{Setting::ignore}));
  EXPECT_THAT(column_warnings(data)[0].message,
              HasSubstr("columns 'c0', 'c1', 'c2', 'c3', 'c4' and 4 more: "));
}

TEST(ColumnWarnings, SparseRowsHaveNone) {
  EXPECT_EQ(settings(Dataset{.x = Rows::sparse(3, {0, 0, 0}, {}, {}), .y = {1, -1}}), Settings{});
}

}  // namespace
}  // namespace rampart
