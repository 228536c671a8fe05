#include "data/row_encoder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "data/fit.hpp"
#include "data/support.hpp"
#include "data/survey.hpp"
#include "rampart/errors.hpp"

namespace rampart {
namespace {

using testing_support::row;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// A table with numbers and categories, some of them missing.
struct Table {
  Rows x;
  Categories categories;
};
Table any_table() {
  const auto columns = *rc::gen::inRange<std::size_t>(1, 5);
  const auto rows = *rc::gen::inRange<std::size_t>(2, 30);
  const int missing_share = *rc::gen::element(0, 0, 20);
  Table table;
  for (std::size_t j = 0; j < columns; ++j) {
    // Many categories make sparse features.
    const auto count = *rc::gen::element<std::size_t>(0, 0, 3, 40);
    table.categories.emplace_back(count, "name");
  }
  std::vector<double> values;
  for (std::size_t n = 0; n < rows; ++n) {
    for (const auto& names : table.categories) {
      const double value =
          names.empty() ? *testing_support::any_value()
                        : static_cast<double>(*rc::gen::inRange<std::size_t>(0, names.size()));
      values.push_back(*rc::gen::inRange(0, 100) < missing_share ? missing : value);
    }
  }
  table.x = Rows::dense(columns, std::move(values));
  return table;
}

/// The features of one row, by what Encoding and Scaling say.
std::vector<double> by_definition(const Encoding& encoding, const Scaling& scaling,
                                  const std::vector<double>& cells) {
  std::vector<double> features;
  for (std::size_t j = 0; j < cells.size(); ++j) {
    if (encoding.columns.empty()) {
      features.push_back(cells[j]);
      continue;
    }
    const Encoding::Column& column = encoding.columns[j];
    const bool is_missing = std::isnan(cells[j]);
    const double value = is_missing ? column.fill : cells[j];
    if (column.seen.empty()) features.push_back(value);
    for (std::size_t code = 0; code < column.seen.size(); ++code) {
      if (!column.seen[code]) continue;
      const bool stands = !(is_missing && column.indicator) && value == static_cast<double>(code);
      features.push_back(stands ? 1 : 0);
    }
    if (column.indicator) features.push_back(is_missing ? 1 : 0);
  }
  if (scaling.kind == ScalingKind::none) return features;
  for (std::size_t j = 0; j < features.size(); ++j) features[j] = scaling.value(j, features[j]);
  return features;
}

bool scalable(const Rows& x) {
  for (std::size_t n = 0; n < x.size(); ++n) {
    for (const double value : row(x, n)) {
      if (std::abs(value) > 1e100 || (value != 0 && std::abs(value) < 1e-100)) return false;
    }
  }
  return true;
}

RC_GTEST_PROP(RowEncoderTest, FeaturesAreThoseOfTheDefinitionInBlocksOfAnySize, ()) {
  const Table table = any_table();
  RC_PRE(scalable(table.x));
  const Encoding encoding = Encoding::fit(
      table.x, table.categories, *rc::gen::element(MissingKind::indicator, MissingKind::median));
  const auto kind =
      *rc::gen::element(ScalingKind::none, ScalingKind::standard, ScalingKind::minmax);
  const Scaling scaling = Scaling::fit(kind, encoding.apply(table.x));
  const RowEncoder encoder(encoding, scaling, table.x.columns());
  const Rows whole = encoder.apply(table.x, 2U);
  RC_ASSERT(whole == scaling.apply(encoding.apply(table.x)));
  RC_ASSERT(whole.is_dense() == encoder.gives_dense(true));

  RowEncoder::Buffer buffer;
  const auto step = *rc::gen::inRange<std::size_t>(1, 8);
  for (std::size_t begin = 0; begin < table.x.size(); begin += step) {
    const std::size_t end = std::min(table.x.size(), begin + step);
    const Rows block = encoder.apply(RowsView(table.x).range(begin, end), buffer).to_rows();
    RC_ASSERT(block.columns() == encoder.features());
    for (std::size_t n = begin; n < end; ++n) {
      const std::vector<double> features = by_definition(encoding, scaling, row(table.x, n));
      RC_ASSERT(row(block, n - begin) == features);
      RC_ASSERT(row(whole, n) == features);
    }
  }
}

RC_GTEST_PROP(RowEncoderTest, SparseRowsAreScaledLikeDenseOnes, ()) {
  const Rows x = *testing_support::any_rows();
  RC_PRE(!x.is_dense() && scalable(x));
  const auto kind = *rc::gen::element(ScalingKind::standard, ScalingKind::minmax);
  const Scaling scaling = Scaling::fit(kind, x);
  const RowEncoder encoder({}, scaling, x.columns());
  RowEncoder::Buffer buffer;
  const Rows scaled = encoder.apply(RowsView(x), buffer).to_rows();
  RC_ASSERT(scaled.is_dense() == encoder.gives_dense(false));
  for (std::size_t n = 0; n < x.size(); ++n) {
    RC_ASSERT(row(scaled, n) == by_definition({}, scaling, row(x, n)));
  }
}

TEST(RowEncoderTest, RowsThatAreTheirOwnFeaturesAreNotCopied) {
  const Rows x = Rows::dense(2, {1, 2, 3, 4});
  const Encoding encoding = Encoding::fit(x, {}, MissingKind::indicator);
  RowEncoder::Buffer buffer;
  const RowEncoder encoder(encoding, {}, 2);
  EXPECT_TRUE(encoder.is_identity());
  EXPECT_EQ(encoder.apply(RowsView(x), buffer).to_rows(), x);
  EXPECT_TRUE(buffer.dense.empty());
  const RowEncoder filling(encoding, {}, 2, true);
  const Rows with_a_gap = Rows::dense(2, {missing, 7});
  EXPECT_EQ(row(filling.apply(with_a_gap), 0), (std::vector<double>{2, 7}));
}

RC_GTEST_PROP(RowEncoderTest, ScalingIsLearntOfFeaturesThatAreNeverCopied, ()) {
  const Table table = any_table();
  RC_PRE(scalable(table.x));
  const Survey survey(table.x);
  const Encoding encoding =
      fit_encoding(table.x, table.categories, MissingKind::indicator, survey, 2);
  const auto kind =
      *rc::gen::element(ScalingKind::standard, ScalingKind::minmax, ScalingKind::centre);
  const RowEncoder encoder(encoding, {}, table.x.columns());
  RC_ASSERT(fit_scaling(kind, table.x, encoder, survey, 2) ==
            Scaling::fit(kind, encoding.apply(table.x)));
}

TEST(RowEncoderTest, ScalingDoesNotDependOnThreads) {
  std::vector<double> values(2 * (rows_per_sum + 4321));
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = k % 1001 == 0 ? missing : std::sin(static_cast<double>(k));
  }
  const Rows x = Rows::dense(2, std::move(values));
  const Survey survey(x);
  const Encoding encoding = fit_encoding(x, {}, MissingKind::indicator, survey, 1);
  const RowEncoder encoder(encoding, {}, 2);
  const Scaling one = fit_scaling(ScalingKind::standard, x, encoder, survey, 1);
  EXPECT_EQ(fit_scaling(ScalingKind::standard, x, encoder, survey, 3), one);
  EXPECT_EQ(fit_encoding(x, {}, MissingKind::indicator, survey, 3), encoding);
}

}  // namespace
}  // namespace rampart
