#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rampart/rows.hpp"

namespace rampart {

/// The columns that are learnt from, numbered without gaps. Of sparse rows these are the columns
/// that occur: the others, which may be millions more, are constant zeros.
class Occurring {
 public:
  explicit Occurring(RowsView x) {
    if (x.is_dense()) {
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
  static constexpr std::uint32_t nowhere = UINT32_MAX;

  std::size_t count_ = 0;
  std::vector<std::uint32_t> place_;  // by column; empty: every column is its own
};

}  // namespace rampart
