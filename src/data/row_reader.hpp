#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "data/byte_source.hpp"
#include "data/columns.hpp"
#include "data/csv.hpp"
#include "data/libsvm.hpp"
#include "data/line_reader.hpp"
#include "rampart/io.hpp"

namespace rampart {

/// What a row has besides its features.
struct RowHead {
  std::string_view label;  ///< valid until the next row is read
  double weight = 1;
  std::string_view group = {};  ///< likewise
  Place place;
};

/// Reads a LIBSVM file row by row.
class LibsvmReader {
 public:
  LibsvmReader(LineReader lines, const ReadOptions& options, bool labelled);

  /// Reads one row, and keeps its features for take(); nothing at the end.
  [[nodiscard]] std::optional<RowHead> next();

  /// Announces that take() will be called once, at the end of the file.
  void expect_all() noexcept { all_ = true; }

  /// The features of all rows read since the last take().
  [[nodiscard]] Rows take() { return rows_.take(rules_.expected.value_or(rows_.width)); }

  [[nodiscard]] std::size_t widest() const noexcept { return rows_.width; }
  [[nodiscard]] std::vector<std::string> feature_names() const { return {}; }
  [[nodiscard]] std::string label_name() const { return {}; }
  [[nodiscard]] bool weighted() const noexcept { return false; }
  [[nodiscard]] bool grouped() const noexcept { return false; }
  [[nodiscard]] Place whole_file() const noexcept { return lines_.whole_file(); }

 private:
  LineReader lines_;
  LibsvmRules rules_;
  SparseRows rows_;
  bool all_ = false;
};

/// Reads a CSV file row by row; the same interface.
///
/// A missing value does not end the reading at once. Missing values are counted, and the error at
/// the end of the file says how many there are in which columns.
class TableReader {
 public:
  TableReader(CsvRows rows, const ReadOptions& options, bool labelled);

  [[nodiscard]] std::optional<RowHead> next();
  void expect_all() noexcept { all_ = true; }
  [[nodiscard]] Rows take();

  [[nodiscard]] std::size_t widest() const noexcept { return columns_.features.size(); }
  [[nodiscard]] std::vector<std::string> feature_names() const { return columns_.feature_names(); }
  [[nodiscard]] std::string label_name() const { return columns_.label_name(); }
  [[nodiscard]] bool weighted() const noexcept { return columns_.weight.has_value(); }
  [[nodiscard]] bool grouped() const noexcept { return columns_.group.has_value(); }
  [[nodiscard]] Place whole_file() const noexcept { return rows_.whole_file(); }

 private:
  [[nodiscard]] double parse_feature(std::size_t field);
  [[nodiscard]] double parse_weight() const;
  [[noreturn]] void refuse_missing_values() const;

  CsvRows rows_;
  bool row_is_ready_ = false;  // the first row turned out not to be a header
  Columns columns_;
  std::vector<double> values_;
  bool all_ = false;
  std::size_t rows_read_ = 0;         // since the last take()
  std::vector<std::size_t> missing_;  // by field; empty: none yet
  std::optional<Place> first_missing_;
};

using RowReader = std::variant<LibsvmReader, TableReader>;

/// Finds out what the source holds. `labelled`: whether every row must have a label.
[[nodiscard]] RowReader open_rows(ByteSource source, const ReadOptions& options, bool labelled);

}  // namespace rampart
