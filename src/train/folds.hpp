#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rampart {

/// How rows are assigned to folds.
struct FoldOptions {
  std::size_t folds = 10;    ///< ≥ 2
  std::size_t repeats = 10;  ///< ≥ 1; every repetition assigns anew
  std::uint64_t seed = 1;
  bool stratified = true;  ///< folds have equal shares of both classes

  friend bool operator==(const FoldOptions&, const FoldOptions&) = default;
};

/// The fold, from 0, of every row in one repetition, from 0.
///
/// Without groups the rows of each class are shuffled and dealt out one by one, so that folds
/// differ by at most one row in each class and in all. With groups (one name per row) all rows of a
/// group go to the same fold: the groups, shuffled and then the largest first, each go to the fold
/// that has the smallest share so far.
///
/// Throws OptionError if there are more folds than rows of the smaller class (stratified), than
/// rows or than groups.
[[nodiscard]] std::vector<std::size_t> assign_folds(std::span<const std::int8_t> y,
                                                    std::span<const std::string> groups,
                                                    const FoldOptions& options, std::size_t repeat);

/// The rows inside and outside of one fold, both in the order of the data.
struct Split {
  std::vector<std::size_t> training;
  std::vector<std::size_t> test;
};
[[nodiscard]] Split split_at(std::span<const std::size_t> fold_of, std::size_t fold);

/// Sets a share of the rows of each class aside for a test, rounded, at least one and not all. With
/// groups, whole groups in random order: those that bring both classes nearer to the share.
///
/// Throws OptionError unless 0 < share < 1, or if that leaves a class or the test without rows.
[[nodiscard]] Split hold_out(std::span<const std::int8_t> y, std::span<const std::string> groups,
                             double share, std::uint64_t seed);

}  // namespace rampart
