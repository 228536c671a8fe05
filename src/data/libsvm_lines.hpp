#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "data/libsvm.hpp"
#include "data/line_pieces.hpp"
#include "data/line_reader.hpp"
#include "data/reserve_ahead.hpp"
#include "data/word_ends.hpp"
#include "rampart/io.hpp"

namespace rampart {

/// The lines of a LIBSVM file that hold a row and no fault. They are parsed ahead, in blocks, by
/// several threads, into the memory where their values stay. A line with a fault has to be read
/// alone, so that errors are found in the order of the lines.
class LibsvmLines {
 public:
  LibsvmLines(const ReadOptions& options, const BlockSizes& sizes);

  /// Keeps the next row in `rows`; the result is its label, valid until the next call. Nothing if
  /// the next line has to be read from `lines`. `part`: of the data that will be kept together;
  /// null: not all of them will.
  [[nodiscard]] std::optional<std::string_view> next(LineReader& lines, const LibsvmRules& rules,
                                                     SparseRows& rows, const FilePart* part);

 private:
  enum class Kind : std::uint8_t { row, no_row, other };
  struct Line {
    std::uint32_t end;   // in the block
    std::uint32_t slot;  // of its first value
    std::string_view label;
    SparseRow row;
    Kind kind;
  };
  struct Piece {
    std::string_view text;
    CharacterCounts counts = {};
    std::size_t first_line = 0;
    std::size_t first_slot = 0;
  };

  void parse_block(LineReader& lines, std::string_view block, const LibsvmRules& rules,
                   SparseRows& rows, std::optional<double> share);
  void parse_piece(const Piece& piece, const char* block, std::size_t longest,
                   const LibsvmRules& rules, SparseRows& rows);

  bool possible_;
  unsigned threads_;
  std::size_t piece_size_;
  BlockGrowth growth_;

  // The block. Its text is that of the LineReader.
  std::vector<Piece> pieces_;
  std::vector<Line> lines_;
  std::uint64_t end_ = 0;  // of the block in the file
  std::size_t next_ = 0;   // the line that comes next
};

}  // namespace rampart
