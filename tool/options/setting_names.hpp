#pragma once

#include <string>

#include "rampart/errors.hpp"

namespace rampart::tool {

/// The message of an error of the library, with the option of this command that its advice is
/// about: "a line of more than 64 MiB; a larger limit reads it (--max-line-mb)".
[[nodiscard]] std::string message_with_option(const Error& error);

}  // namespace rampart::tool
