#include "rampart/familiar.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace rampart {

double Familiar::promise() const { return std::max(share, 1 / (static_cast<double>(rows) + 1)); }

const char* fault_of(const Familiar& familiar, std::size_t columns) {
  const auto& judged = familiar.columns;
  const auto is_judged = [&](std::uint32_t column) {
    return std::ranges::binary_search(judged, column, {}, &Familiar::Column::column);
  };
  if (!std::ranges::is_sorted(judged, std::ranges::less_equal(), &Familiar::Column::column) ||
      (!judged.empty() && judged.back().column >= columns)) {
    return "the columns that are judged must increase and be those of a row";
  }
  for (const Familiar::Column& column : judged) {
    const bool ordered =
        column.least <= column.low && column.low <= column.high && column.high <= column.most;
    if (!ordered) return "familiar values must hold those of the training rows";
  }
  if (familiar.zeros) {
    const auto& [most, except] = *familiar.zeros;
    if (!(most >= 0)) return "familiar values must hold 0 in columns that are always 0";
    if (!std::ranges::is_sorted(except, std::ranges::less_equal()) ||
        (!except.empty() && except.back() >= columns) || std::ranges::any_of(except, is_judged)) {
      return "the columns that are not judged must increase and be others of a row";
    }
  }
  for (const Familiar::Relation& relation : familiar.relations) {
    if (relation.columns.size() != relation.weights.size() ||
        !std::ranges::is_sorted(relation.columns, std::ranges::less_equal()) ||
        !std::ranges::all_of(relation.columns, is_judged)) {
      return "a relation must have one weight for each of its columns, which are judged";
    }
    if (!(relation.least <= relation.most)) return "the sums of a relation must have an order";
  }
  if (familiar.is_on() && !(familiar.share > 0 && familiar.share < 1)) {
    return "the share of unfamiliar rows must be between 0 and 1";
  }
  return nullptr;
}

std::size_t Familiar::judged(std::size_t row_columns) const {
  return zeros ? row_columns - zeros->except.size() : columns.size();
}

std::optional<Familiar::Column> Familiar::of_column(std::uint32_t column) const {
  const auto found = std::ranges::lower_bound(columns, column, {}, &Column::column);
  if (found != columns.end() && found->column == column) return *found;
  if (!zeros || std::ranges::binary_search(zeros->except, column)) return std::nullopt;
  return Column{.column = column, .least = -zeros->most, .most = zeros->most};
}

bool Familiar::is_strange(std::uint32_t column, double value) const {
  const std::optional<Column> of = of_column(column);
  return of && (value < of->least || value > of->most);
}

std::string Familiar::describe(std::uint32_t column, double value) const {
  if (!is_strange(column, value)) {
    return fmt::format("{}, which does not fit the other features", value);
  }
  const Column of = *of_column(column);
  if (of.low == of.high) return fmt::format("{}; training: always {}", value, of.low);
  return fmt::format("{}; training: {} to {}", value, of.low, of.high);
}

}  // namespace rampart
