#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rampart {

/// Whether a cell says that its value is missing: it is empty or ?, NA, N/A, #N/A, NaN, null, None
/// or -, in any case.
[[nodiscard]] bool is_missing_spelling(std::string_view cell) noexcept;

/// The same for a label. "-" and "None" are labels, which some files have.
[[nodiscard]] bool is_missing_label(std::string_view cell) noexcept;

/// The usual spellings of a missing value and those that the user added. A number among these
/// stands for all spellings of it: -99 is also -99.0.
class MissingValues {
 public:
  explicit MissingValues(std::span<const std::string> more = {});
  void add(std::span<const std::string> more);

  /// Whether a cell that is no finite number is missing.
  [[nodiscard]] bool has_text(std::string_view cell) const noexcept;

  [[nodiscard]] bool has_number(double value) const noexcept;

  /// Whether any number stands for a missing value.
  [[nodiscard]] bool any_number() const noexcept { return !numbers_.empty(); }

  /// Whether a label is missing. A number never is: -1 may be a missing measurement and a class.
  [[nodiscard]] bool has_label(std::string_view label) const noexcept;

 private:
  [[nodiscard]] bool added(std::string_view cell) const noexcept;

  std::vector<std::string> texts_;
  std::vector<double> numbers_;
};

}  // namespace rampart
