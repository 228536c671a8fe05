#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "data/limits.hpp"
#include "data/place.hpp"
#include "data/reserve_ahead.hpp"
#include "rampart/dataset.hpp"

namespace rampart {

inline constexpr auto largest_index = static_cast<std::int64_t>(most_columns);

/// The features of a row, wherever they are.
struct SparseRow {
  std::size_t count = 0;  ///< of values that are stored
  std::size_t width = 0;  ///< the largest index seen, zero or not
};

/// Sparse rows while they are being read. `indices` and `values` may be longer than the rows that
/// are there: rows are parsed into slots behind them, and then kept.
class SparseRows {
 public:
  /// Makes room for so many values behind the rows that are there. `share`: as reserve_ahead() of
  /// reserve_ahead.hpp.
  void open_slots(std::size_t values, std::optional<double> share);

  /// Where the values behind the rows go; slot 0 is the first of them.
  [[nodiscard]] std::uint32_t* slot_indices() noexcept { return indices_.data() + first_slot_; }
  [[nodiscard]] double* slot_values() noexcept { return values_.data() + first_slot_; }

  /// The row whose values begin in this slot is the next. Rows are kept in the order of their
  /// slots.
  void keep(std::size_t slot, const SparseRow& row);

  /// A row that is not in slots, none of which may be open.
  void add(std::span<const std::uint32_t> indices, std::span<const double> values,
           std::size_t width);

  /// A row without values.
  void add_empty() { starts_.push_back(starts_.back()); }

  /// Prepares the memory for as many slots again. May run beside whoever fills the slots.
  void touch_more_slots() const noexcept {
    touch_ahead(values_, values_.size() - first_slot_);
    touch_ahead(indices_, indices_.size() - first_slot_);
  }

  /// Gives back the slots that have not been kept, and the memory of rows that have been taken.
  void close_slots();

  /// The largest index of all rows so far.
  [[nodiscard]] std::size_t width() const noexcept { return width_; }

  /// How many values take() would give.
  [[nodiscard]] std::size_t stored() const noexcept { return starts_.back() - starts_[taken_]; }

  /// The rows since the last take(), dense if that costs little.
  [[nodiscard]] Rows take(std::size_t columns);

 private:
  void cut_off();
  [[nodiscard]] Rows take_copy(std::size_t columns);
  [[nodiscard]] Rows dense_copy(std::size_t columns, std::span<const std::size_t> starts) const;

  std::vector<std::size_t> starts_ = {0};
  std::vector<std::uint32_t> indices_;  // from 0
  std::vector<double> values_;          // none of them 0
  std::size_t width_ = 0;
  std::size_t taken_ = 0;  // rows that have been given
  std::size_t first_slot_ = 0;
  bool open_ = false;  // whether there are slots
};

/// What makes a LIBSVM line legal.
struct LibsvmRules {
  bool labelled = true;                 ///< whether a line must start with a label
  bool serial_numbers = false;          ///< whether "0:n" is accepted, and passed over
  std::optional<std::size_t> expected;  ///< as many features as the model has
};

/// What a line of a LIBSVM file holds besides its features.
struct LibsvmLine {
  std::string_view label;  ///< empty where none is needed and none is there
  SparseRow row;
};

/// Parses "label index:value …" and writes the features, from 0, to `indices` and `values`, which
/// have room for as many as the line has colons. Nothing for a line that is blank or only a
/// comment.
[[nodiscard]] std::optional<LibsvmLine> parse_libsvm_line(std::string_view line, const Place& place,
                                                          const LibsvmRules& rules,
                                                          std::uint32_t* indices, double* values);

}  // namespace rampart
