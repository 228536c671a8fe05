#include "data/category_table.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "util/number.hpp"

namespace rampart {

std::string category_of_number(double value) {
  return format_number(value == 0 ? 0.0 : value);  // -0 is 0
}

std::string category_of_cell(std::string_view cell) {
  const ParsedNumber number = parse_number(cell);
  return number.is_finite() ? category_of_number(number.value) : std::string(cell);
}

CategoryTable::CategoryTable(std::span<const std::string> names) {
  for (const std::string& name : names) add(name);
}

std::optional<std::uint32_t> CategoryTable::find(std::string_view name) const {
  const auto found = codes_.find(name);
  if (found == codes_.end()) return std::nullopt;
  return found->second;
}

std::uint32_t CategoryTable::add(std::string_view name) {
  if (const auto code = find(name)) return *code;
  const auto code = static_cast<std::uint32_t>(names_.size());
  names_.push_back(&codes_.emplace(name, code).first->first);
  return code;
}

std::vector<std::string> CategoryTable::names() const {
  std::vector<std::string> all;
  all.reserve(names_.size());
  for (const std::string* name : names_) all.push_back(*name);
  return all;
}

std::vector<std::uint32_t> CategoryTable::sort() {
  using Key = std::tuple<bool, double, std::string_view>;  // text?, value, name
  std::vector<Key> keys;
  keys.reserve(names_.size());
  for (const std::string* name : names_) {
    const ParsedNumber number = parse_number(*name);
    const bool text = !number.is_finite();
    keys.emplace_back(text, text ? 0 : number.value, *name);
  }
  std::vector<std::uint32_t> order(names_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t code) -> const Key& { return keys[code]; });

  std::vector<std::uint32_t> new_code(names_.size());
  std::vector<const std::string*> sorted;
  sorted.reserve(names_.size());
  for (const std::uint32_t code : order) {
    new_code[code] = static_cast<std::uint32_t>(sorted.size());
    sorted.push_back(names_[code]);
  }
  names_ = std::move(sorted);
  for (auto& [name, code] : codes_) code = new_code[code];
  return new_code;
}

}  // namespace rampart
