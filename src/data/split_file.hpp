#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "rampart/io.hpp"

namespace rampart {

struct SplitOptions {
  ReadOptions read;         ///< `group`: the column whose rows stay together
  std::string group_file;   ///< a file with a group per row, instead of a column; empty: none
  double test_share = 0.3;  ///< greater than 0, less than 1
  std::uint64_t seed = 1;
};

/// The rows of one class on both sides.
struct SplitClass {
  std::string label;
  std::size_t training = 0;
  std::size_t test = 0;
};

/// Deals the rows of a file to a training and a test part, in one pass and in constant memory.
/// `write(to_test, text)` gets the head of the file once for each part, and every row as it stands
/// in the file; of a file of rows, which have no text, there is no head, and a row is a line with
/// its number from 0.
///
/// Without groups, the rows of each class are cut into consecutive stretches of 1/share rows, and
/// one row of each, chosen by the seed, is a test row: after any number of rows the share is exact
/// to a row. With groups, the seed and the name of a group decide, so that the share holds on
/// average over groups only.
[[nodiscard]] std::vector<SplitClass> split_file(
    const std::string& path, const SplitOptions& options,
    const std::function<void(bool to_test, std::string_view text)>& write);

}  // namespace rampart
