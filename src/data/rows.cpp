#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "rampart/dataset.hpp"
#include "rampart/errors.hpp"

namespace rampart {

Rows Rows::dense(std::size_t columns, std::vector<double> values, std::size_t rows) {
  const bool whole = columns > 0 ? values.size() % columns == 0 : values.empty();
  if (!whole || (columns > 0 && rows > 0 && values.size() / columns != rows)) {
    throw InputError(fmt::format("dense rows: {} values are not {} of {} columns", values.size(),
                                 rows > 0 ? fmt::format("{} rows", rows) : "rows", columns));
  }
  Rows result;
  result.rows_ = columns > 0 ? values.size() / columns : rows;
  result.columns_ = columns;
  result.values_ = std::move(values);
  return result;
}

Rows Rows::sparse(std::size_t columns, std::vector<std::size_t> starts,
                  std::vector<std::uint32_t> indices, std::vector<double> values) {
  // The view has the rules.
  static_cast<void>(
      RowsView::sparse<std::size_t, std::uint32_t, double>(columns, starts, indices, values));
  Rows result;
  result.rows_ = starts.size() - 1;
  result.columns_ = columns;
  result.starts_ = std::move(starts);
  result.indices_ = std::move(indices);
  result.values_ = std::move(values);
  return result;
}

Rows Rows::subset(std::span<const std::size_t> indices) const {
  return RowsView(*this).rows(indices).to_rows();
}

Rows Rows::widened(std::size_t columns) const { return RowsView(*this).wider(columns).to_rows(); }

Rows Rows::to_dense() const& { return Rows(*this).to_dense(); }

// A value never moves towards the front: before it, in its row and those above, dense rows have all
// that sparse ones have. So the last value goes first, and none is overwritten before it has moved.
Rows Rows::to_dense() && {
  if (is_dense()) return std::move(*this);
  values_.resize(rows_ * columns_);
  for (std::size_t n = rows_; n-- > 0;) {
    if (starts_[n + 1] == (n + 1) * columns_) break;  // all is in its place already
    double* const row = values_.data() + n * columns_;
    std::size_t end = columns_;  // of the columns that still wait
    for (std::size_t k = starts_[n + 1]; k-- > starts_[n];) {
      const std::size_t j = indices_[k];
      const double value = values_[k];
      std::fill(row + j + 1, row + end, 0.0);
      row[j] = value;
      end = j;
    }
    std::fill(row, row + end, 0.0);
  }
  return dense(columns_, std::move(values_), rows_);
}

void Rows::require_finite() const { RowsView(*this).require_finite(); }

Dataset Dataset::subset(std::span<const std::size_t> rows) const {
  Dataset part{.x = x.subset(rows),
               .classes = classes,
               .features = features,
               .label = label,
               .categories = categories,
               .id = id,
               .fields = fields,
               .file_columns = file_columns,
               .missing_values = missing_values};
  for (const std::size_t n : rows) {
    part.y.push_back(y[n]);
    if (!weights.empty()) part.weights.push_back(weights[n]);
    if (!groups.empty()) part.groups.push_back(groups[n]);
    if (!ids.empty()) part.ids.push_back(ids[n]);
  }
  return part;
}

}  // namespace rampart
