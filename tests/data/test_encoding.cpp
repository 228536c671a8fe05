#include "rampart/encoding.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "data/support.hpp"
#include "rampart/dataset.hpp"

namespace rampart {
namespace {

using ::testing::ElementsAre;
using testing_support::row;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

const Categories one_of_three = {{}, {"a", "b", "c"}};

TEST(EncodingTest, ACompleteTableOfNumbersIsItsOwnFeatures) {
  const Rows x = Rows::dense(2, {1, 2, 3, 4});
  const Encoding encoding = Encoding::fit(x, {}, MissingKind::indicator);
  EXPECT_TRUE(encoding.is_identity());
  EXPECT_EQ(encoding.apply(x), x);
}

TEST(EncodingTest, AMissingNumberBecomesTheMedianAndAnIndicator) {
  const Rows x = Rows::dense(1, {5, missing, 1, 2});
  const Rows with = Encoding::fit(x, {}, MissingKind::indicator).apply(x);
  EXPECT_THAT(row(with, 0), ElementsAre(5, 0));
  EXPECT_THAT(row(with, 1), ElementsAre(2, 1));
  const Rows without = Encoding::fit(x, {}, MissingKind::median).apply(x);
  EXPECT_THAT(row(without, 1), ElementsAre(2));
}

TEST(EncodingTest, ACategoryBecomesAFeatureOfItsOwn) {
  const Rows x = Rows::dense(2, {7, 2, 8, 0, 9, missing});
  const Encoding encoding = Encoding::fit(x, one_of_three, MissingKind::indicator);
  const Rows features = encoding.apply(x);
  EXPECT_THAT(row(features, 0), ElementsAre(7, 0, 1, 0));  // a, c, missing: nobody has b
  EXPECT_THAT(row(features, 1), ElementsAre(8, 1, 0, 0));
  EXPECT_THAT(row(features, 2), ElementsAre(9, 0, 0, 1));
  EXPECT_THAT(encoding.indicators(), ElementsAre(false, true, true, true));
}

TEST(EncodingTest, ACategoryThatTrainingDidNotHaveBecomesZeros) {
  const Encoding encoding =
      Encoding::fit(Rows::dense(2, {7, 2, 8, 0}), one_of_three, MissingKind::indicator);
  for (const double code : {1.0, unseen_category, 3.0, 0.5}) {
    EXPECT_THAT(row(encoding.apply(Rows::dense(2, {7, code})), 0), ElementsAre(7, 0, 0)) << code;
    EXPECT_FALSE(encoding.columns[1].has(code)) << code;
  }
}

TEST(EncodingTest, TheCommonestCategoryStandsForAMissingOneWithoutIndicators) {
  const Rows x = Rows::dense(2, {7, 2, 8, 2, 9, 0, 9, missing});
  const Rows features = Encoding::fit(x, one_of_three, MissingKind::median).apply(x);
  EXPECT_THAT(row(features, 3), ElementsAre(9, 0, 1));
}

TEST(EncodingTest, ManyCategoriesGiveSparseRows) {
  std::vector<double> codes(50);
  Categories categories(1);
  for (std::size_t k = 0; k < codes.size(); ++k) {
    codes[k] = static_cast<double>(k);
    categories[0].push_back(std::to_string(k));
  }
  const Rows x = Rows::dense(1, codes);
  const Rows features = Encoding::fit(x, categories, MissingKind::indicator).apply(x);
  EXPECT_FALSE(features.is_dense());
  EXPECT_EQ(features.stored_values(), codes.size());
}

// The definition, cell by cell.
RC_GTEST_PROP(EncodingTest, EveryRowHasOneCategoryOrIsMarkedAsMissing, ()) {
  const auto size = *rc::gen::inRange<std::size_t>(1, 20);
  const Categories categories = {{"a", "b", "c"}, {}};
  std::vector<double> cells;
  for (std::size_t n = 0; n < size; ++n) {
    const int code = *rc::gen::inRange(-1, 3);
    const int value = *rc::gen::inRange(-1, 30);
    cells.push_back(code < 0 ? missing : code);
    cells.push_back(value < 0 ? missing : value);
  }
  const Rows x = Rows::dense(2, cells);
  const Encoding encoding = Encoding::fit(x, categories, MissingKind::indicator);
  const Rows features = encoding.apply(x);
  RC_ASSERT(features.columns() == encoding.features(2));
  const std::size_t of_first = encoding.features(2) - (encoding.columns[1].indicator ? 2 : 1);
  std::vector<double> present;
  for (std::size_t n = 0; n < size; ++n) {
    if (!std::isnan(cells[2 * n + 1])) present.push_back(cells[2 * n + 1]);
  }
  std::ranges::sort(present);
  for (std::size_t n = 0; n < size; ++n) {
    const std::vector<double> found = row(features, n);
    double sum = 0;
    for (std::size_t j = 0; j < of_first; ++j) sum += found[j];
    RC_ASSERT(sum == 1);
    const double value = cells[2 * n + 1];
    if (!std::isnan(value)) {
      RC_ASSERT(found[of_first] == value);
    } else if (!present.empty()) {
      const auto below =
          std::ranges::count_if(present, [&](double v) { return v < found[of_first]; });
      const auto above =
          std::ranges::count_if(present, [&](double v) { return v > found[of_first]; });
      RC_ASSERT(2 * below <= static_cast<std::ptrdiff_t>(present.size()));
      RC_ASSERT(2 * above <= static_cast<std::ptrdiff_t>(present.size()));
    }
    if (encoding.columns[1].indicator) RC_ASSERT(found.back() == (std::isnan(value) ? 1 : 0));
  }
}

}  // namespace
}  // namespace rampart
