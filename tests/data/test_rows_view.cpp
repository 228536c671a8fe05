#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "data/support.hpp"
#include "rampart/errors.hpp"

namespace rampart {
namespace {

using Visits = std::vector<std::pair<std::size_t, double>>;

template <class X>
Visits visits(const X& x, std::size_t n) {
  Visits seen;
  x.for_each(n, [&](std::size_t j, double value) { seen.emplace_back(j, value); });
  return seen;
}

/// Every function of a view, against the rows that it shows.
void check_same(RowsView view, const Rows& x) {
  RC_ASSERT(view.size() == x.size());
  RC_ASSERT(view.columns() == x.columns());
  RC_ASSERT(view.is_dense() == x.is_dense());
  RC_ASSERT(view.stored_values() == x.stored_values());
  RC_ASSERT(view.to_rows() == x);
  for (std::size_t n = 0; n < x.size(); ++n) {
    RC_ASSERT(visits(view, n) == visits(x, n));
    RC_ASSERT(view.stored_values(n) == visits(x, n).size());
    std::vector<double> all(x.columns(), -7.0);
    view.copy_row(n, all);
    RC_ASSERT(all == testing_support::row(x, n));
  }
}

/// The same for some of its rows, one of them twice.
void check_view(RowsView view, const Rows& x) {
  check_same(view, x);
  auto which =
      *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, x.size()));
  if (!which.empty()) which.push_back(which.front());
  check_same(view.rows(which), x.subset(which));
  const auto end = *rc::gen::inRange<std::size_t>(0, which.size() + 1);
  const auto begin = *rc::gen::inRange<std::size_t>(0, end + 1);
  const auto part = std::span(which).subspan(begin, end - begin);
  check_same(view.rows(which).range(begin, end), x.subset(part));
  const std::size_t middle = x.size() / 2;
  std::vector<std::size_t> rest(x.size() - middle);
  std::iota(rest.begin(), rest.end(), middle);
  check_same(view.range(middle, x.size()), x.subset(rest));
}

template <class Value>
void check_dense(const Rows& x) {
  const std::size_t stride = x.columns() + *rc::gen::inRange<std::size_t>(0, 4);
  const bool short_end = *rc::gen::arbitrary<bool>();
  std::vector<Value> values(short_end ? (x.size() - 1) * stride + x.columns() : x.size() * stride,
                            std::numeric_limits<Value>::quiet_NaN());
  for (std::size_t n = 0; n < x.size(); ++n) {
    for (std::size_t j = 0; j < x.columns(); ++j) {
      values[n * stride + j] = static_cast<Value>(x.dense_row(n)[j]);
    }
  }
  check_view(RowsView::dense(values, x.size(), x.columns(), stride), x);
}

template <class Start, class Index, class Value>
void check_sparse(const Rows& x) {
  std::vector<Start> starts{0};
  std::vector<Index> indices;
  std::vector<Value> values;
  for (std::size_t n = 0; n < x.size(); ++n) {
    x.for_each(n, [&](std::size_t j, double value) {
      indices.push_back(static_cast<Index>(j));
      values.push_back(static_cast<Value>(value));
    });
    starts.push_back(static_cast<Start>(values.size()));
  }
  const auto view = RowsView::sparse<Start, Index, Value>(x.columns(), starts, indices, values);
  check_view(view, x);
}

/// Rows whose values are numbers of single precision too.
Rows any_rows_of_floats() {
  const Rows x = *testing_support::any_rows();
  std::vector<double> values;
  const Rows dense = x.to_dense();
  for (std::size_t n = 0; n < x.size(); ++n) {
    for (const double value : dense.dense_row(n)) {
      values.push_back(std::abs(value) < 1e30 ? static_cast<float>(value) : 1);
    }
  }
  const Rows rounded = Rows::dense(x.columns(), values, x.size());
  if (x.is_dense()) return rounded;
  std::vector<std::size_t> starts{0};
  std::vector<std::uint32_t> indices;
  std::vector<double> stored;
  for (std::size_t n = 0; n < x.size(); ++n) {
    x.for_each(n, [&](std::size_t j, double) {
      indices.push_back(static_cast<std::uint32_t>(j));
      stored.push_back(rounded.dense_row(n)[j]);
    });
    starts.push_back(stored.size());
  }
  return Rows::sparse(x.columns(), starts, indices, stored);
}

RC_GTEST_PROP(RowsViewTest, EveryLayoutAndTypeShowsTheSameRows, ()) {
  const Rows x = any_rows_of_floats();
  check_view(x, x);
  if (x.is_dense()) {
    check_dense<double>(x);
    check_dense<float>(x);
  } else {
    check_sparse<std::size_t, std::uint32_t, double>(x);
    check_sparse<std::size_t, std::uint32_t, float>(x);
    check_sparse<std::int32_t, std::int32_t, double>(x);
    check_sparse<std::int32_t, std::int32_t, float>(x);
    check_sparse<std::int64_t, std::int64_t, double>(x);
    check_sparse<std::int64_t, std::int64_t, float>(x);
  }
}

RC_GTEST_PROP(RowsViewTest, AWiderViewHasZerosInTheColumnsAdded, (const Rows& x)) {
  const std::size_t columns = x.columns() + *rc::gen::inRange<std::size_t>(0, 4);
  const RowsView view = RowsView(x).wider(columns);
  RC_ASSERT(view.columns() == columns);
  for (std::size_t n = 0; n < x.size(); ++n) {
    RC_ASSERT(visits(view, n) == visits(x, n));
    std::vector<double> expected = testing_support::row(x, n);
    expected.resize(columns, 0.0);
    std::vector<double> all(columns, -7.0);
    view.copy_row(n, all);
    RC_ASSERT(all == expected);
    RC_ASSERT(testing_support::row(view.to_rows(), n) == expected);
  }
}

template <class Value>
void expect_values_of_row(RowsView view, const std::vector<Value>& expected) {
  view.with_dense_row(1, [&](auto row) {
    const bool same_type = std::is_same_v<typename decltype(row)::value_type, Value>;
    EXPECT_TRUE(same_type);
    EXPECT_EQ(std::vector<Value>(row.begin(), row.end()), expected);
  });
}

TEST(RowsViewTest, ADenseRowIsSeenAsItIsStored) {
  const std::vector<float> singles{1, 2, 9, 3, 4, 9};
  expect_values_of_row<float>(RowsView::dense(singles, 2, 2, 3), {3, 4});
  const std::vector<double> doubles{1, 2, 9, 3, 4, 9};
  expect_values_of_row<double>(RowsView::dense(doubles, 2, 2, 3), {3, 4});
}

TEST(RowsViewTest, NothingIsCopied) {
  std::vector<double> values{1, 2, 3, 4};
  const RowsView view = RowsView::dense(values, 2, 2);
  values[3] = 5;
  EXPECT_EQ(visits(view, 1), (Visits{{0, 3.0}, {1, 5.0}}));
}

TEST(RowsViewTest, RowsWithoutColumnsStillHaveANumber) {
  EXPECT_EQ(RowsView::dense(std::span<const double>{}, 3, 0).size(), 3U);
  EXPECT_EQ(RowsView(Rows::dense(0, {}, 3)).to_rows().size(), 3U);
  EXPECT_EQ(RowsView().size(), 0U);
}

template <class Start, class Index>
RowsView sparse(std::size_t columns, std::vector<Start> starts, std::vector<Index> indices,
                std::vector<double> values) {
  return RowsView::sparse<Start, Index, double>(columns, starts, indices, values);
}

TEST(RowsViewTest, ArraysThatDoNotFitTogetherAreRefused) {
  const auto refuses = [](auto make, const std::string& why) {
    EXPECT_THAT([&] { static_cast<void>(make()); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr(why)));
  };
  const std::vector<float> six(6);
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  refuses([&] { return RowsView::dense(six, 2, 2); }, "6 values are not 2 rows of 2 columns");
  refuses([&] { return RowsView::dense(six, 4, 2); }, "6 values are not 4 rows of 2 columns");
  refuses([&] { return RowsView::dense(six, 0, 2); }, "6 values are not 0 rows");
  refuses([&] { return RowsView::dense(six, 6, 0); }, "6 values are not 6 rows of 0 columns");
  refuses([&] { return RowsView::dense(six, 2, 3, 4); }, "2 rows of 3 columns, 4 apart");
  refuses([&] { return RowsView::dense(six, 1, 2, 5); }, "1 rows of 2 columns, 5 apart");
  refuses([&] { return RowsView::dense(six, most, 2); }, "6 values are not");
  refuses([&] { return RowsView::dense(six, most / 2 + 2, 2); }, "6 values are not");
  refuses([&] { return RowsView::dense(six, 2, 2, most); }, "6 values are not");
  refuses([&] { return RowsView::dense(six, 3, 2, 1); }, "stride must be at least");
  refuses([&] { return RowsView::dense(six, 1, std::size_t{1} << 32U); }, "fewer than 2^32");

  using Small = std::vector<std::int32_t>;
  using Large = std::vector<std::int64_t>;
  refuses([] { return sparse(2, Small{}, Small{}, {}); }, "starts must run from 0");
  refuses([] { return sparse(2, Small{1, 1}, Small{0}, {1}); }, "starts must run from 0");
  refuses([] { return sparse(2, Large{0, 2}, Large{0}, {1}); }, "starts must run from 0");
  refuses([] { return sparse(2, Large{0, -1}, Large{}, {}); }, "starts must run from 0");
  refuses([] { return sparse(2, Small{0, 2, 1, 2}, Small{0, 1}, {1, 2}); }, "must not decrease");
  refuses([] { return sparse(2, Small{0, -2, 2}, Small{0, 1}, {1, 2}); }, "must not decrease");
  refuses([] { return sparse(2, Small{0, 1}, Small{0, 1}, {1}); }, "each value must have an index");
  refuses([] { return sparse(2, Large{0, 1}, Large{2}, {1}); }, "less than columns");
  refuses([] { return sparse(2, Large{0, 1}, Large{-1}, {1}); }, "must increase");
  refuses([] { return sparse(2, Large{0, 2}, Large{1, 1}, {1, 2}); }, "must increase");
  refuses([] { return sparse(2, Large{0, 2}, Large{1, 0}, {1, 2}); }, "must increase");
  refuses([] { return sparse(std::size_t{1} << 32U, Large{0}, Large{}, {}); }, "fewer than 2^32");
}

TEST(RowsViewTest, TheFirstValueThatIsNotFiniteIsNamedByItsPlaceInTheView) {
  const std::vector<float> values{1, 2, 3, std::numeric_limits<float>::infinity(), 5, 6};
  const RowsView view = RowsView::dense(values, 3, 2);
  EXPECT_THAT([&] { view.require_finite(); },
              testing::ThrowsMessage<InputError>("row 2: feature 2 is inf"));
  const std::vector<std::size_t> others{2, 0};
  EXPECT_NO_THROW(view.rows(others).require_finite());
}

TEST(RowsViewTest, NumbersOfRowsThatAreNotThereAreRefused) {
  const std::vector<double> values{1, 2, 3, 4};
  const RowsView view = RowsView::dense(values, 2, 2);
  const std::vector<std::size_t> beyond{0, 2};
  const std::vector<std::size_t> both{1, 0};
  EXPECT_THROW(static_cast<void>(view.rows(beyond)), InputError);
  EXPECT_THROW(static_cast<void>(view.places_of(beyond)), InputError);
  EXPECT_THROW(static_cast<void>(view.range(1, 3)), InputError);
  EXPECT_THROW(static_cast<void>(view.rows(both).rows(both)), InputError);
}

TEST(RowsViewTest, ASelectionOfASelectionHasThePlacesOfItsRows) {
  const std::vector<double> values{10, 20, 30, 40};
  const RowsView view = RowsView::dense(values, 4, 1);
  const std::vector<std::size_t> some{3, 1, 0};
  const std::vector<std::size_t> of_these{2, 0};
  const std::vector<std::size_t> places = view.rows(some).places_of(of_these);
  EXPECT_EQ(places, (std::vector<std::size_t>{0, 3}));
  EXPECT_EQ(view.rows(some).at_places(places).to_rows(), Rows::dense(1, {10, 40}));
}

TEST(RowsViewTest, OfASelectionOnlyTheRowsInItAreAskedFor) {
  using Ranges = std::vector<std::pair<std::size_t, std::size_t>>;
  Ranges asked, checked;
  const RowsKeeper keeper{
      .ensure_readable = [&](std::size_t begin,
                             std::size_t end) { checked.emplace_back(begin, end); },
      .will_need = [&](std::size_t begin, std::size_t end) { asked.emplace_back(begin, end); }};
  const std::vector<double> values{10, 20, 30, 40, 50};
  const RowsView view = RowsView::dense(values, 5, 1).kept_by(keeper);
  const std::vector<std::size_t> some{0, 2};
  view.range(1, 5).rows(some).will_need();
  EXPECT_EQ(asked, (Ranges{{1, 2}, {3, 4}}));
  view.range(1, 5).will_need();
  EXPECT_EQ(asked.back(), (std::pair<std::size_t, std::size_t>{1, 5}));
  view.range(1, 5).rows(some).ensure_readable();
  EXPECT_EQ(checked, (Ranges{{1, 4}}));
}

}  // namespace
}  // namespace rampart
