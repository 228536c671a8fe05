#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace rampart {

class RowsView;

/// N rows of p features, all of them stored (dense) or only those that are not zero (sparse).
///
/// A value: copied, moved and compared like a vector. Every function of the library accepts both
/// forms, with equal results up to rounding.
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

  /// Compressed sparse rows (CSR): row n is entries starts[n] … starts[n+1]−1. Throws InputError
  /// unless the indices of each row increase and are below `columns`.
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
  [[nodiscard]] Rows to_dense() &&;  ///< in the same memory, which grows as needed

  /// Throws InputError, naming row and feature, unless every value is finite.
  void require_finite() const;

  friend bool operator==(const Rows&, const Rows&) = default;

 private:
  friend class RowsView;

  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::vector<std::size_t> starts_;  // empty: dense
  std::vector<std::uint32_t> indices_;
  std::vector<double> values_;
};

/// What the owner of rows that are read in place from a file does about rows `begin` … `end`−1.
/// Calls may come from several threads at a time.
struct RowsKeeper {
  using Range = std::function<void(std::size_t begin, std::size_t end)>;
  Range ensure_readable;  ///< throws InputError if they are damaged, or the file has changed
  Range will_need;        ///< begins to read them
  Range dont_need;        ///< gives the memory of them back
};

/// A view of rows that must outlive it: a Rows, or arrays of float or double, dense or CSR, or
/// several such views one after the other. Nothing is copied. Small, passed by value.
///
/// Values are read as double, however they are stored. As with std::string_view, a view of a
/// temporary is valid until the end of the call it is passed to.
class RowsView {
 public:
  RowsView() = default;
  RowsView(const Rows& rows);  // NOLINT: implicit, so that Rows can be passed

  /// Row n begins at values[n·stride]; stride ≥ columns counts values. The last row needs only
  /// `columns` values. Throws InputError if values, rows, columns and stride do not fit.
  [[nodiscard]] static RowsView dense(std::span<const float> values, std::size_t rows,
                                      std::size_t columns,
                                      std::optional<std::size_t> stride = std::nullopt);
  [[nodiscard]] static RowsView dense(std::span<const double> values, std::size_t rows,
                                      std::size_t columns,
                                      std::optional<std::size_t> stride = std::nullopt);

  /// Compressed rows, as Rows::sparse(). Start and Index are std::int32_t both or std::int64_t
  /// both, as in SciPy, or std::size_t and std::uint32_t, as in Rows; Value is float or double.
  /// Throws InputError unless starts rise from 0 to the number of values and the indices of each
  /// row increase and are below `columns`, which is less than 2³².
  template <class Start, class Index, class Value>
  [[nodiscard]] static RowsView sparse(std::size_t columns, std::span<const Start> starts,
                                       std::span<const Index> indices,
                                       std::span<const Value> values);

  /// Compressed rows in the form of Rows::sparse() that are not looked at here: somebody has
  /// checked them, or will check each row before it is read. Value is float or double.
  template <class Value>
  [[nodiscard]] static RowsView sparse_unchecked(std::size_t columns, std::size_t rows,
                                                 const std::size_t* starts,
                                                 const std::uint32_t* indices,
                                                 const Value* values) {
    return {Sparse<std::size_t, std::uint32_t, Value>{starts, indices, values}, rows, columns};
  }

  /// All rows of the views, one after the other, with as many columns as the widest has. The pieces
  /// are viewed, not copied. They are views of all rows, none of them empty or made of pieces.
  struct Piece;
  [[nodiscard]] static RowsView pieces(std::span<const Piece> pieces);

  /// The same rows, with somebody who looks after them. Row numbers are those of this view.
  [[nodiscard]] RowsView kept_by(const RowsKeeper& keeper) const;

  /// Rows of a file that are read in place may be damaged, or not yet in memory. Whoever passes
  /// over rows calls this for a block of them, range(begin, end).ensure_readable(), each time
  /// before it reads the block: what is checked only once is remembered. Throws InputError. Where
  /// rows are in memory it does nothing. A selection counts as all rows from its first to its last.
  void ensure_readable() const { tell(&RowsKeeper::ensure_readable); }
  void will_need() const;  ///< the block that comes next; of a selection, no rows between
  void dont_need() const { tell(&RowsKeeper::dont_need); }  ///< the block that was read
  [[nodiscard]] bool is_kept() const noexcept { return keeper_ != nullptr; }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t columns() const noexcept { return columns_; }
  [[nodiscard]] bool is_dense() const noexcept {
    return std::holds_alternative<Dense<double>>(stored_) ||
           std::holds_alternative<Dense<float>>(stored_) ||
           (std::holds_alternative<Pieces>(stored_) && std::get<Pieces>(stored_).dense);
  }

  /// Number of values that for_each() visits, in row n and in all rows.
  [[nodiscard]] std::size_t stored_values(std::size_t n) const;
  [[nodiscard]] std::size_t stored_values() const;

  /// Calls visit(std::size_t column, double value) for every stored value of row n, columns
  /// increasing. Dense rows store every column, zeros included, except columns that wider() added.
  template <class Visit>
  void for_each(std::size_t n, Visit&& visit) const {
    const std::size_t place = place_of(n);
    std::visit([&](const auto& stored) { stored.for_each(place, visit); }, stored_);
  }

  /// Calls use(reader) with a reader of this view's rows that has found their storage once, for
  /// loops over many short rows: reader.for_each(n, visit) as above, and reader.product(n, w), the
  /// sum of value·w[column].
  template <class Use>
  void with_reader(Use&& use) const {
    std::visit([&](const auto& stored) { use(Reader{stored, which_}); }, stored_);
  }

  /// Calls use(values) with the stored values of row n of a dense view, a std::span of const float
  /// or const double.
  template <class Use>
  void with_dense_row(std::size_t n, Use&& use) const {
    if (const auto* doubles = std::get_if<Dense<double>>(&stored_)) {
      use(doubles->row(place_of(n)));
    } else if (const auto* floats = std::get_if<Dense<float>>(&stored_)) {
      use(floats->row(place_of(n)));
    } else {
      std::get<Pieces>(stored_).with_dense_row(place_of(n), use);
    }
  }

  /// Writes all columns of row n, zeros included. `out` has columns() values.
  void copy_row(std::size_t n, std::span<double> out) const;

  /// The rows with these numbers, in this order. The numbers are viewed, not copied. Only for views
  /// of all rows: see places_of() for a selection of a selection.
  [[nodiscard]] RowsView rows(std::span<const std::size_t> which) const;

  /// A selection of a selection, in two steps because row numbers are viewed: places_of() gives the
  /// stored positions of the rows with these numbers, at_places() the rows at such positions.
  [[nodiscard]] std::vector<std::size_t> places_of(std::span<const std::size_t> which) const;
  [[nodiscard]] RowsView at_places(std::span<const std::size_t> places) const;

  /// Rows `begin` … `end`−1. Works for selections too.
  [[nodiscard]] RowsView range(std::size_t begin, std::size_t end) const;

  /// The same rows with columns of zeros added up to this number.
  [[nodiscard]] RowsView wider(std::size_t columns) const;

  /// A copy that owns its values.
  [[nodiscard]] Rows to_rows() const;

  /// Throws InputError, naming row and feature, unless every value is finite. Row numbers in the
  /// message begin after `before`.
  void require_finite(std::size_t before = 0) const;

 private:
  /// Σ term(k) in four parts, so that additions need not wait for each other.
  template <class Term>
  static double product_of(std::size_t count, const Term& term) {
    double part[4] = {0, 0, 0, 0};
    std::size_t k = 0;
    for (; k + 4 <= count; k += 4) {
      part[0] += term(k);
      part[1] += term(k + 1);
      part[2] += term(k + 2);
      part[3] += term(k + 3);
    }
    for (; k < count; ++k) part[0] += term(k);
    return (part[0] + part[1]) + (part[2] + part[3]);
  }

  template <class Stored>
  struct Reader {
    const Stored& stored;
    const std::size_t* which;  // null: all rows

    [[nodiscard]] std::size_t place(std::size_t n) const { return which == nullptr ? n : which[n]; }
    template <class Visit>
    void for_each(std::size_t n, Visit&& visit) const {
      stored.for_each(place(n), visit);
    }
    [[nodiscard]] double product(std::size_t n, const double* w) const {
      return stored.product(place(n), w);
    }
  };
  template <class Stored>
  Reader(const Stored&, const std::size_t*) -> Reader<Stored>;

  template <class Value>
  struct Dense {
    const Value* values;
    std::size_t stride;
    std::size_t columns;  // that are stored

    [[nodiscard]] std::span<const Value> row(std::size_t n) const {
      return {values + n * stride, columns};
    }
    [[nodiscard]] std::size_t count(std::size_t) const { return columns; }
    void skip(std::size_t rows) { values += rows * stride; }
    [[nodiscard]] double product(std::size_t n, const double* w) const {
      const Value* const at = values + n * stride;
      return product_of(columns, [&](std::size_t k) { return w[k] * static_cast<double>(at[k]); });
    }
    template <class Visit>
    void for_each(std::size_t n, Visit& visit) const {
      const auto stored = row(n);
      for (std::size_t j = 0; j < stored.size(); ++j) visit(j, static_cast<double>(stored[j]));
    }
  };
  template <class Start, class Index, class Value>
  struct Sparse {
    const Start* starts;
    const Index* indices;
    const Value* values;

    [[nodiscard]] std::size_t count(std::size_t n) const {
      return static_cast<std::size_t>(starts[n + 1] - starts[n]);
    }
    void skip(std::size_t rows) { starts += rows; }
    [[nodiscard]] double product(std::size_t n, const double* w) const {
      const auto first = static_cast<std::size_t>(starts[n]);
      return product_of(count(n), [&](std::size_t k) {
        return w[indices[first + k]] * static_cast<double>(values[first + k]);
      });
    }
    template <class Visit>
    void for_each(std::size_t n, Visit& visit) const {
      const auto end = static_cast<std::size_t>(starts[n + 1]);
      for (auto k = static_cast<std::size_t>(starts[n]); k < end; ++k) {
        visit(static_cast<std::size_t>(indices[k]), static_cast<double>(values[k]));
      }
    }
  };
  struct Pieces {
    const Piece* pieces;
    std::size_t count_of_pieces;
    std::size_t skipped;  // rows of the pieces before the first of this view
    bool dense;           // whether all are

    [[nodiscard]] const Piece& with_row(std::size_t n) const;  // counted from the first piece
    [[nodiscard]] std::size_t count(std::size_t n) const;
    void skip(std::size_t rows) { skipped += rows; }
    [[nodiscard]] double product(std::size_t n, const double* w) const;
    template <class Visit>
    void for_each(std::size_t n, Visit& visit) const;
    template <class Use>
    void with_dense_row(std::size_t n, Use& use) const;
  };
  using Stored = std::variant<
      Dense<double>, Dense<float>, Sparse<std::size_t, std::uint32_t, double>,
      Sparse<std::size_t, std::uint32_t, float>, Sparse<std::int32_t, std::int32_t, double>,
      Sparse<std::int32_t, std::int32_t, float>, Sparse<std::int64_t, std::int64_t, double>,
      Sparse<std::int64_t, std::int64_t, float>, Pieces>;

  RowsView(Stored stored, std::size_t size, std::size_t columns)
      : stored_(stored), size_(size), columns_(columns) {}

  template <class Value>
  static RowsView dense_of(std::span<const Value> values, std::size_t rows, std::size_t columns,
                           std::size_t stride);

  void tell(RowsKeeper::Range RowsKeeper::*what) const;

  /// Position of row n among the stored rows.
  [[nodiscard]] std::size_t place_of(std::size_t n) const {
    return which_ == nullptr ? n : which_[n];
  }

  Stored stored_;
  std::size_t size_ = 0;
  std::size_t columns_ = 0;
  const std::size_t* which_ = nullptr;  // null: all rows
  const RowsKeeper* keeper_ = nullptr;  // null: nobody needs to look after them
  std::size_t first_ = 0;               // what the keeper calls the first stored row
};

/// One of several views of which all rows make one view.
struct RowsView::Piece {
  std::size_t first = 0;  ///< rows of the pieces before it
  RowsView rows;
};

inline const RowsView::Piece& RowsView::Pieces::with_row(std::size_t n) const {
  const std::span all(pieces, count_of_pieces);
  return *(std::ranges::upper_bound(all, n, {}, &Piece::first) - 1);
}

inline double RowsView::Pieces::product(std::size_t n, const double* w) const {
  const Piece& piece = with_row(skipped + n);
  double found = 0;
  piece.rows.with_reader(
      [&](const auto& reader) { found = reader.product(skipped + n - piece.first, w); });
  return found;
}

template <class Visit>
void RowsView::Pieces::for_each(std::size_t n, Visit& visit) const {
  const Piece& piece = with_row(skipped + n);
  piece.rows.for_each(skipped + n - piece.first, visit);
}

template <class Use>
void RowsView::Pieces::with_dense_row(std::size_t n, Use& use) const {
  const Piece& piece = with_row(skipped + n);
  piece.rows.with_dense_row(skipped + n - piece.first, use);
}

inline RowsView::RowsView(const Rows& rows) : size_(rows.rows_), columns_(rows.columns_) {
  if (rows.is_dense()) {
    stored_ = Dense<double>{rows.values_.data(), columns_, columns_};
  } else {
    stored_ = Sparse<std::size_t, std::uint32_t, double>{rows.starts_.data(), rows.indices_.data(),
                                                         rows.values_.data()};
  }
}

}  // namespace rampart
