#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rampart/model.hpp"
#include "rampart/rows.hpp"

namespace rampart {

/// A column of the user's table.
struct OriginalColumn {
  std::string name;
  std::uint32_t index = 0;  ///< among the columns of a row, from 0
};

/// What the user calls a column: its name, or "column 7" by its place in the training file;
/// "feature 7" where the model knows neither.
[[nodiscard]] std::string name_of_column(const FeatureLayout& columns, std::size_t j);

/// The columns in which some of these rows are not zero. There may be millions of others. A
/// precomputed kernel has none.
[[nodiscard]] std::vector<OriginalColumn> original_columns(const Model& model, const Rows& x);

/// A feature that the model made of a column, in words: "age", "sex = F", "age is missing".
struct NamedFeature {
  std::string name;
  std::uint32_t index = 0;  ///< among the features of the model, from 0
};
/// Of each of these columns.
[[nodiscard]] std::vector<std::vector<NamedFeature>> features_of(
    const Model& model, const std::vector<OriginalColumn>& columns);

/// The categories of a column; none if it is numeric.
[[nodiscard]] const std::vector<std::string>& categories_of(const Model& model,
                                                            const OriginalColumn& column);

/// The value of row n in column j; 0 where sparse rows store nothing.
[[nodiscard]] double value_of(const Rows& x, std::size_t n, std::uint32_t j);

}  // namespace rampart
