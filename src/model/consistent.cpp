#include "model/consistent.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "rampart/errors.hpp"

namespace rampart {

void require_consistent(const Model& model) {
  const Surface& surface = model.surface();
  const std::size_t columns = model.features.count;
  const std::size_t features = model.encoding.features(columns);
  const KernelType type = type_of(model.kernel);
  const bool linear = type == KernelType::linear;
  const bool precomputed = type == KernelType::precomputed;
  const auto require = [](bool holds, const char* fault) {
    if (!holds) throw ModelError(fmt::format("the parts of the model do not fit: {}", fault));
  };
  require(model.features.names.empty() || model.features.names.size() == columns,
          "it must have one name a feature");
  require(model.encoding.columns.empty() || model.encoding.columns.size() == columns,
          "its encoding must have one entry a column");
  const Categories& categories = model.features.categories;
  require(categories.empty() || categories.size() == columns,
          "it must have one list of categories a column");
  require(categories.empty() || !model.encoding.columns.empty(), "categories need an encoding");
  for (std::size_t j = 0; j < model.encoding.columns.size(); ++j) {
    require(
        model.encoding.columns[j].seen.size() == (categories.empty() ? 0 : categories[j].size()),
        "its encoding must say of every category whether it was seen");
    const Encoding::Column& column = model.encoding.columns[j];
    require(column.seen.empty() || (column.fill >= 0 && column.fill == std::floor(column.fill) &&
                                    column.fill < static_cast<double>(column.seen.size())),
            "what stands for a missing category must be one");
  }
  require(!precomputed || model.encoding.is_identity(),
          "a precomputed kernel has neither categories nor missing values");
  require(!precomputed || !model.familiar.is_on(), "a precomputed kernel has no familiar values");
  if (const char* const fault = fault_of(model.familiar, columns)) require(false, fault);
  const std::size_t scales = model.scaling.kind != ScalingKind::none ? features : 0;
  require(model.scaling.offset.size() == scales && model.scaling.factor.size() == scales,
          "its scaling must have one offset and one factor a feature");
  require(!precomputed || scales == 0, "a precomputed kernel cannot be scaled");
  require(surface.band.rho >= 0, "its band has a negative width");

  require(linear || surface.weights.empty(), "weights belong to linear models");
  require(surface.weights.empty() || surface.weights.size() == features,
          "it must have one weight a feature");
  require(precomputed || model.support.empty(), "numbers of rows belong to precomputed kernels");
  require(std::ranges::is_sorted(model.support, std::ranges::less_equal()) &&
              (model.support.empty() || model.support.back() < features),
          "the numbers of its support vectors must increase and be those of features");
  const std::size_t vectors = linear        ? 0
                              : precomputed ? model.support.size()
                                            : model.vectors.size();
  require(surface.coefficients.size() == vectors, "it must have one coefficient a support vector");
  require(linear || precomputed || model.vectors.columns() <= features,
          "its vectors have more features than it has");
}

}  // namespace rampart
