#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rampart {

/// What kind of number a token is.
enum class NumberStatus {
  finite,
  not_finite,    ///< NaN, infinity, or too large for a double
  not_a_number,  ///< anything else
};

struct ParsedNumber {
  double value = 0;  ///< meaningful only if finite
  NumberStatus status = NumberStatus::not_a_number;

  [[nodiscard]] bool is_finite() const noexcept { return status == NumberStatus::finite; }
};

/// The whole token as a decimal number, whatever the locale. One leading "+" is accepted, since
/// LIBSVM labels have it; white space is not.
[[nodiscard]] ParsedNumber parse_number(std::string_view token) noexcept;

/// Reads the number at the start of the text, if it starts with a digit, a point or a minus: the
/// value that parse_number() has for these characters. Returns where it ends; the caller checks
/// what follows. Null if there is none, or if it is not finite. take_number() of plain_number.hpp
/// is the same, and faster for nearly all numbers.
[[nodiscard]] const char* take_any_number(const char* at, const char* end, double& value) noexcept;

/// The whole token as a whole number between these two, ends included; nothing otherwise.
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view token, std::int64_t least,
                                                        std::int64_t most) noexcept;

/// Writes what append_number() would append, and returns where it ends.
inline constexpr std::size_t longest_number = 32;
[[nodiscard]] char* write_number(char* to, double value) noexcept;

/// The shortest decimal that parse_number reads back to the same bits.
void append_number(std::string& text, double value);
[[nodiscard]] std::string format_number(double value);

}  // namespace rampart
