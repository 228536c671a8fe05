#pragma once

#include <vector>

#include "data/generate.hpp"
#include "rampart/model.hpp"
#include "rampart/train.hpp"

namespace rampart::testing_support {

/// A small trained model of every kind.
inline std::vector<Model> models() {
  const Dataset data = generate(SyntheticSet::square, 60, 3);
  std::vector<Model> all;
  for (const KernelType kernel :
       {KernelType::linear, KernelType::rbf, KernelType::polynomial, KernelType::sigmoid}) {
    for (const ScalingKind scaling : {ScalingKind::none, ScalingKind::standard}) {
      all.push_back(
          train(data, {.representation = {.kernel = {.type = kernel}, .scaling = scaling}}).model);
    }
  }
  all.push_back(train(data, {.objective = {.costs = {1, 3, 0.5, 0.25}}}).model);
  all.push_back(train(data, {.objective = {.loss = LossKind::double_hinge}}).model);
  all.back().surface().decide_for = Costs{1, 2, 0.45, 0.25};
  all.back().surface().trained_band = {0.125, 0.75};
  all.push_back(train(data, {.objective = {.class_weights = {{"1", 2.5}}}}).model);

  Dataset sparse = data;
  sparse.features.clear();
  std::vector<std::size_t> starts{0};
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  for (std::size_t n = 0; n < data.size(); ++n) {
    indices.push_back(n % 2 == 0 ? 0 : 700);
    values.push_back(data.x.dense_row(n)[0]);
    starts.push_back(values.size());
  }
  sparse.x = Rows::sparse(1000, starts, indices, values);
  all.push_back(train(sparse, {}).model);
  all.push_back(train(sparse, {.representation = {.kernel = {.type = KernelType::linear}}}).model);

  Dataset matrix{.y = {1, -1}, .classes = {"no", "yes"}};
  matrix.x = Rows::dense(2, {1, 0.25, 0.25, 1});
  all.push_back(
      train(matrix, {.representation = {.kernel = {.type = KernelType::precomputed}}}).model);
  return all;
}

}  // namespace rampart::testing_support
