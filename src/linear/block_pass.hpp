#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "linear/row_map.hpp"
#include "linear/tile_loops.hpp"
#include "model/losses.hpp"
#include "rampart/rows.hpp"

namespace rampart {

// What the linear solver minimises in an outer step, as a sum over rows. For every hinge (a layer
// of the loss) of every row, with s = y(w·x + τ) and a centre a ∈ [0, 1] that the last step left
// behind,
//
//   t = clip(a + (margin − s)/h, 0, 1)
//   ψ = cap·(t(margin − s) − h/2·(t − a)²) + β(s − floor)
//
// is a smooth function of w and τ, which equals cap·[margin − s]₊ + β(s − floor) where t = a. Its
// derivatives are −y(cap·t − β)·(x, 1), and cap/h·(x, 1)(x, 1)ᵀ where 0 < t < 1, else 0. cap·t is
// feasible for the dual problem but for the sums Σ y(cap·t − β) = 0 of each offset, which hold
// where the sum of the ψ is least.

/// A frame for dense rows, in which columns have similar size: x′ = (x − centre)·factor. Because
/// the offsets are free, only the factors change the problem: ½‖w‖² becomes ½Σ λ w′², λ = factor².
struct Frame {
  std::vector<double> centre;  ///< empty: rows are used as they are
  std::vector<double> factor;
};

/// Labelled rows of one block.
struct BlockRows {
  RowsView x;
  std::span<const std::int8_t> y;
  std::span<const double> weights;  ///< empty: all 1
  const RowMap* map = nullptr;      ///< makes the rows that are meant of x; null: x are they
  std::span<const double> scores_before = {};  ///< w·x of an earlier w; empty: not known

  [[nodiscard]] std::size_t columns() const {
    return map == nullptr ? x.columns() : map->columns();
  }
};

inline constexpr std::size_t most_layers = 2;

/// What the driver knows: a point, and what it wants to know about it.
struct Visit {
  std::span<const double> w;  ///< in the frame
  std::array<double, most_layers> offsets{};
  double width = 1;  ///< h

  /// > 0: first moves the centres, a ← t at this point with this width, ...
  double width_before = 0;
  bool new_flats = false;  ///< ... and makes the flat sets those of this point.

  /// Moves the dual variables by −θ·y·cap·min(t, 1 − t), one θ an offset.
  std::array<double, most_layers> repair{};

  /// How much is computed: the numbers alone, also the gradient, also the diagonal of the
  /// curvature, or all of it.
  enum class Want : std::uint8_t { value, gradient, diagonal, curvature };
  Want want = Want::curvature;

  /// > 0: afterwards gathers the rows within this reach of a kink (near_rows.hpp), but not of
  /// blocks where they are more than `most_near` of all. Only where the centres were moved to this
  /// point.
  double gather = 0;
  double most_near = 0;
  bool near = false;  ///< looks at the rows that were gathered only
};

/// Sums over the rows of a block, or of several.
struct PassSums {
  double rows = 0;
  double smooth = 0;     ///< Σ ψ
  double convex = 0;     ///< value of the convex problem of the flat sets without ½‖w‖²
  double loss = 0;       ///< R without ½‖w‖²
  double dual = 0;       ///< dual value without −½‖w‖², if the sums of `pull` are 0
  double violation = 0;  ///< largest h·|t − a| where 0 < t < 1: the largest KKT violation of cap·t
  double changed = 0;   ///< rows and layers whose flat sets differ from those of this point
  double flat = 0;      ///< rows and layers in a flat set
  double active = 0;    ///< rows with curvature, if that is wanted
  double support = 0;   ///< rows with a dual variable other than 0
  double near = 0;      ///< rows that visits of near rows look at
  double followed = 0;  ///< rows whose earlier scores are known
  double moved = 0;     ///< Σ (change of their scores)²
  std::array<double, most_layers> pull{};  ///< by offset: Σ y(cap·t − β)
  std::array<double, most_layers> room{};  ///< by offset: Σ cap·min(t, 1 − t)
  std::vector<double> gradient;            ///< Σ y(cap·t − β)x
  /// Σ q·x̃x̃ᵀ with x̃ = (x, 1 for each offset): the upper triangle, rows of `stride` numbers
  std::vector<double> curvature;
  std::vector<double> diagonal;  ///< of it alone, one number for every column and offset

  void add(const PassSums& other);
};

/// Length of a row of PassSums::curvature.
[[nodiscard]] inline std::size_t curvature_stride(std::size_t columns, std::size_t offsets) {
  return padded(columns + offsets);
}

/// The sums of one block, whose rows are mapped already. `centres`: one number for every layer and
/// row of the block, the rows of a layer together; they begin as ½. A pure function of its
/// arguments, but for the centres, which a visit moves if it is told to.
[[nodiscard]] PassSums block_pass(const BlockRows& rows, const HingeForm& loss, const Frame& frame,
                                  const Visit& visit, std::span<float> centres);

/// w·x of every row.
[[nodiscard]] std::vector<double> block_scores(const BlockRows& rows, const Frame& frame,
                                               std::span<const double> w);

/// Σ ψ and its derivative along a line, for several points of it.
struct SearchSums {
  std::vector<double> smooth;
  std::vector<double> slope;
  std::vector<double> loss;  ///< R without ½‖w‖²

  void add(const SearchSums& other);
};

/// The sums of one block at the points (w, τ) + θ·direction.
[[nodiscard]] SearchSums block_search(const BlockRows& rows, const HingeForm& loss,
                                      const Frame& frame, const Visit& visit,
                                      std::span<const double> direction_w,
                                      const std::array<double, most_layers>& direction_offsets,
                                      std::span<const double> thetas,
                                      std::span<const float> centres);

/// Σ q·x̃(x̃·v) over the rows of one block, q and x̃ as in PassSums::curvature: for many columns.
/// `v` and the result have one number for every column and offset.
[[nodiscard]] std::vector<double> block_product(const BlockRows& rows, const HingeForm& loss,
                                                const Frame& frame, const Visit& visit,
                                                std::span<const double> v,
                                                std::span<const float> centres);

}  // namespace rampart
