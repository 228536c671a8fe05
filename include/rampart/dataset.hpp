#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rampart/rows.hpp"

namespace rampart {

/// The user's names of the classes −1 and +1.
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
  std::vector<std::string> groups;    ///< group of each row, for folds; empty: no groups

  [[nodiscard]] std::size_t size() const noexcept { return y.size(); }

  /// The rows with these indices, in this order. Classes and column names do not change.
  [[nodiscard]] Dataset subset(std::span<const std::size_t> rows) const;

  /// Equal data; `label`, a property of the file, is not compared.
  friend bool operator==(const Dataset& a, const Dataset& b) {
    return a.x == b.x && a.y == b.y && a.classes == b.classes && a.weights == b.weights &&
           a.features == b.features && a.groups == b.groups;
  }
};

/// A view of labelled rows, the input of training and evaluation. A Dataset converts to it; a
/// program with its own arrays sets x and y, and the other members as needed. The viewed data must
/// outlive it.
struct Problem {
  RowsView x;
  std::span<const std::int8_t> y;       ///< labels, −1 or +1; one per row
  std::span<const double> weights;      ///< ≥ 0, one per row; empty: all 1
  std::span<const std::string> groups;  ///< group of each row, for folds; empty: no groups
  ClassNames classes;
  std::span<const std::string> features;  ///< column names; empty: unnamed
  std::string_view label;                 ///< the column the labels came from

  Problem() = default;
  Problem(RowsView rows, std::span<const std::int8_t> labels,
          std::span<const double> row_weights = {})
      : x(rows), y(labels), weights(row_weights) {}
  Problem(const Dataset& data)  // NOLINT: implicit, so that a Dataset can be passed
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
