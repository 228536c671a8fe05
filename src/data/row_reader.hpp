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
#include "data/libsvm.hpp"
#include "data/line_reader.hpp"
#include "data/missing.hpp"
#include "data/table_cells.hpp"
#include "data/table_rows.hpp"
#include "rampart/io.hpp"

namespace rampart {

/// What a row has besides its features. The texts are valid until the next row is read.
struct RowHead {
  std::string_view label;
  double weight = 1;
  std::string_view group = {};
  std::string_view id = {};
  Place place;
  std::string fault = {};  ///< why the row cannot be read; empty: it can
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
  [[nodiscard]] bool weighted() const noexcept { return false; }
  [[nodiscard]] bool grouped() const noexcept { return false; }
  [[nodiscard]] const MissingValues& missing_values() const noexcept { return missing_values_; }
  [[nodiscard]] Place whole_file() const noexcept { return lines_.whole_file(); }

 private:
  LineReader lines_;
  MissingValues missing_values_;  // the usual ones
  bool tolerant_;
  LibsvmRules rules_;
  SparseRows rows_;
  bool all_ = false;
};

/// Reads a table row by row; the same interface.
///
/// Where missing values are refused, the first does not end the reading. They are counted, and the
/// error at the end of the file says how many there are in which columns.
class TableReader {
 public:
  TableReader(TableRows rows, const ReadOptions& options, bool labelled);

  [[nodiscard]] std::optional<RowHead> next();
  void expect_all() noexcept { all_ = true; }
  [[nodiscard]] Rows take() { return cells_->take(); }

  [[nodiscard]] std::size_t widest() const noexcept { return columns_.features.size(); }
  [[nodiscard]] bool weighted() const noexcept { return columns_.weight.has_value(); }
  [[nodiscard]] bool grouped() const noexcept { return columns_.group.has_value(); }
  [[nodiscard]] const MissingValues& missing_values() const { return cells_->missing_values(); }
  [[nodiscard]] Place whole_file() const { return rows_.whole_file(); }

  [[nodiscard]] const Columns& columns() const noexcept { return columns_; }

  /// The categories of every feature; for training after take().
  [[nodiscard]] Categories categories() const { return cells_->categories(); }

  /// The first category of the row that the model does not have; empty: it has all.
  [[nodiscard]] const std::string& unseen() const { return cells_->unseen(); }

  /// The cells of the row to pass through.
  [[nodiscard]] std::vector<std::string> kept_cells() const;

  /// Throws InputError if a feature has no value at all in any row.
  void require_values() const;

 private:
  [[nodiscard]] bool next_row();
  [[nodiscard]] std::string read_row();
  [[nodiscard]] double parse_weight() const;
  [[nodiscard]] std::string_view text_of(const std::optional<std::size_t>& field) const;
  [[noreturn]] void refuse_missing_values() const;

  TableRows rows_;
  bool row_is_ready_ = false;  // the first row turned out not to be a header
  Columns columns_;
  std::optional<TableCells> cells_;
  bool tolerant_;
  bool refuse_missing_;
  bool all_ = false;
  std::string broken_;  // why the fields of the row cannot be told apart; empty: they can
  std::optional<Place> first_missing_;  // where missing values are refused
};

/// Throws InputError about options that have no meaning for a LIBSVM file: they are refused, not
/// ignored.
void refuse_csv_options(const ReadOptions& options, const Place& file);

/// The parts of the columns of a table of which nothing has been read. `first_row_is_data`: whether
/// the rows stand at their first row already, which is no header.
[[nodiscard]] Columns plan_table(TableRows& rows, ReadOptions options, bool labelled,
                                 bool& first_row_is_data);

/// What a source turns out to hold: lines in LIBSVM format, or a table.
using FoundRows = std::variant<LineReader, TableRows>;
[[nodiscard]] FoundRows find_rows(ByteSource source, const ReadOptions& options);

using RowReader = std::variant<LibsvmReader, TableReader>;

/// Finds out what the source holds. `labelled`: whether every row must have a label.
[[nodiscard]] RowReader open_rows(ByteSource source, const ReadOptions& options, bool labelled);

}  // namespace rampart
