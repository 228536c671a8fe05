#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rampart/dataset.hpp"
#include "rampart/options.hpp"

namespace rampart {

/// Some rows of a problem: a fold, or its complement. Features are viewed, not copied.
///
/// With a precomputed kernel the features of a row are its kernel values with all rows. A part
/// needs only the values with its own training rows, so it owns a copy of that submatrix.
class ProblemPart {
 public:
  /// `which`: the rows of the part; `training`: the rows of the training set it belongs to.
  ProblemPart(const Problem& whole, std::span<const std::size_t> which,
              std::span<const std::size_t> training, const Representation& representation);

  [[nodiscard]] Problem view() const;

 private:
  Problem whole_;
  std::vector<std::size_t> places_;
  std::vector<std::int8_t> y_;
  std::vector<double> weights_;
  std::vector<std::string> groups_;
  std::optional<Rows> given_;
};

}  // namespace rampart
