#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rampart {

/// Numbers as users write them.

/// A number, all of the text.
[[nodiscard]] std::optional<double> number_in(const std::string& text);

/// A whole number ≥ 0, all of the text.
[[nodiscard]] std::optional<std::uint64_t> whole_number_in(const std::string& text);

/// Numbers as a user lists them: "0.1,0.2" or "0.05:0.5:0.05" (first, last, step). All throw
/// OptionError, with the name of the option in front.
[[nodiscard]] std::vector<double> number_list(const std::string& option, const std::string& text);

/// "-5,15,2" as LIBSVM's grid.py has it: 2^-5, 2^-3, …, 2^15.
[[nodiscard]] std::vector<double> powers_of_two(const std::string& option, const std::string& text);

}  // namespace rampart
