#include "data/libsvm_lines.hpp"

#include <memory>

#include "data/plain_lines.hpp"
#include "data/word_ends.hpp"
#include "util/parallel.hpp"

namespace rampart {
namespace {

// So many characters are searched for the ends of words at once; the places stay in the processor's
// cache. Longer lines are read without.
constexpr std::size_t most_searched = std::size_t{1} << 16U;

}  // namespace

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
    pieces_[k].counts = count_characters(pieces_[k].text);
  });
  std::size_t count = 0;
  std::size_t colons = 0;
  for (Piece& piece : pieces_) {
    piece.first_line = count;
    piece.first_slot = colons;
    count += piece.counts.line_ends;
    colons += piece.counts.colons;
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
  const bool suspect = piece.counts.nuls > 0;
  std::uint32_t* const indices = rows.slot_indices();
  double* const values = rows.slot_values();
  std::size_t n = piece.first_line;
  std::size_t slot = piece.first_slot;
  const auto note = [&](std::string_view line, const LibsvmLine* parsed, Kind kind) {
    Line& found = lines_[n++];
    found.end = static_cast<std::uint32_t>(line.data() + line.size() - block);
    found.slot = static_cast<std::uint32_t>(slot);
    found.kind = kind;
    if (parsed == nullptr) return;
    found.label = parsed->label;
    found.row = parsed->row;
    slot += found.row.count;
  };
  const auto parse_any = [&](std::string_view line) {
    if (line.size() > longest || (suspect && holds(line, '\0'))) {
      return note(line, nullptr, Kind::other);
    }
    try {
      const auto parsed = parse_libsvm_line(line, {}, rules, indices + slot, values + slot);
      note(line, parsed ? &*parsed : nullptr, parsed ? Kind::row : Kind::no_row);
    } catch (const RowError&) {
      note(line, nullptr, Kind::other);  // it is read again alone, which says where the fault is
    }
  };
  if (suspect) return for_each_line(piece.text, parse_any);

  const auto word_ends = std::make_unique_for_overwrite<std::uint32_t[]>(
      room_for_word_ends(std::min(most_searched, piece.text.size())));
  std::string_view rest = piece.text;
  while (!rest.empty()) {
    const std::string_view lines = rest.substr(0, rest.substr(0, most_searched).rfind('\n') + 1);
    if (lines.empty()) {  // a very long line
      const std::string_view line = rest.substr(0, rest.find('\n') + 1);
      parse_any(line);
      rest.remove_prefix(line.size());
      continue;
    }
    find_word_ends(lines, word_ends.get());
    const std::uint32_t* ends = word_ends.get();
    // Behind the last lines there are too few characters.
    const std::size_t plain = lines.size() > read_behind_line
                                  ? lines.rfind('\n', lines.size() - read_behind_line - 1) + 1
                                  : 0;
    for (std::size_t begin = 0; begin < lines.size();) {
      LibsvmLine parsed;
      std::size_t words = 0;
      if (begin < plain) {
        words = parse_plain_line(lines.data(), begin, ends, rules, parsed, indices + slot,
                                 values + slot);
      }
      const bool is_plain = words > 0;
      if (!is_plain) {
        while (lines[ends[words++]] != '\n') {
        }
      }
      ends += words;
      const std::string_view line = lines.substr(begin, ends[-1] + 1 - begin);
      if (is_plain && line.size() <= longest) {
        note(line, &parsed, Kind::row);
      } else {
        parse_any(line);
      }
      begin += line.size();
    }
    rest.remove_prefix(lines.size());
  }
}

}  // namespace rampart
