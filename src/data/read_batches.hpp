#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "data/table_cells.hpp"
#include "rampart/io.hpp"

namespace rampart {

/// Who takes labelled rows of a file that may not fit into memory.
struct BatchSink {
  std::size_t values;      ///< of a batch, about
  std::size_t least_rows;  ///< of a batch

  std::function<void(bool is_table)> begin;  ///< called first
  /// Rows with weights, groups and ids; labels come at the end. Rows of a table hold the codes of
  /// categories as TableCells::expect_batches() says.
  std::function<void(const Dataset& batch)> add;
  std::function<void(const std::vector<Recoding>&)> recode;  ///< for a table, after the last batch
};

/// Reads labelled files as read_dataset() does, with the same errors, but gives the rows away. The
/// result has labels, classes and columns.
[[nodiscard]] Dataset read_batches(std::span<const std::string> paths, const ReadOptions& options,
                                   const BatchSink& sink);

}  // namespace rampart
