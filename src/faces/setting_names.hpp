#pragma once

#include <string_view>

#include "rampart/errors.hpp"

namespace rampart {

/// The option that is called for by an error, by its name in the table of options or in the help of
/// the command, without dashes; several are separated by ", ". Empty: none.
[[nodiscard]] std::string_view option_of(Setting setting);

}  // namespace rampart
