#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rampart {

/// What the training rows look like, so that rows unlike them can be rejected. In the columns of
/// the table, before encoding and scaling. The rule, and the proof of what it promises, are in
/// docs/answers.md.
///
/// A row is unfamiliar if a value lies outside [least, most] of its column, or if a sum of columns
/// lies outside [least, most] of its relation. Missing values and categories are not judged.
struct Familiar {
  /// The values of a numeric column: least ≤ low ≤ high ≤ most.
  struct Column {
    std::uint32_t column = 0;
    double low = 0, high = 0;    ///< of the training rows
    double least = 0, most = 0;  ///< that are familiar

    friend bool operator==(const Column&, const Column&) = default;
  };

  /// The columns that are 0 in all training rows: every column that is neither judged by itself nor
  /// listed here. Sparse rows have many.
  struct Zeros {
    double most = 0;                    ///< values from −most to most are familiar
    std::vector<std::uint32_t> except;  ///< columns that are not judged at all, increasing

    friend bool operator==(const Zeros&, const Zeros&) = default;
  };

  /// A sum Σ weight·value that hardly differs between training rows.
  struct Relation {
    std::vector<std::uint32_t> columns;  ///< increasing, all of them judged by themselves
    std::vector<double> weights;         ///< one per column
    double least = 0, most = 0;          ///< sums that are familiar

    friend bool operator==(const Relation&, const Relation&) = default;
  };

  static constexpr std::size_t most_relations = 4;

  std::vector<Column> columns;      ///< that are judged by themselves, increasing
  std::optional<Zeros> zeros;       ///< absent: no other column is judged
  std::vector<Relation> relations;  ///< at most most_relations
  double share = 0;      ///< of rows like the training rows that may be rejected, as asked for
  std::size_t rows = 0;  ///< training rows whose ranks set the limits

  /// Whether any row can be unfamiliar.
  [[nodiscard]] bool is_on() const { return !columns.empty() || zeros.has_value(); }

  /// How many columns of a row of so many are judged.
  [[nodiscard]] std::size_t judged(std::size_t row_columns) const;

  /// What is familiar in a column; nothing if it is not judged.
  [[nodiscard]] std::optional<Column> of_column(std::uint32_t column) const;

  /// Whether a value lies outside what is familiar in its column.
  [[nodiscard]] bool is_strange(std::uint32_t column, double value) const;

  /// The share that is promised: `share`, or 1/(rows + 1) if so few rows cannot promise less.
  [[nodiscard]] double promise() const;

  /// How a value stands out: "1000; training: 18 to 79", or "12, which does not fit the other
  /// features" if only a relation does not hold.
  [[nodiscard]] std::string describe(std::uint32_t column, double value) const;

  friend bool operator==(const Familiar&, const Familiar&) = default;
};

/// Why this cannot judge rows of this many columns; null if it can.
[[nodiscard]] const char* fault_of(const Familiar& familiar, std::size_t columns);

}  // namespace rampart
