#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "evaluate/original_columns.hpp"
#include "rampart/dataset.hpp"
#include "rampart/model.hpp"

namespace rampart {

struct ImportanceOptions {
  std::size_t most_rows = 1000;    ///< more give smaller random errors
  std::size_t most_columns = 100;  ///< of more columns, those that vary most
  std::size_t repeats = 5;         ///< shuffles of each column
  double most_products = 1e10;     ///< about so many multiplications; more give more rows
  std::uint64_t seed = 1;
  unsigned threads = 0;  ///< 0: as many as the machine has
};

/// Mean and standard deviation over the repeats.
struct Change {
  double mean = 0;
  double sd = 0;
};

struct ColumnImportance {
  std::size_t column = 0;  ///< among the columns given
  Change risk;             ///< risk with the column shuffled minus risk
  Change rejection_rate;   ///< the same of the share of rejected rows
};

struct Importance {
  std::size_t rows = 0;  ///< that were used
  std::size_t repeats = 0;
  std::vector<ColumnImportance> columns;  ///< the largest rise of the risk first
};

/// Permutation importance: how the answers to a random choice of the rows change when the values of
/// one column are dealt anew among them. A column that the model does not use changes nothing.
///
/// The features that the model makes of a column move together. `answers` are those of the model to
/// the rows. The seed determines the rows and the shuffles.
[[nodiscard]] Importance permutation_importance(const Model& model, const Dataset& data,
                                                std::span<const Answer> answers, const Costs& costs,
                                                const std::vector<OriginalColumn>& columns,
                                                const ImportanceOptions& options = {});

}  // namespace rampart
