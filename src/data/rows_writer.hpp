#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/output_file.hpp"
#include "data/rows_format.hpp"
#include "data/spool.hpp"
#include "rampart/rows_file.hpp"

namespace rampart {

/// Writes a file of rows, some rows at a time. What it keeps in memory does not grow with them.
///
/// The values go to their place in the output at once; the other sections, which come after them,
/// are collected aside. A sparse file leaves out zeros of rows that are dense. The header is
/// written last: a file without it is no file of rows.
class RowsWriter {
 public:
  /// The output must be a file, and outlive the writer.
  RowsWriter(OutputFile& output, bool dense, const RowsFileOptions& options);

  /// Appends rows, with their weights, groups and ids; labels and columns are not looked at. All
  /// calls have the same of these, and dense rows the same number of columns.
  void add(const Problem& rows);

  /// Makes a sparse file dense, with this many columns, when it turns out that this costs little.
  void make_dense(std::size_t columns);

  /// Lets `change` change the rows written so far, of a dense file with this many columns. It gets
  /// the number of the first row and the values of some rows.
  using Change = std::function<void(std::size_t first, std::span<double> values)>;
  void change_values(std::size_t columns, const Change& change);

  /// Writes the rest. The output is then whole, but not committed.
  void finish(const RowsColumns& columns, std::span<const std::int8_t> labels);

  [[nodiscard]] std::size_t rows() const noexcept { return header_.rows; }
  [[nodiscard]] std::uint64_t stored() const noexcept { return header_.stored; }
  [[nodiscard]] std::uint64_t rounded() const noexcept { return rounded_; }

 private:
  struct Texts {
    Spool starts;
    Spool bytes;
  };

  void add_texts(std::optional<Texts>& texts, std::span<const std::string> added);
  void add_value(std::size_t row, std::size_t column, double value);
  void write_values();
  void begin_section(SectionKind kind);
  void append(std::string_view bytes);
  void append_spool(SectionKind kind, Spool& spool);
  void append_texts(SectionKind starts, SectionKind bytes, std::optional<Texts>& texts);

  OutputFile& output_;
  RowsFileOptions options_;
  RowsHeader header_;
  std::string buffer_;  // of values
  BlockSums sums_;      // of the section that is written directly
  std::vector<std::uint64_t> all_sums_;
  Spool starts_;
  Spool indices_;
  Spool weights_;
  std::optional<Texts> ids_;
  std::optional<Texts> groups_;
  std::uint64_t position_ = 0;  // in the file
  std::uint64_t rounded_ = 0;
};

}  // namespace rampart
