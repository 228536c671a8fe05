#pragma once

#include <cstddef>
#include <span>
#include <variant>

#include "rampart/names.hpp"
#include "rampart/rows.hpp"

namespace rampart {

struct LinearKernel {  ///< k(x, z) = x·z
  friend bool operator==(const LinearKernel&, const LinearKernel&) = default;
};
struct RbfKernel {  ///< k(x, z) = exp(−γ‖x − z‖²)
  double gamma;     ///< > 0
  friend bool operator==(const RbfKernel&, const RbfKernel&) = default;
};
struct PolynomialKernel {  ///< k(x, z) = (γ x·z + coef0)^degree
  double gamma;            ///< > 0
  double coef0;
  int degree;  ///< 1 … 100
  friend bool operator==(const PolynomialKernel&, const PolynomialKernel&) = default;
};
struct SigmoidKernel {  ///< k(x, z) = tanh(γ x·z + coef0); not positive semidefinite in general
  double gamma;         ///< > 0
  double coef0;
  friend bool operator==(const SigmoidKernel&, const SigmoidKernel&) = default;
};
/// The features of a row are its kernel values with training rows 1, 2, …, N.
struct PrecomputedKernel {
  friend bool operator==(const PrecomputedKernel&, const PrecomputedKernel&) = default;
};

/// Random Fourier features of an RBF kernel, as a function of a frequency v and a row x:
/// cos(v·x) + sin(v·x). Only models have it, whose vectors are frequencies: see
/// KernelOptions::features.
struct FourierKernel {
  double gamma;  ///< > 0; of the RBF kernel
  friend bool operator==(const FourierKernel&, const FourierKernel&) = default;
};

using Kernel = std::variant<LinearKernel, RbfKernel, PolynomialKernel, SigmoidKernel,
                            PrecomputedKernel, FourierKernel>;

enum class KernelType { linear, rbf, polynomial, sigmoid, precomputed, fourier };
[[nodiscard]] std::span<const Named<KernelType>> names_of(KernelType);
[[nodiscard]] KernelType type_of(const Kernel& kernel);

/// γ as the user gives it: a number, or a rule that depends on the (scaled) data.
///   scale   1/(p·var), var over all N·p values, as scikit-learn does
///   inverse_features   1/p, LIBSVM's default ("auto")
enum class GammaRule { scale, inverse_features };
using Gamma = std::variant<double, GammaRule>;

struct KernelOptions {
  KernelType type = KernelType::rbf;
  Gamma gamma = GammaRule::scale;
  double coef0 = 0;
  int degree = 3;

  /// Instead of the RBF kernel, for many rows: the kernel that so many landmarks among the training
  /// rows span (Nyström), or so many random Fourier features. Then the linear solver trains, in
  /// time that grows with the number of rows, not with its square. 0: neither; not both.
  std::size_t landmarks = 0;
  std::size_t features = 0;

  /// Whether the rows are mapped to features on which a linear model is trained.
  [[nodiscard]] constexpr bool maps_rows() const { return landmarks > 0 || features > 0; }

  [[nodiscard]] constexpr bool has_gamma() const {
    return type != KernelType::linear && type != KernelType::precomputed;
  }

  /// Throws OptionError for the first field out of range.
  void validate() const;

  friend bool operator==(const KernelOptions&, const KernelOptions&) = default;
};

/// The kernel, with γ computed from these rows if a rule gives it. `weights`: how often each
/// counts; empty: once.
[[nodiscard]] Kernel make_kernel(const KernelOptions& options, RowsView x,
                                 std::span<const double> weights = {});

}  // namespace rampart
