#include "data/place.hpp"

#include <fmt/format.h>

namespace rampart {
namespace {

std::string with_place(const Place& place, std::string_view message) {
  if (place.line == 0) return fmt::format("{}: {}", place.file, message);
  return fmt::format("{}:{}: {}", place.file, place.line, message);
}

}  // namespace

void refuse(const Place& place, std::string_view message, Setting setting) {
  throw InputError(with_place(place, message), setting);
}

RowError::RowError(const Place& place, std::string_view message, Setting setting)
    : InputError(with_place(place, message), setting),
      fault_(fmt::format("line {}: {}", place.line, message)) {}

void refuse_row(const Place& place, std::string_view message, Setting setting) {
  throw RowError(place, message, setting);
}

}  // namespace rampart
