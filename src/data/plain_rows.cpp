#include "data/plain_rows.hpp"

#include <algorithm>

#include "data/csv.hpp"
#include "util/parallel.hpp"
#include "util/plain_number.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

// With more columns a line fills a block, and the plan of the columns would take more memory.
constexpr std::size_t most_fields = std::size_t{1} << 20U;

// White space that libcsv takes off unquoted fields.
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace

PlainRows::PlainRows(const Columns& columns, char delimiter, const ReadOptions& options,
                     const BlockSizes& sizes)
    : features_(columns.features.size()),
      delimiter_(delimiter),
      longest_(std::min(options.limits.line_bytes, options.limits.cell_bytes)),
      threads_(options.threads),
      piece_size_(sizes.piece),
      growth_(sizes) {
  // Other delimiters may be characters of numbers.
  const bool usual = std::string_view(",;|\t ").find(delimiter) != std::string_view::npos;
  possible_ = sizes.first > 0 && !options.line_by_line && usual && plan(columns);
}

// False if a field plays a part that is not provided for.
bool PlainRows::plan(const Columns& columns) {
  if (columns.count == 0 || columns.count > most_fields) return false;
  fields_.resize(columns.count);
  for (std::size_t j = 0; j < features_; ++j) {
    Field& field = fields_[columns.features[j]];
    if (field.feature >= 0) return false;
    field.feature = static_cast<std::int32_t>(j);
  }
  const auto want_text = [&](std::size_t field) {
    if (fields_[field].text < 0) fields_[field].text = static_cast<std::int32_t>(text_fields_++);
  };
  for (const auto& field : {columns.label, columns.weight, columns.group, columns.id}) {
    if (field) want_text(*field);
  }
  for (const std::uint32_t field : columns.kept) want_text(field);
  return true;
}

bool PlainRows::next(RowLines& lines, TableCells& cells, const FilePart* part) {
  LineReader* const rest = possible_ ? lines.rest() : nullptr;
  if (rest == nullptr) return false;
  for (;;) {
    if (rest->offset() < end_ && cells.shape() != shape_) {
      end_ = 0;
      growth_.start_again();
    }
    if (rest->offset() >= end_) {
      const auto share = part != nullptr ? part->share(rest->share_given()) : std::nullopt;
      if (!parse_block(*rest, rest->ahead(growth_.take()), cells, share)) return false;
    }
    const auto passed = static_cast<std::uint32_t>(rest->offset() - begin_);
    while (lines_[next_].end <= passed) ++next_;
    const Line& line = lines_[next_];
    if (line.kind == Kind::other) return false;
    lines.skip_line(line.end - passed);
    if (line.kind == Kind::no_row) continue;
    cells.keep_slot(next_, line.misses_values);
    current_ = next_;
    return true;
  }
}

// False if there is nothing to parse.
bool PlainRows::parse_block(LineReader& lines, std::string_view block, TableCells& cells,
                            std::optional<double> share) {
  cells.close_slots();
  if (block.empty()) return false;
  begin_ = lines.offset();
  end_ = begin_ + block.size();
  next_ = 0;
  shape_ = cells.shape();
  longest_ = std::min(longest_, lines.longest_line());
  for (Field& field : fields_) {
    field.is_number = field.feature >= 0 && field.text < 0 &&
                      cells.is_plain_number(static_cast<std::size_t>(field.feature));
  }

  pieces_.clear();
  for (const std::string_view text : cut_at_lines(block, piece_size_)) pieces_.push_back({text});
  parallel_blocks(pieces_.size(), 1, threads_, [&](std::size_t k, std::size_t) {
    pieces_[k].lines = count_of('\n', pieces_[k].text);
  });
  std::size_t count = 0;
  for (Piece& piece : pieces_) {
    piece.first_line = count;
    count += piece.lines;
  }
  lines_.resize(count);
  texts_.resize(count * text_fields_);
  double* const slots = cells.open_slots(count, share);
  // Meanwhile, what the next block needs.
  parallel_blocks(pieces_.size() + 2, 1, threads_, [&](std::size_t k, std::size_t) {
    if (k == 0) return lines.read_on();
    if (k == 1) return share ? cells.touch_more_slots() : void();
    parse_piece(pieces_[k - 2], block.data(), cells, slots);
  });
  return true;
}

void PlainRows::parse_piece(const Piece& piece, const char* block, const TableCells& cells,
                            double* slots) {
  const bool words = delimiter_ == ' ';
  const bool suspect = holds(piece.text, '\0') || (!words && holds(piece.text, '"'));
  const char* const limit = piece.text.data() + piece.text.size();
  std::size_t n = piece.first_line;
  for_each_line(piece.text, [&](std::string_view line) {
    Line& found = lines_[n];
    found.end = static_cast<std::uint32_t>(line.data() + line.size() - block);
    found.misses_values = false;
    double* const values = slots + n * features_;
    std::string_view* const texts = texts_.data() + n * text_fields_;
    const bool hard =
        line.size() > longest_ || (suspect && (holds(line, '\0') || (!words && holds(line, '"'))));
    if (hard) {
      found.kind = Kind::other;
    } else if (words) {
      found.kind = parse_line<true>(line, limit, cells, values, texts, found.misses_values);
    } else {
      found.kind = parse_line<false>(line, limit, cells, values, texts, found.misses_values);
    }
    ++n;
  });
}

// `limit`: up to here there are characters, which numbers are read from eight at a time.
template <bool words>
PlainRows::Kind PlainRows::parse_line(std::string_view line, const char* limit,
                                      const TableCells& cells, double* values,
                                      std::string_view* texts, bool& missing) const {
  const char* at = line.data();
  const char* const end = at + line.size() - 1;  // the line end
  const auto ends_field = [&](char c) { return words ? is_space(c) : c == delimiter_; };
  const bool may_be_empty = *at == '#' || is_space(*at) || *at == delimiter_;
  if (may_be_empty && holds_no_row(line, delimiter_)) return Kind::no_row;
  for (std::size_t k = 0; k < fields_.size(); ++k) {
    const Field& field = fields_[k];
    while (at != end && (words ? is_space(*at) : is_blank(*at) && *at != delimiter_)) ++at;
    if (words && at == end) return Kind::other;
    double value = 0;
    bool done = false;
    if (field.is_number) {
      if (const char* stop = take_number(at, limit, value)) {
        while (!words && stop != end && is_blank(*stop) && *stop != delimiter_) ++stop;
        if (stop == end || ends_field(*stop)) {
          values[field.feature] = value;
          at = stop;
          done = true;
        }
      }
    }
    if (!done) {
      const char* const first = at;
      while (at != end && !ends_field(*at)) ++at;
      const std::string_view text = trimmed({first, at});
      if (field.feature >= 0) {
        const auto feature = static_cast<std::size_t>(field.feature);
        if (!cells.read_plain(text, feature, value)) return Kind::other;
        values[feature] = value;
        missing = missing || value != value;
      }
      if (field.text >= 0) texts[field.text] = text;
    }
    if (words) continue;
    const bool last = k + 1 == fields_.size();
    if ((at == end) != last) return Kind::other;
    at += at != end;
  }
  if (words && !trimmed({at, end}).empty()) return Kind::other;
  return Kind::plain;
}

}  // namespace rampart
