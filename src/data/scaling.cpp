#include "rampart/dataset.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "data/occurring.hpp"
#include "rampart/errors.hpp"
#include "util/assert.hpp"

namespace rampart {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double most_dense_bytes = 4.0 * (1ULL << 30U);
// Up to this share of columns whose zeros are filled, sparse rows stay sparse.
constexpr double sparse_share = 0.1;

// The first pass over the rows: one entry a column, the zeros that are not stored included.
struct Extent {
  std::vector<double> least, most, mean;
  std::vector<std::size_t> stored;

  Extent(RowsView x, const Occurring& columns)
      : least(columns.size(), infinity),
        most(columns.size(), -infinity),
        mean(columns.size(), 0.0),
        stored(columns.size(), 0) {
    for (std::size_t n = 0; n < x.size(); ++n) {
      x.for_each(n, [&](std::size_t column, double value) {
        const std::size_t j = columns[column];
        least[j] = std::min(least[j], value);
        most[j] = std::max(most[j], value);
        mean[j] += value;
        ++stored[j];
      });
    }
    for (std::size_t j = 0; j < columns.size(); ++j) {
      if (stored[j] < x.size()) {
        least[j] = std::min(least[j], 0.0);
        most[j] = std::max(most[j], 0.0);
      }
      mean[j] /= static_cast<double>(x.size());
    }
  }

  [[nodiscard]] bool is_constant(std::size_t j) const { return least[j] == most[j]; }
  [[nodiscard]] double range(std::size_t j) const { return most[j] - least[j]; }
};

// The second pass. Deviations are measured in units of the range, whose squares neither overflow
// nor vanish.
std::vector<double> standard_deviations(RowsView x, const Occurring& columns,
                                        const Extent& extent) {
  std::vector<double> squares(columns.size(), 0.0);
  const auto add = [&](std::size_t j, double value, double times) {
    if (extent.is_constant(j)) return;
    const double deviation = (value - extent.mean[j]) / extent.range(j);
    squares[j] += times * deviation * deviation;
  };
  for (std::size_t n = 0; n < x.size(); ++n) {
    x.for_each(n, [&](std::size_t column, double value) { add(columns[column], value, 1); });
  }
  for (std::size_t j = 0; j < columns.size(); ++j) {
    add(j, 0, static_cast<double>(x.size() - extent.stored[j]));
    squares[j] = std::sqrt(squares[j] / static_cast<double>(x.size())) * extent.range(j);
  }
  return squares;
}

// A feature is far from 0 if its middle is more than this many ranges away. Nearer features lose at
// most half of the bits of a double, and subtracting the middle of a far one is exact.
constexpr double far = 8192;

// Only features that every row stores are moved: the zeros that sparse rows leave out stay zeros.
Scaling centre(RowsView x) {
  const Occurring columns(x);
  const Extent extent(x, columns);
  Scaling scaling;
  for (std::size_t column = 0; column < x.columns(); ++column) {
    if (!columns.has(column)) continue;
    const std::size_t j = columns[column];
    const double middle = extent.least[j] + extent.range(j) / 2;
    if (extent.stored[j] < x.size() || !(std::abs(middle) > far * extent.range(j))) continue;
    if (scaling.kind == ScalingKind::none) {
      scaling = {.kind = ScalingKind::centre,
                 .offset = std::vector<double>(x.columns(), 0.0),
                 .factor = std::vector<double>(x.columns(), 1.0)};
    }
    scaling.offset[column] = middle;
    if (extent.is_constant(j)) scaling.factor[column] = 0;
  }
  return scaling;
}

// The sparse rows with every column scaled by `scaled`, and those of `filled` stored in all rows.
template <class Scale>
Rows scale_sparse(RowsView x, std::size_t columns, const std::vector<std::uint32_t>& filled,
                  const Scale& scaled, const std::vector<double>& factor) {
  std::vector<std::size_t> starts = {0};
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  indices.reserve(x.stored_values() + x.size() * filled.size());
  values.reserve(indices.capacity());
  const auto append = [&](std::uint32_t j, double value) {
    indices.push_back(j);
    values.push_back(scaled(j, value));
  };
  for (std::size_t n = 0; n < x.size(); ++n) {
    auto next = filled.begin();
    const auto fill_before = [&](std::size_t end) {
      for (; next != filled.end() && *next < end; ++next) append(*next, 0);
    };
    x.for_each(n, [&](std::size_t j, double value) {
      if (factor[j] == 0) return;
      fill_before(j);
      if (next != filled.end() && *next == j) ++next;
      append(static_cast<std::uint32_t>(j), value);
    });
    fill_before(columns);
    starts.push_back(values.size());
  }
  return Rows::sparse(columns, std::move(starts), std::move(indices), std::move(values));
}

}  // namespace

std::span<const Named<ScalingKind>> names_of(ScalingKind) {
  using enum ScalingKind;
  static constexpr auto table = std::to_array<Named<ScalingKind>>(
      {{none, "none"}, {minmax, "minmax"}, {standard, "standard"}, {centre, "centre"}});
  return table;
}

Scaling Scaling::fit(ScalingKind kind, RowsView x) {
  RAMPART_ASSERT(x.size() > 0, "scaling is learnt from rows");
  if (kind == ScalingKind::centre) return centre(x);
  Scaling scaling;
  scaling.kind = kind;
  if (kind == ScalingKind::none) return scaling;

  const Occurring columns(x);
  const Extent extent(x, columns);
  const bool standard = kind == ScalingKind::standard;
  const std::vector<double> deviations =
      standard ? standard_deviations(x, columns, extent) : std::vector<double>();
  scaling.offset.resize(x.columns());
  scaling.factor.resize(x.columns());
  for (std::size_t column = 0; column < x.columns(); ++column) {
    if (!columns.has(column)) continue;
    const std::size_t j = columns[column];
    double& offset = scaling.offset[column];
    double& factor = scaling.factor[column];
    if (extent.is_constant(j)) {
      offset = extent.least[j];  // the mean may have been rounded
      continue;
    }
    offset = standard ? extent.mean[j] : extent.least[j];
    factor = 1 / (standard ? deviations[j] : extent.range(j));
    const bool usable = std::isfinite(factor) && factor > 0 && std::isfinite(extent.mean[j]);
    if (!usable) {
      throw InputError(fmt::format("feature {}: values from {} to {} cannot be scaled", column + 1,
                                   extent.least[j], extent.most[j]));
    }
  }
  return scaling;
}

Rows Scaling::apply(RowsView x) const {
  if (kind == ScalingKind::none) return x.to_rows();
  RAMPART_ASSERT(x.columns() <= offset.size(), "more features than the scaling was learnt from");
  const std::size_t columns = offset.size();
  const auto scaled = [&](std::size_t j, double x_j) { return value(j, x_j); };

  if (!x.is_dense()) {
    std::vector<std::uint32_t> filled;  // columns whose zeros become something else
    for (std::size_t j = 0; j < columns; ++j) {
      if (scaled(j, 0) != 0) filled.push_back(static_cast<std::uint32_t>(j));
    }
    // This must not depend on the rows: the same row has the same bits in every batch. The columns
    // that centring fills are stored by nearly all rows anyway.
    if (kind == ScalingKind::centre ||
        static_cast<double>(filled.size()) <= sparse_share * static_cast<double>(columns)) {
      return scale_sparse(x, columns, filled, scaled, factor);
    }
    const double bytes =
        static_cast<double>(x.size()) * static_cast<double>(columns) * sizeof(double);
    if (bytes > most_dense_bytes) {
      throw InputError(
          fmt::format("scaling would fill the zeros of {} sparse rows of {} features, which takes "
                      "{:.0f} GiB; do without scaling",
                      x.size(), columns, bytes / (1ULL << 30U)),
          Setting::scaling);
    }
  }
  std::vector<double> zeros(columns);
  for (std::size_t j = 0; j < columns; ++j) zeros[j] = scaled(j, 0);
  std::vector<double> values;
  values.reserve(x.size() * columns);
  for (std::size_t n = 0; n < x.size(); ++n) {
    const std::size_t first = values.size();
    values.insert(values.end(), zeros.begin(), zeros.end());
    x.for_each(n, [&](std::size_t j, double value) { values[first + j] = scaled(j, value); });
  }
  return Rows::dense(columns, std::move(values), x.size());
}

}  // namespace rampart
