#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "data/fields.hpp"
#include "data/line_reader.hpp"

struct csv_parser;

namespace rampart {

/// The rows of a CSV file (RFC 4180, by libcsv) or of a table of words, as fields.
///
/// Blank lines and lines that start with "#" are passed over. White space around a field is not
/// part of it unless quoted. Rows and cells beyond the limits, or of more than most_columns, are
/// InputErrors. A misplaced quote is a RowError, after which the next row can be read.
class CsvRows {
 public:
  /// ' ' stands for any run of white space; such tables have no quotes.
  CsvRows(LineReader lines, char delimiter, const ReadLimits& limits = {});

  /// Moves to the next row; false at the end.
  [[nodiscard]] bool next();

  [[nodiscard]] const Fields& fields() const noexcept { return fields_; }

  /// From the next row on, text() is the row as it stands in the file, with its line end.
  void keep_text() noexcept { keep_text_ = true; }
  [[nodiscard]] std::string_view text() const noexcept { return text_; }

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
  [[nodiscard]] bool is_blank_row(std::string_view line) const;
  void parse(std::string_view line);
  void finish();
  void start_parser();
  void refuse_large() const;

  LineReader lines_;
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
