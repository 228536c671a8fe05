#pragma once

#include <array>
#include <bit>
#include <cfloat>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "util/number.hpp"

namespace rampart {

inline constexpr std::array exact_powers_of_ten = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,
                                                   1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13,
                                                   1e14, 1e15, 1e16, 1e17, 1e18, 1e19};
inline constexpr std::array<std::uint64_t, 9> whole_powers_of_ten = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

/// Appends the digits at the start of the text to `number`, as in 10·number + digit, and returns
/// where they end. With more than 19 in all it has overflowed.
[[nodiscard]] inline const char* take_digits(const char* at, const char* end,
                                             std::uint64_t& number) noexcept {
  for (; at != end && static_cast<unsigned char>(*at - '0') < 10; ++at) {
    number = 10 * number + static_cast<unsigned char>(*at - '0');
  }
  return at;
}

/// The same for many digits: eight characters at a time. A branch for each character would often be
/// mispredicted, since numbers end at unpredictable places.
[[nodiscard]] inline const char* take_many_digits(const char* at, const char* end,
                                                  std::uint64_t& number) noexcept {
  while (std::endian::native == std::endian::little && end - at >= 8) {
    constexpr std::uint64_t every = 0x0101010101010101;
    std::uint64_t text = 0;
    std::memcpy(&text, at, sizeof text);
    const std::uint64_t digits = text - '0' * every;
    const std::uint64_t others = ((text + 0x46 * every) | digits) & 0x80 * every;
    const auto count = static_cast<unsigned>(std::countr_zero(others)) / 8;
    if (count == 0) return at;
    // Shifts out the characters after the digits; zeros take the place of leading digits.
    std::uint64_t sum = digits << (64 - 8 * count);
    sum = (10 * sum + (sum >> 8U)) & 0x00ff00ff00ff00ff;
    sum = (100 * sum + (sum >> 16U)) & 0x0000ffff0000ffff;
    sum = (10000 * sum + (sum >> 32U)) & 0xffffffff;
    number = whole_powers_of_ten[count] * number + sum;
    at += count;
    if (count < 8) return at;
  }
  return take_digits(at, end, number);
}

/// Reads a number of the form that nearly all numbers of data files have, "12" or "-0.25": digits,
/// perhaps with a point between them and a minus before them. Returns where it ends; the caller
/// checks what follows. Null for any other form, which is left to parse_number.
///
/// The digits without the point are a whole number m of at most 53 bits, and with k of them behind
/// the point the value is m / 10ᵏ. Both are doubles without an error, so the one division rounds
/// correctly: the result is that of parse_number to the last bit.
[[nodiscard]] inline const char* take_plain_number(const char* at, const char* end,
                                                   double& value) noexcept {
  static_assert(FLT_EVAL_METHOD == 0, "the division must round once, to double");
  constexpr std::uint64_t most_exact = std::uint64_t{1} << 53U;
  const bool negative = at != end && *at == '-';
  at += negative;  // no branch: half of all numbers may be negative
  std::uint64_t m = 0;
  const char* const first = at;
  at = take_digits(at, end, m);
  if (at == first) return nullptr;
  std::ptrdiff_t behind = 0;
  if (at != end && *at == '.') {
    const char* const point = at;
    at = take_many_digits(point + 1, end, m);
    behind = at - point - 1;
    if (behind == 0) return nullptr;
  }
  if (at - first > 19 || m > most_exact) return nullptr;
  value = static_cast<double>(1 - 2 * negative) *
          (static_cast<double>(m) / exact_powers_of_ten[behind]);
  return at;
}

/// As take_any_number().
[[nodiscard]] inline const char* take_number(const char* at, const char* end,
                                             double& value) noexcept {
  const char* const rest = take_plain_number(at, end, value);
  if (rest == nullptr || (rest != end && (*rest == 'e' || *rest == 'E'))) {
    return take_any_number(at, end, value);
  }
  return rest;
}

}  // namespace rampart
