#include "data/libsvm_lines.hpp"

#include "util/parallel.hpp"

namespace rampart {

LibsvmLines::LibsvmLines(const ReadOptions& options, const BlockSizes& sizes)
    : possible_(sizes.first > 0 && !options.line_by_line),
      threads_(options.threads),
      piece_size_(sizes.piece),
      growth_(sizes) {}

std::optional<std::string_view> LibsvmLines::next(LineReader& lines, const LibsvmRules& rules,
                                                  SparseRows& rows, const FilePart* part) {
  if (!possible_) return std::nullopt;
  for (;;) {
    if (lines.offset() >= end_) {
      rows.close_slots();
      const auto share = part != nullptr ? part->share(lines.share_given()) : std::nullopt;
      const std::string_view block = lines.ahead(growth_.take());
      if (block.empty()) return std::nullopt;
      parse_block(lines, block, rules, rows, share);
    }
    // A line that was read alone has been passed meanwhile.
    const std::uint64_t begin = end_ - lines_.back().end;
    const auto passed = static_cast<std::uint32_t>(lines.offset() - begin);
    while (lines_[next_].end <= passed) ++next_;
    const Line& line = lines_[next_];
    if (line.kind == Kind::other) return std::nullopt;
    lines.skip_line(line.end - passed);
    if (line.kind == Kind::no_row) continue;
    rows.keep(line.slot, line.row);
    return line.label;
  }
}

void LibsvmLines::parse_block(LineReader& lines, std::string_view block, const LibsvmRules& rules,
                              SparseRows& rows, std::optional<double> share) {
  end_ = lines.offset() + block.size();
  next_ = 0;
  pieces_.clear();
  for (const std::string_view text : cut_at_lines(block, piece_size_)) pieces_.push_back({text});
  parallel_blocks(pieces_.size(), 1, threads_, [&](std::size_t k, std::size_t) {
    pieces_[k].lines = count_of('\n', pieces_[k].text);
    pieces_[k].colons = count_of(':', pieces_[k].text);
  });
  std::size_t count = 0;
  std::size_t colons = 0;
  for (Piece& piece : pieces_) {
    piece.first_line = count;
    piece.first_slot = colons;
    count += piece.lines;
    colons += piece.colons;
  }
  lines_.resize(count);
  rows.open_slots(colons, share);
  // Meanwhile, what the next block needs.
  parallel_blocks(pieces_.size() + 2, 1, threads_, [&](std::size_t k, std::size_t) {
    if (k == 0) return lines.read_on();
    if (k == 1) return share ? rows.touch_more_slots() : void();
    parse_piece(pieces_[k - 2], block.data(), lines.longest_line(), rules, rows);
  });
}

void LibsvmLines::parse_piece(const Piece& piece, const char* block, std::size_t longest,
                              const LibsvmRules& rules, SparseRows& rows) {
  const bool suspect = holds(piece.text, '\0');
  std::uint32_t* const indices = rows.slot_indices();
  double* const values = rows.slot_values();
  std::size_t n = piece.first_line;
  std::size_t slot = piece.first_slot;
  for_each_line(piece.text, [&](std::string_view line) {
    Line& found = lines_[n++];
    found.end = static_cast<std::uint32_t>(line.data() + line.size() - block);
    found.slot = static_cast<std::uint32_t>(slot);
    found.kind = Kind::other;
    if (line.size() > longest || (suspect && holds(line, '\0'))) return;
    try {
      const auto parsed = parse_libsvm_line(line, {}, rules, indices + slot, values + slot);
      found.kind = parsed ? Kind::row : Kind::no_row;
      if (!parsed) return;
      found.label = parsed->label;
      found.row = parsed->row;
      slot += found.row.count;
    } catch (const RowError&) {
      // It is read again alone, which says where the fault is.
    }
  });
}

}  // namespace rampart
