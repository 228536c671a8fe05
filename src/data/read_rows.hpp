#pragma once

#include <cstddef>

#include "data/row_files.hpp"
#include "rampart/io.hpp"

namespace rampart {

/// All rows of the files, which nothing has been read of, as read_dataset() gives them.
[[nodiscard]] Dataset read_all(RowFiles files, const ReadOptions& options);

/// Finds the labels of rows, and what is wrong with them.
class StreamLabels;

/// The next rows, as RowStream::next() gives them. `any`: whether there has been a row. `labels`:
/// of a labelled stream.
[[nodiscard]] RowBatch next_batch(RowFiles& files, std::size_t most, bool& any,
                                  StreamLabels* labels = nullptr);

}  // namespace rampart
