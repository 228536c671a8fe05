#include "kernel/panels.hpp"

#include <type_traits>

#include "util/instruction_set.hpp"

// Highway compiles this file once for every instruction set, by including it again and again.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/panels.cpp"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "kernel/exponential-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rampart::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// How a panel is cut into vectors, and how many rows x meet it at a time: as many sums as there
/// are registers for them.
template <class Real>
struct Shape {
  using Lanes = hn::ScalableTag<Real>;
  using Vector = hn::Vec<Lanes>;
  static constexpr std::size_t width = hn::MaxLanes(Lanes());
  static constexpr std::size_t vectors = panel_rows<Real> / width;
  static constexpr std::size_t rows = vectors >= 12 ? 1 : 12 / vectors;
};

template <class Real, std::size_t rows>
struct Sums {
  typename Shape<Real>::Vector of[rows][Shape<Real>::vectors];
};

/// Σⱼ xⱼzⱼ, or Σⱼ (xⱼ − zⱼ)², of `rows` rows x with a panel.
template <bool differences, class Real, std::size_t rows>
HWY_INLINE void sum_columns(const Real* HWY_RESTRICT x, std::size_t columns,
                            const Real* HWY_RESTRICT panel, Sums<Real, rows>& result) {
  using S = Shape<Real>;
  const typename S::Lanes lanes;
  typename S::Vector sums[rows][S::vectors];
  HWY_UNROLL(32)
  for (std::size_t r = 0; r < rows; ++r) {
    HWY_UNROLL(32)
    for (std::size_t v = 0; v < S::vectors; ++v) sums[r][v] = hn::Zero(lanes);
  }
  for (std::size_t j = 0; j < columns; ++j) {
    typename S::Vector own[rows];
    HWY_UNROLL(32)
    for (std::size_t r = 0; r < rows; ++r) own[r] = hn::Set(lanes, x[r * columns + j]);
    HWY_UNROLL(32)
    for (std::size_t v = 0; v < S::vectors; ++v) {
      const auto z = hn::LoadU(lanes, panel + j * panel_rows<Real> + v * S::width);
      HWY_UNROLL(32)
      for (std::size_t r = 0; r < rows; ++r) {
        if constexpr (differences) {
          const auto difference = hn::Sub(own[r], z);
          sums[r][v] = hn::MulAdd(difference, difference, sums[r][v]);
        } else {
          sums[r][v] = hn::MulAdd(own[r], z, sums[r][v]);
        }
      }
    }
  }
  HWY_UNROLL(32)
  for (std::size_t r = 0; r < rows; ++r) {
    HWY_UNROLL(32)
    for (std::size_t v = 0; v < S::vectors; ++v) result.of[r][v] = sums[r][v];
  }
}

/// Σⱼ xⱼzⱼ over the stored values of row x.
template <class Real>
HWY_INLINE void sum_stored(const SparseRowsView<Real>& x, std::size_t row,
                           const Real* HWY_RESTRICT panel, Sums<Real, 1>& result) {
  using S = Shape<Real>;
  const typename S::Lanes lanes;
  typename S::Vector sums[S::vectors];
  HWY_UNROLL(32)
  for (std::size_t v = 0; v < S::vectors; ++v) sums[v] = hn::Zero(lanes);
  for (std::size_t k = x.starts[row]; k < x.starts[row + 1]; ++k) {
    const auto own = hn::Set(lanes, x.values[k]);
    const Real* z = panel + x.columns[k] * panel_rows<Real>;
    HWY_UNROLL(32)
    for (std::size_t v = 0; v < S::vectors; ++v) {
      sums[v] = hn::MulAdd(own, hn::LoadU(lanes, z + v * S::width), sums[v]);
    }
  }
  HWY_UNROLL(32)
  for (std::size_t v = 0; v < S::vectors; ++v) result.of[0][v] = sums[v];
}

/// Prefetches the cache lines that `rows` rows of results go to: the rows of a matrix are too many
/// streams for the hardware prefetcher.
template <class Real, std::size_t rows>
HWY_INLINE void prefetch_results(const PanelTask<Real>& task, std::size_t first) {
  for (std::size_t r = 0; r < rows; ++r) {
    const Real* out = task.out[first + r] + task.at;
    __builtin_prefetch(out, 1);
    __builtin_prefetch(out + panel_rows<Real> / 2, 1);
  }
}

/// x·z of `rows` rows from `first` on.
template <class Real, std::size_t rows>
HWY_INLINE void sum_products(const PanelTask<Real>& task, std::size_t first,
                             Sums<Real, rows>& sums) {
  if constexpr (rows == 1) {
    if (task.sparse.starts != nullptr) {
      sum_stored(task.sparse, first, task.panel, sums);
      return;
    }
  }
  sum_columns<false, Real, rows>(task.x + first * task.columns, task.columns, task.panel, sums);
}

template <class Real, std::size_t rows>
HWY_INLINE void sum_differences(const PanelTask<Real>& task, std::size_t first,
                                Sums<Real, rows>& sums) {
  if constexpr (rows == 1) {
    if (task.sparse.starts != nullptr) {
      std::vector<Real> dense(task.columns, Real{0});
      for (std::size_t k = task.sparse.starts[first]; k < task.sparse.starts[first + 1]; ++k) {
        dense[task.sparse.columns[k]] = task.sparse.values[k];
      }
      sum_columns<true, Real, rows>(dense.data(), task.columns, task.panel, sums);
      return;
    }
  }
  sum_columns<true, Real, rows>(task.x + first * task.columns, task.columns, task.panel, sums);
}

template <class Real, std::size_t rows>
HWY_INLINE void products_of(const PanelTask<Real>& task, std::size_t first) {
  using S = Shape<Real>;
  const typename S::Lanes lanes;
  Sums<Real, rows> sums;
  prefetch_results<Real, rows>(task, first);
  sum_products(task, first, sums);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t v = 0; v < S::vectors; ++v) {
      hn::StoreU(sums.of[r][v], lanes, task.out[first + r] + task.at + v * S::width);
    }
  }
}

template <bool checked, class Real, std::size_t rows>
HWY_INLINE void rbf_of(const PanelTask<Real>& task, std::size_t first, Real rate) {
  using S = Shape<Real>;
  const typename S::Lanes lanes;
  const auto rates = hn::Set(lanes, rate);
  const auto most = hn::Set(lanes, largest_cancellation<Real> / rate);
  const auto largest =
      hn::Set(lanes, std::min(std::numeric_limits<Real>::max(), largest_exponents<Real> / rate));
  const auto is_good = [&](auto norms, auto value) HWY_ATTR {
    return hn::And(hn::Le(hn::Mul(norms, value), most), hn::Le(norms, largest));
  };
  Sums<Real, rows> sums;
  prefetch_results<Real, rows>(task, first);
  sum_products(task, first, sums);
  auto good = hn::FirstN(lanes, S::width);
  for (std::size_t r = 0; r < rows; ++r) {
    const auto own = hn::Set(lanes, task.x_norms[first + r]);
    for (std::size_t v = 0; v < S::vectors; ++v) {
      const auto norms = hn::Add(own, hn::LoadU(lanes, task.panel_norms + v * S::width));
      const auto distance = hn::Min(hn::Sub(sums.of[r][v], norms), hn::Zero(lanes));  // −½ of it
      const auto value = power_of_two(lanes, hn::Mul(rates, distance));
      if constexpr (checked) good = hn::And(good, is_good(norms, value));
      hn::StoreU(value, lanes, task.out[first + r] + task.at + v * S::width);
    }
  }
  if constexpr (!checked) return;
  if (HWY_LIKELY(hn::AllTrue(lanes, good))) return;
  const auto half_rates = hn::Set(lanes, -rate / 2);
  sum_differences(task, first, sums);
  for (std::size_t r = 0; r < rows; ++r) {
    const auto own = hn::Set(lanes, task.x_norms[first + r]);
    for (std::size_t v = 0; v < S::vectors; ++v) {
      Real* out = task.out[first + r] + task.at + v * S::width;
      const auto norms = hn::Add(own, hn::LoadU(lanes, task.panel_norms + v * S::width));
      const auto value = hn::LoadU(lanes, out);
      const auto better = power_of_two(lanes, hn::Mul(half_rates, sums.of[r][v]));
      hn::StoreU(hn::IfThenElse(is_good(norms, value), value, better), lanes, out);
    }
  }
}

template <class Real>
HWY_INLINE void products(const PanelTask<Real>& task) {
  constexpr std::size_t together = Shape<Real>::rows;
  std::size_t r = 0;
  for (; task.sparse.starts == nullptr && r + together <= task.rows; r += together)
    products_of<Real, together>(task, r);
  for (; r < task.rows; ++r) products_of<Real, 1>(task, r);
}

template <bool checked, class Real>
HWY_INLINE void rbf(const PanelTask<Real>& task, Real rate) {
  constexpr std::size_t together = Shape<Real>::rows;
  std::size_t r = 0;
  for (; task.sparse.starts == nullptr && r + together <= task.rows; r += together)
    rbf_of<checked, Real, together>(task, r, rate);
  for (; r < task.rows; ++r) rbf_of<checked, Real, 1>(task, r, rate);
}

/// Some rows at a time: a single chain of sums is bound by the latency of a multiply-add.
template <class Real, std::size_t rows>
HWY_INLINE void norms_of(const Real* x, std::size_t columns, Real* norms) {
  const hn::CappedTag<Real, 1> one;
  hn::Vec<decltype(one)> sums[rows];
  for (std::size_t r = 0; r < rows; ++r) sums[r] = hn::Zero(one);
  for (std::size_t j = 0; j < columns; ++j) {
    HWY_UNROLL(8)
    for (std::size_t r = 0; r < rows; ++r) {
      const auto value = hn::Set(one, x[r * columns + j]);
      sums[r] = hn::MulAdd(value, value, sums[r]);
    }
  }
  for (std::size_t r = 0; r < rows; ++r) norms[r] = hn::GetLane(sums[r]);
}

template <class Real>
HWY_INLINE void norms(const Real* x, std::size_t rows, std::size_t columns, Real* norms) {
  constexpr std::size_t together = 8;
  std::size_t r = 0;
  for (; r + together <= rows; r += together) {
    norms_of<Real, together>(x + r * columns, columns, norms + r);
  }
  for (; r < rows; ++r) norms_of<Real, 1>(x + r * columns, columns, norms + r);
}

using Doubles = hn::ScalableTag<double>;

HWY_INLINE hn::Vec<Doubles> load_doubles(const float* values) {
  const Doubles d;
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, Doubles>(), values));
}
HWY_INLINE hn::Vec<Doubles> load_doubles(const double* values) {
  return hn::LoadU(Doubles(), values);
}

/// Four rows at a time, so that sums are loaded and stored less often.
template <class Real>
HWY_INLINE void weighted(const Real* const* values, const double* c, std::size_t rows,
                         std::size_t count, double* HWY_RESTRICT sums) {
  const Doubles d;
  const std::size_t width = hn::Lanes(d);
  const std::size_t whole = count - count % width;
  std::size_t r = 0;
  for (; r + 4 <= rows; r += 4) {
    const auto c0 = hn::Set(d, c[r]);
    const auto c1 = hn::Set(d, c[r + 1]);
    const auto c2 = hn::Set(d, c[r + 2]);
    const auto c3 = hn::Set(d, c[r + 3]);
    for (std::size_t i = 0; i < whole; i += width) {
      auto sum = hn::LoadU(d, sums + i);
      sum = hn::MulAdd(c0, load_doubles(values[r] + i), sum);
      sum = hn::MulAdd(c1, load_doubles(values[r + 1] + i), sum);
      sum = hn::MulAdd(c2, load_doubles(values[r + 2] + i), sum);
      sum = hn::MulAdd(c3, load_doubles(values[r + 3] + i), sum);
      hn::StoreU(sum, d, sums + i);
    }
  }
  for (; r < rows; ++r) {
    const auto own = hn::Set(d, c[r]);
    for (std::size_t i = 0; i < whole; i += width) {
      hn::StoreU(hn::MulAdd(own, load_doubles(values[r] + i), hn::LoadU(d, sums + i)), d, sums + i);
    }
  }
  const hn::CappedTag<double, 1> one;  // the same rounding for what is left
  for (std::size_t i = whole; i < count; ++i) {
    auto sum = hn::Set(one, sums[i]);
    for (r = 0; r < rows; ++r) {
      sum = hn::MulAdd(hn::Set(one, c[r]), hn::Set(one, static_cast<double>(values[r][i])), sum);
    }
    sums[i] = hn::GetLane(sum);
  }
}

template <class Real>
HWY_INLINE void dots(const Real* const* values, const double* c, std::size_t rows, double* sums) {
  const Doubles d;
  const std::size_t width = hn::Lanes(d);
  for (std::size_t r = 0; r < rows; ++r) {
    auto sum = hn::Zero(d);
    for (std::size_t i = 0; i < panel_rows<Real>; i += width) {
      sum = hn::MulAdd(hn::LoadU(d, c + i), load_doubles(values[r] + i), sum);
    }
    sums[r] += hn::GetLane(hn::SumOfLanes(d, sum));
  }
}

/// 16 bytes: interleaving works on blocks of this size.
template <class Real>
using Block = hn::CappedTag<Real, 16 / sizeof(Real)>;

template <bool streaming, class D, class V, class Real>
HWY_INLINE void put(D d, V values, Real* to) {
  if constexpr (streaming) {
    hn::Stream(values, d, to);
  } else {
    hn::StoreU(values, d, to);
  }
}

template <class Real>
bool is_aligned(Real* const* out, std::size_t count, std::size_t at) {
  for (std::size_t k = 0; k < count; ++k) {
    if (reinterpret_cast<std::uintptr_t>(out[k] + at) % 16 != 0) return false;
  }
  return true;
}

template <bool streaming, class Real>
HWY_INLINE void copy(const PanelTile<Real>& tile, std::size_t count, Real* const* out,
                     std::size_t at) {
  const Block<Real> block;
  const std::size_t width = hn::Lanes(block);
  const std::size_t whole = count - count % width;
  for (std::size_t r = 0; r < tile.rows; ++r) {
    const Real* from = tile.values + r * panel_rows<Real>;
    Real* to = out[r] + at;
    for (std::size_t i = 0; i < whole; i += width) {
      put<streaming>(block, hn::LoadU(block, from + i), to + i);
    }
    for (std::size_t i = whole; i < count; ++i) to[i] = from[i];
  }
}

/// Columns of a square of values, as many as a block has.
template <bool streaming, class Real>
HWY_INLINE void copy_square(const Real* from, Real* const* out, std::size_t at) {
#if HWY_TARGET == HWY_SCALAR  // one lane: nothing to interleave
  out[0][at] = from[0];
#else
  const Block<Real> block;
  constexpr std::size_t step = panel_rows<Real>;
  if constexpr (sizeof(Real) == sizeof(float)) {
    const auto r0 = hn::LoadU(block, from);
    const auto r1 = hn::LoadU(block, from + step);
    const auto r2 = hn::LoadU(block, from + 2 * step);
    const auto r3 = hn::LoadU(block, from + 3 * step);
    const auto low01 = hn::InterleaveLower(block, r0, r1);
    const auto low23 = hn::InterleaveLower(block, r2, r3);
    const auto high01 = hn::InterleaveUpper(block, r0, r1);
    const auto high23 = hn::InterleaveUpper(block, r2, r3);
    put<streaming>(block, hn::ConcatLowerLower(block, low23, low01), out[0] + at);
    put<streaming>(block, hn::ConcatUpperUpper(block, low23, low01), out[1] + at);
    put<streaming>(block, hn::ConcatLowerLower(block, high23, high01), out[2] + at);
    put<streaming>(block, hn::ConcatUpperUpper(block, high23, high01), out[3] + at);
  } else {
    const auto r0 = hn::LoadU(block, from);
    const auto r1 = hn::LoadU(block, from + step);
    put<streaming>(block, hn::InterleaveLower(block, r0, r1), out[0] + at);
    put<streaming>(block, hn::InterleaveUpper(block, r0, r1), out[1] + at);
  }
#endif
}

template <bool streaming, class Real>
HWY_INLINE void copy_mirrored(const PanelTile<Real>& tile, std::size_t count, Real* const* out,
                              std::size_t at) {
  constexpr std::size_t side = hn::MaxLanes(Block<Real>());
  const std::size_t rows = tile.rows - tile.rows % side;
  const std::size_t columns = count - count % side;
  for (std::size_t i = 0; i < columns; i += side) {
    for (std::size_t r = 0; r < rows; r += side) {
      copy_square<streaming>(tile.values + r * panel_rows<Real> + i, out + i, at + r);
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t r = i < columns ? rows : 0; r < tile.rows; ++r) {
      out[i][at + r] = tile.values[r * panel_rows<Real> + i];
    }
  }
}

#define RAMPART_PANELS(Real)                                                                       \
  HWY_ATTR void copy_##Real(const PanelTile<Real>& tile, std::size_t count, Real* const* out,      \
                            std::size_t at) {                                                      \
    tile.streaming&& is_aligned(out, tile.rows, at) ? copy<true>(tile, count, out, at)             \
                                                    : copy<false>(tile, count, out, at);           \
  }                                                                                                \
  HWY_ATTR void mirror_##Real(const PanelTile<Real>& tile, std::size_t count, Real* const* out,    \
                              std::size_t at) {                                                    \
    tile.streaming&& is_aligned(out, count, at) ? copy_mirrored<true>(tile, count, out, at)        \
                                                : copy_mirrored<false>(tile, count, out, at);      \
  }                                                                                                \
  HWY_ATTR void products_##Real(const PanelTask<Real>& task) { products(task); }                   \
  HWY_ATTR void rbf_##Real(const PanelTask<Real>& task, Real rate) {                               \
    task.far ? rbf<true>(task, rate) : rbf<false>(task, rate);                                     \
  }                                                                                                \
  HWY_ATTR void norms_##Real(const Real* x, std::size_t rows, std::size_t columns, Real* result) { \
    norms(x, rows, columns, result);                                                               \
  }                                                                                                \
  HWY_ATTR void dots_##Real(const Real* const* values, const double* c, std::size_t rows,          \
                            double* sums) {                                                        \
    dots(values, c, rows, sums);                                                                   \
  }                                                                                                \
  HWY_ATTR void weighted_##Real(const Real* const* values, const double* c, std::size_t rows,      \
                                std::size_t count, double* sums) {                                 \
    weighted(values, c, rows, count, sums);                                                        \
  }
RAMPART_PANELS(float)
RAMPART_PANELS(double)
#undef RAMPART_PANELS

}  // namespace rampart::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rampart {

void end_streaming() { hwy::FlushStream(); }

#define RAMPART_PANELS(Real)                                                                \
  template <>                                                                               \
  void copy_tile(const PanelTile<Real>& tile, std::size_t count, Real* const* out,          \
                 std::size_t at) {                                                          \
    RAMPART_DISPATCH(copy_##Real)(tile, count, out, at);                                    \
  }                                                                                         \
  template <>                                                                               \
  void copy_tile_mirrored(const PanelTile<Real>& tile, std::size_t count, Real* const* out, \
                          std::size_t at) {                                                 \
    RAMPART_DISPATCH(mirror_##Real)(tile, count, out, at);                                  \
  }                                                                                         \
  template <>                                                                               \
  void add_panel_dots(const Real* const* values, const double* c, std::size_t rows,         \
                      double* sums) {                                                       \
    RAMPART_DISPATCH(dots_##Real)(values, c, rows, sums);                                   \
  }                                                                                         \
  template <>                                                                               \
  void panel_products(const PanelTask<Real>& task) {                                        \
    RAMPART_DISPATCH(products_##Real)(task);                                                \
  }                                                                                         \
  template <>                                                                               \
  void panel_rbf(const PanelTask<Real>& task, Real rate) {                                  \
    RAMPART_DISPATCH(rbf_##Real)(task, rate);                                               \
  }                                                                                         \
  template <>                                                                               \
  void squared_norms(const Real* x, std::size_t rows, std::size_t columns, Real* result) {  \
    RAMPART_DISPATCH(norms_##Real)(x, rows, columns, result);                               \
  }                                                                                         \
  template <>                                                                               \
  void add_weighted(const Real* const* values, const double* c, std::size_t rows,           \
                    std::size_t count, double* sums) {                                      \
    RAMPART_DISPATCH(weighted_##Real)(values, c, rows, count, sums);                        \
  }
RAMPART_PANELS(float)
RAMPART_PANELS(double)
#undef RAMPART_PANELS

}  // namespace rampart
#endif
