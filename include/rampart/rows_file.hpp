#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "rampart/dataset.hpp"

namespace rampart {

/// Files of rows: labelled rows in a binary form that is read in place, without parsing, however
/// large the file is. docs/rows-format.md describes it.

/// Whether this is a file (not a pipe) that begins like one.
[[nodiscard]] bool is_rows_file(const std::string& path);

struct RowsFileOptions {
  bool float32 = false;                                ///< half the size; values are rounded
  std::uint64_t block_bytes = std::uint64_t{1} << 20;  ///< of a checksum; a power of two ≥ 4096
};

/// Writes a data set, which read_dataset() reads back to the same bits unless values are rounded.
/// The file appears whole or not at all. Returns how many values were rounded. Throws OutputError,
/// and InputError for a value beyond the range of float.
std::uint64_t write_rows_file(const Problem& data, const std::string& path,
                              const RowsFileOptions& options = {});

struct MappingOptions {
  /// Whether all rows are checked at once, which reads the files; or each block of rows when
  /// RowsView::ensure_readable() is called, which everybody who reads rows must then do.
  bool check_now = true;
  bool ids = true;            ///< whether ids are read, which takes memory for each row
  bool groups = true;         ///< likewise
  std::string positive = {};  ///< the class that is +1; empty: as in the file
  std::optional<ClassNames> classes = {};  ///< the classes must be these, in this order
};

/// Labelled rows of one or several files, one after the other, which are read in place: the system
/// brings parts of them into memory and takes them out again as needed.
///
/// Several files must have the same columns and classes. They must not change while they are in
/// use: a change is noticed by ensure_readable(), but a file that is cut short between that and the
/// reading ends the process (SIGBUS).
class MappedDataset {
 public:
  /// Throws InputError for files that are damaged, cut short, of a newer version or of different
  /// columns.
  explicit MappedDataset(std::span<const std::string> paths, const MappingOptions& options = {});
  explicit MappedDataset(const std::string& path, const MappingOptions& options = {});
  ~MappedDataset();
  MappedDataset(MappedDataset&&) noexcept;
  MappedDataset& operator=(MappedDataset&&) noexcept;

  /// The rows, which the data set must outlive. Their view has a keeper: see RowsView.
  [[nodiscard]] Problem problem() const;

  [[nodiscard]] std::size_t size() const noexcept;
  [[nodiscard]] std::uint64_t bytes() const noexcept;  ///< of the files

  /// Checks all rows that have not been checked yet.
  void check_all() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rampart
