#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/arff.hpp"
#include "data/category_table.hpp"
#include "data/columns.hpp"
#include "data/fields.hpp"
#include "data/missing.hpp"
#include "data/place.hpp"
#include "rampart/dataset.hpp"
#include "rampart/io.hpp"

namespace rampart {

/// The cells of the features of a table, as Dataset has them: a number, NaN for a missing value,
/// the code of a category.
///
/// For training, a column is numeric until its first cell of text. From then on it is categorical,
/// and the numbers that it had before become categories. For a model, the columns are those of the
/// model.
class TableCells {
 public:
  /// `head`: what an ARFF file declares; null for other files.
  TableCells(const Columns& columns, const ReadOptions& options, const ArffRows* head);

  /// Reads one row. Throws RowError if a cell cannot be read; then the row is not kept. `share`: as
  /// reserve_ahead() has it.
  void add(const Fields& fields, const Columns& columns, const Place& place,
           std::optional<double> share);

  /// Drops the rows since the last take(), and counts on.
  void forget_rows();

  /// A row that cannot be read: all its values are missing.
  void add_unreadable();

  /// The rows since the last take(). For training call it once, at the end: it sorts the
  /// categories.
  [[nodiscard]] Rows take();

  /// The categories of every feature; empty if all are numeric. For training: after take().
  [[nodiscard]] Categories categories() const;

  /// How many values each feature misses; empty: none.
  [[nodiscard]] const std::vector<std::size_t>& missing() const noexcept { return missing_; }
  [[nodiscard]] std::size_t rows() const noexcept { return all_rows_; }

  /// The first category of the last row that the model does not have; empty: it has all.
  [[nodiscard]] const std::string& unseen() const noexcept { return unseen_; }

  [[nodiscard]] const MissingValues& missing_values() const noexcept { return spellings_; }

 private:
  struct Cell {
    std::string_view text;
    std::size_t feature;
    const Columns& columns;
    const Place& place;

    [[nodiscard]] std::string column() const { return columns.describe(columns.features[feature]); }
  };

  [[nodiscard]] double read(const Cell& cell);
  [[nodiscard]] double read_text(const Cell& cell);
  [[nodiscard]] double read_category(const Cell& cell);
  [[nodiscard]] double missing_value(const Cell& cell);
  void read_declarations(const Columns& columns, const ArffRows& head);
  void make_categorical(const Cell& cell);
  [[nodiscard]] bool is_categorical(std::size_t feature) const {
    return !tables_.empty() && tables_[feature] != nullptr;
  }
  void set_table(std::size_t feature, std::unique_ptr<CategoryTable> table);
  [[nodiscard]] double add_category(std::string_view name, const Cell& cell);
  [[noreturn]] void refuse_number_like(const Cell& cell) const;
  [[noreturn]] void refuse_categories(const Cell& cell) const;

  std::size_t features_;
  bool expected_;  // whether the columns are those of a model
  std::size_t max_categories_;
  MissingValues spellings_;
  // One per feature, none of a numeric one; empty: all are numeric. A file may have millions.
  std::vector<std::unique_ptr<CategoryTable>> tables_;
  std::vector<bool> fixed_;     // features whose categories were declared; empty: none
  std::vector<bool> numeric_;   // features that were declared as numbers; empty: none
  std::vector<bool> any_text_;  // features that were named as categorical; empty: none
  std::vector<double> values_;
  std::string unseen_;
  std::vector<std::size_t> missing_;  // by feature; empty: none yet
  std::size_t rows_ = 0;              // since the last take()
  std::size_t all_rows_ = 0;
};

}  // namespace rampart
