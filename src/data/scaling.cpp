#include "rampart/dataset.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "data/fit.hpp"
#include "data/occurring.hpp"
#include "data/row_encoder.hpp"
#include "data/survey.hpp"
#include "rampart/errors.hpp"
#include "util/assert.hpp"
#include "util/parallel.hpp"

namespace rampart {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The features of rows, block by block.
class FeatureBlocks {
 public:
  FeatureBlocks(RowsView x, const RowEncoder& encoder, unsigned threads,
                std::span<const double> weights)
      : x_(x), encoder_(encoder), threads_(threads), weights_(weights) {
    weight_ = static_cast<double>(x.size());
    if (!weights.empty()) weight_ = std::accumulate(weights.begin(), weights.end(), 0.0);
  }

  [[nodiscard]] std::size_t rows() const { return x_.size(); }

  // How often row n counts, and all rows together.
  [[nodiscard]] double weight(std::size_t n) const { return weights_.empty() ? 1 : weights_[n]; }
  [[nodiscard]] double weight() const { return weight_; }

  // Adds up what add(sums, features, number of the first row) finds in the blocks of rows, which
  // begins with `zero`.
  template <class Sums, class Add, class Merge>
  void sum(const Sums& zero, const Add& add, const Merge& merge) const {
    constexpr std::size_t most_parallel = 4096;  // columns whose sums may exist several times
    const unsigned threads = encoder_.features() <= most_parallel ? threads_ : 1;
    blocks_in_order(
        x_.size(), rows_per_sum, threads,
        [&](std::size_t begin, std::size_t end) {
          Sums sums = zero;
          RowEncoder::Buffer buffer;
          const RowsView all = x_.range(begin, end);
          all.ensure_readable();
          const std::size_t step = encoder_.is_identity() ? end - begin : rows_per_block;
          for (std::size_t first = begin; first < end; first += step) {
            add(sums, encoder_.apply(x_.range(first, std::min(end, first + step)), buffer), first);
          }
          all.dont_need();
          return sums;
        },
        merge);
  }

 private:
  static constexpr std::size_t rows_per_block = 256;  // that are encoded at once

  RowsView x_;
  const RowEncoder& encoder_;
  unsigned threads_;
  std::span<const double> weights_;
  double weight_;
};

// The first pass over the features: one entry a column, the zeros that are not stored included.
struct Extent {
  std::vector<double> least, most, mean;
  std::vector<double> weight;  // of the rows that store a value
  std::vector<std::size_t> stored;

  explicit Extent(std::size_t columns)
      : least(columns, infinity),
        most(columns, -infinity),
        mean(columns, 0.0),
        weight(columns, 0.0),
        stored(columns, 0) {}

  // What the survey says of dense rows without missing values.
  explicit Extent(const Survey& survey) : Extent(survey.columns.size()) {
    for (std::size_t j = 0; j < least.size(); ++j) {
      least[j] = survey.columns[j].extremes.low;
      most[j] = survey.columns[j].extremes.high;
      if (!survey.sum.empty()) mean[j] = survey.sum[j] / static_cast<double>(survey.rows);
      stored[j] = survey.columns[j].stored;
      weight[j] = static_cast<double>(stored[j]);
    }
  }

  Extent(const FeatureBlocks& blocks, const Occurring& columns) : Extent(columns.size()) {
    blocks.sum(
        Extent(columns.size()),
        [&](Extent& sums, RowsView x, std::size_t first) {
          for (std::size_t n = 0; n < x.size(); ++n) {
            const double times = blocks.weight(first + n);
            x.for_each(n, [&](std::size_t column, double value) {
              const std::size_t j = columns[column];
              sums.least[j] = std::min(sums.least[j], value);
              sums.most[j] = std::max(sums.most[j], value);
              sums.mean[j] += times * value;
              sums.weight[j] += times;
              ++sums.stored[j];
            });
          }
        },
        [&](const Extent& sums) {
          for (std::size_t j = 0; j < least.size(); ++j) {
            least[j] = std::min(least[j], sums.least[j]);
            most[j] = std::max(most[j], sums.most[j]);
            mean[j] += sums.mean[j];
            weight[j] += sums.weight[j];
            stored[j] += sums.stored[j];
          }
        });
    for (std::size_t j = 0; j < least.size(); ++j) {
      if (stored[j] < blocks.rows()) {
        least[j] = std::min(least[j], 0.0);
        most[j] = std::max(most[j], 0.0);
      }
      mean[j] /= blocks.weight();
    }
  }

  [[nodiscard]] bool is_constant(std::size_t j) const { return least[j] == most[j]; }
  [[nodiscard]] double range(std::size_t j) const { return most[j] - least[j]; }
};

// The second pass. Deviations are measured in units of the range, whose squares neither overflow
// nor vanish. That of a constant column has no meaning.
std::vector<double> standard_deviations(const FeatureBlocks& blocks, const Occurring& columns,
                                        const Extent& extent) {
  std::vector<double> squares(columns.size(), 0.0);
  std::vector<double> range(columns.size());
  for (std::size_t j = 0; j < range.size(); ++j) range[j] = extent.range(j);
  const auto square = [&](std::size_t j, double value, double times) {
    const double deviation = (value - extent.mean[j]) / range[j];
    return times * deviation * deviation;
  };
  blocks.sum(
      std::vector<double>(columns.size(), 0.0),
      [&](std::vector<double>& sums, RowsView x, std::size_t first) {
        for (std::size_t n = 0; n < x.size(); ++n) {
          const double times = blocks.weight(first + n);
          x.for_each(n, [&](std::size_t column, double value) {
            sums[columns[column]] += square(columns[column], value, times);
          });
        }
      },
      [&](const std::vector<double>& sums) {
        for (std::size_t j = 0; j < sums.size(); ++j) squares[j] += sums[j];
      });
  for (std::size_t j = 0; j < columns.size(); ++j) {
    // Rounding of weights must not leave more zeros than there are rows without a value: none.
    const bool zeros = extent.stored[j] < blocks.rows();
    squares[j] += square(j, 0, zeros ? blocks.weight() - extent.weight[j] : 0);
    squares[j] = std::sqrt(squares[j] / blocks.weight()) * extent.range(j);
  }
  return squares;
}

// A feature is far from 0 if its middle is more than this many ranges away. Nearer features lose at
// most half of the bits of a double, and subtracting the middle of a far one is exact.
constexpr double far = 8192;

// Only features that every row stores are moved: the zeros that sparse rows leave out stay zeros.
Scaling centre(const Extent& extent, const Occurring& columns, std::size_t rows,
               std::size_t all_columns) {
  Scaling scaling;
  for (std::size_t column = 0; column < all_columns; ++column) {
    if (!columns.has(column)) continue;
    const std::size_t j = columns[column];
    const double middle = extent.least[j] + extent.range(j) / 2;
    if (extent.stored[j] < rows || !(std::abs(middle) > far * extent.range(j))) continue;
    if (scaling.kind == ScalingKind::none) {
      scaling = {.kind = ScalingKind::centre,
                 .offset = std::vector<double>(all_columns, 0.0),
                 .factor = std::vector<double>(all_columns, 1.0)};
    }
    scaling.offset[column] = middle;
    if (extent.is_constant(j)) scaling.factor[column] = 0;
  }
  return scaling;
}

Scaling scaling_of(ScalingKind kind, const FeatureBlocks& blocks, const Occurring& columns,
                   const Extent& extent, std::size_t all_columns) {
  if (kind == ScalingKind::centre) return centre(extent, columns, blocks.rows(), all_columns);
  Scaling scaling;
  scaling.kind = kind;
  const bool standard = kind == ScalingKind::standard;
  const std::vector<double> deviations =
      standard ? standard_deviations(blocks, columns, extent) : std::vector<double>();
  scaling.offset.resize(all_columns);
  scaling.factor.resize(all_columns);
  for (std::size_t column = 0; column < all_columns; ++column) {
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

}  // namespace

std::span<const Named<ScalingKind>> names_of(ScalingKind) {
  using enum ScalingKind;
  static constexpr auto table = std::to_array<Named<ScalingKind>>(
      {{none, "none"}, {minmax, "minmax"}, {standard, "standard"}, {centre, "centre"}});
  return table;
}

Scaling Scaling::fit(ScalingKind kind, RowsView x) {
  RAMPART_ASSERT(x.size() > 0, "scaling is learnt from rows");
  if (kind == ScalingKind::none) return {};
  const RowEncoder encoder({}, {}, x.columns());
  const FeatureBlocks blocks(x, encoder, 1, {});
  const Occurring columns(x);
  return scaling_of(kind, blocks, columns, Extent(blocks, columns), x.columns());
}

Scaling fit_scaling(ScalingKind kind, RowsView x, const RowEncoder& encoder, const Survey& survey,
                    unsigned threads, std::span<const double> weights) {
  if (kind == ScalingKind::none) return {};
  const FeatureBlocks blocks(x, encoder, threads, weights);
  const bool surveyed = encoder.is_identity() && !survey.misses();
  // What a survey does not have is the means of sparse or weighted rows. Only the standard scaling
  // needs means.
  const bool has_means = x.is_dense() && weights.empty();
  if (surveyed && (has_means || kind == ScalingKind::centre)) {
    return scaling_of(kind, blocks, survey.occurring, Extent(survey), x.columns());
  }
  const Occurring columns = surveyed ? survey.occurring : Occurring::all(encoder.features());
  return scaling_of(kind, blocks, columns, Extent(blocks, columns), encoder.features());
}

Rows Scaling::apply(RowsView x) const { return RowEncoder({}, *this, x.columns()).apply(x); }

}  // namespace rampart
