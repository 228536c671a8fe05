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
#include "data/libsvm_lines.hpp"
#include "data/line_pieces.hpp"
#include "data/line_reader.hpp"
#include "data/missing.hpp"
#include "data/plain_rows.hpp"
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

/// Reads LIBSVM files row by row.
class LibsvmReader {
 public:
  LibsvmReader(LineReader lines, const ReadOptions& options, bool labelled,
               const BlockSizes& sizes = {});

  /// Goes on with another file, after the last row of this one.
  void go_on(LineReader lines, const FilePart& part);
  void finish() const noexcept {}

  /// Reads one row, and keeps its features for take(); nothing at the end.
  [[nodiscard]] std::optional<RowHead> next();

  /// Announces that take() will be called once, at the end of the last file. `first`: which part of
  /// the data the file is.
  void expect_all(const FilePart& first = {}) noexcept { part_ = first; }

  /// The features of all rows read since the last take().
  [[nodiscard]] Rows take();

  /// How many values take() would give.
  [[nodiscard]] std::size_t waiting() const noexcept { return rows_.stored(); }

  [[nodiscard]] std::size_t widest() const noexcept { return rows_.width(); }
  [[nodiscard]] bool weighted() const noexcept { return false; }
  [[nodiscard]] bool grouped() const noexcept { return false; }
  [[nodiscard]] const MissingValues& missing_values() const noexcept { return missing_values_; }
  [[nodiscard]] Place whole_file() const noexcept { return lines_.whole_file(); }

 private:
  LineReader lines_;
  MissingValues missing_values_;  // the usual ones
  bool tolerant_;
  LibsvmRules rules_;
  LibsvmLines ahead_;
  SparseRows rows_;
  std::vector<std::uint32_t> indices_;  // of a line that is read alone
  std::vector<double> values_;
  std::optional<FilePart> part_;  // none: not all rows are kept
  ReadOptions options_;
  BlockSizes sizes_;
};

/// Reads tables row by row; the same interface.
///
/// Where missing values are refused, the first does not end the reading. They are counted, and the
/// error at the end of the file says how many there are in which columns.
class TableReader {
 public:
  TableReader(TableRows rows, const ReadOptions& options, bool labelled,
              const BlockSizes& sizes = {});

  /// Throws InputError if the columns of the other file are not those of the first.
  void go_on(TableRows rows, const FilePart& part);

  [[nodiscard]] std::optional<RowHead> next();
  void expect_all(const FilePart& first = {}) noexcept { part_ = first; }
  [[nodiscard]] Rows take();

  /// To be called after the last row of the last file: throws InputError if missing values are
  /// refused and there are any.
  void finish() const;

  [[nodiscard]] std::size_t waiting() const noexcept { return cells_->waiting(); }

  /// As TableCells has them.
  void expect_batches() { cells_->expect_batches(); }
  [[nodiscard]] std::vector<Recoding> recodings() { return cells_->recodings(); }

  [[nodiscard]] std::size_t widest() const noexcept { return columns_.features.size(); }
  [[nodiscard]] bool weighted() const noexcept { return columns_.weight.has_value(); }
  [[nodiscard]] bool grouped() const noexcept { return columns_.group.has_value(); }
  [[nodiscard]] const MissingValues& missing_values() const { return cells_->missing_values(); }
  [[nodiscard]] Place whole_file() const { return rows_.whole_file(); }

  [[nodiscard]] const Columns& columns() const noexcept { return columns_; }
  [[nodiscard]] bool is_arff() const noexcept { return rows_.arff() != nullptr; }

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
  [[nodiscard]] Place place() const;
  [[nodiscard]] double parse_weight() const;
  [[nodiscard]] std::string_view text_of(const std::optional<std::size_t>& field) const;
  void start_rows();

  TableRows rows_;
  bool row_is_ready_ = false;  // the first row turned out not to be a header
  Columns columns_;
  std::optional<TableCells> cells_;
  std::optional<PlainRows> plain_;
  bool is_plain_ = false;  // whether the row is one of plain_, or else of rows_
  bool tolerant_;
  bool refuse_missing_;
  std::optional<FilePart> part_;  // none: not all rows are kept
  std::string broken_;            // why the fields of the row cannot be told apart; empty: they can
  std::string first_file_;        // its name
  std::string missing_file_;      // where missing values are refused: that of the first
  std::size_t missing_line_ = 0;  // and its line; 0: there is none
  ReadOptions options_;
  bool labelled_;
  BlockSizes sizes_;
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
[[nodiscard]] RowReader open_rows(ByteSource source, const ReadOptions& options, bool labelled,
                                  const BlockSizes& sizes = {});

}  // namespace rampart
