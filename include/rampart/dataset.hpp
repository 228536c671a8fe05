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

/// The user's names of the classes −1 and +1.
struct ClassNames {
  std::string negative = "-1";
  std::string positive = "1";

  friend bool operator==(const ClassNames&, const ClassNames&) = default;
};

/// The categories of the columns of a table. A column without any is numeric. A table without any
/// column here has numbers only.
using Categories = std::vector<std::vector<std::string>>;

/// The code of a category that is not among those of its column.
inline constexpr double unseen_category = -1;

/// Labelled rows.
///
/// Dense rows may hold the cells of a table. A missing value is NaN. A category is its place in
/// `categories`, from 0. Training learns from its rows how they become features: see Encoding.
struct Dataset {
  Rows x;                             ///< columns, as read (not scaled)
  std::vector<std::int8_t> y;         ///< labels, −1 or +1; one per row
  ClassNames classes;                 ///< the two labels as the user wrote them
  std::vector<double> weights;        ///< ≥ 0, one per row; empty: all 1; see Problem
  std::vector<std::string> features;  ///< column names; empty: unnamed
  std::string label;                  ///< the column the labels came from, by name or number
  std::vector<std::string> groups;    ///< group of each row, for folds; empty: no groups
  Categories categories;              ///< one list per column; empty: all columns are numeric
  std::vector<std::string> ids;       ///< what the user calls each row; empty: unnamed
  std::string id;                     ///< the column the ids came from, by name or number
  /// The columns of the file that became x, from 1, and how many the file has. Empty and 0: all,
  /// or no table.
  std::vector<std::uint32_t> fields;
  std::size_t file_columns = 0;
  std::vector<std::string> missing_values;  ///< spellings of a missing value that the user added

  [[nodiscard]] std::size_t size() const noexcept { return y.size(); }

  /// The rows with these indices, in this order. Classes and column names do not change.
  [[nodiscard]] Dataset subset(std::span<const std::size_t> rows) const;

  /// Equal data. Properties of the file (`label`, `id`, `fields`) are not compared.
  friend bool operator==(const Dataset& a, const Dataset& b) {
    return a.x == b.x && a.y == b.y && a.classes == b.classes && a.weights == b.weights &&
           a.features == b.features && a.groups == b.groups && a.categories == b.categories &&
           a.ids == b.ids;
  }
};

/// A view of labelled rows, the input of training and evaluation. A Dataset converts to it; a
/// program with its own arrays sets x and y, and the other members as needed. The viewed data must
/// outlive it.
struct Problem {
  RowsView x;
  std::span<const std::int8_t> y;  ///< labels, −1 or +1; one per row
  /// ≥ 0, one per row; empty: all 1. Training counts a row of weight k like k rows, and one of
  /// weight 0 not at all: see docs/data.md.
  std::span<const double> weights;
  std::span<const std::string> groups;  ///< group of each row, for folds; empty: no groups
  ClassNames classes;
  std::span<const std::string> features;                 ///< column names; empty: unnamed
  std::string_view label;                                ///< the column the labels came from
  std::span<const std::vector<std::string>> categories;  ///< as in Dataset
  std::span<const std::string> ids;                      ///< as in Dataset
  std::string_view id;                                   ///< the column of the ids
  std::span<const std::uint32_t> fields;                 ///< as in Dataset
  std::size_t file_columns = 0;
  std::span<const std::string> missing_values;  ///< as in Dataset

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
        label(data.label),
        categories(data.categories),
        ids(data.ids),
        id(data.id),
        fields(data.fields),
        file_columns(data.file_columns),
        missing_values(data.missing_values) {}

  [[nodiscard]] std::size_t size() const noexcept { return y.size(); }
};

enum class ScalingKind { none, minmax, standard, centre };
[[nodiscard]] std::span<const Named<ScalingKind>> names_of(ScalingKind);

/// x′ⱼ = (xⱼ − offsetⱼ)·factorⱼ, learnt from the training rows and kept in the model.
///
///   minmax     offset = min, factor = 1/(max − min): training features lie in [0, 1]
///   standard   offset = mean, factor = 1/standard deviation (divisor N); training counts rows by
///              their weights
///   centre     offset = (min + max)/2 of the features that lie far from 0, which every row stores;
///              0 of the others; factor = 1; none if there are none. Linear models that are not
///              scaled otherwise have it where they need it: they stay the same, but lose fewer
///              digits.
///
/// A feature that is constant in training gets factor 0: it is ignored, also in other rows.
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

  /// The scaled rows. Sparse rows stay sparse if offsets change the zeros of at most a tenth of the
  /// columns.
  [[nodiscard]] Rows apply(RowsView x) const;

  friend bool operator==(const Scaling&, const Scaling&) = default;
};

}  // namespace rampart
