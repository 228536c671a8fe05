#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "data/output_file.hpp"
#include "rampart/io.hpp"
#include "rampart/rows_file.hpp"

namespace rampart {

struct ConvertedRows {
  std::size_t rows = 0;
  std::size_t columns = 0;
  bool dense = true;
  std::uint64_t stored = 0;   ///< values
  std::uint64_t rounded = 0;  ///< values that float32 changed
  ClassNames classes;
};

/// How much is kept in memory at a time.
struct BatchSizes {
  std::size_t values = std::size_t{1} << 23;  ///< 64 MiB
  /// So many rows that all columns with too many numbers to be categories are known as such.
  std::size_t least_rows = default_max_categories + 2;
};

/// Makes a file of rows of text, or of files of rows. Text need not fit into memory, and may come
/// from a pipe: of each row its label is kept, one byte, and nothing else. The output holds what
/// read_dataset() would give, and is whole, but not committed.
[[nodiscard]] ConvertedRows convert_to_rows(std::span<const std::string> paths,
                                            const ReadOptions& options, OutputFile& output,
                                            const RowsFileOptions& form,
                                            const BatchSizes& sizes = {});

/// Writes the rows with these numbers, which are in the order of the file, as a file of rows, some
/// at a time. The values stay as they are stored.
void write_some_rows(const std::string& path, std::span<const std::size_t> rows,
                     OutputFile& output);

}  // namespace rampart
