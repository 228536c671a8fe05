#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <variant>

#include "kernel/exponential.hpp"
#include "kernel/fourier.hpp"
#include "kernel/one_row.hpp"
#include "kernel/panels.hpp"
#include "rampart/kernel.hpp"
#include "util/assert.hpp"

namespace rampart {

/// What is summed over the columns of two rows.
enum class Accumulate {
  products,          ///< x·z
  squared_distances  ///< ‖x − z‖²
};

/// How a kernel is computed from the values of two rows, one specialisation a kernel:
///   accumulate   what is summed over the columns
///   finish       makes k(x, z) of each of these sums
///   diagonal     k(x, x) from ‖x‖²
/// and, if it sums squared distances, panel_values() and row_values(): see below.
template <class K>
struct Recipe;

template <class K, class Real>
concept HasRecipe = requires(const K& kernel, std::span<Real> sums, Real squared_norm) {
  { Recipe<K>::accumulate } -> std::convertible_to<Accumulate>;
  Recipe<K>::finish(kernel, sums);
  { Recipe<K>::diagonal(kernel, squared_norm) } -> std::same_as<Real>;
};

template <>
struct Recipe<LinearKernel> {
  static constexpr Accumulate accumulate = Accumulate::products;

  template <class Real>
  static void finish(const LinearKernel&, std::span<Real>) {}

  template <class Real>
  static Real diagonal(const LinearKernel&, Real squared_norm) {
    return squared_norm;
  }
};

template <>
struct Recipe<RbfKernel> {
  static constexpr Accumulate accumulate = Accumulate::squared_distances;

  template <class Real>
  static void finish(const RbfKernel& kernel, std::span<Real> sums) {
    exponentials(sums, static_cast<Real>(-kernel.gamma));
  }

  template <class Real>
  static Real diagonal(const RbfKernel&, Real) {
    return 1;
  }

  /// Panels compute distances and exponentials together, while the sums are in registers.
  template <class Real>
  static void panel_values(const RbfKernel& kernel, PanelTask<Real>& task,
                           Real largest_half_norms) {
    const auto rate = static_cast<Real>(rbf_rate(kernel.gamma));
    task.far = is_far(rate, largest_half_norms);
    panel_rbf(task, rate);
  }
  static void row_values(const RbfKernel& kernel, RowTask& task, double largest_half_norms) {
    const double rate = rbf_rate(kernel.gamma);
    task.far = is_far(rate, largest_half_norms);
    row_rbf(task, rate);
  }

 private:
  template <class Real>
  static bool is_far(Real rate, Real largest_half_norms) {
    return !(rate * largest_half_norms <= largest_cancellation<Real>);
  }
};

template <>
struct Recipe<PolynomialKernel> {
  static constexpr Accumulate accumulate = Accumulate::products;

  template <class Real>
  static void finish(const PolynomialKernel& kernel, std::span<Real> sums) {
    const auto gamma = static_cast<Real>(kernel.gamma);
    const auto coef0 = static_cast<Real>(kernel.coef0);
    for (Real& s : sums) s = power(gamma * s + coef0, kernel.degree);
  }

  template <class Real>
  static Real diagonal(const PolynomialKernel& kernel, Real squared_norm) {
    finish(kernel, std::span(&squared_norm, 1));
    return squared_norm;
  }

 private:
  template <class Real>
  static Real power(Real base, int exponent) {
    Real result = 1;
    for (; exponent > 0; exponent /= 2, base *= base) {
      if (exponent % 2 == 1) result *= base;
    }
    return result;
  }
};

template <>
struct Recipe<SigmoidKernel> {
  static constexpr Accumulate accumulate = Accumulate::products;

  template <class Real>
  static void finish(const SigmoidKernel& kernel, std::span<Real> sums) {
    const auto gamma = static_cast<Real>(kernel.gamma);
    const auto coef0 = static_cast<Real>(kernel.coef0);
    for (Real& s : sums) s = std::tanh(gamma * s + coef0);
  }

  template <class Real>
  static Real diagonal(const SigmoidKernel& kernel, Real squared_norm) {
    finish(kernel, std::span(&squared_norm, 1));
    return squared_norm;
  }
};

template <>
struct Recipe<FourierKernel> {
  static constexpr Accumulate accumulate = Accumulate::products;

  template <class Real>
  static void finish(const FourierKernel&, std::span<Real> sums) {
    cosines_plus_sines(sums);
  }

  template <class Real>
  static Real diagonal(const FourierKernel&, Real squared_norm) {
    cosines_plus_sines(std::span(&squared_norm, 1));
    return squared_norm;
  }
};

/// The kernels that are computed from rows: all but a given matrix.
using RowKernel =
    std::variant<LinearKernel, RbfKernel, PolynomialKernel, SigmoidKernel, FourierKernel>;

template <class>
inline constexpr bool all_have_recipes = false;
template <class... K>
inline constexpr bool all_have_recipes<std::variant<K...>> = ((HasRecipe<K, float> &&
                                                               HasRecipe<K, double>)&&...);
static_assert(all_have_recipes<RowKernel>);

/// A kernel of Kernel that RowKernel does not list does not compile here.
inline RowKernel row_kernel(const Kernel& kernel) {
  return std::visit(
      [](const auto& k) -> RowKernel {
        if constexpr (std::is_same_v<std::decay_t<decltype(k)>, PrecomputedKernel>) {
          RAMPART_ASSERT(false, "a given matrix has no kernel to compute");
          return LinearKernel{};
        } else {
          return k;
        }
      },
      kernel);
}

inline Accumulate accumulated_by(const RowKernel& kernel) {
  return std::visit([](const auto& k) { return Recipe<std::decay_t<decltype(k)>>::accumulate; },
                    kernel);
}

template <class Real>
void finish(const RowKernel& kernel, std::span<Real> sums) {
  std::visit([&](const auto& k) { Recipe<std::decay_t<decltype(k)>>::finish(k, sums); }, kernel);
}

template <class Real>
Real diagonal(const RowKernel& kernel, Real squared_norm) {
  return std::visit(
      [&](const auto& k) { return Recipe<std::decay_t<decltype(k)>>::diagonal(k, squared_norm); },
      kernel);
}

/// k(x, z) of the rows and the panel of a task. `largest_half_norms`: the largest ½‖x‖² + ½‖z‖².
template <class Real>
void panel_values(const RowKernel& kernel, PanelTask<Real>& task, Real largest_half_norms) {
  std::visit(
      [&](const auto& k) {
        using R = Recipe<std::decay_t<decltype(k)>>;
        if constexpr (R::accumulate == Accumulate::squared_distances) {
          R::panel_values(k, task, largest_half_norms);
        } else {
          panel_products(task);
          for (std::size_t r = 0; r < task.rows; ++r) {
            R::finish(k, std::span(task.out[r] + task.at, panel_rows<Real>));
          }
        }
      },
      kernel);
}

/// The same for one row and several panels.
inline void row_values(const RowKernel& kernel, RowTask& task, double largest_half_norms) {
  std::visit(
      [&](const auto& k) {
        using R = Recipe<std::decay_t<decltype(k)>>;
        if constexpr (R::accumulate == Accumulate::squared_distances) {
          R::row_values(k, task, largest_half_norms);
        } else {
          row_products(task);
          R::finish(k, std::span(task.out, task.count * panel_rows<double>));
        }
      },
      kernel);
}

}  // namespace rampart
