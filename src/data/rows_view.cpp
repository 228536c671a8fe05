#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "rampart/errors.hpp"
#include "rampart/rows.hpp"
#include "util/assert.hpp"

namespace rampart {
namespace {

void require(bool holds, const char* form, const char* rule) {
  if (!holds) throw InputError(fmt::format("{} rows: {}", form, rule));
}

void require_columns(std::size_t columns, const char* form) {
  require(columns <= std::numeric_limits<std::uint32_t>::max(), form,
          "there must be fewer than 2^32 columns");
}

}  // namespace

template <class Value>
RowsView RowsView::dense_of(std::span<const Value> values, std::size_t rows, std::size_t columns,
                            std::size_t stride) {
  require_columns(columns, "dense");
  require(stride >= columns, "dense", "the stride must be at least the number of columns");
  bool fits = values.empty();
  if (rows > 0 && stride > 0) {
    // By division: the product of two large numbers might overflow.
    fits = values.size() >= columns && rows - 1 <= (values.size() - columns) / stride &&
           values.size() - (rows - 1) * stride <= stride;
  }
  if (!fits) {
    throw InputError(fmt::format("dense rows: {} values are not {} rows of {} columns{}",
                                 values.size(), rows, columns,
                                 stride > columns ? fmt::format(", {} apart", stride) : ""));
  }
  return {Dense<Value>{values.data(), stride, columns}, rows, columns};
}

RowsView RowsView::dense(std::span<const float> values, std::size_t rows, std::size_t columns,
                         std::optional<std::size_t> stride) {
  return dense_of(values, rows, columns, stride.value_or(columns));
}

RowsView RowsView::dense(std::span<const double> values, std::size_t rows, std::size_t columns,
                         std::optional<std::size_t> stride) {
  return dense_of(values, rows, columns, stride.value_or(columns));
}

template <class Start, class Index, class Value>
RowsView RowsView::sparse(std::size_t columns, std::span<const Start> starts,
                          std::span<const Index> indices, std::span<const Value> values) {
  require_columns(columns, "sparse");
  require(!starts.empty() && starts.front() == 0 && std::cmp_equal(starts.back(), values.size()),
          "sparse", "starts must run from 0 to the number of values");
  require(std::ranges::is_sorted(starts), "sparse", "starts must not decrease");
  require(indices.size() == values.size(), "sparse", "each value must have an index");
  for (std::size_t n = 0; n + 1 < starts.size(); ++n) {
    if (starts[n] == starts[n + 1]) continue;
    const auto row = indices.subspan(static_cast<std::size_t>(starts[n]),
                                     static_cast<std::size_t>(starts[n + 1] - starts[n]));
    const bool increase = std::ranges::adjacent_find(row, std::greater_equal()) == row.end();
    require(
        increase && std::cmp_greater_equal(row.front(), 0) && std::cmp_less(row.back(), columns),
        "sparse", "the indices of a row must increase and be less than columns");
  }
  return {Sparse<Start, Index, Value>{starts.data(), indices.data(), values.data()},
          starts.size() - 1, columns};
}

template RowsView RowsView::sparse(std::size_t, std::span<const std::size_t>,
                                   std::span<const std::uint32_t>, std::span<const float>);
template RowsView RowsView::sparse(std::size_t, std::span<const std::size_t>,
                                   std::span<const std::uint32_t>, std::span<const double>);
template RowsView RowsView::sparse(std::size_t, std::span<const std::int32_t>,
                                   std::span<const std::int32_t>, std::span<const float>);
template RowsView RowsView::sparse(std::size_t, std::span<const std::int32_t>,
                                   std::span<const std::int32_t>, std::span<const double>);
template RowsView RowsView::sparse(std::size_t, std::span<const std::int64_t>,
                                   std::span<const std::int64_t>, std::span<const float>);
template RowsView RowsView::sparse(std::size_t, std::span<const std::int64_t>,
                                   std::span<const std::int64_t>, std::span<const double>);

RowsView RowsView::pieces(std::span<const Piece> pieces) {
  std::size_t rows = 0;
  std::size_t columns = 0;
  bool dense = true;
  for (const Piece& piece : pieces) {
    RAMPART_ASSERT(piece.first == rows && piece.rows.size() > 0, "pieces follow each other");
    RAMPART_ASSERT(piece.rows.which_ == nullptr, "pieces are no selections");
    rows += piece.rows.size();
    columns = std::max(columns, piece.rows.columns());
    dense = dense && piece.rows.is_dense();
  }
  return {Pieces{pieces.data(), pieces.size(), 0, dense}, rows, columns};
}

std::size_t RowsView::Pieces::count(std::size_t n) const {
  const Piece& piece = with_row(skipped + n);
  return piece.rows.stored_values(skipped + n - piece.first);
}

RowsView RowsView::kept_by(const RowsKeeper& keeper) const {
  RAMPART_ASSERT(which_ == nullptr, "the keeper knows all rows");
  RowsView kept = *this;
  kept.keeper_ = &keeper;
  kept.first_ = 0;
  return kept;
}

void RowsView::tell(RowsKeeper::Range RowsKeeper::*what) const {
  if (keeper_ == nullptr || size_ == 0 || !(keeper_->*what)) return;
  std::size_t begin = 0;
  std::size_t end = size_;
  if (which_ != nullptr) {
    const auto [least, most] = std::ranges::minmax(std::span(which_, size_));
    begin = least;
    end = most + 1;
  }
  (keeper_->*what)(first_ + begin, first_ + end);
}

void RowsView::will_need() const {
  if (which_ == nullptr) return tell(&RowsKeeper::will_need);
  if (keeper_ == nullptr || !keeper_->will_need) return;
  for (std::size_t k = 0; k < size_; ++k) {
    keeper_->will_need(first_ + which_[k], first_ + which_[k] + 1);
  }
}

std::size_t RowsView::stored_values(std::size_t n) const {
  return std::visit([&](const auto& stored) { return stored.count(place_of(n)); }, stored_);
}

std::size_t RowsView::stored_values() const {
  std::size_t sum = 0;
  for (std::size_t n = 0; n < size_; ++n) sum += stored_values(n);
  return sum;
}

void RowsView::copy_row(std::size_t n, std::span<double> out) const {
  RAMPART_ASSERT(out.size() == columns_, "room for every column");
  double* const to = out.data();
  if (stored_values(n) < columns_) std::ranges::fill(out, 0.0);
  for_each(n, [&](std::size_t j, double value) { to[j] = value; });
}

RowsView RowsView::rows(std::span<const std::size_t> which) const {
  require(which_ == nullptr, "selected", "a selection has no selections; see places_of()");
  require(std::ranges::all_of(which, [&](std::size_t n) { return n < size_; }), "selected",
          "a number is not that of a row");
  return at_places(which);
}

std::vector<std::size_t> RowsView::places_of(std::span<const std::size_t> which) const {
  std::vector<std::size_t> places;
  places.reserve(which.size());
  for (const std::size_t n : which) {
    require(n < size_, "selected", "a number is not that of a row");
    places.push_back(place_of(n));
  }
  return places;
}

RowsView RowsView::at_places(std::span<const std::size_t> places) const {
  RowsView selected = *this;
  selected.size_ = places.size();
  selected.which_ = places.data();
  return selected;
}

RowsView RowsView::range(std::size_t begin, std::size_t end) const {
  require(begin <= end && end <= size_, "selected", "there are fewer rows");
  RowsView part = *this;
  part.size_ = end - begin;
  if (which_ != nullptr) {
    part.which_ = which_ + begin;
    return part;
  }
  part.first_ += begin;
  const auto* pieces = std::get_if<Pieces>(&stored_);
  if (pieces == nullptr || begin == end) {
    std::visit([&](auto& stored) { stored.skip(begin); }, part.stored_);
    return part;
  }
  // Within one piece it is a plain view, whose rows need no searching.
  const std::size_t first = pieces->skipped + begin;
  const Piece& piece = pieces->with_row(first);
  if (pieces->skipped + end <= piece.first + piece.rows.size()) {
    part.stored_ = piece.rows.stored_;
    std::visit([&](auto& stored) { stored.skip(first - piece.first); }, part.stored_);
  } else {
    std::get<Pieces>(part.stored_).skip(begin);
  }
  return part;
}

RowsView RowsView::wider(std::size_t columns) const {
  RAMPART_ASSERT(columns >= columns_, "no column is taken away");
  RowsView result = *this;
  result.columns_ = columns;
  return result;
}

Rows RowsView::to_rows() const {
  Rows rows;
  rows.rows_ = size_;
  rows.columns_ = columns_;
  if (is_dense()) {
    rows.values_.resize(size_ * columns_);
    for (std::size_t n = 0; n < size_; ++n) {
      copy_row(n, std::span(rows.values_).subspan(n * columns_, columns_));
    }
    return rows;
  }
  const std::size_t stored = stored_values();
  rows.values_.reserve(stored);
  rows.indices_.reserve(stored);
  rows.starts_.reserve(size_ + 1);
  rows.starts_.push_back(0);
  for (std::size_t n = 0; n < size_; ++n) {
    for_each(n, [&](std::size_t j, double value) {
      rows.indices_.push_back(static_cast<std::uint32_t>(j));
      rows.values_.push_back(value);
    });
    rows.starts_.push_back(rows.values_.size());
  }
  return rows;
}

void RowsView::require_finite(std::size_t before) const {
  for (std::size_t n = 0; n < size_; ++n) {
    for_each(n, [&](std::size_t j, double value) {
      if (!std::isfinite(value)) {
        throw InputError(fmt::format("row {}: feature {} is {}", before + n + 1, j + 1, value));
      }
    });
  }
}

}  // namespace rampart
