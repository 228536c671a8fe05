#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "data/line_reader.hpp"

namespace rampart {

/// The lines of rows that may have several. Where a row turns out to be none, reading can go on
/// after its first line.
class RowLines {
 public:
  explicit RowLines(LineReader lines) : lines_(std::move(lines)) {}

  /// From the next row on, the lines after its first are kept for go_back().
  void keep() noexcept { keep_ = true; }

  /// The next line, as the first of a row; nothing at the end. Valid until the next call.
  [[nodiscard]] std::optional<std::string_view> first();

  /// The next line, as one more of the same row.
  [[nodiscard]] std::optional<std::string_view> more();

  /// The next line is the one after the row's first again, if it was kept.
  void go_back() noexcept;

  /// The lines of which nothing has been given yet, for callers that read whole rows of one line
  /// themselves; null while lines that were kept come first.
  [[nodiscard]] LineReader* rest() noexcept { return next_ == kept_.size() ? &lines_ : nullptr; }

  /// Passes over the next line of rest().
  void skip_line(std::size_t bytes) noexcept {
    lines_.skip_line(bytes);
    ++line_;
  }

  /// The number of the line given last.
  [[nodiscard]] std::size_t line() const noexcept { return line_; }

  [[nodiscard]] Place whole_file() const noexcept { return lines_.whole_file(); }
  [[nodiscard]] std::optional<double> share_given() const noexcept { return lines_.share_given(); }

 private:
  [[nodiscard]] std::optional<std::string_view> give(bool keep);

  LineReader lines_;
  bool keep_ = false;
  std::string kept_;
  std::size_t next_ = 0;  // the place in kept_ that is given next; its end: lines_ is
  std::size_t mark_ = 0;  // the end of the row's first line in kept_
  std::size_t line_ = 0;
  std::size_t first_line_ = 0;
};

}  // namespace rampart
