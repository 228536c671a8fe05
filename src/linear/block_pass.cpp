#include "linear/block_pass.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace rampart {
namespace {

constexpr std::size_t tile_bytes = std::size_t{96} << 10;

/// Rows of a block, a tile at a time: dense rows in the frame, padded with zeros, or sparse rows as
/// they are.
class Tiles {
 public:
  Tiles(const BlockRows& rows, const Frame& frame)
      : rows_(rows), frame_(frame), width_(padded(rows.x.columns())) {
    if (!dense()) return;
    const std::size_t fitting = tile_bytes / (sizeof(double) * std::max<std::size_t>(width_, 1));
    most_ = std::clamp(fitting / tile_unit * tile_unit, tile_unit, tile_rows);
    values_.assign(most_ * width_, 0.0);
    if (rows.x.is_dense()) return;
    for (std::size_t j = 0; j < rows.x.columns(); ++j) {
      zero_.push_back((0 - frame.centre[j]) * frame.factor[j]);
    }
  }

  [[nodiscard]] bool dense() const { return !frame_.centre.empty(); }
  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] std::size_t begin() const { return begin_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const double* row(std::size_t n) const { return values_.data() + n * width_; }

  /// Loads the next rows; false: there are no more.
  bool next() {
    begin_ += size_;
    size_ = std::min(most_, rows_.x.size() - begin_);
    if (size_ == 0) return false;
    if (!dense()) return true;
    if (rows_.x.is_dense()) {
      load_dense();
    } else {
      for (std::size_t n = 0; n < size_; ++n) load_sparse(begin_ + n, values_.data() + n * width_);
    }
    return true;
  }

  /// out[n] = w·x of the rows of the tile; w is padded.
  void products(const double* w, double* out) const {
    if (dense()) return row_products(values_.data(), size_, width_, w, out);
    rows_.x.with_reader([&](const auto& reader) {
      for (std::size_t n = 0; n < size_; ++n) out[n] = reader.product(begin_ + n, w);
    });
  }

  /// sum += Σ coefficient·x; `sum` is padded.
  void add_to(const double* coefficient, double* sum) const {
    if (dense()) return add_rows(values_.data(), size_, width_, coefficient, sum);
    rows_.x.with_reader([&](const auto& reader) {
      for (std::size_t n = 0; n < size_; ++n) {
        const double e = coefficient[n];
        if (e == 0) continue;
        reader.for_each(begin_ + n, [&](std::size_t j, double value) { sum[j] += e * value; });
      }
    });
  }

 private:
  /// Asks for a row of the next tile while this one is used: the processor itself looks ahead
  /// within a tile only.
  void prefetch(std::size_t n) const {
    if (!rows_.x.is_dense() || n >= rows_.x.size()) return;
    rows_.x.with_dense_row(n, [](auto values) {
      constexpr std::size_t line = 64 / sizeof(values[0]);
      for (std::size_t j = 0; j < values.size(); j += line) __builtin_prefetch(&values[j], 0, 2);
    });
  }

  /// Rows are found first and centred in one call: finding the best instructions for every row
  /// would take as long as its numbers.
  void load_dense() {
    RowsToCentre<double> doubles;
    RowsToCentre<float> floats;
    for (std::size_t n = 0; n < size_; ++n) {
      prefetch(begin_ + size_ + n);
      double* const out = values_.data() + n * width_;
      rows_.x.with_dense_row(begin_ + n, [&](auto values) {
        if constexpr (std::is_same_v<decltype(values), std::span<const float>>) {
          floats.add(values, out);
        } else {
          doubles.add(values, out);
        }
      });
    }
    centre_rows(doubles, frame_.centre.data(), frame_.factor.data());
    centre_rows(floats, frame_.centre.data(), frame_.factor.data());
  }

  void load_sparse(std::size_t n, double* out) const {
    std::copy(zero_.begin(), zero_.end(), out);
    rows_.x.for_each(n, [&](std::size_t j, double value) {
      out[j] = (value - frame_.centre[j]) * frame_.factor[j];
    });
  }

  const BlockRows& rows_;
  const Frame& frame_;
  std::size_t width_;
  std::size_t most_ = tile_rows;
  std::size_t begin_ = 0;
  std::size_t size_ = 0;
  std::vector<double> values_;
  std::vector<double> zero_;  // a row of zeros in the frame, for rows that leave zeros out
};

/// Numbers of the rows of a tile.
struct TileNumbers {
  alignas(64) double u[tile_rows] = {};
  alignas(64) double y[tile_rows] = {};
  alignas(64) double cap[most_layers][tile_rows] = {};
  alignas(64) float centre[most_layers][tile_rows] = {};
  alignas(64) double dual[tile_rows] = {};
  alignas(64) double curvature[most_layers][tile_rows] = {};

  /// Labels, caps and centres of the rows of the tile; caps are 0 beyond its end.
  void load(const BlockRows& rows, const HingeForm& loss, const Tiles& tile,
            std::span<const float> centres) {
    const std::size_t end = padded(tile.size());
    for (std::size_t n = 0; n < tile.size(); ++n) {
      y[n] = rows.y[tile.begin() + n];
    }
    for (std::size_t r = 0; r < loss.hinges.size(); ++r) {
      const Hinge& hinge = loss.hinges[r];
      for (std::size_t n = 0; n < tile.size(); ++n) {
        cap[r][n] = y[n] > 0 ? hinge.positive : hinge.negative;
        if (!rows.weights.empty()) cap[r][n] *= rows.weights[tile.begin() + n];
      }
      std::fill(cap[r] + tile.size(), cap[r] + end, 0.0);
      const float* stored = centres.data() + r * rows.y.size() + tile.begin();
      std::copy(stored, stored + tile.size(), centre[r]);
    }
    std::fill(u + tile.size(), u + end, 0.0);
    std::fill(dual, dual + end, 0.0);
  }
};

TileLayer layer_of(const Hinge& hinge, double floor, const Visit& visit, std::size_t r,
                   TileNumbers& numbers) {
  return {.margin = hinge.margin,
          .floor = floor,
          .offset = visit.offsets[hinge.offset],
          .width = visit.width,
          .repair = visit.repair[hinge.offset],
          .width_before = visit.width_before,
          .new_flats = visit.new_flats,
          .u = numbers.u,
          .y = numbers.y,
          .cap = numbers.cap[r],
          .centre = numbers.centre[r],
          .dual = numbers.dual,
          .curvature = numbers.curvature[r]};
}

/// Adds q·x̃x̃ᵀ of the rows of a tile that have curvature.
class CurvatureSum {
 public:
  CurvatureSum(const HingeForm& loss, std::size_t columns)
      : loss_(loss), columns_(columns), stride_(curvature_stride(columns, loss.offsets)) {}

  void add(const BlockRows& rows, const Tiles& tile, const TileNumbers& numbers, PassSums& sums) {
    std::size_t count = 0;
    for (std::size_t n = 0; n < tile.size(); ++n) {
      double total = 0;
      for (std::size_t r = 0; r < loss_.hinges.size(); ++r) total += numbers.curvature[r][n];
      if (total == 0) continue;
      sums.active += 1;
      factor_[count] = total;
      which_[count] = n;
      ++count;
    }
    if (count == 0) return;
    double* matrix = sums.curvature.data();
    if (tile.dense()) {
      for (std::size_t k = 0; k < count; ++k) row_[k] = tile.row(which_[k]);
      if (tile.width() == stride_) {
        add_outer_products(row_, factor_, count, stride_, matrix);
      } else {  // the offsets need another unit of padding
        wide_.resize(count * stride_);
        for (std::size_t k = 0; k < count; ++k) {
          std::copy(row_[k], row_[k] + columns_, wide_.data() + k * stride_);
          row_[k] = wide_.data() + k * stride_;
        }
        add_outer_products(row_, factor_, count, stride_, matrix);
      }
    }
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t n = which_[k];
      if (!tile.dense()) {
        stored_.clear();
        rows.x.for_each(tile.begin() + n, [&](std::size_t j, double value) {
          stored_.push_back({j, value});
        });
        for (std::size_t i = 0; i < stored_.size(); ++i) {
          const double by = factor_[k] * stored_[i].value;
          double* line = matrix + stored_[i].column * stride_;
          for (std::size_t l = i; l < stored_.size(); ++l)
            line[stored_[l].column] += by * stored_[l].value;
        }
      }
      for (std::size_t r = 0; r < loss_.hinges.size(); ++r) {
        const double q = numbers.curvature[r][n];
        if (q == 0) continue;
        const std::size_t at = columns_ + loss_.hinges[r].offset;
        if (tile.dense()) {
          const double* const x = tile.row(n);
          double* const cross = cross_[loss_.hinges[r].offset].data();
          for (std::size_t j = 0; j < columns_; ++j) cross[j] += q * x[j];
        } else {
          for (const Stored& one : stored_) matrix[one.column * stride_ + at] += q * one.value;
        }
        matrix[at * stride_ + at] += q;
      }
    }
  }

  void start() {
    for (auto& one : cross_) one.assign(columns_, 0.0);
  }
  void finish(bool dense, PassSums& sums) {
    if (!dense) return;
    for (std::size_t o = 0; o < loss_.offsets; ++o) {
      for (std::size_t j = 0; j < columns_; ++j)
        sums.curvature[j * stride_ + columns_ + o] = cross_[o][j];
    }
  }

 private:
  struct Stored {
    std::size_t column;
    double value;
  };
  const HingeForm& loss_;
  std::size_t columns_;
  std::size_t stride_;
  double factor_[tile_rows] = {};
  std::size_t which_[tile_rows] = {};
  const double* row_[tile_rows] = {};
  std::vector<double> wide_;
  std::vector<double> cross_[most_layers];
  std::vector<Stored> stored_;
};

void add_diagonal(const BlockRows& rows, const HingeForm& loss, const Tiles& tile,
                  const TileNumbers& numbers, PassSums& sums) {
  const std::size_t columns = rows.x.columns();
  for (std::size_t n = 0; n < tile.size(); ++n) {
    double total = 0;
    for (std::size_t r = 0; r < loss.hinges.size(); ++r) {
      total += numbers.curvature[r][n];
      sums.diagonal[columns + loss.hinges[r].offset] += numbers.curvature[r][n];
    }
    if (total == 0) continue;
    sums.active += 1;
    if (tile.dense()) {
      const double* x = tile.row(n);
      for (std::size_t j = 0; j < columns; ++j) sums.diagonal[j] += total * x[j] * x[j];
    } else {
      rows.x.for_each(tile.begin() + n, [&](std::size_t j, double value) {
        sums.diagonal[j] += total * value * value;
      });
    }
  }
}

std::vector<double> with_padding(std::span<const double> w) {
  std::vector<double> wide(w.begin(), w.end());
  wide.resize(padded(w.size()), 0.0);
  return wide;
}

void add_to(std::vector<double>& sum, const std::vector<double>& other) {
  sum.resize(std::max(sum.size(), other.size()), 0.0);
  for (std::size_t k = 0; k < other.size(); ++k) sum[k] += other[k];
}

}  // namespace

void PassSums::add(const PassSums& other) {
  smooth += other.smooth;
  loss += other.loss;
  dual += other.dual;
  violation = std::max(violation, other.violation);
  changed += other.changed;
  flat += other.flat;
  active += other.active;
  support += other.support;
  near += other.near;
  followed += other.followed;
  moved += other.moved;
  rows += other.rows;
  convex += other.convex;
  for (std::size_t o = 0; o < most_layers; ++o) {
    pull[o] += other.pull[o];
    room[o] += other.room[o];
  }
  add_to(gradient, other.gradient);
  add_to(curvature, other.curvature);
  add_to(diagonal, other.diagonal);
}

PassSums block_pass(const BlockRows& rows, const HingeForm& loss, const Frame& frame,
                    const Visit& visit, std::span<float> centres) {
  const std::size_t columns = rows.x.columns();
  const std::size_t layers = loss.hinges.size();
  PassSums sums;
  sums.rows = static_cast<double>(rows.y.size());
  sums.followed = static_cast<double>(rows.scores_before.size());
  const std::vector<double> w = with_padding(visit.w);
  if (visit.want != Visit::Want::value) sums.gradient.assign(padded(columns), 0.0);
  const bool curved = visit.want == Visit::Want::curvature;
  const bool diagonal = visit.want == Visit::Want::diagonal;
  const std::size_t stride = curvature_stride(columns, loss.offsets);
  CurvatureSum curvature(loss, columns);
  if (curved) {
    sums.curvature.assign(stride * stride, 0.0);
    curvature.start();
  }
  if (diagonal) sums.diagonal.assign(columns + loss.offsets, 0.0);
  std::array<LayerSums, most_layers> of_layer;
  TileNumbers numbers;
  Tiles tile(rows, frame);
  while (tile.next()) {
    numbers.load(rows, loss, tile, centres);
    tile.products(w.data(), numbers.u);
    for (std::size_t r = 0; r < layers; ++r) {
      settle_layer(layer_of(loss.hinges[r], loss.floor, visit, r, numbers), tile.size(),
                   of_layer[r]);
      if (visit.width_before > 0) {
        std::copy(numbers.centre[r], numbers.centre[r] + tile.size(),
                  centres.data() + r * rows.y.size() + tile.begin());
      }
    }
    if (visit.want != Visit::Want::value) tile.add_to(numbers.dual, sums.gradient.data());
    if (curved) curvature.add(rows, tile, numbers, sums);
    if (diagonal) add_diagonal(rows, loss, tile, numbers, sums);
    for (std::size_t n = 0; n < tile.size(); ++n) sums.support += numbers.dual[n] != 0 ? 1 : 0;
    for (std::size_t n = 0; n < tile.size() && !rows.scores_before.empty(); ++n) {
      const double change = numbers.u[n] - rows.scores_before[tile.begin() + n];
      sums.moved += change * change;
    }
  }
  if (curved) curvature.finish(tile.dense(), sums);
  sums.gradient.resize(visit.want == Visit::Want::value ? 0 : columns);
  for (std::size_t r = 0; r < layers; ++r) {
    const LayerSums& one = of_layer[r];
    const std::size_t offset = loss.hinges[r].offset;
    sums.smooth += one.smooth;
    sums.convex += one.convex;
    sums.loss += one.loss;
    sums.dual += one.dual;
    sums.violation = std::max(sums.violation, one.violation);
    sums.changed += one.changed;
    sums.flat += one.flat;
    sums.pull[offset] += one.pull;
    sums.room[offset] += one.room;
  }
  return sums;
}

std::vector<double> block_scores(const BlockRows& rows, const Frame& frame,
                                 std::span<const double> w) {
  const std::vector<double> wide = with_padding(w);
  std::vector<double> scores(rows.y.size());
  Tiles tile(rows, frame);
  while (tile.next()) tile.products(wide.data(), scores.data() + tile.begin());
  return scores;
}

void SearchSums::add(const SearchSums& other) {
  add_to(smooth, other.smooth);
  add_to(slope, other.slope);
  add_to(loss, other.loss);
}

SearchSums block_search(const BlockRows& rows, const HingeForm& loss, const Frame& frame,
                        const Visit& visit, std::span<const double> direction_w,
                        const std::array<double, most_layers>& direction_offsets,
                        std::span<const double> thetas, std::span<const float> centres) {
  const std::vector<double> zeros(thetas.size(), 0.0);
  SearchSums sums{zeros, zeros, zeros};
  const std::vector<double> w = with_padding(visit.w);
  const std::vector<double> direction = with_padding(direction_w);
  TileNumbers numbers;
  Tiles tile(rows, frame);
  std::vector<double> along(tile_rows, 0.0);
  Visit there = visit;
  there.width_before = 0;
  while (tile.next()) {
    numbers.load(rows, loss, tile, centres);
    tile.products(w.data(), numbers.u);
    tile.products(direction.data(), along.data());
    std::fill(along.begin() + static_cast<std::ptrdiff_t>(tile.size()), along.end(), 0.0);
    for (std::size_t r = 0; r < loss.hinges.size(); ++r) {
      const TileLayer layer = layer_of(loss.hinges[r], loss.floor, there, r, numbers);
      const double offset = direction_offsets[loss.hinges[r].offset];
      for (std::size_t k = 0; k < thetas.size(); ++k) {
        const StepSums one = step_layer(layer, {thetas[k], along.data(), offset}, tile.size());
        sums.smooth[k] += one.smooth;
        sums.slope[k] += one.slope;
        sums.loss[k] += one.loss;
      }
    }
  }
  return sums;
}

std::vector<double> block_product(const BlockRows& rows, const HingeForm& loss, const Frame& frame,
                                  const Visit& visit, std::span<const double> v,
                                  std::span<const float> centres) {
  const std::size_t columns = rows.x.columns();
  const std::vector<double> w = with_padding(visit.w);
  const std::vector<double> direction = with_padding(v.first(columns));
  std::vector<double> sum(padded(columns), 0.0);
  std::array<double, most_layers> of_offset{};
  TileNumbers numbers;
  Tiles tile(rows, frame);
  std::vector<double> along(tile_rows);
  std::vector<double> coefficient(tile_rows);
  while (tile.next()) {
    numbers.load(rows, loss, tile, centres);
    tile.products(w.data(), numbers.u);
    tile.products(direction.data(), along.data());
    std::fill(coefficient.begin(), coefficient.end(), 0.0);
    for (std::size_t r = 0; r < loss.hinges.size(); ++r) {
      Visit there = visit;
      there.width_before = 0;
      LayerSums ignored;
      settle_layer(layer_of(loss.hinges[r], loss.floor, there, r, numbers), tile.size(), ignored);
      const std::size_t o = loss.hinges[r].offset;
      for (std::size_t n = 0; n < tile.size(); ++n) {
        const double by = numbers.curvature[r][n] * (along[n] + v[columns + o]);
        coefficient[n] += by;
        of_offset[o] += by;
      }
    }
    tile.add_to(coefficient.data(), sum.data());
  }
  sum.resize(columns);
  for (std::size_t o = 0; o < loss.offsets; ++o) sum.push_back(of_offset[o]);
  return sum;
}

}  // namespace rampart
