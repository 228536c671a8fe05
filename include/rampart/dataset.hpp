#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rampart/rows.hpp"

namespace rampart {

/// What the user calls the classes −1 and +1.
struct ClassNames {
  std::string negative = "-1";
  std::string positive = "1";

  friend bool operator==(const ClassNames&, const ClassNames&) = default;
};

/// Labelled rows.
struct Dataset {
  Rows x;                             ///< features, as read (not scaled)
  std::vector<std::int8_t> y;         ///< labels, −1 or +1; one per row
  ClassNames classes;                 ///< the two labels as the user wrote them
  std::vector<double> weights;        ///< ≥ 0, one per row; empty: all 1
  std::vector<std::string> features;  ///< column names; empty: unnamed
  std::string label;                  ///< the column the labels came from, by name or number
  std::vector<std::string> groups;    ///< who a row belongs to, one per row; empty: unknown

  [[nodiscard]] std::size_t size() const noexcept { return y.size(); }

  /// The rows with these indices, in this order; classes and names stay, even those not needed.
  [[nodiscard]] Dataset subset(std::span<const std::size_t> rows) const;

  /// Where the labels stood in a file is not part of what the data are.
  friend bool operator==(const Dataset& a, const Dataset& b) {
    return a.x == b.x && a.y == b.y && a.classes == b.classes && a.weights == b.weights &&
           a.features == b.features && a.groups == b.groups;
  }
};

/// Labelled rows that somebody else owns: what training and evaluation look at. Whoever has a
/// Dataset passes that; a program with arrays of its own fills in x and y, and what else it has.
/// What it looks at must outlive it.
struct Problem {
  RowsView x;
  std::span<const std::int8_t> y;       ///< labels, −1 or +1; one per row
  std::span<const double> weights;      ///< ≥ 0, one per row; empty: all 1
  std::span<const std::string> groups;  ///< who a row belongs to, one per row; empty: unknown
  ClassNames classes;
  std::span<const std::string> features;  ///< column names; empty: unnamed
  std::string_view label;                 ///< the column the labels came from

  Problem() = default;
  Problem(RowsView rows, std::span<const std::int8_t> labels,
          std::span<const double> row_weights = {})
      : x(rows), y(labels), weights(row_weights) {}
  Problem(const Dataset& data)  // NOLINT: implicit, so that whoever has a Dataset passes it
      : x(data.x),
        y(data.y),
        weights(data.weights),
        groups(data.groups),
        classes(data.classes),
        features(data.features),
        label(data.label) {}

  [[nodiscard]] std::size_t size() const noexcept { return y.size(); }
};

}  // namespace rampart
