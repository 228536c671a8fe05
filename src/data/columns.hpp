#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/fields.hpp"
#include "data/place.hpp"
#include "rampart/io.hpp"

namespace rampart {

/// Which column of a CSV file plays which part.
struct Columns {
  std::size_t count = 0;                   ///< fields of every row
  Fields header;                           ///< one name a column; empty: the file has no header
  std::optional<std::size_t> label;        ///< field of the label
  std::optional<std::size_t> weight;       ///< field of the weight
  std::optional<std::size_t> group;        ///< field of the group
  std::optional<std::size_t> id;           ///< field of the id
  std::vector<std::uint32_t> features;     ///< field of each feature, in the order of the features
  std::vector<std::uint32_t> kept;         ///< fields to pass through
  std::vector<std::uint32_t> categorical;  ///< features (not fields) named as categorical; sorted

  /// How a message calls this column: "column 'age'" or "column 3".
  [[nodiscard]] std::string describe(std::size_t field) const;

  /// The column by name, or else by number from 1; empty if there is none.
  [[nodiscard]] std::string name_of(const std::optional<std::size_t>& field) const;

  [[nodiscard]] bool is_named(std::size_t field) const {
    return !header.empty() && !header[field].empty();
  }

  /// The names of the features; empty if the file has no header.
  [[nodiscard]] std::vector<std::string> feature_names() const;
};

/// Whether the first row of a file names its columns: no field is a number, or a column asked for
/// by name is among them, unless the options say it.
[[nodiscard]] bool is_header(const Fields& first_row, const ReadOptions& options);

/// Gives every column of a file with this first row its part. `labelled`: whether a label is
/// needed. Throws InputError about `file` if a column is asked for that is not there or not unique,
/// or if the columns do not fit `options.expected`.
[[nodiscard]] Columns plan_columns(const Fields& first_row, const ReadOptions& options,
                                   bool labelled, const Place& file);

}  // namespace rampart
