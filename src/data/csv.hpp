#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "data/fields.hpp"
#include "data/row_lines.hpp"

struct csv_parser;

namespace rampart {

/// Whether a line that starts no row is passed over: it is a comment, or has nothing but white
/// space and delimiters, as spreadsheets write rows without any value.
[[nodiscard]] bool holds_no_row(std::string_view line, char delimiter) noexcept;

/// The rows of a CSV file (RFC 4180, by libcsv) or of a table of words, as fields.
///
/// Blank lines and lines that start with "#" are passed over. White space around a field is not
/// part of it unless quoted. A misplaced quote, one that is never closed, and rows and cells beyond
/// the limits or of more than most_columns are RowErrors, after which the next row can be read.
class CsvRows {
 public:
  /// ' ' stands for any run of white space; such tables have no quotes.
  CsvRows(LineReader lines, char delimiter, const ReadLimits& limits = {});

  /// Moves to the next row; false at the end.
  [[nodiscard]] bool next();

  [[nodiscard]] const Fields& fields() const noexcept { return fields_; }

  /// The lines of the rows that come next, for callers that read some of them without next().
  [[nodiscard]] RowLines& lines() noexcept { return lines_; }
  [[nodiscard]] char delimiter() const noexcept { return delimiter_; }

  /// From the next row on, the next row after a RowError starts on the line after the first one of
  /// the row that is wrong, and not where the error was found: a quote that is never closed loses
  /// one line, not the rest of the file. Needs memory for the lines of a row, at most as many bytes
  /// as a row may have. Every line is read twice at most: between the quote and the place of the
  /// error every line has an even number of quotes, so that none of them starts a row of many
  /// lines.
  void go_on_after_faults() noexcept { lines_.keep(); }

  /// From the next row on, text() is the row as it stands in the file, with its line end.
  void keep_text() noexcept { keep_text_ = true; }
  [[nodiscard]] std::string_view text() const noexcept { return text_; }

  /// The line that was read last.
  [[nodiscard]] std::size_t line() const noexcept { return lines_.line(); }

  /// Where the row starts.
  [[nodiscard]] Place place() const noexcept { return {lines_.whole_file().file, line_}; }
  [[nodiscard]] Place whole_file() const noexcept { return lines_.whole_file(); }
  [[nodiscard]] std::optional<double> share_given() const noexcept { return lines_.share_given(); }

 private:
  struct Free {
    void operator()(csv_parser* parser) const;
  };

  // What libcsv calls; `self` is the CsvRows.
  static void on_field(void* data, std::size_t size, void* self);
  static void on_row(int, void* self);
  void add_field(std::string_view field);
  void split_words(std::string_view line);
  void parse(std::string_view line);
  void finish();
  void start_parser();
  void refuse_large();
  [[noreturn]] void refuse_this_row(std::string_view message, Setting setting = Setting::none);

  RowLines lines_;
  char delimiter_;
  ReadLimits limits_;
  std::unique_ptr<csv_parser, Free> parser_;  // none: a table of words
  Fields fields_;
  bool keep_text_ = false;
  std::string text_;
  std::size_t line_ = 0;
  std::size_t row_bytes_ = 0;
  std::size_t longest_cell_ = 0;  // of the row
  bool complete_ = false;         // whether the row has ended
};

}  // namespace rampart
