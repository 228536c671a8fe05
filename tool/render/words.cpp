#include "render/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "evaluate/original_columns.hpp"
#include "util/text.hpp"

namespace rampart::tool {
namespace {

OriginalColumn column_of(const Model& model, std::size_t j) {
  return {name_of_column(model.features, j), static_cast<std::uint32_t>(j)};
}

}  // namespace

std::string kernel_in_words(const Kernel& kernel) {
  std::string words(to_string(type_of(kernel)));
  if (const auto* fourier = std::get_if<FourierKernel>(&kernel)) {
    words = fmt::format("random Fourier features of rbf, gamma {:.6g}", fourier->gamma);
  } else if (const auto* rbf = std::get_if<RbfKernel>(&kernel)) {
    words += fmt::format(", gamma {:.6g}", rbf->gamma);
  } else if (const auto* polynomial = std::get_if<PolynomialKernel>(&kernel)) {
    words += fmt::format(", gamma {:.6g}, coef0 {:.6g}, degree {}", polynomial->gamma,
                         polynomial->coef0, polynomial->degree);
  } else if (const auto* sigmoid = std::get_if<SigmoidKernel>(&kernel)) {
    words += fmt::format(", gamma {:.6g}, coef0 {:.6g}", sigmoid->gamma, sigmoid->coef0);
  }
  return words;
}

std::string costs_in_words(const Costs& costs) {
  return costs.is_symmetric() ? fmt::format("reject cost {}", costs.reject_positive)
                              : fmt::format(
                                    "costs {} (false positive), {} (false negative), {} and {} "
                                    "(rejecting a positive, a negative)",
                                    costs.false_positive, costs.false_negative,
                                    costs.reject_positive, costs.reject_negative);
}

std::string answers_in_words(const Model& model) {
  const double rho = model.surface().band.rho;
  const ClassNames classes = model.class_names();
  return fmt::format("'{}' if f(x) > {:.6g}, '{}' if f(x) < {:.6g}, none in between",
                     printable(classes.positive), rho, printable(classes.negative),
                     rho == 0 ? 0.0 : -rho);
}

std::string familiar_in_words(const Familiar& familiar, std::size_t columns) {
  if (!familiar.is_on()) return "every row; none is rejected as unfamiliar";
  const std::size_t relations = familiar.relations.size();
  const std::string and_relations =
      relations == 0 ? ""
                     : fmt::format(" and {} sum{} of them", relations, relations == 1 ? "" : "s");
  const bool few_rows = familiar.promise() > familiar.share;
  return fmt::format(
      "values of {} column{}{} near those of training; a row like the training rows is rejected as "
      "unfamiliar with a probability of at most {:.4g}{}",
      familiar.judged(columns), familiar.judged(columns) == 1 ? "" : "s", and_relations,
      familiar.promise(),
      few_rows ? fmt::format(" ({} was asked for, {} rows cannot promise it)", familiar.share,
                             familiar.rows)
               : fmt::format(", by the ranks of {} of them", familiar.rows));
}

std::string surface_in_words(const Model& model) {
  const Surface& surface = model.surface();
  if (std::holds_alternative<LinearKernel>(model.kernel)) {
    return fmt::format("{} weights, {} of them not zero, b {:.6g}", surface.weights.size(),
                       surface.complexity(), surface.band.b);
  }
  const bool fourier = std::holds_alternative<FourierKernel>(model.kernel);
  return fmt::format("{} {} {} rows, b {:.6g}", surface.complexity(),
                     fourier                             ? "random frequencies, trained on"
                     : surface.certificate.landmarks > 0 ? "landmarks of"
                                                         : "support vectors of",
                     surface.certificate.rows, surface.band.b);
}

std::string training_in_words(const Model& model) {
  const Certificate& certificate = model.surface().certificate;
  return fmt::format("{} after {} round{}: {}", to_string(certificate.status), certificate.rounds,
                     certificate.rounds == 1 ? "" : "s",
                     certificate_in_words(certificate.objective, certificate.gap));
}

std::string certificate_in_words(double objective, std::optional<double> gap) {
  constexpr double small = 1e-3;  // above it, the gap is shown in units of R too
  std::string words = fmt::format("R = {:.8g}", objective);
  if (!gap) return words + ", not certified (the kernel is not known to be positive semidefinite)";
  words += fmt::format(", certified gap {:.1e}", *gap);
  if (*gap > small) words += fmt::format(" of R, {:.1e} in all", *gap * std::abs(objective));
  return words;
}

std::vector<std::string> feature_names(const Model& model, std::span<const std::size_t> features) {
  std::vector<OriginalColumn> columns;
  if (model.encoding.is_identity()) {
    for (const std::size_t j : features) columns.push_back(column_of(model, j));
  } else {
    for (std::size_t j = 0; j < model.features.count; ++j) columns.push_back(column_of(model, j));
  }
  std::map<std::size_t, std::string> name_of;
  for (const auto& of_column : features_of(model, columns)) {
    for (const NamedFeature& feature : of_column) name_of[feature.index] = printable(feature.name);
  }
  std::vector<std::string> names;
  for (const std::size_t j : features) names.push_back(name_of[j]);
  return names;
}

std::string rows_in_words(const Problem& data) {
  const auto positives = std::ranges::count(data.y, 1);
  std::string text = fmt::format("{} rows x {} features; ", data.size(), data.x.columns());
  if (!data.label.empty()) text += fmt::format("label column '{}': ", printable(data.label));
  return text + fmt::format("-1 is '{}' ({} rows), +1 is '{}' ({})\n",
                            printable(data.classes.negative), std::ssize(data.y) - positives,
                            printable(data.classes.positive), positives);
}

}  // namespace rampart::tool
