#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/arff.hpp"
#include "data/category_table.hpp"
#include "data/columns.hpp"
#include "data/fields.hpp"
#include "data/missing.hpp"
#include "data/place.hpp"
#include "data/reserve_ahead.hpp"
#include "rampart/dataset.hpp"
#include "rampart/io.hpp"

namespace rampart {

/// What the codes of a column become once all categories are known.
struct Recoding {
  std::size_t feature = 0;
  std::size_t rows_of_numbers = 0;  ///< the first rows, which hold numbers instead
  std::vector<std::pair<double, std::uint32_t>> of_number;  ///< their codes
  std::vector<std::uint32_t> of_code;                       ///< those of the other rows
};

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

  /// Makes room for so many rows behind those that are there, which are parsed elsewhere and kept
  /// by keep_slot(); they begin at the result, one after the other. `share`: as in add().
  [[nodiscard]] double* open_slots(std::size_t count, std::optional<double> share);

  /// The values in this slot, counted from the first, are the next row. Slots are kept in their
  /// order; those that are left out are lost. Rows in between may come from add().
  void keep_slot(std::size_t slot, bool misses_values);

  /// Prepares the memory for as many slots again. May run beside whoever fills the slots.
  void touch_more_slots() const noexcept {
    touch_ahead(values_, values_.size() - first_slot_ * features_);
  }

  /// Gives back the slots that have not been kept, and the memory of rows that have been taken.
  void close_slots();

  /// Whether read_plain() of the feature is take_number(), as far as that reads the cell.
  [[nodiscard]] bool is_plain_number(std::size_t feature) const {
    return !is_categorical(feature) && !spellings_.any_number();
  }

  /// Reads a cell without changing anything: NaN for a missing value. False if add() must see it.
  [[nodiscard]] bool read_plain(std::string_view text, std::size_t feature, double& value) const;

  /// Changes when a column turns out to be categorical: what was read by read_plain() before, and
  /// has not been kept, is no longer valid.
  [[nodiscard]] std::size_t shape() const noexcept { return shape_; }

  /// Drops the rows since the last take(), and counts on.
  void forget_rows();

  /// A row that cannot be read: all its values are missing.
  void add_unreadable();

  /// The rows since the last take(). For training call it once, at the end: it sorts the
  /// categories.
  [[nodiscard]] Rows take();

  /// For training data that do not fit into memory: take() will be called several times. The rows
  /// it gives hold numbers until their column turns out to be categorical, and from then on codes
  /// in the order of appearance; recodings() says at the end what they are to become.
  void expect_batches() { numbers_.resize(features_); }
  [[nodiscard]] std::vector<Recoding> recodings();

  /// The categories of every feature; empty if all are numeric. For training: after take(), or
  /// recodings().
  [[nodiscard]] Categories categories() const;

  /// How many values each feature misses; empty: none.
  [[nodiscard]] const std::vector<std::size_t>& missing() const noexcept { return missing_; }
  [[nodiscard]] std::size_t rows() const noexcept { return all_rows_; }
  /// How many values take() would give.
  [[nodiscard]] std::size_t waiting() const noexcept { return (rows_ - taken_) * features_; }

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

  [[nodiscard]] double* next_row(std::optional<double> share);
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
  // What take() has given away of each feature while it was numeric; empty unless there are
  // batches.
  struct Numbers {
    std::vector<double> different;  // in the order of appearance
    bool too_many = false;          // for a column that may still become categorical
    std::size_t rows = 0;           // given before it did
  };
  void note_numbers();
  std::vector<Numbers> numbers_;
  std::size_t rows_ = 0;   // in values_, which may have slots behind them
  std::size_t taken_ = 0;  // of these
  std::size_t all_rows_ = 0;
  std::size_t first_slot_ = 0;  // the row that the first slot is if all are kept
  std::size_t shape_ = 0;
};

}  // namespace rampart
