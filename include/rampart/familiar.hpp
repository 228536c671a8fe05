#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace rampart {

/// What the training rows look like, so that rows unlike them can be rejected. In the columns of the
/// table, before encoding and scaling. The rule, and the proof of what it promises, are in
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

  /// A sum Σ weight·value that hardly differs between training rows.
  struct Relation {
    std::vector<std::uint32_t> columns;  ///< increasing, all among the columns that are judged
    std::vector<double> weights;         ///< one per column
    double least = 0, most = 0;          ///< sums that are familiar

    friend bool operator==(const Relation&, const Relation&) = default;
  };

  static constexpr std::size_t most_relations = 4;

  std::vector<Column> columns;      ///< that are judged, increasing
  std::vector<Relation> relations;  ///< at most most_relations
  double share = 0;      ///< of rows like the training rows that may be rejected, as asked for
  std::size_t rows = 0;  ///< training rows whose ranks set the limits

  /// Whether any row can be unfamiliar.
  [[nodiscard]] bool is_on() const { return !columns.empty(); }

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
