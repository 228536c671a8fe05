#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "rampart/dataset.hpp"
#include "train/folds.hpp"

namespace rampart::tool {

/// How many rows one training of a tuning has, and how many test it.
struct FoldRows {
  std::array<std::size_t, 2> test;  ///< of the classes − and +
  std::size_t training;

  friend bool operator==(const FoldRows&, const FoldRows&) = default;
};

/// The folds of a tuning, counted. Part 0 of it deals all rows; part k, of a nested one, deals the
/// rows outside of outer fold k − 1, as nested_estimate() does.
class TuningFolds {
 public:
  /// The rows of `data` must outlive it.
  TuningFolds(const Problem& data, const FoldOptions& options) : data_(data), options_(options) {}

  /// Throws OptionError if the part has too few rows for its folds.
  [[nodiscard]] const FoldRows& at(std::size_t part, std::size_t repeat, std::size_t fold);

 private:
  [[nodiscard]] std::vector<FoldRows> deal(std::size_t part, std::size_t repeat) const;

  Problem data_;
  FoldOptions options_;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<FoldRows>> dealt_;  // part, repetition
};

}  // namespace rampart::tool
