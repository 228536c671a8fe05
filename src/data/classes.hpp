#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/place.hpp"
#include "rampart/dataset.hpp"

namespace rampart {

/// The name of a class is its label as it is written, but for a "+" before a number, which LIBSVM
/// files have: "+1" and "1" are one class, "1.0" and "01" are others.
[[nodiscard]] std::string class_name(std::string_view label);

/// What is wrong with two names that a model is to answer with; nothing if they will do.
[[nodiscard]] std::optional<std::string> fault_of(const ClassNames& classes);

/// Finds out which two classes a file has, and which of them is +1.
class ClassFinder {
 public:
  /// `known`: the classes of a model, if the labels must be these. `chosen_column`: whether the
  /// labels are a column of a table, where a third class may mean that it is the wrong column.
  ClassFinder(std::optional<ClassNames> known, bool chosen_column);

  /// The class of a label: 0 or 1. Throws InputError if that is neither of the two.
  [[nodiscard]] std::int8_t find(std::string_view label, const Place& place);

  /// The classes by number.
  [[nodiscard]] const std::vector<std::string>& found() const noexcept { return names_; }

  /// Which of the two classes found, 0 or 1, is the positive one: that called `positive`, or the
  /// greater number, or the greater text where they are not two different numbers. Throws
  /// InputError if there is no class of that name.
  [[nodiscard]] std::int8_t positive(std::string_view positive, const Place& file) const;

 private:
  [[noreturn]] void refuse_other(const std::string& name, const Place& place) const;

  bool known_;
  bool chosen_column_;
  std::vector<std::string> names_;  // by number, in order of appearance
};

}  // namespace rampart
