#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace rampart {

/// How a number is called as a category: its shortest spelling. "1", "1.0" and "01" are one.
[[nodiscard]] std::string category_of_number(double value);

/// The same for any cell: numbers by their shortest spelling, other text as it is.
[[nodiscard]] std::string category_of_cell(std::string_view cell);

/// The categories of one column by name; their codes count from 0 in the order of appearance.
class CategoryTable {
 public:
  CategoryTable() = default;
  /// Names that are there already keep their first code.
  explicit CategoryTable(std::span<const std::string> names);

  [[nodiscard]] std::size_t size() const noexcept { return names_.size(); }
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name) const;
  [[nodiscard]] std::string_view name(std::size_t code) const { return *names_[code]; }

  /// The code of a name, which is added if it is new.
  std::uint32_t add(std::string_view name);

  [[nodiscard]] std::vector<std::string> names() const;

  /// Sorts the categories, so that their codes do not depend on the order of the rows: numbers by
  /// value, then other names. Returns the new code of each old one.
  std::vector<std::uint32_t> sort();

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>()(text);
    }
  };

  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> codes_;
  std::vector<const std::string*> names_;  // keys of codes_, which never move
};

}  // namespace rampart
