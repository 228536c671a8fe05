#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace rampart {

/// Rows of a tile and the numbers of a row in it are padded to a multiple of this.
inline constexpr std::size_t tile_unit = 8;
[[nodiscard]] constexpr std::size_t padded(std::size_t size) {
  return (size + tile_unit - 1) / tile_unit * tile_unit;
}

/// The most rows of a tile.
inline constexpr std::size_t tile_rows = 128;

/// Rows of a tile, and where their centred values go.
template <class Value>
struct RowsToCentre {
  std::size_t count = 0;
  std::array<std::span<const Value>, tile_rows> row;
  std::array<double*, tile_rows> out;

  void add(std::span<const Value> values, double* to) {
    row[count] = values;
    out[count++] = to;
  }
};

/// out[k][j] = (row[k][j] − centre[j])·factor[j].
void centre_rows(const RowsToCentre<float>& rows, const double* centre, const double* factor);
void centre_rows(const RowsToCentre<double>& rows, const double* centre, const double* factor);

/// out[n] = Σⱼ tile[n·width + j]·w[j].
void row_products(const double* tile, std::size_t rows, std::size_t width, const double* w,
                  double* out);

/// sum[j] += Σₙ coefficient[n]·tile[n·width + j].
void add_rows(const double* tile, std::size_t rows, std::size_t width, const double* coefficient,
              double* sum);

/// matrix[i·width + j] += Σₖ factor[k]·row[k][i]·row[k][j] for j ≥ i, and for some j < i.
void add_outer_products(const double* const* row, const double* factor, std::size_t rows,
                        std::size_t width, double* matrix);

/// One layer of the loss on the rows of a tile: see block_pass.hpp for what is computed. Arrays
/// have tile_rows entries; rows that do not exist have cap 0.
struct TileLayer {
  // given
  double margin, floor, offset, width;
  double repair;        ///< θ
  double width_before;  ///< > 0: a ← t of this width first; 0: a is kept
  bool new_flats;       ///< whether the flat set is then that of this point
  const double* u;
  const double* y;
  const double* cap;
  float* centre;  ///< a; its sign bit tells whether the row is flat
  // wanted
  double* dual;       ///< += y(cap·t − β)
  double* curvature;  ///< cap/width where 0 < t < 1, else 0
};

/// What a layer adds up over rows.
struct LayerSums {
  double smooth = 0, convex = 0, loss = 0, dual = 0, pull = 0, room = 0, violation = 0;
  double flat = 0;  ///< number of rows in the flat set
  double changed =
      0;  ///< number of rows that are in the flat set of either this point or the layer
};
void settle_layer(const TileLayer& layer, std::size_t rows, LayerSums& sums);

/// A step along a line: u and the offset move by theta times these.
struct TileStep {
  double theta;
  const double* along;
  double offset;
};

/// What is wanted of a layer at a point of a line.
struct StepSums {
  double smooth = 0;
  double slope = 0;  ///< derivative of `smooth` in θ
  double loss = 0;
};

/// The sums of a layer after a step from its point; its centres stay. Three of the sums of
/// settle_layer(), because a line is looked at in many points.
[[nodiscard]] StepSums step_layer(const TileLayer& layer, const TileStep& step, std::size_t rows);

}  // namespace rampart
