#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rampart {

/// N rows of p features, all of them stored (dense) or only those that are not zero (sparse).
///
/// A value: copied, moved and compared like a vector. Every function of the library takes either
/// form and gives the same result for both up to rounding.
class Rows {
 public:
  /// One stored row of a sparse set: indices from 0, strictly increasing.
  struct Sparse {
    std::span<const std::uint32_t> indices;
    std::span<const double> values;
  };

  Rows() = default;

  /// `values` holds the rows one after the other. `rows` is needed only when there are no columns.
  /// Throws InputError if the values are not whole rows.
  [[nodiscard]] static Rows dense(std::size_t columns, std::vector<double> values,
                                  std::size_t rows = 0);

  /// Compressed rows: row n is entries starts[n] … starts[n+1]−1. Throws InputError unless the
  /// indices of each row increase and are below `columns`.
  [[nodiscard]] static Rows sparse(std::size_t columns, std::vector<std::size_t> starts,
                                   std::vector<std::uint32_t> indices, std::vector<double> values);

  [[nodiscard]] std::size_t size() const noexcept { return rows_; }
  [[nodiscard]] std::size_t columns() const noexcept { return columns_; }
  [[nodiscard]] bool is_dense() const noexcept { return starts_.empty(); }
  [[nodiscard]] std::size_t stored_values() const noexcept { return values_.size(); }

  /// Row n of a dense set.
  [[nodiscard]] std::span<const double> dense_row(std::size_t n) const {
    return {values_.data() + n * columns_, columns_};
  }

  /// Row n of a sparse set.
  [[nodiscard]] Sparse sparse_row(std::size_t n) const {
    const std::size_t first = starts_[n];
    const std::size_t count = starts_[n + 1] - first;
    return {{indices_.data() + first, count}, {values_.data() + first, count}};
  }

  /// Calls visit(column, value) for every stored value of row n, columns increasing.
  template <class Visit>
  void for_each(std::size_t n, Visit&& visit) const {
    if (is_dense()) {
      const auto row = dense_row(n);
      for (std::size_t j = 0; j < columns_; ++j) visit(j, row[j]);
    } else {
      const Sparse row = sparse_row(n);
      for (std::size_t k = 0; k < row.values.size(); ++k) visit(row.indices[k], row.values[k]);
    }
  }

  /// The rows with these indices, in this order.
  [[nodiscard]] Rows subset(std::span<const std::size_t> indices) const;

  /// The same rows with columns of zeros added up to this number.
  [[nodiscard]] Rows widened(std::size_t columns) const;

  /// The same rows with every value stored.
  [[nodiscard]] Rows to_dense() const&;
  [[nodiscard]] Rows to_dense() &&;  ///< in the memory that they have

  /// Throws InputError, naming row and feature, unless every value is finite.
  void require_finite() const;

  friend bool operator==(const Rows&, const Rows&) = default;

 private:
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::vector<std::size_t> starts_;  // empty: dense
  std::vector<std::uint32_t> indices_;
  std::vector<double> values_;
};

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

}  // namespace rampart
