#include "rampart/kernel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <type_traits>

#include <fmt/format.h>

#include "rampart/errors.hpp"

namespace rampart {
namespace {

constexpr std::size_t most_mapped_features = 20'000;  // their matrix of inner products: 3 GB

/// Variance over all N·p values, the zeros of sparse rows included.
double variance_of_values(RowsView x, std::span<const double> weights) {
  const auto weight = [&](std::size_t n) { return weights.empty() ? 1.0 : weights[n]; };
  double rows = 0;
  double sum = 0;
  for (std::size_t n = 0; n < x.size(); ++n) {
    const double times = weight(n);
    rows += times;
    x.for_each(n, [&](std::size_t, double value) { sum += times * value; });
  }
  const double count = rows * static_cast<double>(x.columns());
  const double mean = sum / count;
  double squares = 0;
  double stored = 0;
  for (std::size_t n = 0; n < x.size(); ++n) {
    const double times = weight(n);
    x.for_each(n, [&](std::size_t, double value) {
      squares += times * ((value - mean) * (value - mean));
      stored += times;
    });
  }
  squares += (count - stored) * mean * mean;
  return squares / count;
}

bool is_constant(RowsView x) {
  std::optional<double> first;
  if (x.stored_values() < x.size() * x.columns()) first = 0;
  bool same = true;
  for (std::size_t n = 0; n < x.size(); ++n) {
    x.for_each(n, [&](std::size_t, double value) {
      if (!first) first = value;
      same = same && value == *first;
    });
  }
  return same;
}

double resolve(const Gamma& gamma, RowsView x, std::span<const double> weights) {
  if (const double* number = std::get_if<double>(&gamma)) return *number;
  const auto p = static_cast<double>(x.columns());
  if (std::get<GammaRule>(gamma) == GammaRule::inverse_features) return 1 / p;
  const double variance = variance_of_values(x, weights);
  if (!std::isfinite(variance)) {
    throw InputError("the features are too large to compute with; scale them", Setting::scaling);
  }
  const double inverse = 1 / (p * variance);
  if (is_constant(x) || !std::isfinite(inverse)) return 1;  // γ does not matter
  return inverse;
}

}  // namespace

void KernelOptions::validate() const {
  if (const double* number = std::get_if<double>(&gamma)) {
    if (!(*number > 0) || !std::isfinite(*number)) {
      throw OptionError(
          fmt::format("gamma = {}: must be > 0 and finite, or scale or auto", *number));
    }
  }
  if (!std::isfinite(coef0)) throw OptionError(fmt::format("coef0 = {}: must be finite", coef0));
  if (degree < 1 || degree > 100) {
    throw OptionError(fmt::format("degree = {}: must be in 1 … 100", degree));
  }
  if (type == KernelType::fourier) {
    throw OptionError("kernel fourier: is what models have; choose rbf and a number of features");
  }
  if (landmarks > 0 && features > 0) {
    throw OptionError("landmarks and features: only one of them can stand for the kernel");
  }
  if (maps_rows() && type != KernelType::rbf) {
    throw OptionError(fmt::format("{} = {}: only the rbf kernel has them",
                                  landmarks > 0 ? "landmarks" : "features",
                                  std::max(landmarks, features)));
  }
  if (std::max(landmarks, features) > most_mapped_features) {
    throw OptionError(fmt::format("{} = {}: must be at most {}",
                                  landmarks > 0 ? "landmarks" : "features",
                                  std::max(landmarks, features), most_mapped_features));
  }
}

Kernel make_kernel(const KernelOptions& options, RowsView x, std::span<const double> weights) {
  options.validate();
  switch (options.type) {
    case KernelType::linear:
      return LinearKernel{};
    case KernelType::rbf:
      return RbfKernel{resolve(options.gamma, x, weights)};
    case KernelType::polynomial:
      return PolynomialKernel{resolve(options.gamma, x, weights), options.coef0, options.degree};
    case KernelType::sigmoid:
      return SigmoidKernel{resolve(options.gamma, x, weights), options.coef0};
    case KernelType::precomputed:
    case KernelType::fourier:  // refused above
      break;
  }
  return PrecomputedKernel{};
}

std::span<const Named<KernelType>> names_of(KernelType) {
  using enum KernelType;
  static constexpr auto table = std::to_array<Named<KernelType>>({{linear, "linear"},
                                                                  {rbf, "rbf"},
                                                                  {polynomial, "polynomial"},
                                                                  {sigmoid, "sigmoid"},
                                                                  {precomputed, "precomputed"},
                                                                  {fourier, "fourier"}});
  return table;
}

KernelType type_of(const Kernel& kernel) { return static_cast<KernelType>(kernel.index()); }

static_assert(std::is_same_v<
              std::variant_alternative_t<static_cast<std::size_t>(KernelType::precomputed), Kernel>,
              PrecomputedKernel>);
static_assert(std::is_same_v<
              std::variant_alternative_t<static_cast<std::size_t>(KernelType::fourier), Kernel>,
              FourierKernel>);

}  // namespace rampart
