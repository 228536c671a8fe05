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

/// Some rows of a problem: a fold, or what is outside of it. Features are looked at, not copied.
///
/// With a precomputed kernel the features of a row are its kernel values against the training rows,
/// and those of a part are the values against just the training rows of that part. Such a part has
/// a matrix of its own.
class ProblemPart {
 public:
  /// `training`: the rows that are trained on, from which `which` may differ.
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
