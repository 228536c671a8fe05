#include "train/objective.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "data/classes.hpp"
#include "rampart/errors.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

/// The weights that make both classes of these rows count the same.
std::map<std::string, double> balanced_weights(const Problem& data) {
  double of_class[2] = {0, 0};
  for (std::size_t n = 0; n < data.size(); ++n) {
    of_class[data.y[n] > 0 ? 1 : 0] += data.weights.empty() ? 1 : data.weights[n];
  }
  // Every class has some weight, or there would be no training.
  const double all = of_class[0] + of_class[1];
  return {{data.classes.negative, all / (2 * of_class[0])},
          {data.classes.positive, all / (2 * of_class[1])}};
}

}  // namespace

TrainOptions with_class_weights(TrainOptions options, const Problem& data) {
  if (!options.objective.balanced) return options;
  options.objective.class_weights = balanced_weights(data);
  options.objective.balanced = false;
  return options;
}

RowWeights row_weights(const Problem& data, const Objective& objective) {
  std::optional<double> of_class[2];
  for (const auto& [label, weight] : objective.class_weights) {
    const std::string name = class_name(label);  // "+1" means the class "1"
    const bool positive = name == class_name(data.classes.positive);
    if (!positive && name != class_name(data.classes.negative)) {
      throw OptionError(fmt::format("class weight {}={}: the classes are {} and {}",
                                    printable(label), weight, quoted(data.classes.negative),
                                    quoted(data.classes.positive)));
    }
    std::optional<double>& known = of_class[positive ? 1 : 0];
    if (known)
      throw OptionError(fmt::format("class weight {}={}: given twice", printable(label), weight));
    known = weight;
  }
  const double negative = of_class[0].value_or(1);
  const double positive = of_class[1].value_or(1);
  if (data.weights.empty()) return {.rows = {}, .positive = positive, .negative = negative};
  RowWeights weights;
  for (std::size_t n = 0; n < data.size(); ++n) {
    weights.rows.push_back((data.y[n] > 0 ? positive : negative) * data.weights[n]);
  }
  return weights;
}

void require_computable(const RampSum& sum) {
  constexpr double most = 1e150;
  double total = 0;
  for (const HingeLayer& layer : sum.layers) {
    for (std::size_t n = 0; n < sum.y.size(); ++n) {
      total += layer.cap(sum.y[n], n) * (1 + std::abs(layer.margin));
    }
  }
  if (!(total <= most)) {
    throw OptionError(
        "C, the costs, mu and the weights together give a loss that is too large to compute with");
  }
}

double largest_tolerance(const TrainOptions& options) {
  return traits_of(options.objective.loss).has_ramps ? options.objective.mu / 10 : 1.0;
}
double tolerance_of(const TrainOptions& options) {
  return std::min(options.exactness.tolerance, largest_tolerance(options));
}

std::vector<double> start_scores(const Model& model, const Problem& data, unsigned threads) {
  const ClassNames classes = model.class_names();
  if (classes != data.classes) {
    throw ModelError(fmt::format("the start tells {} from {}, the data {} from {}",
                                 quoted(classes.negative), quoted(classes.positive),
                                 quoted(data.classes.negative), quoted(data.classes.positive)));
  }
  if (model.features.count != data.x.columns()) {
    throw ModelError(fmt::format("the start has {} features, the data have {}",
                                 model.features.count, data.x.columns()));
  }
  if (!std::ranges::equal(model.features.categories, data.categories)) {
    throw ModelError("the start has other categories than the data");
  }
  return Predictor(model, threads).scores(data.x);
}

std::vector<double> start_offsets(const Model& model, std::size_t offsets) {
  const double rho = model.surface().band.rho;
  return offsets == 2 ? std::vector<double>{-rho, rho} : std::vector<double>{0};
}

}  // namespace rampart
