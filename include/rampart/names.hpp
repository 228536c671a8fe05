#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <string_view>

namespace rampart {

/// A value of an enumeration, and its name in files and on the command line.
template <class Enum>
struct Named {
  Enum value;
  std::string_view name;
};

/// An enumeration with a table of all its values: names_of(e), which ignores the value of e.
template <class Enum>
concept HasNames = requires(Enum any) {
  { names_of(any) } -> std::same_as<std::span<const Named<Enum>>>;
};

template <HasNames Enum>
[[nodiscard]] std::string_view to_string(Enum value) {
  for (const auto& entry : names_of(value)) {
    if (entry.value == value) return entry.name;
  }
  return "";  // no value of the enumeration
}

/// The value of this name; nothing if there is none.
template <HasNames Enum>
[[nodiscard]] std::optional<Enum> value_of(std::string_view name) {
  for (const auto& entry : names_of(Enum{})) {
    if (entry.name == name) return entry.value;
  }
  return std::nullopt;
}

}  // namespace rampart
