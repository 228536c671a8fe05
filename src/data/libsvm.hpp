#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "data/limits.hpp"
#include "data/place.hpp"
#include "rampart/dataset.hpp"

namespace rampart {

inline constexpr auto largest_index = static_cast<std::int64_t>(most_columns);

/// Sparse rows while they are being read.
struct SparseRows {
  std::vector<std::size_t> starts = {0};
  std::vector<std::uint32_t> indices;  ///< from 0
  std::vector<double> values;          ///< none of them 0
  std::size_t width = 0;               ///< the largest index seen, zero or not

  /// As reserve_ahead() of reserve_ahead.hpp.
  void reserve_ahead(std::size_t more, std::optional<double> share);

  /// Removes what a row that could not be read has left behind, and puts an empty row in its place.
  void clear_last_row();

  /// The rows read so far, dense if that costs little; leaves an empty set of the same width.
  [[nodiscard]] Rows take(std::size_t columns);
};

/// What makes a LIBSVM line legal.
struct LibsvmRules {
  bool labelled = true;                 ///< whether a line must start with a label
  bool serial_numbers = false;          ///< whether "0:n" is accepted, and passed over
  std::optional<std::size_t> expected;  ///< as many features as the model has
};

/// Parses "label index:value …" and appends the features to `rows`; the result is the label, empty
/// where none is needed and none is there. Nothing for a line that is blank or only a comment.
[[nodiscard]] std::optional<std::string_view> parse_libsvm_line(std::string_view line,
                                                                const Place& place,
                                                                const LibsvmRules& rules,
                                                                SparseRows& rows);

}  // namespace rampart
