#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/rows_format.hpp"
#include "rampart/io.hpp"

namespace rampart {

/// How rows of a file become rows of a model, whose columns may be in another order or fewer, and
/// whose categories may be others. The rules are those for text: columns are matched by name if
/// both have names, otherwise by position.
class ColumnMatch {
 public:
  /// `expected`: null if the columns are to stay as they are. Throws InputError about `file` if a
  /// column is not there, or has categories where the model has numbers.
  ColumnMatch(const FeatureLayout& found, bool dense, const FeatureLayout* expected,
              std::string_view file);

  /// Whether rows need only be as wide as the model.
  [[nodiscard]] bool is_identity() const noexcept { return columns_.empty(); }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }

  /// The rows in the columns of the model. `unseen`: the first category of each row that the model
  /// does not have, as RowBatch has it.
  [[nodiscard]] Rows apply(RowsView rows, std::vector<std::string>& unseen) const;

 private:
  struct Column {
    std::size_t from;
    bool has_categories;        // in the file
    std::vector<double> codes;  // of the model, by that of the file; where both have categories
    std::vector<std::string> names;                  // in the file
    std::unordered_map<std::string, double> number;  // of the model, by name; where the file has
                                                     // numbers
  };

  [[nodiscard]] double value(const Column& column, double found, std::string& unseen) const;

  std::size_t count_;
  std::vector<Column> columns_;  // empty: as in the file
};

}  // namespace rampart
