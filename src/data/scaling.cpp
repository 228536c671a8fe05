#include "rampart/scaling.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rampart/errors.hpp"
#include "util/assert.hpp"

namespace rampart {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double most_dense_bytes = 4.0 * (1ULL << 30U);

// The first pass over the rows: one entry a column, the zeros that are not stored included.
struct Extent {
  std::vector<double> least, most, mean;
  std::vector<std::size_t> stored;

  explicit Extent(const Rows& x)
      : least(x.columns(), infinity),
        most(x.columns(), -infinity),
        mean(x.columns(), 0.0),
        stored(x.columns(), 0) {
    for (std::size_t n = 0; n < x.size(); ++n) {
      x.for_each(n, [&](std::size_t j, double value) {
        least[j] = std::min(least[j], value);
        most[j] = std::max(most[j], value);
        mean[j] += value;
        ++stored[j];
      });
    }
    for (std::size_t j = 0; j < x.columns(); ++j) {
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
std::vector<double> standard_deviations(const Rows& x, const Extent& extent) {
  std::vector<double> squares(x.columns(), 0.0);
  const auto add = [&](std::size_t j, double value, double times) {
    if (extent.is_constant(j)) return;
    const double deviation = (value - extent.mean[j]) / extent.range(j);
    squares[j] += times * deviation * deviation;
  };
  for (std::size_t n = 0; n < x.size(); ++n) {
    x.for_each(n, [&](std::size_t j, double value) { add(j, value, 1); });
  }
  for (std::size_t j = 0; j < x.columns(); ++j) {
    add(j, 0, static_cast<double>(x.size() - extent.stored[j]));
    squares[j] = std::sqrt(squares[j] / static_cast<double>(x.size())) * extent.range(j);
  }
  return squares;
}

struct Range {
  std::size_t column;
  double least, most;
};

// The ranges of the features that every row stores.
std::vector<Range> ranges_of_stored(const Rows& x) {
  std::vector<Range> ranges;
  x.for_each(0, [&](std::size_t j, double value) { ranges.push_back({j, value, value}); });
  for (std::size_t n = 1; n < x.size(); ++n) {
    std::size_t next = 0;  // of the ranges
    std::size_t kept = 0;
    x.for_each(n, [&](std::size_t j, double value) {
      while (next < ranges.size() && ranges[next].column < j) ++next;
      if (next == ranges.size() || ranges[next].column != j) return;
      const Range& range = ranges[next++];
      ranges[kept++] = {j, std::min(range.least, value), std::max(range.most, value)};
    });
    ranges.resize(kept);
  }
  return ranges;
}

// In ranges. The squares of a feature are this much larger than those of its range, squared: in
// double precision nearer features lose no digits worth having. Subtracting the middle is exact.
constexpr double far = 8192;

Scaling centre(const Rows& x) {
  Scaling scaling{.kind = ScalingKind::centre,
                  .offset = std::vector<double>(x.columns(), 0.0),
                  .factor = std::vector<double>(x.columns(), 1.0)};
  for (const auto& [column, least, most] : ranges_of_stored(x)) {
    const double middle = least + (most - least) / 2;
    if (!(std::abs(middle) > far * (most - least))) continue;
    scaling.offset[column] = middle;
    if (least == most) scaling.factor[column] = 0;
  }
  return scaling;
}

}  // namespace

Scaling Scaling::fit(ScalingKind kind, const Rows& x) {
  RAMPART_ASSERT(x.size() > 0, "scaling is learnt from rows");
  if (kind == ScalingKind::centre) return centre(x);
  Scaling scaling;
  scaling.kind = kind;
  if (kind == ScalingKind::none) return scaling;

  Extent extent(x);
  const bool standard = kind == ScalingKind::standard;
  const std::vector<double> deviations =
      standard ? standard_deviations(x, extent) : std::vector<double>();
  scaling.factor.resize(x.columns());
  for (std::size_t j = 0; j < x.columns(); ++j) {
    if (extent.is_constant(j)) {
      extent.mean[j] = extent.least[j];  // the sum may have rounded it
      continue;
    }
    scaling.factor[j] = 1 / (standard ? deviations[j] : extent.range(j));
    const bool usable =
        std::isfinite(scaling.factor[j]) && scaling.factor[j] > 0 && std::isfinite(extent.mean[j]);
    if (!usable) {
      throw InputError(fmt::format("feature {}: values from {} to {} cannot be scaled", j + 1,
                                   extent.least[j], extent.most[j]));
    }
  }
  scaling.offset = std::move(standard ? extent.mean : extent.least);
  return scaling;
}

Rows Scaling::apply(const Rows& x) const {
  if (kind == ScalingKind::none) return x;
  RAMPART_ASSERT(x.columns() <= offset.size(), "more features than the scaling was learnt from");
  const std::size_t columns = offset.size();
  const auto scaled = [&](std::size_t j, double value) {
    return factor[j] == 0 ? 0.0 : (value - offset[j]) * factor[j];
  };

  std::vector<double> zeros(columns);  // what a zero becomes
  for (std::size_t j = 0; j < columns; ++j) zeros[j] = scaled(j, 0);
  const bool zeros_stay = std::ranges::all_of(zeros, [](double value) { return value == 0; });
  if (!x.is_dense() && zeros_stay) {
    std::vector<std::size_t> starts = {0};
    std::vector<std::uint32_t> indices;
    std::vector<double> values;
    indices.reserve(x.stored_values());
    values.reserve(x.stored_values());
    for (std::size_t n = 0; n < x.size(); ++n) {
      x.for_each(n, [&](std::size_t j, double value) {
        if (factor[j] == 0) return;
        indices.push_back(static_cast<std::uint32_t>(j));
        values.push_back(scaled(j, value));
      });
      starts.push_back(values.size());
    }
    return Rows::sparse(columns, std::move(starts), std::move(indices), std::move(values));
  }

  const double bytes =
      static_cast<double>(x.size()) * static_cast<double>(columns) * sizeof(double);
  if (!x.is_dense() && bytes > most_dense_bytes) {
    throw InputError(fmt::format(
        "scaling would fill the zeros of {} sparse rows of {} features, which takes {:.0f} GiB; "
        "use --scale none",
        x.size(), columns, bytes / (1ULL << 30U)));
  }
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
