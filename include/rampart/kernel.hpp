#pragma once

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

using Kernel =
    std::variant<LinearKernel, RbfKernel, PolynomialKernel, SigmoidKernel, PrecomputedKernel>;

enum class KernelType { linear, rbf, polynomial, sigmoid, precomputed };
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

  [[nodiscard]] constexpr bool has_gamma() const {
    return type != KernelType::linear && type != KernelType::precomputed;
  }

  /// Throws OptionError for the first field out of range.
  void validate() const;

  friend bool operator==(const KernelOptions&, const KernelOptions&) = default;
};

/// The kernel, with γ computed from these rows if a rule gives it.
[[nodiscard]] Kernel make_kernel(const KernelOptions& options, RowsView x);

}  // namespace rampart
