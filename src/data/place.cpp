#include "data/place.hpp"

#include <fmt/format.h>

#include "rampart/errors.hpp"

namespace rampart {

void refuse(const Place& place, std::string_view message) {
  if (place.line == 0) throw InputError(fmt::format("{}: {}", place.file, message));
  throw InputError(fmt::format("{}:{}: {}", place.file, place.line, message));
}

}  // namespace rampart
