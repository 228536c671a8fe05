#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The arrays of numbers of a JSON text. They are nearly all of a model file, and a library that
/// makes an object of every number takes five to ten times as long as these functions.

namespace rampart {

/// Appends "[1.0,0.0001,1e-05]": of each number the shortest decimal that reads back to the same
/// bits, spelt as nlohmann does. Throws ModelError if one is not finite.
void append_json_array(std::string& text, std::span<const double> values);

/// Appends "[1,2]".
void append_json_array(std::string& text, std::span<const std::uint32_t> values);
void append_json_array(std::string& text, std::span<const std::size_t> values);

/// A JSON text without its arrays of numbers. In the place of each stands {"#": k}, an object that
/// the text itself does not have.
struct TakenNumbers {
  static constexpr const char* key = "#";

  struct Array {
    std::size_t first;
    std::size_t count;
    bool whole;  ///< whether all are written as whole numbers without a sign
  };

  std::string rest;
  std::vector<Array> arrays;   ///< by k
  std::vector<double> values;  ///< of all arrays, one after the other

  [[nodiscard]] std::span<const double> numbers(const Array& array) const {
    return std::span(values).subspan(array.first, array.count);
  }
};

/// Takes the numbers out. The rest is valid JSON if and only if the text is. Nothing for the few
/// texts that are better read as they are: those with a backslash or a number out of range.
[[nodiscard]] std::optional<TakenNumbers> take_numbers(std::string_view text);

}  // namespace rampart
