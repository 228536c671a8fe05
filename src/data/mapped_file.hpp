#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/rows_format.hpp"
#include "rampart/rows.hpp"

namespace rampart {

/// One file of rows in memory, where the system reads it as it is used.
///
/// The header, the checksums and all that is short for each row is checked at once. Values, with
/// their places in sparse rows, are checked range by range, each once: by their checksums, and for
/// what would lead a reader astray, since a file with right checksums may still be made to harm.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] const RowsHeader& header() const noexcept { return header_; }
  [[nodiscard]] std::size_t rows() const noexcept { return header_.rows; }
  [[nodiscard]] const RowsColumns& columns() const noexcept { return columns_; }
  [[nodiscard]] RowsView view() const;
  [[nodiscard]] std::span<const std::int8_t> labels() const;
  [[nodiscard]] std::span<const double> weights() const;  ///< empty: there are none

  /// Of rows `begin` … `end`−1; empty: the file has none.
  [[nodiscard]] std::vector<std::string> ids(std::size_t begin, std::size_t end) const;
  [[nodiscard]] std::vector<std::string> groups(std::size_t begin, std::size_t end) const;

  /// Throws InputError if these rows are damaged, or the file has changed since it was opened. From
  /// any thread.
  void ensure_readable(std::size_t begin, std::size_t end) const;

  void will_need(std::size_t begin, std::size_t end) const;
  void dont_need(std::size_t begin, std::size_t end) const;

 private:
  template <class Number>
  [[nodiscard]] std::span<const Number> array(SectionKind kind) const;
  [[nodiscard]] std::string_view bytes(const Section& section) const;
  [[nodiscard]] std::vector<std::string> texts(SectionKind starts, SectionKind bytes,
                                               std::size_t begin, std::size_t end) const;
  void open();
  void close() noexcept;
  void require_unchanged() const;
  void check_section(SectionKind kind) const;
  void check_blocks(SectionKind kind, std::uint64_t begin, std::uint64_t end, std::size_t first_row,
                    std::size_t last_row) const;
  void check_rows(std::size_t begin, std::size_t end) const;
  void check_places(std::size_t begin, std::size_t end) const;
  template <class Value>
  void check_values(std::size_t begin, std::size_t end) const;
  [[noreturn]] void refuse_row(std::size_t row, std::string_view fault) const;
  template <class Use>
  void with_pages(std::size_t begin, std::size_t end, const Use& use) const;
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> stored_range(std::size_t begin,
                                                                     std::size_t end) const;

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::int64_t changed_seconds_ = 0;  // when the file was changed last
  std::int64_t changed_nanoseconds_ = 0;
  const char* map_ = nullptr;
  RowsHeader header_;
  RowsColumns columns_;
  std::vector<std::uint64_t> first_block_;  // of a section kind, among all checksums
  std::size_t rows_together_ = 1;           // that are checked at once
  mutable std::vector<std::atomic<bool>> checked_rows_;
  mutable std::vector<std::atomic<bool>> checked_blocks_;
};

}  // namespace rampart
