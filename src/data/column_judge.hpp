#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/column_warnings.hpp"

namespace rampart {

/// What a column that can be trained on looks like.
enum class ColumnLook : std::uint8_t {
  ordinary,
  constant,  ///< all rows have the same value
  id,        ///< all values are different, and text or whole numbers
  leak,      ///< it alone tells the classes apart
};

/// What the look of a column depends on.
struct ColumnFacts {
  std::size_t rows = 0;
  std::size_t present = 0;    ///< values that are not missing
  std::size_t different = 0;  ///< values
  bool all_different = false;
  bool text_or_whole = false;                ///< whether the values are text or whole numbers
  std::array<std::size_t, 2> of_class = {};  ///< values of rows of each class
  bool separates = false;                    ///< whether the values tell the two classes apart
};

[[nodiscard]] ColumnLook look_of(const ColumnFacts& facts);

/// The only texts among many numbers, as words of a message; empty: the column is not like that.
/// `texts`: the different texts, all or more than two. `numbers`: how many different numbers.
[[nodiscard]] std::string stray_texts(std::span<const std::string> texts, std::size_t numbers);

/// Gathers what is found in columns and says it, one warning for all columns of a kind.
class ColumnJudge {
 public:
  /// `name`: how messages call the column. `stray`: stray_texts() of it.
  void add(std::string_view name, ColumnLook look, std::string_view stray);

  /// `groups`: how many there are; 0: the rows have none.
  [[nodiscard]] std::vector<ColumnWarning> warnings(std::size_t groups, std::size_t rows) const;

 private:
  // The columns that a warning is about: the first are named.
  struct Found {
    std::size_t count = 0;
    std::string names;

    void add(std::string_view name);
    [[nodiscard]] std::string columns() const;
    [[nodiscard]] std::string_view choose(std::string_view one, std::string_view several) const {
      return count == 1 ? one : several;
    }
  };

  Found ids_;
  Found constants_;
  Found leaks_;
  Found mixed_;
  std::string stray_;  // of the first mixed column
};

}  // namespace rampart
