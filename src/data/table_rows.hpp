#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "data/arff.hpp"
#include "data/csv.hpp"

namespace rampart {

/// The rows of a table, whatever kind of file it is, as fields.
class TableRows {
 public:
  explicit TableRows(CsvRows rows) : rows_(std::move(rows)) {}
  explicit TableRows(ArffRows rows) : rows_(std::move(rows)) {}

  /// The head of an ARFF file; null for others.
  [[nodiscard]] const ArffRows* arff() const noexcept { return std::get_if<ArffRows>(&rows_); }

  /// As CsvRows has it. A row of an ARFF file is one line anyway.
  void go_on_after_faults() noexcept {
    if (auto* csv = std::get_if<CsvRows>(&rows_)) csv->go_on_after_faults();
  }

  /// The CSV file, of which rows of one line can be read elsewhere; null for other files.
  [[nodiscard]] CsvRows* csv() noexcept { return std::get_if<CsvRows>(&rows_); }

  /// The line that was read last.
  [[nodiscard]] std::size_t line() const {
    return std::visit([](const auto& rows) { return rows.line(); }, rows_);
  }

  /// From the next row on, text() is the row as it stands in the file, with its line end.
  void keep_text() noexcept {
    if (auto* csv = std::get_if<CsvRows>(&rows_)) csv->keep_text();
  }
  [[nodiscard]] std::string_view text() const {
    return std::visit([](const auto& rows) { return rows.text(); }, rows_);
  }

  [[nodiscard]] bool next() {
    return std::visit([](auto& rows) { return rows.next(); }, rows_);
  }
  [[nodiscard]] const Fields& fields() const {
    return std::visit([](const auto& rows) -> const Fields& { return rows.fields(); }, rows_);
  }
  [[nodiscard]] Place place() const {
    return std::visit([](const auto& rows) { return rows.place(); }, rows_);
  }
  [[nodiscard]] Place whole_file() const {
    return std::visit([](const auto& rows) { return rows.whole_file(); }, rows_);
  }
  [[nodiscard]] std::optional<double> share_given() const {
    return std::visit([](const auto& rows) { return rows.share_given(); }, rows_);
  }

 private:
  std::variant<CsvRows, ArffRows> rows_;
};

}  // namespace rampart
