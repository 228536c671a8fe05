#pragma once

#include <optional>
#include <string_view>

namespace rampart {

/// What a text is that a person would read as a number or a time, and a program does not.
enum class NumberLike { percentage, number_with_commas, amount_of_money, date, time };

/// "12%", "1,234.5", "1,5", "$3", "2024-05-31", "31/5/2024", "5-May", "12:30"; nothing for any
/// other text.
[[nodiscard]] std::optional<NumberLike> number_like(std::string_view cell);

/// "a percentage", "a date", …
[[nodiscard]] std::string_view in_words(NumberLike kind) noexcept;

}  // namespace rampart
