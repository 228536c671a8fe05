#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <variant>
#include <vector>

#include "noisy_line.hpp"
#include "rampart/errors.hpp"
#include "train/kernel_solver.hpp"

namespace rampart {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using testing_support::noisy_line;

constexpr std::size_t rows_in_double = 2048;

TrainOptions plain_options(KernelType type = KernelType::linear) {
  return {.representation = {.kernel = {.type = type, .gamma = 0.5}},
          .resources = {.cache_bytes = 1 << 20, .threads = 1}};
}

/// Whether rows of the kernel are float for this training.
bool is_single(const Dataset& data, const TrainOptions& options) {
  const TrainingRows rows = TrainingRows::prepare(data, options.representation, 1);
  return std::holds_alternative<KernelSolver<RowCache<float>>>(choose_solver(rows, options, {}));
}

Dataset with_value(Dataset data, double value) {
  std::vector<double> values;
  for (std::size_t n = 0; n < data.size(); ++n) {
    for (const double x : data.x.dense_row(n)) values.push_back(x);
  }
  values.back() = value;
  data.x = Rows::dense(data.x.columns(), std::move(values));
  return data;
}

TEST(ChooseSolver, SmallProblemsHaveRowsInDoublePrecisionLargeOnesInSingle) {
  for (const KernelType type : {KernelType::linear, KernelType::rbf, KernelType::polynomial}) {
    EXPECT_FALSE(is_single(noisy_line(rows_in_double, 1), plain_options(type)));
    EXPECT_TRUE(is_single(noisy_line(rows_in_double + 1, 1), plain_options(type)));
  }
}

TEST(ChooseSolver, ToleranceThatFloatCannotCertifyNeedsDouble) {
  const Dataset data = noisy_line(rows_in_double + 1, 1);
  TrainOptions options = plain_options();
  options.exactness.tolerance = 1e-5;
  EXPECT_TRUE(is_single(data, options));
  options.exactness.tolerance = 0.99e-5;
  EXPECT_FALSE(is_single(data, options));
}

TEST(ChooseSolver, FeaturesWhoseSquaresAreTooLargeForFloatNeedDouble) {
  const Dataset data = noisy_line(rows_in_double + 1, 1);
  EXPECT_TRUE(is_single(with_value(data, 1e15), plain_options()));
  EXPECT_TRUE(is_single(with_value(data, -1e15), plain_options()));
  EXPECT_FALSE(is_single(with_value(data, 1.01e15), plain_options()));
  EXPECT_FALSE(is_single(with_value(data, -1.01e15), plain_options()));
}

TEST(ChooseSolver, ParametersThatAreNoFloatsNeedDouble) {
  const Dataset data = noisy_line(rows_in_double + 1, 1);
  TrainOptions options = plain_options(KernelType::rbf);
  options.representation.kernel.gamma = 1e-31;
  EXPECT_FALSE(is_single(data, options));
  options.representation.kernel.gamma = 1e31;
  EXPECT_FALSE(is_single(data, options));
  options = plain_options(KernelType::polynomial);
  options.representation.kernel.coef0 = 1e31;
  EXPECT_FALSE(is_single(data, options));
}

TEST(ChooseSolver, DoesAsItIsTold) {
  TrainOptions options = plain_options();
  options.exactness.precision = Precision::single_rows;
  EXPECT_TRUE(is_single(noisy_line(20, 1), options));
  options.exactness.precision = Precision::double_rows;
  EXPECT_FALSE(is_single(noisy_line(rows_in_double + 1, 1), options));
}

TEST(ChooseSolver, UsesASharedMatrixForTheRowsItWasComputedFrom) {
  const Dataset data = noisy_line(12, 1);
  const TrainOptions options = plain_options(KernelType::rbf);
  TrainingRows rows = TrainingRows::prepare(data, options.representation, 1);
  const KernelMatrix matrix(rows.kernel, rows.x, 1);
  SharedMatrix shared{.whole = &matrix};
  for (std::size_t n = 0; n < data.size(); ++n) shared.which.push_back(n);
  EXPECT_TRUE(
      std::holds_alternative<KernelSolver<KernelSubmatrix>>(choose_solver(rows, options, shared)));
  rows.moved = true;  // then the matrix is that of other features
  EXPECT_TRUE(
      std::holds_alternative<KernelSolver<RowCache<double>>>(choose_solver(rows, options, shared)));
}

TEST(CanShareMatrix, OnlyAKernelThatDoesNotDependOnTheTrainingRowsIsShared) {
  const Dataset data = noisy_line(20, 1);
  TrainOptions options = plain_options(KernelType::rbf);
  EXPECT_TRUE(can_share_matrix(data, options, 15, 1));
  options.representation.scaling = ScalingKind::standard;
  EXPECT_FALSE(can_share_matrix(data, options, 15, 1));
  options = plain_options(KernelType::rbf);
  options.representation.kernel.gamma = GammaRule::scale;
  EXPECT_FALSE(can_share_matrix(data, options, 15, 1));
  options.representation.kernel.type = KernelType::linear;  // has no gamma
  EXPECT_FALSE(can_share_matrix(data, options, 15, 1));     // and needs no matrix, but for SMO
  options.exactness.solver = SolverKind::smo;
  EXPECT_TRUE(can_share_matrix(data, options, 15, 1));
  options.representation.kernel.type = KernelType::precomputed;
  EXPECT_FALSE(can_share_matrix(data, options, 15, 1));
}

TEST(CanShareMatrix, TheMatrixAndItsPartsMustFitTheCache) {
  const Dataset data = noisy_line(20, 1);
  TrainOptions options = plain_options();
  options.exactness.solver = SolverKind::smo;
  for (const std::size_t parts : {1, 2, 5}) {
    options.resources.cache_bytes = 20 * 20 * sizeof(double) * (1 + parts);
    EXPECT_TRUE(can_share_matrix(data, options, 15, parts));
    --options.resources.cache_bytes;
    EXPECT_FALSE(can_share_matrix(data, options, 15, parts));
  }
}

TEST(CanShareMatrix, TrainingsOnFloatRowsDoNotShare) {
  const Dataset data = noisy_line(rows_in_double + 2, 1);
  TrainOptions options = plain_options();
  options.exactness.solver = SolverKind::smo;
  options.resources.cache_bytes = std::numeric_limits<std::size_t>::max() / 2;
  EXPECT_TRUE(can_share_matrix(data, options, rows_in_double, 1));
  EXPECT_FALSE(can_share_matrix(data, options, rows_in_double + 1, 1));
}

TEST(KernelSolver, KernelValuesTooLargeToComputeWithAreRefused) {
  const auto solve = [](double feature, Precision precision) {
    Dataset data{.x = Rows::dense(1, {1, -feature, feature}), .y = {1, -1, 1}};
    TrainOptions options = plain_options();
    options.exactness.precision = precision;
    const TrainingRows rows = TrainingRows::prepare(data, options.representation, 1);
    static_cast<void>(choose_solver(rows, options, {}));
  };
  EXPECT_NO_THROW(solve(1e75, Precision::double_rows));
  EXPECT_NO_THROW(solve(0.9e15, Precision::single_rows));
  EXPECT_THAT([&] { solve(1.1e75, Precision::double_rows); },
              ThrowsMessage<InputError>(HasSubstr("row 2: its kernel value with itself is 1.21")));
  EXPECT_THAT([&] { solve(1.1e15, Precision::single_rows); },
              ThrowsMessage<InputError>(HasSubstr("row 2: its kernel value with itself is 1.2")));
  try {
    solve(1e80, Precision::double_rows);
    FAIL() << "k(x, x) = 1e160";
  } catch (const InputError& error) {
    EXPECT_EQ(error.setting(), Setting::scaling);
  }
}

TEST(TrainingRows, LabelsOtherThanMinusOneAndOneAreRefused) {
  const Dataset data{.x = Rows::dense(1, {1, 2, 3}), .y = {1, -1, 0}};
  EXPECT_THAT([&] { static_cast<void>(TrainingRows::prepare(data, {}, 1)); },
              ThrowsMessage<InputError>("row 3: label 0 is neither -1 nor 1"));
}

// Nothing is copied before it is asked for, and then it is what blocks of the rows become.
TEST(TrainingRows, AreTheFeaturesThatTheEncoderMakesOfTheRows) {
  constexpr double missing = std::numeric_limits<double>::quiet_NaN();
  Dataset data{.x = Rows::dense(3, {1, 0, 1e6, 2, 1, 1e6, missing, 0, 1e6, 4, 2, 1e6 + 1}),
               .y = {1, -1, 1, -1}};
  data.categories = {{}, {"a", "b", "c"}, {}};
  for (const ScalingKind scaling : {ScalingKind::none, ScalingKind::standard}) {
    Representation representation;
    representation.kernel.type = KernelType::linear;
    representation.scaling = scaling;
    TrainingRows rows = TrainingRows::learn(data, representation, 1);
    EXPECT_EQ(rows.own, nullptr);
    EXPECT_EQ(rows.x.columns(), 3U);
    const RowEncoder encoder = rows.encoder();
    RowEncoder::Buffer buffer;
    const Rows first = encoder.apply(RowsView(data.x).range(0, 2), buffer).to_rows();
    const Rows second = encoder.apply(RowsView(data.x).range(2, 4), buffer).to_rows();
    rows.materialise(representation, 2);
    EXPECT_EQ(rows.x.range(0, 2).to_rows(), first);
    EXPECT_EQ(rows.x.range(2, 4).to_rows(), second);
    EXPECT_EQ(rows.x.columns(), 6U);  // a number and its indicator, three categories, a number
  }
}

// A constant feature far from 0 is left out while training, and the model says nothing of it.
TEST(TrainingRows, AConstantFeatureNeedsNoScalingInTheModel) {
  const Dataset data{.x = Rows::dense(2, {1e9, 1, 1e9, 2, 1e9, 3}), .y = {1, -1, 1}};
  Representation representation;
  representation.kernel.type = KernelType::linear;
  const TrainingRows rows = TrainingRows::prepare(data, representation, 1);
  EXPECT_TRUE(rows.moved);
  EXPECT_EQ(rows.scaling.kind, ScalingKind::none);
  EXPECT_EQ(rows.x.to_rows(), Rows::dense(2, {0, 1, 0, 2, 0, 3}));
}

}  // namespace
}  // namespace rampart
