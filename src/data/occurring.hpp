#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rampart/rows.hpp"

namespace rampart {

/// The columns that are learnt from, numbered without gaps. Of sparse rows with more columns than
/// values these are the columns that occur: the others, which may be millions more, are constant
/// zeros.
class Occurring {
 public:
  /// So many columns, all of which are learnt from.
  [[nodiscard]] static Occurring all(std::size_t columns) {
    Occurring every;
    every.count_ = columns;
    return every;
  }

  explicit Occurring(RowsView x) {
    if (x.is_dense() || x.columns() <= x.stored_values()) {
      count_ = x.columns();
      return;
    }
    place_.assign(x.columns(), nowhere);
    for (std::size_t n = 0; n < x.size(); ++n) {
      x.for_each(n, [&](std::size_t j, double) {
        if (place_[j] == nowhere) place_[j] = static_cast<std::uint32_t>(count_++);
      });
    }
  }

  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] bool has(std::size_t j) const { return place_.empty() || place_[j] != nowhere; }
  [[nodiscard]] std::size_t operator[](std::size_t j) const {
    return place_.empty() ? j : place_[j];
  }

 private:
  Occurring() = default;

  static constexpr std::uint32_t nowhere = UINT32_MAX;

  std::size_t count_ = 0;
  std::vector<std::uint32_t> place_;  // by column; empty: every column is its own
};

}  // namespace rampart
