#include "options/setting_names.hpp"

#include <fmt/format.h>

#include <string_view>

#include "faces/setting_names.hpp"

namespace rampart::tool {

std::string message_with_option(const Error& error) {
  std::string_view names = option_of(error.setting());
  if (names.empty()) return error.what();
  std::string typed;
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(", "), names.size());
    typed += fmt::format("{}--{}", typed.empty() ? "" : ", ", names.substr(0, end));
    names.remove_prefix(std::min(end + 2, names.size()));
  }
  return fmt::format("{} ({})", error.what(), typed);
}

}  // namespace rampart::tool
