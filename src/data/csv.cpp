#include "data/csv.hpp"

#include <csv.h>
#include <fmt/format.h>
#include <algorithm>
#include <new>

#include "data/limits.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

// Carriage returns count as white space around fields and not as line ends, so that they stay what
// they are inside quotes.
int is_blank(unsigned char c) { return c == ' ' || c == '\t' || c == '\r'; }
int is_line_end(unsigned char c) { return c == '\n'; }

// The limits are checked after every piece of this many bytes.
constexpr std::size_t bytes_at_once = 1 << 16;

}  // namespace

bool holds_no_row(std::string_view line, char delimiter) noexcept {
  if (line.starts_with('#')) return true;
  return std::ranges::all_of(line, [&](char c) { return is_space(c) || c == delimiter; });
}

void CsvRows::Free::operator()(csv_parser* parser) const {
  ::csv_free(parser);
  delete parser;
}

CsvRows::CsvRows(LineReader lines, char delimiter, const ReadLimits& limits)
    : lines_(std::move(lines)), delimiter_(delimiter), limits_(limits) {
  limits_.line_bytes = std::min(limits.line_bytes, Fields::most_bytes);
  if (delimiter != ' ') start_parser();
}

void CsvRows::start_parser() {
  parser_.reset(new csv_parser{});
  ::csv_init(parser_.get(), CSV_STRICT | CSV_STRICT_FINI);
  ::csv_set_delim(parser_.get(), static_cast<unsigned char>(delimiter_));
  ::csv_set_space_func(parser_.get(), is_blank);
  ::csv_set_term_func(parser_.get(), is_line_end);
  // libcsv grows its buffer by blocks of this size; 128 bytes would make a long field quadratic.
  ::csv_set_blk_size(parser_.get(), 1 << 16);
}

bool CsvRows::next() {
  fields_.clear();
  text_.clear();
  row_bytes_ = longest_cell_ = 0;
  complete_ = false;
  bool open = false;  // inside a row, which quoted line ends can continue over many lines
  while (!complete_) {
    const auto line = open ? lines_.more() : lines_.first();
    if (!line) {
      if (open) finish();
      return complete_;
    }
    if (!open && holds_no_row(*line, delimiter_)) continue;
    if (!open) line_ = lines_.line();
    open = true;
    row_bytes_ += line->size();
    if (keep_text_) text_ += *line;
    refuse_large();
    if (parser_) {
      parse(*line);
    } else {
      split_words(*line);
    }
  }
  return true;
}

void CsvRows::on_field(void* data, std::size_t size, void* self) {
  static_cast<CsvRows*>(self)->add_field({static_cast<const char*>(data), size});
}

void CsvRows::on_row(int, void* self) { static_cast<CsvRows*>(self)->complete_ = true; }

void CsvRows::add_field(std::string_view field) {
  fields_.add(field);
  longest_cell_ = std::max(longest_cell_, field.size());
}

void CsvRows::split_words(std::string_view line) {
  for (auto word = take_word(line); !word.empty(); word = take_word(line)) {
    add_field(word);
    refuse_large();
  }
  complete_ = true;
}

void CsvRows::parse(std::string_view line) {
  while (!line.empty()) {
    const std::string_view piece = line.substr(0, bytes_at_once);
    const std::size_t parsed =
        ::csv_parse(parser_.get(), piece.data(), piece.size(), on_field, on_row, this);
    if (parsed != piece.size()) {
      if (::csv_error(parser_.get()) != CSV_EPARSE) throw std::bad_alloc();
      const std::size_t line_of_quote = lines_.line();
      refuse_this_row(fmt::format(
          "a quote inside a field{}: the whole field must be quoted, and quotes in it doubled",
          line_of_quote > line_ ? fmt::format(" that ends in line {}", line_of_quote) : ""));
    }
    longest_cell_ = std::max(longest_cell_, parser_->entry_pos);  // the cell that is still open
    refuse_large();
    line.remove_prefix(piece.size());
  }
}

void CsvRows::refuse_this_row(std::string_view message, Setting setting) {
  if (parser_) start_parser();
  lines_.go_back();
  refuse_row(place(), message, setting);
}

void CsvRows::refuse_large() {
  if (fields_.size() > most_columns) {
    refuse_this_row(fmt::format("more than {} columns", most_columns));
  }
  if (longest_cell_ > limits_.cell_bytes) {
    refuse_this_row(
        fmt::format("a cell of more than {}: is a quote missing? a larger limit reads it",
                    size_in_words(limits_.cell_bytes)),
        Setting::cell_limit);
  }
  if (row_bytes_ > limits_.line_bytes) {
    refuse_this_row(
        fmt::format("a row of more than {}: is a quote missing? a larger limit reads it",
                    size_in_words(limits_.line_bytes)),
        Setting::line_limit);
  }
}

void CsvRows::finish() {
  if (parser_ && ::csv_fini(parser_.get(), on_field, on_row, this) != 0) {
    refuse_this_row("a quoted field is never closed");
  }
  refuse_large();
}

}  // namespace rampart
