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

/// x·z with every row z of the panels from `first` on, in one chain of multiply-adds each.
template <std::size_t panels>
HWY_INLINE void sum_products(const RowTask& task, std::size_t first,
                             Vector (&sums)[panels][vectors]) {
  const Lanes lanes;
  const double* HWY_RESTRICT from = task.panels + first * task.columns * panel_rows<double>;
  HWY_UNROLL(8)
  for (std::size_t p = 0; p < panels; ++p) {
    HWY_UNROLL(16)
    for (std::size_t v = 0; v < vectors; ++v) sums[p][v] = hn::Zero(lanes);
  }
  for (std::size_t j = 0; j < task.columns; ++j) {
    const auto own = hn::Set(lanes, task.x[j]);
    HWY_UNROLL(8)
    for (std::size_t p = 0; p < panels; ++p) {
      const double* z = from + (p * task.columns + j) * panel_rows<double>;
      HWY_UNROLL(16)
      for (std::size_t v = 0; v < vectors; ++v) {
        sums[p][v] = hn::MulAdd(own, hn::LoadU(lanes, z + v * width), sums[p][v]);
      }
    }
  }
}

template <std::size_t panels>
HWY_INLINE void products_of(const RowTask& task, std::size_t first) {
  Vector sums[panels][vectors];
  sum_products(task, first, sums);
  double* out = task.out + first * panel_rows<double>;
  for (std::size_t p = 0; p < panels; ++p) {
    for (std::size_t v = 0; v < vectors; ++v) {
      hn::StoreU(sums[p][v], Lanes(), out + p * panel_rows<double> + v * width);
    }
  }
}

/// The same steps as in panel_rbf().
template <bool checked, std::size_t panels>
HWY_INLINE bool rbf_of(const RowTask& task, std::size_t first, double rate) {
  const Lanes lanes;
  const auto rates = hn::Set(lanes, rate);
  const auto most = hn::Set(lanes, largest_cancellation<double> / rate);
  const auto largest = hn::Set(
      lanes, std::min(std::numeric_limits<double>::max(), largest_exponents<double> / rate));
  const auto own = hn::Set(lanes, task.x_norm);
  Vector sums[panels][vectors];
  sum_products(task, first, sums);
  const std::size_t begin = first * panel_rows<double>;
  auto good = hn::FirstN(lanes, width);
  HWY_UNROLL(8)
  for (std::size_t p = 0; p < panels; ++p) {
    HWY_UNROLL(16)
    for (std::size_t v = 0; v < vectors; ++v) {
      const std::size_t at = begin + p * panel_rows<double> + v * width;
      const auto norms = hn::Add(own, hn::LoadU(lanes, task.panel_norms + at));
      const auto distance = hn::Min(hn::Sub(sums[p][v], norms), hn::Zero(lanes));  // −½ of it
      const auto value = power_of_two(lanes, hn::Mul(rates, distance));
      if constexpr (checked) {
        good = hn::And(good, hn::And(hn::Le(hn::Mul(norms, value), most), hn::Le(norms, largest)));
      }
      hn::StoreU(value, lanes, task.out + at);
    }
  }
  return !checked || hn::AllTrue(lanes, good);
}

template <bool checked>
HWY_INLINE bool rbf(const RowTask& task, double rate) {
  bool good = true;
  std::size_t p = 0;
  for (; p + panels_together <= task.count; p += panels_together) {
    good = rbf_of<checked, panels_together>(task, p, rate) && good;
  }
  for (; p < task.count; ++p) good = rbf_of<checked, 1>(task, p, rate) && good;
  return good;
}

HWY_ATTR bool row_rbf_here(const RowTask& task, double rate, bool far) {
  return far ? rbf<true>(task, rate) : rbf<false>(task, rate);
}

HWY_ATTR void row_products_here(const RowTask& task) {
  std::size_t p = 0;
  for (; p + panels_together <= task.count; p += panels_together) {
    products_of<panels_together>(task, p);
  }
  for (; p < task.count; ++p) products_of<1>(task, p);
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

bool row_rbf(const RowTask& task, double rate, bool far) {
  return RAMPART_DISPATCH(row_rbf_here)(task, rate, far);
}

double add_in_order(const double* values, const double* c, std::size_t count, double sum) {
  return RAMPART_DISPATCH(add_in_order_here)(values, c, count, sum);
}

}  // namespace rampart
#endif
