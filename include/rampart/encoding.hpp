#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rampart/names.hpp"
#include "rampart/rows.hpp"

namespace rampart {

/// What a missing value becomes, in a column that misses values in training.
enum class MissingKind {
  indicator,  ///< the median, and one more feature that is 1 there and 0 elsewhere
  median,     ///< the median alone; the commonest category of a categorical column
};
[[nodiscard]] std::span<const Named<MissingKind>> names_of(MissingKind);

/// How the columns of a table become features: learnt from the training rows, kept in the model.
///
/// A numeric column becomes one feature, a categorical one a feature per category that the training
/// rows have: 1 for the category of the row, 0 for the others. The features of a column follow each
/// other, an indicator of missing values last.
struct Encoding {
  struct Column {
    double fill = 0;         ///< for a missing value: the median, or the code of a category
    bool misses = false;     ///< whether training rows missed it
    bool indicator = false;  ///< whether there is an indicator
    std::vector<bool> seen;  ///< categorical: whether training rows have the code; else empty

    /// Whether this is the code of a category that training rows have.
    [[nodiscard]] bool has(double code) const;

    friend bool operator==(const Column&, const Column&) = default;
  };
  std::vector<Column> columns;  ///< empty: the columns are the features, and none may miss

  /// Learns from dense rows. Other rows get the empty encoding.
  [[nodiscard]] static Encoding fit(RowsView x,
                                    std::span<const std::vector<std::string>> categories,
                                    MissingKind missing);

  /// Whether rows without missing values are their own features.
  [[nodiscard]] bool is_identity() const;

  /// Number of features of a row of this many columns.
  [[nodiscard]] std::size_t features(std::size_t row_columns) const;

  /// The first feature of each column.
  [[nodiscard]] std::vector<std::uint32_t> first_features() const;

  /// Which features are 0 or 1 by construction: scaling leaves them alone.
  [[nodiscard]] std::vector<bool> indicators() const;

  /// The features. Missing values are filled in; a category that was not seen becomes zeros.
  [[nodiscard]] Rows apply(RowsView x) const;

  friend bool operator==(const Encoding&, const Encoding&) = default;
};

/// Whether every row is its own features: no categories, no missing value.
[[nodiscard]] bool are_features(RowsView x, std::span<const std::vector<std::string>> categories);

}  // namespace rampart
