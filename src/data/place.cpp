#include "data/place.hpp"

#include <fmt/format.h>

namespace rampart {

void refuse(const Place& place, std::string_view message, Setting setting) {
  if (place.line == 0) throw InputError(fmt::format("{}: {}", place.file, message), setting);
  throw InputError(fmt::format("{}:{}: {}", place.file, place.line, message), setting);
}

}  // namespace rampart
