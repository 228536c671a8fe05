#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/place.hpp"
#include "rampart/dataset.hpp"

namespace rampart {

/// The name of a class: a label that is a number is known by its shortest form, so that "+1", "1"
/// and "1.0" are one class.
[[nodiscard]] std::string class_name(std::string_view label);

/// What is wrong with two names that a model is to answer with; nothing if they will do.
[[nodiscard]] std::optional<std::string> fault_of(const ClassNames& classes);

/// Finds out which two classes a file has, and which of them is +1.
class ClassFinder {
 public:
  /// `known`: the classes of a model, if the labels must be these. `hint` ends the message about a
  /// third class.
  ClassFinder(std::optional<ClassNames> known, std::string hint);

  /// The class of a label: 0 or 1. Throws InputError if that is neither of the two.
  [[nodiscard]] std::int8_t find(std::string_view label, const Place& place);

  /// The classes by number.
  [[nodiscard]] const std::vector<std::string>& found() const noexcept { return names_; }

  /// Which of the two classes found, 0 or 1, is the positive one: that called `positive`, or the
  /// greater number, or the greater text. Throws InputError if there is no class of that name.
  [[nodiscard]] std::int8_t positive(std::string_view positive, const Place& file) const;

 private:
  bool known_;
  std::string hint_;
  std::vector<std::string> names_;                              // by number, in order of appearance
  std::vector<std::pair<std::string, std::int8_t>> spellings_;  // seen before; few
};

}  // namespace rampart
