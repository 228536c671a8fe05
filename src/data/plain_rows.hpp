#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "data/columns.hpp"
#include "data/line_pieces.hpp"
#include "data/reserve_ahead.hpp"
#include "data/row_lines.hpp"
#include "data/table_cells.hpp"
#include "rampart/io.hpp"

namespace rampart {

/// The rows of a CSV file that are one line without quotes, with as many fields as the first row
/// and nothing in them that is new or wrong: nearly all rows of nearly all files. They are parsed
/// ahead, in blocks, by several threads, into the memory where they stay.
///
/// What one of its lines means does not depend on the lines before it, but for what TableCells has
/// learnt. So every line of a block is parsed as if a row began there, and CsvRows reads those that
/// are not plain. Where one of these turns out to have several lines, what was parsed of the others
/// is left out. Hence rows and errors are those of CsvRows alone, for any number of threads.
class PlainRows {
 public:
  PlainRows(const Columns& columns, char delimiter, const ReadOptions& options,
            const BlockSizes& sizes);

  /// Keeps the next row in `cells` if it is plain; otherwise it has to be read from `lines`.
  /// `part`: of the data that will be kept together; null: not all of them will.
  [[nodiscard]] bool next(RowLines& lines, TableCells& cells, const FilePart* part);

  /// A field of the row, without white space around it: label, weight, group, id or one to keep.
  [[nodiscard]] std::string_view text_of(std::size_t field) const {
    return texts_[current_ * text_fields_ + static_cast<std::size_t>(fields_[field].text)];
  }

 private:
  enum class Kind : std::uint8_t { plain, no_row, other };
  struct Line {
    std::uint32_t end;  // in the block
    Kind kind;
    bool misses_values;
  };
  struct Field {
    std::int32_t feature = -1;  // −1: none
    std::int32_t text = -1;     // place among the fields that are wanted as text; −1: it is not
    bool is_number = false;     // a feature that can be read as a number at once
  };
  struct Piece {
    std::string_view text;
    std::size_t lines = 0;
    std::size_t first_line = 0;
  };

  [[nodiscard]] bool plan(const Columns& columns);
  [[nodiscard]] bool parse_block(LineReader& lines, std::string_view block, TableCells& cells,
                                 std::optional<double> share);
  void parse_piece(const Piece& piece, const char* block, const TableCells& cells, double* slots);
  template <bool words>
  [[nodiscard]] Kind parse_line(std::string_view line, const char* limit, const TableCells& cells,
                                double* values, std::string_view* texts, bool& missing) const;

  bool possible_;
  std::size_t features_;
  char delimiter_;
  std::size_t longest_;  // of a plain line
  unsigned threads_;
  std::size_t piece_size_;
  BlockGrowth growth_;
  std::vector<Field> fields_;
  std::size_t text_fields_ = 0;

  // The block. Its text is that of the LineReader.
  std::vector<Piece> pieces_;
  std::vector<Line> lines_;
  std::vector<std::string_view> texts_;  // text_fields_ a line
  std::uint64_t begin_ = 0;              // of the block in the file
  std::uint64_t end_ = 0;
  std::size_t shape_ = 0;    // of the cells when it was parsed
  std::size_t next_ = 0;     // the line that may come next
  std::size_t current_ = 0;  // the line of the row that next() has kept
};

}  // namespace rampart
