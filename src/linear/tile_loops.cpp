#include "linear/tile_loops.hpp"

#include <type_traits>

#include "util/instruction_set.hpp"

// Highway compiles this file once for every instruction set, by including it again and again.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linear/tile_loops.cpp"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h
#include <hwy/highway.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace rampart::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<double, tile_unit>;
using Vector = hn::Vec<Lanes>;

/// Sums are made of tile_unit partial sums, whatever the width of a vector, so that tiles give the
/// same bits with every instruction set that multiplies and adds alike.
struct Partial {
  static constexpr std::size_t vectors = tile_unit / hn::MaxLanes(Lanes());
  Vector of[vectors];

  HWY_INLINE Partial() {
    for (auto& one : of) one = hn::Zero(Lanes());
  }
  HWY_INLINE double total() const {
    HWY_ALIGN double lanes[tile_unit];
    for (std::size_t v = 0; v < vectors; ++v)
      hn::Store(of[v], Lanes(), lanes + v * hn::Lanes(Lanes()));
    return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
           ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
  }
};

template <class Value>
HWY_INLINE void centre_rows_of(const RowsToCentre<Value>& rows, const double* centre,
                               const double* factor) {
  for (std::size_t k = 0; k < rows.count; ++k) {
    const Value* const row = rows.row[k].data();
    const std::size_t columns = rows.row[k].size();
    double* const out = rows.out[k];
    for (std::size_t j = 0; j < columns; ++j) {
      out[j] = (static_cast<double>(row[j]) - centre[j]) * factor[j];
    }
  }
}
void centre_floats_here(const RowsToCentre<float>& rows, const double* centre,
                        const double* factor) {
  centre_rows_of(rows, centre, factor);
}
void centre_doubles_here(const RowsToCentre<double>& rows, const double* centre,
                         const double* factor) {
  centre_rows_of(rows, centre, factor);
}

void row_products_here(const double* tile, std::size_t rows, std::size_t width, const double* w,
                       double* out) {
  const Lanes lanes;
  const std::size_t step = hn::Lanes(lanes);
  constexpr std::size_t vectors = Partial::vectors;
  for (std::size_t n = 0; n < rows; ++n) {
    const double* x = tile + n * width;
    Partial sum;
    for (std::size_t j = 0; j < width; j += tile_unit) {
      for (std::size_t v = 0; v < vectors; ++v) {
        sum.of[v] = hn::MulAdd(hn::LoadU(lanes, x + j + v * step),
                               hn::LoadU(lanes, w + j + v * step), sum.of[v]);
      }
    }
    out[n] = sum.total();
  }
}

void add_rows_here(const double* tile, std::size_t rows, std::size_t width,
                   const double* coefficient, double* sum) {
  const Lanes lanes;
  const std::size_t step = hn::Lanes(lanes);
  std::size_t j = 0;
  for (; j + 4 * step <= width; j += 4 * step) {
    auto a = hn::LoadU(lanes, sum + j);
    auto b = hn::LoadU(lanes, sum + j + step);
    auto c = hn::LoadU(lanes, sum + j + 2 * step);
    auto d = hn::LoadU(lanes, sum + j + 3 * step);
    for (std::size_t n = 0; n < rows; ++n) {
      const auto e = hn::Set(lanes, coefficient[n]);
      const double* x = tile + n * width + j;
      a = hn::MulAdd(e, hn::LoadU(lanes, x), a);
      b = hn::MulAdd(e, hn::LoadU(lanes, x + step), b);
      c = hn::MulAdd(e, hn::LoadU(lanes, x + 2 * step), c);
      d = hn::MulAdd(e, hn::LoadU(lanes, x + 3 * step), d);
    }
    hn::StoreU(a, lanes, sum + j);
    hn::StoreU(b, lanes, sum + j + step);
    hn::StoreU(c, lanes, sum + j + 2 * step);
    hn::StoreU(d, lanes, sum + j + 3 * step);
  }
  for (; j < width; j += step) {
    auto a = hn::LoadU(lanes, sum + j);
    for (std::size_t n = 0; n < rows; ++n) {
      a = hn::MulAdd(hn::Set(lanes, coefficient[n]), hn::LoadU(lanes, tile + n * width + j), a);
    }
    hn::StoreU(a, lanes, sum + j);
  }
}

/// Rows i … i+count−1 of the matrix, in `vectors` vectors of columns from j on.
template <std::size_t count, std::size_t vectors>
HWY_INLINE void add_panel_here(const double* const* row, const double* factor, std::size_t rows,
                               std::size_t width, std::size_t i, std::size_t j, double* matrix) {
  const Lanes lanes;
  const std::size_t step = hn::Lanes(lanes);
  Vector sum[count][vectors];
  HWY_UNROLL(8)
  for (std::size_t c = 0; c < count; ++c) {
    HWY_UNROLL(8)
    for (std::size_t v = 0; v < vectors; ++v) {
      sum[c][v] = hn::LoadU(lanes, matrix + (i + c) * width + j + v * step);
    }
  }
  for (std::size_t k = 0; k < rows; ++k) {
    const double* x = row[k];
    Vector z[vectors];
    HWY_UNROLL(8)
    for (std::size_t v = 0; v < vectors; ++v) z[v] = hn::LoadU(lanes, x + j + v * step);
    HWY_UNROLL(8)
    for (std::size_t c = 0; c < count; ++c) {
      const auto e = hn::Set(lanes, factor[k] * x[i + c]);
      HWY_UNROLL(8)
      for (std::size_t v = 0; v < vectors; ++v) sum[c][v] = hn::MulAdd(e, z[v], sum[c][v]);
    }
  }
  HWY_UNROLL(8)
  for (std::size_t c = 0; c < count; ++c) {
    HWY_UNROLL(8)
    for (std::size_t v = 0; v < vectors; ++v) {
      hn::StoreU(sum[c][v], lanes, matrix + (i + c) * width + j + v * step);
    }
  }
}

void add_outer_products_here(const double* const* row, const double* factor, std::size_t rows,
                             std::size_t width, double* matrix) {
  const std::size_t step = hn::Lanes(Lanes());
  constexpr std::size_t count = 4;
  for (std::size_t i = 0; i < width; i += count) {
    std::size_t j = i / step * step;
    for (; j + 3 * step <= width; j += 3 * step) {
      add_panel_here<count, 3>(row, factor, rows, width, i, j, matrix);
    }
    for (; j < width; j += step) add_panel_here<count, 1>(row, factor, rows, width, i, j, matrix);
  }
}

void settle_layer_here(const TileLayer& layer, std::size_t rows, LayerSums& sums) {
  const Lanes lanes;
  const hn::Rebind<float, Lanes> floats;
  const std::size_t step = hn::Lanes(lanes);
  constexpr std::size_t vectors = Partial::vectors;
  const auto zero = hn::Zero(lanes);
  const auto one = hn::Set(lanes, 1.0);
  const auto minus = hn::Set(lanes, -1.0);
  const auto margin = hn::Set(lanes, layer.margin);
  const auto floor = hn::Set(lanes, layer.floor);
  // Without ramps β is 0, and 0·∞ must not be computed.
  const auto finite_floor = hn::Set(lanes, std::max(layer.floor, -1e300));
  const auto offset = hn::Set(lanes, layer.offset);
  const auto per_width = hn::Set(lanes, 1 / layer.width);
  const auto half_width = hn::Set(lanes, layer.width / 2);
  const auto width = hn::Set(lanes, layer.width);
  const auto repair = hn::Set(lanes, layer.repair);
  const auto per_before = hn::Set(lanes, layer.width_before > 0 ? 1 / layer.width_before : 0.0);
  Partial smooth, convex, loss, dual, pull, room, changed, flats;
  auto violation = zero;
  for (std::size_t first = 0; first < rows; first += tile_unit) {
    for (std::size_t v = 0; v < vectors; ++v) {
      const std::size_t n = first + v * step;
      const auto y = hn::LoadU(lanes, layer.y + n);
      const auto cap = hn::LoadU(lanes, layer.cap + n);
      const auto s = hn::Mul(y, hn::Add(hn::LoadU(lanes, layer.u + n), offset));
      const auto short_of = hn::Sub(margin, s);
      // The sign of a stored centre tells whether the row is flat.
      const auto stored = hn::PromoteTo(lanes, hn::LoadU(floats, layer.centre + n));
      auto a = hn::Abs(stored);
      auto sign = hn::CopySign(one, stored);
      const auto sign_now = hn::IfThenElse(hn::Lt(s, floor), minus, one);
      if (layer.width_before > 0) {
        a = hn::Clamp(hn::Add(a, hn::Mul(short_of, per_before)), zero, one);
        if (layer.new_flats) sign = sign_now;
        const auto rounded = hn::DemoteTo(floats, hn::CopySign(a, sign));
        hn::StoreU(rounded, floats, layer.centre + n);
        a = hn::Abs(hn::PromoteTo(lanes, rounded));
      }
      const auto beta = hn::IfThenElseZero(hn::Lt(sign, zero), cap);
      const auto counts = hn::Gt(cap, zero);
      changed.of[v] =
          hn::Add(changed.of[v], hn::IfThenElseZero(hn::And(counts, hn::Ne(sign, sign_now)), one));
      flats.of[v] =
          hn::Add(flats.of[v], hn::IfThenElseZero(hn::And(counts, hn::Lt(sign, zero)), one));
      const auto t = hn::Clamp(hn::Add(a, hn::Mul(short_of, per_width)), zero, one);
      const auto active = hn::And(hn::Gt(t, zero), hn::Lt(t, one));
      const auto moved = hn::Sub(t, a);
      const auto edge = hn::Min(t, hn::Sub(one, t));
      const auto used = hn::Sub(t, hn::Mul(hn::Mul(y, repair), edge));
      const auto gamma = hn::Sub(hn::Mul(cap, used), beta);
      const auto pulling = hn::Mul(y, gamma);
      const auto tangent = hn::Mul(beta, hn::Sub(s, finite_floor));
      const auto value =
          hn::Mul(cap, hn::Sub(hn::Mul(t, short_of), hn::Mul(half_width, hn::Mul(moved, moved))));
      smooth.of[v] = hn::Add(smooth.of[v], hn::Add(value, tangent));
      convex.of[v] = hn::Add(convex.of[v], hn::Add(hn::Mul(cap, hn::Max(short_of, zero)), tangent));
      loss.of[v] =
          hn::Add(loss.of[v], hn::Mul(cap, hn::Sub(margin, hn::Min(hn::Max(s, floor), margin))));
      dual.of[v] = hn::Add(dual.of[v], hn::Add(hn::Mul(margin, gamma),
                                               hn::Mul(beta, hn::Sub(margin, finite_floor))));
      pull.of[v] = hn::Add(pull.of[v], pulling);
      room.of[v] = hn::Add(room.of[v], hn::Mul(cap, edge));
      violation = hn::Max(
          violation, hn::IfThenElseZero(hn::And(active, counts), hn::Mul(width, hn::Abs(moved))));
      hn::StoreU(hn::Add(hn::LoadU(lanes, layer.dual + n), pulling), lanes, layer.dual + n);
      hn::StoreU(hn::IfThenElseZero(active, hn::Mul(cap, per_width)), lanes, layer.curvature + n);
    }
  }
  sums.smooth += smooth.total();
  sums.convex += convex.total();
  sums.loss += loss.total();
  sums.dual += dual.total();
  sums.pull += pull.total();
  sums.room += room.total();
  sums.changed += changed.total();
  sums.flat += flats.total();
  sums.violation = std::max(sums.violation, hn::GetLane(hn::MaxOfLanes(lanes, violation)));
}

StepSums step_layer_here(const TileLayer& layer, const TileStep& step, std::size_t rows) {
  const Lanes lanes;
  const hn::Rebind<float, Lanes> floats;
  const std::size_t width = hn::Lanes(lanes);
  constexpr std::size_t vectors = Partial::vectors;
  const auto zero = hn::Zero(lanes);
  const auto one = hn::Set(lanes, 1.0);
  const auto margin = hn::Set(lanes, layer.margin);
  const auto floor = hn::Set(lanes, layer.floor);
  const auto finite_floor = hn::Set(lanes, std::max(layer.floor, -1e300));
  const auto theta = hn::Set(lanes, step.theta);
  const auto step_offset = hn::Set(lanes, step.offset);
  const auto offset = hn::Set(lanes, layer.offset + step.theta * step.offset);
  const auto per_width = hn::Set(lanes, 1 / layer.width);
  const auto half_width = hn::Set(lanes, layer.width / 2);
  Partial smooth, slope, loss;
  for (std::size_t first = 0; first < rows; first += tile_unit) {
    for (std::size_t v = 0; v < vectors; ++v) {
      const std::size_t n = first + v * width;
      const auto y = hn::LoadU(lanes, layer.y + n);
      const auto cap = hn::LoadU(lanes, layer.cap + n);
      const auto along = hn::LoadU(lanes, step.along + n);
      const auto u = hn::MulAdd(theta, along, hn::LoadU(lanes, layer.u + n));
      const auto s = hn::Mul(y, hn::Add(u, offset));
      const auto short_of = hn::Sub(margin, s);
      const auto stored = hn::PromoteTo(lanes, hn::LoadU(floats, layer.centre + n));
      const auto a = hn::Abs(stored);
      const auto beta = hn::IfThenElseZero(hn::Lt(hn::CopySign(one, stored), zero), cap);
      const auto t = hn::Clamp(hn::Add(a, hn::Mul(short_of, per_width)), zero, one);
      const auto moved = hn::Sub(t, a);
      const auto value =
          hn::Mul(cap, hn::Sub(hn::Mul(t, short_of), hn::Mul(half_width, hn::Mul(moved, moved))));
      const auto tangent = hn::Mul(beta, hn::Sub(s, finite_floor));
      smooth.of[v] = hn::Add(smooth.of[v], hn::Add(value, tangent));
      const auto pulling = hn::Mul(y, hn::Sub(hn::Mul(cap, t), beta));
      slope.of[v] = hn::NegMulAdd(pulling, hn::Add(along, step_offset), slope.of[v]);
      loss.of[v] =
          hn::Add(loss.of[v], hn::Mul(cap, hn::Sub(margin, hn::Min(hn::Max(s, floor), margin))));
    }
  }
  return {smooth.total(), slope.total(), loss.total()};
}

}  // namespace rampart::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rampart {

void centre_rows(const RowsToCentre<float>& rows, const double* centre, const double* factor) {
  RAMPART_DISPATCH(centre_floats_here)(rows, centre, factor);
}
void centre_rows(const RowsToCentre<double>& rows, const double* centre, const double* factor) {
  RAMPART_DISPATCH(centre_doubles_here)(rows, centre, factor);
}

void row_products(const double* tile, std::size_t rows, std::size_t width, const double* w,
                  double* out) {
  RAMPART_DISPATCH(row_products_here)(tile, rows, width, w, out);
}

void add_rows(const double* tile, std::size_t rows, std::size_t width, const double* coefficient,
              double* sum) {
  RAMPART_DISPATCH(add_rows_here)(tile, rows, width, coefficient, sum);
}

void add_outer_products(const double* const* row, const double* factor, std::size_t rows,
                        std::size_t width, double* matrix) {
  RAMPART_DISPATCH(add_outer_products_here)(row, factor, rows, width, matrix);
}

void settle_layer(const TileLayer& layer, std::size_t rows, LayerSums& sums) {
  RAMPART_DISPATCH(settle_layer_here)(layer, rows, sums);
}

StepSums step_layer(const TileLayer& layer, const TileStep& step, std::size_t rows) {
  return RAMPART_DISPATCH(step_layer_here)(layer, step, rows);
}

}  // namespace rampart
#endif
