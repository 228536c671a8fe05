#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace rampart {

/// The two least and the two largest values of a column, and who has the outermost. Missing values
/// (NaN) compare as neither less nor more.
struct Extremes {
  static constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  double low = infinity, next_low = infinity;
  double high = -infinity, next_high = -infinity;
  std::uint32_t lowest = nobody, highest = nobody;

  void take(double value, std::uint32_t row) {
    if (value < low) {
      next_low = std::exchange(low, value);
      lowest = row;
    } else if (value < next_low) {
      next_low = value;
    }
    if (value > high) {
      next_high = std::exchange(high, value);
      highest = row;
    } else if (value > next_high) {
      next_high = value;
    }
  }

  /// The same for a value that is not missing, without branches: for columns of so few rows that
  /// every other value is an extreme.
  void take_number(double value, std::uint32_t row) {
    next_low = std::min(next_low, std::max(low, value));
    next_high = std::max(next_high, std::min(high, value));
    lowest = value < low ? row : lowest;
    highest = value > high ? row : highest;
    low = std::min(low, value);
    high = std::max(high, value);
  }

  /// The same as taking the values that the other, whose rows come later, has taken.
  void merge(const Extremes& later) {
    if (later.low < low) {
      next_low = std::min(low, later.next_low);
      low = later.low;
      lowest = later.lowest;
    } else {
      next_low = std::min(next_low, later.low);
    }
    if (later.high > high) {
      next_high = std::max(high, later.next_high);
      high = later.high;
      highest = later.highest;
    } else {
      next_high = std::max(next_high, later.high);
    }
  }
};

}  // namespace rampart
