#pragma once

#include <cstddef>
#include <string_view>

namespace rampart {

/// Where in a file something is. Error messages start with it.
struct Place {
  std::string_view file;
  std::size_t line = 0;  ///< from 1; 0: the file as a whole
};

/// Throws InputError "file:line: message".
[[noreturn]] void refuse(const Place& place, std::string_view message);

}  // namespace rampart
