#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/fields.hpp"
#include "data/line_reader.hpp"
#include "data/place.hpp"
#include "rampart/dataset.hpp"

namespace rampart {

/// The rows of an ARFF file, as fields; see the format's description by Weka.
///
/// "%" starts a line of comment. Sparse rows are made complete: a value that is left out is 0, or
/// the first one of a nominal attribute. A row that is malformed is a RowError, after which the
/// next can be read. What is wrong with the head is an InputError.
class ArffRows {
 public:
  /// Reads the head of the file.
  explicit ArffRows(LineReader lines);

  /// The names of the attributes.
  [[nodiscard]] const Fields& names() const noexcept { return names_; }

  /// The values of each nominal attribute, as categories, in the order of the file; none of others.
  [[nodiscard]] const Categories& declared() const noexcept { return declared_; }

  /// Whether each attribute is declared as numbers.
  [[nodiscard]] const std::vector<bool>& numeric() const noexcept { return numeric_; }

  /// Attributes that are dates.
  [[nodiscard]] const std::vector<std::uint32_t>& dates() const noexcept { return dates_; }

  /// Moves to the next row; false at the end.
  [[nodiscard]] bool next();
  [[nodiscard]] const Fields& fields() const noexcept { return fields_; }

  /// The row as it stands in the file, with its line end; valid until the next. And the head.
  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  [[nodiscard]] const std::string& head() const noexcept { return head_; }

  [[nodiscard]] Place place() const noexcept { return lines_.place(); }
  [[nodiscard]] std::size_t line() const noexcept { return lines_.place().line; }
  [[nodiscard]] Place whole_file() const noexcept { return lines_.whole_file(); }
  [[nodiscard]] std::optional<double> share_given() const noexcept { return lines_.share_given(); }

 private:
  void read_head();
  void read_attribute(std::string_view line);
  void read_values(std::string_view line);
  void read_sparse(std::string_view line);

  LineReader lines_;
  Fields names_;
  Categories declared_;
  std::vector<bool> numeric_;
  std::vector<std::uint32_t> dates_;
  std::vector<std::string> left_out_;  // what a sparse row means where it has no value
  Fields fields_;
  std::string cell_;
  std::string_view text_;
  std::string head_;
};

/// Whether the head of an ARFF file may start with this line.
[[nodiscard]] bool starts_arff(std::string_view line) noexcept;

}  // namespace rampart
