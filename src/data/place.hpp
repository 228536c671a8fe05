#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "rampart/errors.hpp"

namespace rampart {

/// Where in a file something is. Error messages start with it.
struct Place {
  std::string_view file;
  std::size_t line = 0;  ///< from 1; 0: the file as a whole
};

/// Throws InputError "file:line: message".
[[noreturn]] void refuse(const Place& place, std::string_view message,
                         Setting setting = Setting::none);

/// A row that cannot be read. The rows after it can.
class RowError : public InputError {
 public:
  RowError(const Place& place, std::string_view message, Setting setting = Setting::none);

  /// The message without the name of the file: "line 7: …".
  [[nodiscard]] const std::string& fault() const noexcept { return fault_; }

 private:
  std::string fault_;
};

/// Throws RowError "file:line: message".
[[noreturn]] void refuse_row(const Place& place, std::string_view message,
                             Setting setting = Setting::none);

}  // namespace rampart
