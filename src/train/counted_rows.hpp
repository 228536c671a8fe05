#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "rampart/dataset.hpp"
#include "rampart/options.hpp"
#include "train/problem_part.hpp"

namespace rampart {

/// Up to so many rows, training does not depend on their order, in any bit.
inline constexpr std::size_t most_ordered_rows = 512;

/// The numbers of the rows whose weight is not 0; nothing if that are all of them.
[[nodiscard]] std::optional<std::vector<std::size_t>> rows_with_weight(const Problem& given);

/// The rows that a training works on, made of those that it is given:
///
///   - rows of weight 0 are left out;
///   - weights that are all 1 are no weights;
///   - few rows are put in an order that follows from their contents, and a weight that is a whole
///     number k becomes k rows, if all weights are and if the rows then still are few.
///
/// Hence a row of weight 0 is as if it were not there, and few rows give the same bits in any
/// order, and whether a row is given k times or with the weight k. No tolerance could promise that
/// much: where a row lies exactly on a kink of its ramp, rounding decides which minimum the rounds
/// reach. The rows of a precomputed kernel keep their order, in which their columns are.
class CountedRows {
 public:
  /// Views the problem, which has passed require_trainable() and must outlive this. Reads few rows,
  /// which must be readable.
  CountedRows(const Problem& given, const Representation& representation);

  [[nodiscard]] Problem view() const;

  /// The number that each of these rows has among those given; empty if these are the rows given.
  [[nodiscard]] std::span<const std::size_t> numbers() const { return numbers_; }

  /// Whether a row of some weight became several rows.
  [[nodiscard]] bool repeats() const { return repeats_; }

  /// Of few rows: one number for each row, the same for equal rows of the same class, which stand
  /// next to each other; from 0, without gaps. Of others: empty.
  [[nodiscard]] std::span<const std::size_t> kinds() const { return kinds_; }

 private:
  const Problem& given_;
  std::vector<std::size_t> numbers_;
  std::vector<std::size_t> kinds_;
  std::optional<ProblemPart> part_;
  bool repeats_ = false;
  bool weighted_ = false;
};

}  // namespace rampart
