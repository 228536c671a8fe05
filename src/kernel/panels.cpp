#include "kernel/panels.hpp"

#include <type_traits>

#include "util/instruction_set.hpp"

// Highway compiles this file once for every instruction set, by including it again and again.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/panels.cpp"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h
#include <hwy/highway.h>

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

/// Asks for the lines that `rows` rows of results go to: they are needed when the sums are done,
/// and rows of a matrix are too many streams for the processor to foresee.
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

template <class Real, std::size_t rows>
HWY_INLINE void rbf_of(const PanelTask<Real>& task, std::size_t first, Real gamma) {
  using S = Shape<Real>;
  const typename S::Lanes lanes;
  const auto scale = hn::Set(lanes, -gamma);
  const auto two = hn::Set(lanes, Real{2});
  const auto most = hn::Set(lanes, largest_cancellation<Real> / gamma);
  const auto largest = hn::Set(lanes, std::numeric_limits<Real>::max());
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
      const auto distance = hn::Max(hn::NegMulAdd(two, sums.of[r][v], norms), hn::Zero(lanes));
      const auto value = exp_of_nonpositive(lanes, hn::Mul(scale, distance));
      good = hn::And(good, is_good(norms, value));
      hn::StoreU(value, lanes, task.out[first + r] + task.at + v * S::width);
    }
  }
  if (HWY_LIKELY(hn::AllTrue(lanes, good))) return;
  sum_differences(task, first, sums);
  for (std::size_t r = 0; r < rows; ++r) {
    const auto own = hn::Set(lanes, task.x_norms[first + r]);
    for (std::size_t v = 0; v < S::vectors; ++v) {
      Real* out = task.out[first + r] + task.at + v * S::width;
      const auto norms = hn::Add(own, hn::LoadU(lanes, task.panel_norms + v * S::width));
      const auto value = hn::LoadU(lanes, out);
      const auto better = exp_of_nonpositive(lanes, hn::Mul(scale, sums.of[r][v]));
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

template <class Real>
HWY_INLINE void rbf(const PanelTask<Real>& task, Real gamma) {
  constexpr std::size_t together = Shape<Real>::rows;
  std::size_t r = 0;
  for (; task.sparse.starts == nullptr && r + together <= task.rows; r += together)
    rbf_of<Real, together>(task, r, gamma);
  for (; r < task.rows; ++r) rbf_of<Real, 1>(task, r, gamma);
}

template <class Real>
HWY_INLINE void norms(const Real* x, std::size_t rows, std::size_t columns, Real* norms) {
  const hn::CappedTag<Real, 1> one;
  for (std::size_t r = 0; r < rows; ++r) {
    auto sum = hn::Zero(one);
    for (std::size_t j = 0; j < columns; ++j) {
      const auto value = hn::Set(one, x[r * columns + j]);
      sum = hn::MulAdd(value, value, sum);
    }
    norms[r] = hn::GetLane(sum);
  }
}

using Doubles = hn::ScalableTag<double>;

HWY_INLINE hn::Vec<Doubles> load_doubles(const float* values) {
  const Doubles d;
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, Doubles>(), values));
}
HWY_INLINE hn::Vec<Doubles> load_doubles(const double* values) {
  return hn::LoadU(Doubles(), values);
}

/// Four rows at a time, so that the sums travel to the cache less often.
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

#define RAMPART_PANELS(Real)                                                                       \
  HWY_ATTR void products_##Real(const PanelTask<Real>& task) { products(task); }                   \
  HWY_ATTR void rbf_##Real(const PanelTask<Real>& task, Real gamma) { rbf(task, gamma); }          \
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

#define RAMPART_PANELS(Real)                                                               \
  template <>                                                                              \
  void add_panel_dots(const Real* const* values, const double* c, std::size_t rows,        \
                      double* sums) {                                                      \
    RAMPART_DISPATCH(dots_##Real)(values, c, rows, sums);                                  \
  }                                                                                        \
  template <>                                                                              \
  void panel_products(const PanelTask<Real>& task) {                                       \
    RAMPART_DISPATCH(products_##Real)(task);                                               \
  }                                                                                        \
  template <>                                                                              \
  void panel_rbf(const PanelTask<Real>& task, Real gamma) {                                \
    RAMPART_DISPATCH(rbf_##Real)(task, gamma);                                             \
  }                                                                                        \
  template <>                                                                              \
  void squared_norms(const Real* x, std::size_t rows, std::size_t columns, Real* result) { \
    RAMPART_DISPATCH(norms_##Real)(x, rows, columns, result);                              \
  }                                                                                        \
  template <>                                                                              \
  void add_weighted(const Real* const* values, const double* c, std::size_t rows,          \
                    std::size_t count, double* sums) {                                     \
    RAMPART_DISPATCH(weighted_##Real)(values, c, rows, count, sums);                       \
  }
RAMPART_PANELS(float)
RAMPART_PANELS(double)
#undef RAMPART_PANELS

}  // namespace rampart
#endif
