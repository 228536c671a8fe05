#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "evaluate/cross_validation.hpp"
#include "evaluate/risk_coverage.hpp"

namespace rampart::testing_support {

/// The same to the last bit.
inline void expect_same(const FoldResult& a, const FoldResult& b, const std::string& where) {
  EXPECT_EQ(a.method, b.method) << where;
  EXPECT_EQ(a.repeat, b.repeat) << where;
  EXPECT_EQ(a.fold, b.fold) << where;
  EXPECT_EQ(a.metrics.table, b.metrics.table) << where;
  EXPECT_EQ(a.metrics.costs, b.metrics.costs) << where;
  EXPECT_EQ(a.without_band.table, b.without_band.table) << where;
  EXPECT_EQ(a.without_band.costs, b.without_band.costs) << where;
  EXPECT_EQ(a.aurc, b.aurc) << where;
  EXPECT_EQ(a.training_rows, b.training_rows) << where;
  EXPECT_EQ(a.b, b.b) << where;
  EXPECT_EQ(a.rho, b.rho) << where;
  EXPECT_EQ(a.objective, b.objective) << where;
  EXPECT_EQ(a.rounds, b.rounds) << where;
  EXPECT_EQ(a.support_vectors, b.support_vectors) << where;
  EXPECT_EQ(a.status, b.status) << where;
}

inline void expect_same(const std::vector<FoldResult>& a, const std::vector<FoldResult>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    expect_same(a[k], b[k],
                "method " + std::to_string(a[k].method) + ", repetition " +
                    std::to_string(a[k].repeat) + ", fold " + std::to_string(a[k].fold));
  }
}

/// Some rows of a precomputed kernel matrix, against some columns of it; else just the rows.
inline Rows seen_by(const Dataset& data, const std::vector<std::size_t>& rows,
                    const std::vector<std::size_t>& training, const TrainOptions& options) {
  if (options.representation.kernel.type != KernelType::precomputed) return data.x.subset(rows);
  const Rows whole = data.x.to_dense();
  std::vector<double> values;
  for (const std::size_t n : rows) {
    for (const std::size_t m : training) values.push_back(whole.dense_row(n)[m]);
  }
  return Rows::dense(training.size(), std::move(values), rows.size());
}

/// What a result is by definition: train() on the training rows alone, measured on the others.
inline FoldResult learn_and_measure(const Dataset& data, const TrainOptions& method,
                                    const Split& split) {
  Dataset training = data.subset(split.training);
  training.x = seen_by(data, split.training, split.training, method);
  const Trained trained = train(training, method);
  const Model& model = trained.model;
  const std::vector<double> scores =
      Predictor(model).scores(seen_by(data, split.test, split.training, method));
  const std::vector<std::int8_t> y = data.subset(split.test).y;
  return {.metrics = measure(scores, y, model.surface().band.rho, method.costs()),
          .without_band = measure(trained.model.surface().own_scores(scores), y, 0, method.costs()),
          .aurc = aurc(scores, y),
          .training_rows = split.training.size(),
          .b = model.surface().band.b,
          .rho = model.surface().band.rho,
          .objective = trained.report.objective,
          .rounds = trained.report.history.size(),
          .support_vectors = trained.report.support_vectors,
          .status = trained.report.status};
}

}  // namespace rampart::testing_support
