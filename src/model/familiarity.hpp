#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rampart/familiar.hpp"
#include "rampart/rows.hpp"

namespace rampart {

/// Judges rows by what is familiar: one comparison a value, and one product a value of a relation.
/// Can be used by many threads at once.
class Familiarity {
 public:
  Familiarity() = default;

  /// For rows of so many columns. `familiar` must have no fault.
  Familiarity(const Familiar& familiar, std::size_t columns);

  [[nodiscard]] bool is_on() const { return !least_.empty(); }

  /// The column of row n that stands out most; nothing if the row is familiar. Values that a sparse
  /// row leaves out are 0.
  [[nodiscard]] std::optional<std::uint32_t> stands_out(RowsView x, std::size_t n) const;

 private:
  struct Relation {
    std::vector<std::uint32_t> columns;  // increasing
    std::vector<double> weights;
    std::vector<double> middles;  // of the columns, in training
    double least, most;
  };

  [[nodiscard]] bool has_strange_value(RowsView x, std::size_t n) const;
  [[nodiscard]] double excess(std::size_t column, double value) const;
  [[nodiscard]] std::uint32_t strangest_value(RowsView x, std::size_t n) const;
  [[nodiscard]] std::optional<std::uint32_t> breaks_relation(RowsView x, std::size_t n) const;

  std::vector<double> least_, most_;       // of every column up to the last that is judged
  std::vector<std::uint32_t> never_zero_;  // columns in which 0 is strange, increasing
  std::vector<Relation> relations_;
};

}  // namespace rampart
