#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace rampart {

/// How many different values a stream holds, by their hashes: counted up to a bound, from there on
/// estimated from 256 registers (HyperLogLog; the standard error is 6.5 %).
///
/// Up to the bound it also knows which of two classes each value occurs with.
class DistinctSketch {
 public:
  explicit DistinctSketch(std::size_t bound) : bound_(bound) {}

  /// `classes`: bit k for class k; 0: none.
  void add(std::uint64_t hash, std::uint8_t classes) {
    if (registers_.empty()) {
      const auto [found, is_new] = seen_.try_emplace(hash, classes);
      if (!is_new) found->second |= classes;
      if (seen_.size() <= bound_) return;
      registers_.resize(count_of_registers, 0);
      for (const auto& [other, mask] : seen_) note(other);
      seen_ = {};
      return;
    }
    note(hash);
  }

  [[nodiscard]] bool exact() const noexcept { return registers_.empty(); }

  [[nodiscard]] std::size_t count() const {
    if (exact()) return seen_.size();
    constexpr double m = count_of_registers;
    double sum = 0;
    for (const std::uint8_t rank : registers_) sum += std::ldexp(1.0, -static_cast<int>(rank));
    double estimate = 0.7213 / (1 + 1.079 / m) * m * m / sum;
    // Where registers are empty, their number tells more than the ranks do (linear counting).
    const auto empty = static_cast<double>(std::ranges::count(registers_, 0));
    if (estimate <= 2.5 * m && empty > 0) estimate = m * std::log(m / empty);
    return std::max(bound_ + 1, static_cast<std::size_t>(estimate));
  }

  /// Whether no value occurs with both classes, as far as they are known.
  [[nodiscard]] bool every_value_has_one_class() const {
    return exact() &&
           std::ranges::none_of(seen_, [](const auto& seen) { return seen.second == 3; });
  }

 private:
  static constexpr std::size_t count_of_registers = 256;

  void note(std::uint64_t hash) {
    const std::size_t which = hash % count_of_registers;
    const auto rank = static_cast<std::uint8_t>(std::countl_zero(hash | 0xff) + 1);
    registers_[which] = std::max(registers_[which], rank);
  }

  std::size_t bound_;
  std::unordered_map<std::uint64_t, std::uint8_t> seen_;  // and the classes it occurs with
  std::vector<std::uint8_t> registers_;                   // empty: seen_ has all
};

}  // namespace rampart
