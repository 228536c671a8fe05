#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/row_reader.hpp"
#include "rampart/io.hpp"

namespace rampart {

/// The rows of one or more files, one file after the other, as if they were one.
///
/// Every file has the header of the first and is read as one of the same format; files without rows
/// may be among the others. What is wrong is an InputError about the file it is wrong in.
class RowFiles {
 public:
  /// `paths` has one at least. `sizes`: only speed depends on them.
  RowFiles(std::span<const std::string> paths, const ReadOptions& options, bool labelled,
           const BlockSizes& sizes = {});
  RowFiles(ByteSource source, const ReadOptions& options, bool labelled,
           const BlockSizes& sizes = {});

  [[nodiscard]] RowReader& reader() noexcept { return *reader_; }
  [[nodiscard]] const RowReader& reader() const noexcept { return *reader_; }

  /// The next row; nothing after the last of the last file. `reader`: the alternative of reader().
  template <class Reader>
  [[nodiscard]] std::optional<RowHead> next(Reader& reader) {
    auto row = reader.next();
    while (!row && open_next()) row = reader.next();
    if (!row) reader.finish();
    return row;
  }

  /// What errors about all rows call them: the file, or "part-1.csv and 2 more files".
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] bool several() const noexcept { return paths_.size() > 1; }

  /// Which part of the data the first file is.
  [[nodiscard]] FilePart first_part() const { return part(0); }

 private:
  [[nodiscard]] bool open_next();
  [[nodiscard]] FilePart part(std::size_t file) const;
  [[nodiscard]] ReadOptions options_of(std::size_t file) const;

  std::vector<std::string> paths_;
  std::vector<std::uint64_t> sizes_;  // in bytes; 0: not known
  ReadOptions options_;
  std::string name_;
  std::size_t next_ = 1;
  std::optional<RowReader> reader_;
};

}  // namespace rampart
