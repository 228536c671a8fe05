#include "rampart/familiar.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace rampart {

double Familiar::promise() const {
  return std::max(share, 1 / (static_cast<double>(rows) + 1));
}

std::string Familiar::describe(std::uint32_t column, double value) const {
  const auto found = std::ranges::lower_bound(columns, column, {}, &Column::column);
  const bool judged = found != columns.end() && found->column == column;
  if (!judged || (value >= found->least && value <= found->most)) {
    return fmt::format("{}, which does not fit the other features", value);
  }
  if (found->low == found->high) return fmt::format("{}; training: always {}", value, found->low);
  return fmt::format("{}; training: {} to {}", value, found->low, found->high);
}

}  // namespace rampart
