#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rampart/names.hpp"
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

enum class ScalingKind { none, minmax, standard, centre };
[[nodiscard]] std::span<const Named<ScalingKind>> names_of(ScalingKind);

/// x′ⱼ = (xⱼ − offsetⱼ)·factorⱼ, learnt from the training rows and kept in the model.
///
///   minmax     offset = min, factor = 1/(max − min): training features lie in [0, 1]
///   standard   offset = mean, factor = 1/standard deviation (divisor N)
///   centre     offset = (min + max)/2 of the features that lie far from 0, which every row stores;
///              0 of the others; factor = 1; none if there are none. Linear models that are not
///              scaled otherwise have it where they need it: they stay the same, but lose fewer
///              digits.
///
/// A feature that is constant in training gets factor 0: it is ignored, also in rows where it
/// varies.
struct Scaling {
  ScalingKind kind = ScalingKind::none;
  std::vector<double> offset;  ///< one per feature; empty for none
  std::vector<double> factor;

  /// Learns offsets and factors from these rows.
  [[nodiscard]] static Scaling fit(ScalingKind kind, RowsView x);

  /// One value of feature j, scaled.
  [[nodiscard]] double value(std::size_t j, double x) const {
    if (kind == ScalingKind::none) return x;
    return factor[j] == 0 ? 0.0 : (x - offset[j]) * factor[j];
  }

  /// The scaled rows. Sparse rows stay sparse where offsets fill the zeros of no more than a tenth
  /// of the columns.
  [[nodiscard]] Rows apply(RowsView x) const;

  friend bool operator==(const Scaling&, const Scaling&) = default;
};

}  // namespace rampart
