#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rampart/dataset.hpp"
#include "rampart/encoding.hpp"
#include "rampart/rows.hpp"

namespace rampart {

/// Makes features of rows, a block at a time: encodes, then scales.
///
/// What depends on the columns alone is worked out once. The features of a row have the same bits
/// in every block, those of Scaling::apply(Encoding::apply(row)). Can be used by many threads at
/// once, each with a buffer of its own.
class RowEncoder {
 public:
  /// Compressed rows, as in Rows::sparse().
  struct SparseBuffer {
    std::vector<std::size_t> starts;
    std::vector<std::uint32_t> indices;
    std::vector<double> values;

    void clear();
    void append(std::uint32_t j, double value);
    void end_row() { starts.push_back(values.size()); }
    [[nodiscard]] RowsView view(std::size_t columns) const;
  };

  /// Holds the features of the last block, in memory that the next block uses again.
  struct Buffer {
    std::vector<double> dense;
    SparseBuffer encoded, scaled;
    std::vector<double> row;
  };

  /// For rows of at most so many columns. `fills`: whether missing values are filled in even if no
  /// training row missed any; otherwise rows for which the encoding is the identity are not looked
  /// at.
  RowEncoder(const Encoding& encoding, const Scaling& scaling, std::size_t columns,
             bool fills = false);

  /// Number of features.
  [[nodiscard]] std::size_t features() const noexcept { return features_; }

  /// A feature after scaling.
  [[nodiscard]] double scaled(std::size_t j, double value) const {
    if (offset_.empty()) return value;
    return factor_[j] == 0 ? 0.0 : (value - offset_[j]) * factor_[j];
  }
  [[nodiscard]] bool scales() const noexcept { return !offset_.empty(); }

  /// Of every feature, if rows are scaled: (value − offset)·factor. Both are 0 for a feature that
  /// is constant.
  [[nodiscard]] std::span<const double> offset() const noexcept { return offset_; }
  [[nodiscard]] std::span<const double> factor() const noexcept { return factor_; }

  /// Whether rows are their own features.
  [[nodiscard]] bool is_identity() const noexcept { return !encodes_ && offset_.empty(); }

  /// Whether the features of such rows are dense.
  [[nodiscard]] bool gives_dense(bool rows_are_dense) const noexcept {
    if (encodes_) return !encodes_sparse_ || (!offset_.empty() && !stays_sparse_);
    return rows_are_dense || (!offset_.empty() && !stays_sparse_);
  }

  /// The features of these rows: a view of the rows themselves, or of the buffer until its next
  /// use.
  [[nodiscard]] RowsView apply(RowsView x, Buffer& buffer) const;

  /// The features of all rows, which are copied.
  [[nodiscard]] Rows apply(RowsView x, unsigned threads = 1) const;

 private:
  /// What a column becomes.
  struct Column {
    std::uint32_t first = 0, last = 0;  // of its features
    double fill = 0;
    bool indicator = false;
    bool categorical = false;
    std::vector<std::uint32_t> of_code;  // the feature of each code; `nowhere`: it was not seen
  };
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

  template <class Put>
  void encode(std::span<const double> row, const Put& put) const;
  void encode_dense(RowsView x, std::vector<double>& row, double* to) const;
  void encode_sparse(RowsView x, std::vector<double>& row, SparseBuffer& to) const;
  void scale_dense(double* values, std::size_t rows) const;
  void scale_to_dense(RowsView x, double* to) const;
  void scale_to_sparse(RowsView x, SparseBuffer& to) const;
  void write_dense(RowsView x, Buffer& buffer, double* to) const;
  [[nodiscard]] SparseBuffer& write_sparse(RowsView x, Buffer& buffer) const;

  bool encodes_ = false;
  bool encodes_sparse_ = false;  // whether encoded rows are sparse
  std::size_t features_ = 0;
  std::vector<Column> columns_;
  std::vector<double> offset_, factor_;  // empty: no scaling
  std::vector<double> zeros_;            // what zeros become, where sparse rows become dense
  std::vector<std::uint32_t> constant_;  // features of factor 0
  std::vector<std::uint32_t> filled_;    // features whose zeros become something else
  bool stays_sparse_ = true;             // whether scaling leaves sparse rows sparse
};

}  // namespace rampart
