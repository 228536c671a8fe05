#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace rampart {

/// Whole numbers of 1 to 8 digits, all digits of a number at once. Whether all of them were digits
/// is asked at the end, once for many numbers: until then there is no branch.
class EightDigits {
 public:
  /// The number of so many digits, from 1 to 8. Eight characters are read in any case.
  [[nodiscard]] std::uint64_t take(const char* first, std::size_t count) noexcept {
    std::uint64_t text = 0;
    std::memcpy(&text, first, sizeof text);
    if constexpr (std::endian::native == std::endian::big) text = __builtin_bswap64(text);
    // What follows the digits is shifted out, and zeros come before them.
    const std::uint64_t digits = (text ^ '0' * every) << (64 - 8 * count);
    seen_ |= digits | (digits + 0x76 * every);  // 0x76 + 10 = 0x80
    // Sums of pairs, of pairs of pairs, and of both halves.
    std::uint64_t sum = (digits * (1 + (10 << 8U))) >> 8U;
    sum = ((sum & 0x00ff00ff00ff00ff) * (1 + (100 << 16U))) >> 16U;
    return ((sum & 0x0000ffff0000ffff) * (1 + (std::uint64_t{10000} << 32U))) >> 32U;
  }

  /// Whether all characters so far were digits.
  [[nodiscard]] bool all() const noexcept { return (seen_ & 0x80 * every) == 0; }

 private:
  static constexpr std::uint64_t every = 0x0101010101010101;
  std::uint64_t seen_ = 0;
};

}  // namespace rampart
