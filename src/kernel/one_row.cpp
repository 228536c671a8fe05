#include "kernel/one_row.hpp"

#include <type_traits>

#include "kernel/panels.hpp"
#include "util/instruction_set.hpp"

// Highway compiles this file once for every instruction set, by including it again and again.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/one_row.cpp"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h
#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "kernel/exponential-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rampart::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::ScalableTag<double>;
using Vector = hn::Vec<Lanes>;
constexpr std::size_t width = hn::MaxLanes(Lanes());
constexpr std::size_t vectors = panel_rows<double> / width;
constexpr std::size_t panels_together = vectors >= 8 ? 1 : 8 / vectors;

template <std::size_t panels>
struct Sums {
  Vector of[panels][vectors];
};

/// Σⱼ xⱼzⱼ, or Σⱼ (xⱼ − zⱼ)², with every row z of the panels from `first` on, in one chain of
/// multiply-adds each.
template <bool differences, std::size_t panels>
HWY_INLINE void sum_columns(const RowTask& task, std::size_t first, Sums<panels>& result) {
  const Lanes lanes;
  const double* HWY_RESTRICT from = task.panels + first * task.columns * panel_rows<double>;
  Vector sums[panels][vectors];
  HWY_UNROLL(8)
  for (std::size_t p = 0; p < panels; ++p) {
    HWY_UNROLL(16)
    for (std::size_t v = 0; v < vectors; ++v) sums[p][v] = hn::Zero(lanes);
  }
  for (std::size_t j = 0; j < task.columns; ++j) {
    const auto own = hn::Set(lanes, task.x[j]);
    HWY_UNROLL(8)
    for (std::size_t p = 0; p < panels; ++p) {
      HWY_UNROLL(16)
      for (std::size_t v = 0; v < vectors; ++v) {
        const auto z =
            hn::LoadU(lanes, from + (p * task.columns + j) * panel_rows<double> + v * width);
        if constexpr (differences) {
          const auto difference = hn::Sub(own, z);
          sums[p][v] = hn::MulAdd(difference, difference, sums[p][v]);
        } else {
          sums[p][v] = hn::MulAdd(own, z, sums[p][v]);
        }
      }
    }
  }
  HWY_UNROLL(8)
  for (std::size_t p = 0; p < panels; ++p) {
    HWY_UNROLL(16)
    for (std::size_t v = 0; v < vectors; ++v) result.of[p][v] = sums[p][v];
  }
}

/// The same for one panel of sparse rows: what they do not store adds nothing to a product.
template <bool differences>
HWY_INLINE void sum_stored(const RowTask& task, std::size_t first, Sums<1>& result) {
  const hn::CappedTag<double, 1> one;
  const SparseRowsView<double>& z = task.sparse;
  HWY_ALIGN double sums[panel_rows<double>];
  for (std::size_t i = 0; i < panel_rows<double>; ++i) {
    auto sum = hn::Zero(one);
    std::size_t k = z.starts[first * panel_rows<double> + i];
    const std::size_t end = z.starts[first * panel_rows<double> + i + 1];
    if constexpr (differences) {
      for (std::size_t j = 0; j < task.columns; ++j) {
        const bool stored = k < end && z.columns[k] == j;
        const auto difference = hn::Set(one, task.x[j] - (stored ? z.values[k++] : 0));
        sum = hn::MulAdd(difference, difference, sum);
      }
    } else {
      for (; k < end; ++k) {
        sum = hn::MulAdd(hn::Set(one, task.x[z.columns[k]]), hn::Set(one, z.values[k]), sum);
      }
    }
    sums[i] = hn::GetLane(sum);
  }
  for (std::size_t v = 0; v < vectors; ++v) {
    result.of[0][v] = hn::LoadU(Lanes(), sums + v * width);
  }
}

template <bool sparse, bool differences, std::size_t panels>
HWY_INLINE void sum_over(const RowTask& task, std::size_t first, Sums<panels>& sums) {
  if constexpr (sparse) {
    sum_stored<differences>(task, first, sums);
  } else {
    sum_columns<differences>(task, first, sums);
  }
}

template <bool sparse, std::size_t panels>
HWY_INLINE void products_of(const RowTask& task, std::size_t first) {
  Sums<panels> sums;
  sum_over<sparse, false>(task, first, sums);
  double* out = task.out + first * panel_rows<double>;
  for (std::size_t p = 0; p < panels; ++p) {
    for (std::size_t v = 0; v < vectors; ++v) {
      hn::StoreU(sums.of[p][v], Lanes(), out + p * panel_rows<double> + v * width);
    }
  }
}

/// The same steps as in panel_rbf().
template <bool sparse, bool checked, std::size_t panels>
HWY_INLINE void rbf_of(const RowTask& task, std::size_t first, double rate) {
  const Lanes lanes;
  const auto rates = hn::Set(lanes, rate);
  const auto most = hn::Set(lanes, largest_cancellation<double> / rate);
  const auto largest = hn::Set(
      lanes, std::min(std::numeric_limits<double>::max(), largest_exponents<double> / rate));
  const auto is_good = [&](auto norms, auto value) HWY_ATTR {
    return hn::And(hn::Le(hn::Mul(norms, value), most), hn::Le(norms, largest));
  };
  const auto own = hn::Set(lanes, task.x_norm);
  Sums<panels> sums;
  sum_over<sparse, false>(task, first, sums);
  auto good = hn::FirstN(lanes, width);
  HWY_UNROLL(8)
  for (std::size_t p = 0; p < panels; ++p) {
    HWY_UNROLL(16)
    for (std::size_t v = 0; v < vectors; ++v) {
      const std::size_t at = (first + p) * panel_rows<double> + v * width;
      const auto norms = hn::Add(own, hn::LoadU(lanes, task.panel_norms + at));
      const auto distance = hn::Min(hn::Sub(sums.of[p][v], norms), hn::Zero(lanes));  // −½ of it
      const auto value = power_of_two(lanes, hn::Mul(rates, distance));
      if constexpr (checked) good = hn::And(good, is_good(norms, value));
      hn::StoreU(value, lanes, task.out + at);
    }
  }
  if constexpr (!checked) return;
  if (HWY_LIKELY(hn::AllTrue(lanes, good))) return;
  const auto half_rates = hn::Set(lanes, -rate / 2);
  sum_over<sparse, true>(task, first, sums);
  for (std::size_t p = 0; p < panels; ++p) {
    for (std::size_t v = 0; v < vectors; ++v) {
      const std::size_t at = (first + p) * panel_rows<double> + v * width;
      const auto norms = hn::Add(own, hn::LoadU(lanes, task.panel_norms + at));
      const auto value = hn::LoadU(lanes, task.out + at);
      const auto better = power_of_two(lanes, hn::Mul(half_rates, sums.of[p][v]));
      hn::StoreU(hn::IfThenElse(is_good(norms, value), value, better), lanes, task.out + at);
    }
  }
}

template <bool checked>
HWY_INLINE void rbf(const RowTask& task, double rate) {
  std::size_t p = 0;
  if (task.sparse.starts != nullptr) {
    for (; p < task.count; ++p) rbf_of<true, checked, 1>(task, p, rate);
    return;
  }
  for (; p + panels_together <= task.count; p += panels_together) {
    rbf_of<false, checked, panels_together>(task, p, rate);
  }
  for (; p < task.count; ++p) rbf_of<false, checked, 1>(task, p, rate);
}

HWY_ATTR void row_rbf_here(const RowTask& task, double rate) {
  task.far ? rbf<true>(task, rate) : rbf<false>(task, rate);
}

HWY_ATTR void row_products_here(const RowTask& task) {
  std::size_t p = 0;
  if (task.sparse.starts != nullptr) {
    for (; p < task.count; ++p) products_of<true, 1>(task, p);
    return;
  }
  for (; p + panels_together <= task.count; p += panels_together) {
    products_of<false, panels_together>(task, p);
  }
  for (; p < task.count; ++p) products_of<false, 1>(task, p);
}

HWY_ATTR double add_in_order_here(const double* values, const double* c, std::size_t count,
                                  double start) {
  const hn::CappedTag<double, 1> one;
  auto sum = hn::Set(one, start);
  for (std::size_t i = 0; i < count; ++i) {
    sum = hn::MulAdd(hn::Set(one, c[i]), hn::Set(one, values[i]), sum);
  }
  return hn::GetLane(sum);
}

}  // namespace rampart::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rampart {

void row_products(const RowTask& task) { RAMPART_DISPATCH(row_products_here)(task); }

void row_rbf(const RowTask& task, double rate) { RAMPART_DISPATCH(row_rbf_here)(task, rate); }

double add_in_order(const double* values, const double* c, std::size_t count, double sum) {
  return RAMPART_DISPATCH(add_in_order_here)(values, c, count, sum);
}

}  // namespace rampart
#endif
