#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rampart/io.hpp"

namespace rampart {

/// The form of files of rows (docs/rows-format.md): a header, then sections, each contiguous and
/// aligned, so that a file in memory is arrays that need no copying.
///
/// Numbers are those of the machine, which is asked to be little endian.

inline constexpr std::string_view rows_magic = "RAMPROWS";
inline constexpr std::uint32_t rows_version = 1;
inline constexpr std::size_t rows_header_bytes = 4096;
inline constexpr std::size_t section_alignment = 64;
inline constexpr std::uint64_t default_block_bytes = 1 << 20;

enum class SectionKind : std::uint32_t {
  values = 1,        ///< float or double; dense: row after row
  starts = 2,        ///< CSR: where each row begins, uint64, one more than rows
  indices = 3,       ///< CSR: column of each value, uint32
  labels = 4,        ///< int8, −1 or +1
  weights = 5,       ///< double
  id_starts = 6,     ///< where each id begins, uint64, one more than rows
  id_bytes = 7,      ///< UTF-8
  group_starts = 8,  ///< as the ids
  group_bytes = 9,
  columns = 10,    ///< JSON: names, categories, classes, …
  checksums = 11,  ///< uint64, one for every block of every section before it
};
inline constexpr std::size_t section_kinds = 12;  // with one that is not used

struct Section {
  SectionKind kind{};
  std::uint64_t offset = 0;  ///< from the beginning of the file
  std::uint64_t bytes = 0;

  [[nodiscard]] std::uint64_t blocks(std::uint64_t block_bytes) const {
    return bytes / block_bytes + (bytes % block_bytes != 0);
  }
};

struct RowsHeader {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t stored = 0;  ///< values
  bool dense = true;
  std::uint32_t value_bytes = 8;  ///< 4: float, 8: double
  std::uint64_t block_bytes = default_block_bytes;
  std::uint64_t file_bytes = 0;
  std::uint64_t checksum_of_checksums = 0;
  std::vector<Section> sections;  ///< in the order of the file; the checksums are the last

  /// Null if there is none.
  [[nodiscard]] const Section* find(SectionKind kind) const;
};

/// The header as it is in a file, with its checksum.
[[nodiscard]] std::array<char, rows_header_bytes> encode(const RowsHeader& header);

/// Throws InputError about `file`, whose size is `file_bytes`, unless every section is there, lies
/// in the file and has the size that the counts ask for. `start`: the first bytes of the file.
[[nodiscard]] RowsHeader decode_rows_header(std::string_view start, std::uint64_t file_bytes,
                                            std::string_view file);

/// What the columns section says.
struct RowsColumns {
  ClassNames classes;
  FeatureLayout layout;

  friend bool operator==(const RowsColumns&, const RowsColumns&) = default;
};
[[nodiscard]] std::string encode(const RowsColumns& columns);
[[nodiscard]] RowsColumns decode_rows_columns(std::string_view text, const RowsHeader& header,
                                              std::string_view file);

/// XXH3, 64 bits.
[[nodiscard]] std::uint64_t checksum(std::string_view bytes);

}  // namespace rampart
