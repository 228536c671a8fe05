#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "faces/number_text.hpp"
#include "rampart/names.hpp"

namespace rampart::tool {

/// The values of options, as text: what they must look like and what they mean.

/// An option that takes a list of numbers.
CLI::Option* add_numbers(CLI::App& command, const std::string& names, std::vector<double>& values,
                         const std::string& about);

/// What an option's value must look like, checked before it is converted: the message then says so.
[[nodiscard]] CLI::Validator a_number();
[[nodiscard]] CLI::Validator a_whole_number(std::uint64_t most = UINT64_MAX);  ///< 0 … most
[[nodiscard]] CLI::Validator a_file_name();  ///< of an output: not empty

/// Enumerators by the names that files use for them too.
template <HasNames Enum>
std::map<std::string, Enum> by_name() {
  std::map<std::string, Enum> names;
  for (const auto& [value, name] : names_of(Enum{})) names.emplace(name, value);
  return names;
}

/// "linear|rbf"
template <class Enum>
std::string all_names(const std::map<std::string, Enum>& choices) {
  std::string all;
  for (const auto& [name, choice] : choices) all += (all.empty() ? "" : "|") + name;
  return all;
}

/// An option that takes one of a few names. `choices` must outlive the command.
template <class Enum>
CLI::Option* add_choice(CLI::App& command, const std::string& names, Enum& value,
                        const std::map<std::string, Enum>& choices, const std::string& about) {
  const std::string all = all_names(choices);
  const auto set = [&value, &choices, all](const std::string& given) -> std::string {
    const auto found = choices.find(given);
    if (found == choices.end()) return fmt::format("'{}' is not one of {}", given, all);
    value = found->second;
    return {};
  };
  return command
      .add_option_function<std::string>(
          names, [](const std::string&) {}, about)
      ->check(CLI::Validator(set, "", names))
      ->type_name(all);
}

/// An option that takes several of a few names, separated by commas.
template <class Enum>
CLI::Option* add_choices(CLI::App& command, const std::string& names, std::vector<Enum>& values,
                         const std::map<std::string, Enum>& choices, const std::string& about) {
  const std::string all = all_names(choices);
  const auto set = [&values, &choices, names, all](const std::vector<std::string>& given) {
    values.clear();
    for (const std::string& name : given) {
      const auto found = choices.find(name);
      if (found == choices.end()) {
        throw CLI::ValidationError(names, fmt::format("'{}' is not one of {}", name, all));
      }
      if (std::ranges::find(values, found->second) != values.end()) {
        throw CLI::ValidationError(names, fmt::format("'{}' is named twice", name));
      }
      values.push_back(found->second);
    }
  };
  return command.add_option_function<std::vector<std::string>>(names, set, about)
      ->delimiter(',')
      ->type_name(all + ",…");
}

}  // namespace rampart::tool
