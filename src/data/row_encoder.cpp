#include "data/row_encoder.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "rampart/errors.hpp"
#include "util/assert.hpp"
#include "util/parallel.hpp"

namespace rampart {
namespace {

constexpr std::size_t rows_per_task = 4096;
constexpr double most_dense_bytes = 4.0 * (1ULL << 30U);

// Up to this share of features whose zeros scaling changes, sparse rows stay sparse.
constexpr double sparse_share = 0.1;

}  // namespace

void RowEncoder::SparseBuffer::clear() {
  starts.assign(1, 0);
  indices.clear();
  values.clear();
}

void RowEncoder::SparseBuffer::append(std::uint32_t j, double value) {
  indices.push_back(j);
  values.push_back(value);
}

RowsView RowEncoder::SparseBuffer::view(std::size_t columns) const {
  return RowsView::sparse<std::size_t, std::uint32_t, double>(columns, starts, indices, values);
}

RowEncoder::RowEncoder(const Encoding& encoding, const Scaling& scaling, std::size_t columns,
                       bool fills)
    : encodes_(!encoding.columns.empty() && (fills || !encoding.is_identity())),
      features_(encodes_ ? encoding.features(columns) : columns) {
  if (encodes_) {
    std::size_t stored = 0;  // most values of a row that are not 0
    const std::vector<std::uint32_t> first = encoding.first_features();
    for (std::size_t j = 0; j < encoding.columns.size(); ++j) {
      const Encoding::Column& from = encoding.columns[j];
      const std::size_t end = j + 1 < first.size() ? first[j + 1] : features_;
      Column& column = columns_.emplace_back();
      column.first = first[j];
      column.last = static_cast<std::uint32_t>(end - 1);
      column.fill = from.fill;
      column.indicator = from.indicator;
      column.categorical = !from.seen.empty();
      std::uint32_t next = first[j];
      for (const bool seen : from.seen) column.of_code.push_back(seen ? next++ : nowhere);
      stored += from.indicator && from.seen.empty() ? 2 : 1;
    }
    // Many categories give rows that are mostly zeros.
    constexpr std::size_t zeros_per_value = 4;
    encodes_sparse_ = features_ > zeros_per_value * stored;
  }
  if (scaling.kind == ScalingKind::none) return;
  RAMPART_ASSERT(features_ <= scaling.offset.size(),
                 "more features than the scaling was learnt from");
  features_ = scaling.offset.size();
  offset_ = scaling.offset;
  factor_ = scaling.factor;
  for (std::size_t j = 0; j < features_; ++j) {
    if (scaled(j, 0) != 0) filled_.push_back(static_cast<std::uint32_t>(j));
    if (factor_[j] != 0) continue;
    constant_.push_back(static_cast<std::uint32_t>(j));
    offset_[j] = 0;  // no difference overflows
  }
  // This must not depend on the rows: the same row has the same bits in every batch. The columns
  // that centring fills are stored by nearly all rows anyway.
  stays_sparse_ =
      scaling.kind == ScalingKind::centre ||
      static_cast<double>(filled_.size()) <= sparse_share * static_cast<double>(features_);
  if (stays_sparse_) return;
  zeros_.assign(features_, 0.0);
  for (const std::uint32_t j : filled_) zeros_[j] = scaled(j, 0);
}

/// Calls put(feature, value) for the values of one row, but for most zeros, in the order of
/// features.
template <class Put>
void RowEncoder::encode(std::span<const double> row, const Put& put) const {
  for (std::size_t j = 0; j < row.size(); ++j) {
    const Column& column = columns_[j];
    const bool missing = std::isnan(row[j]);
    if (!column.categorical) {
      put(column.first, missing ? column.fill : row[j]);
      if (missing && column.indicator) put(column.last, 1.0);
      continue;
    }
    if (missing && column.indicator) {  // a category of its own
      put(column.last, 1.0);
      continue;
    }
    const double code = missing ? column.fill : row[j];
    const bool is_code =
        code >= 0 && code < static_cast<double>(column.of_code.size()) && code == std::floor(code);
    if (!is_code) continue;
    const std::uint32_t feature = column.of_code[static_cast<std::size_t>(code)];
    if (feature != nowhere) put(feature, 1.0);
  }
}

void RowEncoder::encode_dense(RowsView x, std::vector<double>& row, double* to) const {
  row.resize(x.columns());
  std::fill_n(to, x.size() * features_, 0.0);
  for (std::size_t n = 0; n < x.size(); ++n, to += features_) {
    x.copy_row(n, row);
    encode(row, [&](std::size_t j, double value) { to[j] = value; });
  }
}

void RowEncoder::encode_sparse(RowsView x, std::vector<double>& row, SparseBuffer& to) const {
  row.resize(x.columns());
  to.clear();
  for (std::size_t n = 0; n < x.size(); ++n) {
    x.copy_row(n, row);
    encode(row, [&](std::uint32_t j, double value) {
      if (value != 0) to.append(j, value);
    });
    to.end_row();
  }
}

/// Scales dense rows where they are.
void RowEncoder::scale_dense(double* values, std::size_t rows) const {
  const double* const offset = offset_.data();
  const double* const factor = factor_.data();
  for (std::size_t n = 0; n < rows; ++n, values += features_) {
    for (std::size_t j = 0; j < features_; ++j) values[j] = (values[j] - offset[j]) * factor[j];
    for (const std::uint32_t j : constant_) values[j] = 0.0;
  }
}

/// Scales rows of any form into dense ones.
void RowEncoder::scale_to_dense(RowsView x, double* to) const {
  for (std::size_t n = 0; n < x.size(); ++n, to += features_) {
    if (!x.is_dense()) {
      std::ranges::copy(zeros_, to);
      x.for_each(n, [&](std::size_t j, double value) { to[j] = scaled(j, value); });
      continue;
    }
    x.with_dense_row(n, [&](auto row) {
      const double* const offset = offset_.data();
      const double* const factor = factor_.data();
      for (std::size_t j = 0; j < row.size(); ++j) {
        to[j] = (static_cast<double>(row[j]) - offset[j]) * factor[j];
      }
      for (std::size_t j = row.size(); j < features_; ++j) to[j] = scaled(j, 0);
    });
    for (const std::uint32_t j : constant_) to[j] = 0.0;
  }
}

/// Scales sparse rows into sparse ones: the features of `filled_` are stored in all of them.
void RowEncoder::scale_to_sparse(RowsView x, SparseBuffer& to) const {
  to.clear();
  for (std::size_t n = 0; n < x.size(); ++n) {
    auto next = filled_.begin();
    const auto fill_before = [&](std::size_t end) {
      for (; next != filled_.end() && *next < end; ++next) to.append(*next, scaled(*next, 0));
    };
    x.for_each(n, [&](std::size_t j, double value) {
      if (factor_[j] == 0) return;
      fill_before(j);
      if (next != filled_.end() && *next == j) ++next;
      to.append(static_cast<std::uint32_t>(j), scaled(j, value));
    });
    fill_before(features_);
    to.end_row();
  }
}

/// The features of rows that have dense ones.
void RowEncoder::write_dense(RowsView x, Buffer& buffer, double* to) const {
  const bool scales = !offset_.empty();
  if (encodes_ && !encodes_sparse_) {
    encode_dense(x, buffer.row, to);
    if (scales) scale_dense(to, x.size());
  } else if (encodes_) {
    encode_sparse(x, buffer.row, buffer.encoded);
    scale_to_dense(buffer.encoded.view(features_), to);
  } else {
    scale_to_dense(x, to);
  }
}

/// The features of rows that have sparse ones.
RowEncoder::SparseBuffer& RowEncoder::write_sparse(RowsView x, Buffer& buffer) const {
  if (encodes_) {
    encode_sparse(x, buffer.row, buffer.encoded);
    if (offset_.empty()) return buffer.encoded;
    x = buffer.encoded.view(features_);
  }
  scale_to_sparse(x, buffer.scaled);
  return buffer.scaled;
}

RowsView RowEncoder::apply(RowsView x, Buffer& buffer) const {
  if (is_identity()) return x;
  if (!gives_dense(x.is_dense())) return write_sparse(x, buffer).view(features_);
  buffer.dense.resize(x.size() * features_);
  write_dense(x, buffer, buffer.dense.data());
  return RowsView::dense(std::span<const double>(buffer.dense), x.size(), features_);
}

Rows RowEncoder::apply(RowsView x, unsigned threads) const {
  if (is_identity()) return x.to_rows();
  if (!gives_dense(x.is_dense())) {
    Buffer buffer;
    SparseBuffer& rows = write_sparse(x, buffer);
    return Rows::sparse(features_, std::move(rows.starts), std::move(rows.indices),
                        std::move(rows.values));
  }
  if (encodes_ ? encodes_sparse_ : !x.is_dense()) {  // it is scaling that fills them
    const double bytes =
        static_cast<double>(x.size()) * static_cast<double>(features_) * sizeof(double);
    if (bytes > most_dense_bytes) {
      throw InputError(
          fmt::format("scaling would fill the zeros of {} sparse rows of {} features, which takes "
                      "{:.0f} GiB; do without scaling",
                      x.size(), features_, bytes / (1ULL << 30U)),
          Setting::scaling);
    }
  }
  std::vector<double> values(x.size() * features_);
  parallel_blocks(x.size(), rows_per_task, threads, [&](std::size_t begin, std::size_t end) {
    Buffer buffer;
    write_dense(x.range(begin, end), buffer, values.data() + begin * features_);
  });
  return Rows::dense(features_, std::move(values), x.size());
}

}  // namespace rampart
