#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "evaluate/principal.hpp"
#include "evaluate/report.hpp"
#include "rampart/errors.hpp"
#include "train/noisy_line.hpp"

namespace rampart {
namespace {

using testing_support::noisy_line;
using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

Vector any_vector(std::mt19937& random, std::size_t size) {
  Vector v(size);
  for (double& value : v) value = static_cast<double>(random() % 20001) / 10000 - 1;
  return v;
}

/// The same rows with their zeros left out.
Rows without_zeros(const Rows& x) {
  std::vector<std::size_t> starts{0};
  std::vector<std::uint32_t> indices;
  Vector values;
  for (std::size_t n = 0; n < x.size(); ++n) {
    x.for_each(n, [&](std::size_t j, double value) {
      if (value == 0) return;
      indices.push_back(static_cast<std::uint32_t>(j));
      values.push_back(value);
    });
    starts.push_back(values.size());
  }
  return Rows::sparse(x.columns(), starts, indices, values);
}

/// The variance of the rows along a direction.
double variance(const Rows& x, const Vector& direction) {
  Vector along(x.size(), 0);
  for (std::size_t n = 0; n < x.size(); ++n) {
    x.for_each(n, [&](std::size_t j, double value) { along[n] += value * direction[j]; });
  }
  const auto count = static_cast<double>(x.size());
  const double mean = std::accumulate(along.begin(), along.end(), 0.0) / count;
  double sum = 0;
  for (const double value : along) sum += (value - mean) * (value - mean);
  return sum / count;
}

/// How much of a vector lies outside the plane of the two directions.
double outside(const PrincipalPlane& plane, Vector v) {
  for (const Vector& direction : plane.directions) {
    const double part = dot(v, direction);
    for (std::size_t j = 0; j < v.size(); ++j) v[j] -= part * direction[j];
  }
  return std::sqrt(dot(v, v));
}

RC_GTEST_PROP(PrincipalPlane, RecoversThePlaneThatPointsLieOn, ()) {
  std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
  const auto features = *rc::gen::inRange<std::size_t>(2, 40);
  const Vector origin = any_vector(random, features);
  const Vector one = any_vector(random, features);
  const Vector other = any_vector(random, features);
  Vector values;
  for (int n = 0; n < 50; ++n) {
    const Vector at = any_vector(random, 2);
    for (std::size_t j = 0; j < features; ++j) {
      values.push_back(origin[j] + 3 * at[0] * one[j] + at[1] * other[j]);
    }
  }
  const Rows x = Rows::dense(features, values);
  for (const Rows& rows : {x, without_zeros(x)}) {
    const auto plane = principal_plane(rows);
    RC_ASSERT(plane.has_value());
    RC_ASSERT(std::abs(plane->variance_share - 1) < 1e-9);
    RC_ASSERT(outside(*plane, one) < 1e-6);
    RC_ASSERT(outside(*plane, other) < 1e-6);
    Vector to_origin = origin;
    for (std::size_t j = 0; j < features; ++j) to_origin[j] -= plane->mean[j];
    RC_ASSERT(outside(*plane, to_origin) < 1e-6);
  }
}

RC_GTEST_PROP(PrincipalPlane, IsOrthonormalAndHoldsMoreVarianceThanOtherPlanes, ()) {
  std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
  const auto features = *rc::gen::inRange<std::size_t>(2, 20);
  const auto count = *rc::gen::inRange<std::size_t>(2, 60);
  const Rows x = Rows::dense(features, any_vector(random, features * count));
  const auto plane = principal_plane(x);
  RC_ASSERT(plane.has_value());
  const auto& [first, second] = plane->directions;
  RC_ASSERT(std::abs(dot(first, first) - 1) < 1e-12);
  RC_ASSERT(std::abs(dot(second, second) - 1) < 1e-12);
  RC_ASSERT(std::abs(dot(first, second)) < 1e-12);
  double total = 0;
  for (std::size_t j = 0; j < features; ++j) {
    Vector axis(features, 0);
    axis[j] = 1;
    total += variance(x, axis);
  }
  const double held = variance(x, first) + variance(x, second);
  RC_ASSERT(std::abs(held / total - plane->variance_share) < 1e-9);
  RC_ASSERT(variance(x, first) >= variance(x, second) * (1 - 1e-9));
  for (int trial = 0; trial < 20; ++trial) {
    Vector v = any_vector(random, features);
    const double length = std::sqrt(dot(v, v));
    RC_PRE(length > 0);
    for (double& value : v) value /= length;
    RC_ASSERT(variance(x, v) <= variance(x, first) * (1 + 1e-6));
    Vector w = any_vector(random, features);  // and a second one, orthogonal to it
    const double part = dot(v, w);
    for (std::size_t j = 0; j < features; ++j) w[j] -= part * v[j];
    const double across = std::sqrt(dot(w, w));
    if (across < 1e-3) continue;
    for (double& value : w) value /= across;
    RC_ASSERT(variance(x, v) + variance(x, w) <= held * (1 + 1e-6));
  }
}

TEST(PrincipalPlane, DoesNotDependOnTheOrderOfTheRows) {
  for (const std::size_t features : {12U, 300U}) {  // fewer than the rows, and more
    const Rows x = noisy_line(80, 5, features).x;
    std::vector<std::size_t> order(x.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::mt19937 random(1);
    const auto plane = principal_plane(x);
    for (int trial = 0; trial < 5; ++trial) {
      for (std::size_t n = order.size(); n > 1; --n) std::swap(order[n - 1], order[random() % n]);
      const auto other = principal_plane(x.subset(order));
      for (std::size_t k = 0; k < 2; ++k) {
        for (std::size_t j = 0; j < features; ++j) {
          EXPECT_NEAR(other->directions[k][j], plane->directions[k][j], 1e-6);
        }
      }
    }
  }
}

/// Two equal variances determine a plane, but no directions in it: the result must span both
/// directions, and not replace one by the third.
TEST(PrincipalPlane, HoldsBothOfTwoEqualVariances) {
  for (const std::size_t features : {4U, 40U}) {  // with eight rows
    Vector values(8 * features, 0);
    for (std::size_t k = 0; k < 4; ++k) {
      for (std::size_t sign = 0; sign < 2; ++sign) {
        values[(2 * k + sign) * features + k] = (sign == 0 ? 1 : -1) * (k < 2 ? 3.0 : 1.0);
      }
    }
    const auto plane = principal_plane(Rows::dense(features, values));
    EXPECT_NEAR(plane->variance_share, 0.9, 1e-12);
  }
}

/// Two rows on each axis, so that the variance along axis k is 2·size(k)²/N: a matrix whose
/// eigenvectors are known, and too large to be decomposed as a whole.
template <class Size>
Rows rows_on_axes(std::size_t axes, Size size) {
  Vector values(2 * axes * axes, 0);
  for (std::size_t k = 0; k < axes; ++k) {
    values[2 * k * axes + k] = size(k);
    values[(2 * k + 1) * axes + k] = -size(k);
  }
  return Rows::dense(axes, values);
}

TEST(PrincipalPlane, OfManyFeaturesHoldsBothOfTwoEqualVariances) {
  const Rows x = rows_on_axes(50, [](std::size_t k) { return k < 2 ? 3.0 : 1.0; });
  for (const Rows& rows : {x, without_zeros(x)}) {
    EXPECT_NEAR(principal_plane(rows)->variance_share, 18.0 / (18 + 48), 1e-12);
  }
}

TEST(PrincipalPlane, OfManyFeaturesMayBeThatOfALine) {
  const Rows x = rows_on_axes(50, [](std::size_t k) { return k == 7 ? 1e5 : 0.0; });
  for (const Rows& rows : {x, without_zeros(x)}) {
    const auto plane = principal_plane(rows);
    EXPECT_NEAR(plane->variance_share, 1, 1e-12);
    EXPECT_NEAR(plane->directions[0][7], 1, 1e-12);
    EXPECT_NEAR(dot(plane->directions[0], plane->directions[1]), 0, 1e-12);
    EXPECT_NEAR(dot(plane->directions[1], plane->directions[1]), 1, 1e-12);
  }
}

/// Many variances close to the largest take too long to separate, and need not be separated.
TEST(PrincipalPlane, HoldsNearlyAsMuchAsPossibleWhereManyVariancesAreNearTheLargest) {
  constexpr std::size_t axes = 400;
  Vector variances;
  for (std::size_t k = 0; k < axes; ++k) {
    const double t = static_cast<double>(k) / axes;
    variances.push_back(1 - t * t);
  }
  const auto plane =
      principal_plane(rows_on_axes(axes, [&](std::size_t k) { return std::sqrt(variances[k]); }));
  const double total = std::accumulate(variances.begin(), variances.end(), 0.0);
  const double most = (variances[0] + variances[1]) / total;
  EXPECT_LE(plane->variance_share, most * (1 + 1e-9));
  EXPECT_GE(plane->variance_share, most * (1 - 1e-2));
  EXPECT_NEAR(dot(plane->directions[0], plane->directions[1]), 0, 1e-12);
}

/// Slowly decreasing variances need the most passes over the rows.
TEST(PrincipalPlane, IsTheSameFromRowsAndFromColumns) {
  std::mt19937 random(7);
  const std::size_t count = 150;
  const Rows x = Rows::dense(count, any_vector(random, count * count));
  std::vector<std::size_t> doubled;  // the same variances, but more rows than columns
  for (std::size_t n = 0; n < 2 * count; ++n) doubled.push_back(n % count);
  const auto from_columns = principal_plane(x.subset(doubled));
  const auto from_rows = principal_plane(x.widened(count + 1));
  EXPECT_NEAR(from_rows->variance_share, from_columns->variance_share, 1e-9);
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t j = 0; j < count; ++j) {
      EXPECT_NEAR(from_rows->directions[k][j], from_columns->directions[k][j], 1e-6);
    }
  }
}

TEST(PrincipalPlane, PointsOnALineHaveAPlaneAndEqualOnesHaveNone) {
  Vector values;
  for (int n = 0; n < 9; ++n) values.insert(values.end(), {1.0 * n, 2.0 * n, 5, -2.0 * n});
  const auto plane = principal_plane(Rows::dense(4, values));
  ASSERT_TRUE(plane.has_value());
  EXPECT_NEAR(plane->variance_share, 1, 1e-12);
  EXPECT_NEAR(plane->directions[0][1], 2.0 / 3, 1e-9);
  EXPECT_NEAR(plane->directions[0][3], -2.0 / 3, 1e-9);
  EXPECT_NEAR(dot(plane->directions[0], plane->directions[1]), 0, 1e-12);
  EXPECT_NEAR(dot(plane->directions[1], plane->directions[1]), 1, 1e-12);
  EXPECT_FALSE(principal_plane(Rows::dense(3, Vector(30, 0.1))).has_value());
  EXPECT_FALSE(principal_plane(Rows::sparse(3, {0, 0, 0}, {}, {})).has_value());
}

/// A model of each kind on rows of this many features.
std::vector<Model> models_of(const Dataset& data) {
  std::vector<Model> models;
  for (const KernelType kernel :
       {KernelType::linear, KernelType::rbf, KernelType::polynomial, KernelType::sigmoid}) {
    for (const ScalingKind scaling : {ScalingKind::none, ScalingKind::standard}) {
      models.push_back(
          train(data, {.objective = {.C = 3},
                       .representation = {.kernel = {.type = kernel}, .scaling = scaling}})
              .model);
    }
  }
  models.push_back(train(data, {.objective = {.loss = LossKind::double_hinge}}).model);
  return models;
}

Plane plane_on(const Model& model, const Dataset& data) {
  return plane_of(model, data, Predictor(model).scores(data.x)).value();
}

TEST(Plane, HoldsTheScoresOfItsNodes) {
  const Dataset data = noisy_line(80, 3, 2);
  for (const Model& model : models_of(data)) {
    const Plane plane = plane_on(model, data);
    EXPECT_FALSE(plane.projected);
    ASSERT_EQ(plane.values.size(), plane.columns * plane.rows);
    const Predictor predictor(model);
    for (std::size_t node = 0; node < plane.values.size(); node += 97) {
      const Vector at = {plane.x(node % plane.columns), plane.y(node / plane.columns)};
      EXPECT_EQ(plane.values[node], predictor.score(at));
    }
    EXPECT_EQ(plane.x(0), plane.box[0]);
    EXPECT_EQ(plane.x(plane.columns - 1), plane.box[1]);
    EXPECT_EQ(plane.y(0), plane.box[2]);
    EXPECT_EQ(plane.y(plane.rows - 1), plane.box[3]);
  }
}

/// On a projection, f of a point is not f of the rows that are drawn there.
TEST(Plane, HasNoScoresOfItsOwnWhereRowsAreProjected) {
  for (const std::size_t features : {3U, 300U}) {  // 300: more than rows
    const Dataset data = noisy_line(80, 3, features);
    for (const Model& model : models_of(data)) {
      const Plane plane = plane_on(model, data);
      EXPECT_TRUE(plane.projected);
      EXPECT_TRUE(plane.values.empty());
    }
  }
}

TEST(Plane, KnowsTheAnswerThatEveryRowGot) {
  for (const std::size_t features : {2U, 5U}) {
    const Dataset data = noisy_line(80, 3, features);
    for (const Model& model : models_of(data)) {
      const Plane plane = plane_on(model, data);
      const std::vector<Decision> answers = predict(model, data.x);
      for (std::size_t n = 0; n < data.size(); ++n) EXPECT_EQ(plane.points[n].answer, answers[n]);
    }
  }
}

TEST(Plane, ShowsEveryRowInsideItsBox) {
  for (const std::size_t features : {2U, 5U}) {
    const Dataset data = noisy_line(80, 3, features);
    const Model model = train(data, {.representation = {.scaling = ScalingKind::minmax}}).model;
    const Plane plane = plane_on(model, data);
    const Rows scaled = model.scaling.apply(data.x);
    ASSERT_EQ(plane.points.size(), data.size());
    for (std::size_t n = 0; n < data.size(); ++n) {
      const Plane::Point& point = plane.points[n];
      EXPECT_EQ(point.label, data.y[n]);
      EXPECT_TRUE(plane.box[0] < point.x && point.x < plane.box[1]);
      EXPECT_TRUE(plane.box[2] < point.y && point.y < plane.box[3]);
      if (!plane.projected) {
        EXPECT_EQ(point.x, data.x.dense_row(n)[0]);
        EXPECT_EQ(point.y, data.x.dense_row(n)[1]);
        continue;
      }
      double x = 0;
      double y = 0;
      const Rows frame = plane.frame.to_dense();
      for (std::size_t j = 0; j < features; ++j) {
        const double from_origin = scaled.dense_row(n)[j] - frame.dense_row(0)[j];
        x += frame.dense_row(1)[j] * from_origin;
        y += frame.dense_row(2)[j] * from_origin;
      }
      EXPECT_NEAR(point.x, x, 1e-12);
      EXPECT_NEAR(point.y, y, 1e-12);
    }
  }
}

TEST(Plane, MarksTheSupportVectors) {
  const Dataset data = noisy_line(80, 3, 5);
  for (const LossKind loss : {LossKind::double_ramp, LossKind::hinge, LossKind::double_hinge,
                              LossKind::generalized_hinge}) {
    const TrainOptions options{.objective = {.loss = loss, .C = 3},
                               .representation = {.scaling = ScalingKind::standard}};
    const Trained trained = train(data, options);
    const auto marked = [](const Plane& plane) {
      return std::ranges::count_if(plane.points, [](const auto& point) { return point.support; });
    };
    EXPECT_EQ(marked(plane_on(trained.model, data)), trained.report.support_vectors);
  }
}

TEST(Plane, FindsTheSupportVectorsOfALinearModelByTheirMargins) {
  const Dataset data = noisy_line(80, 3, 3);
  for (const LossKind loss : {LossKind::double_ramp, LossKind::hinge, LossKind::double_hinge,
                              LossKind::generalized_hinge}) {
    TrainOptions options{.objective = {.loss = loss, .C = 3}, .exactness = {.tolerance = 1e-7}};
    options.representation.kernel.type = KernelType::linear;
    options.exactness.solver = SolverKind::smo;  // the same dual variables as of the other kernel
    const Plane linear = plane_on(train(data, options).model, data);
    options.representation.kernel = {
        .type = KernelType::polynomial, .gamma = 1.0, .coef0 = 0, .degree = 1};
    const Plane same = plane_on(train(data, options).model, data);  // keeps its vectors
    for (std::size_t n = 0; n < data.size(); ++n) {
      EXPECT_TRUE(linear.points[n].support || !same.points[n].support) << n;
    }
    const auto marked = [](const Plane& plane) {
      return std::ranges::count_if(plane.points, [](const auto& point) { return point.support; });
    };
    EXPECT_LT(marked(linear), 80);
  }
}

TEST(Plane, IsTheSameForSparseRows) {
  Dataset data = noisy_line(80, 3, 6);
  const Model model = train(data, {.objective = {.C = 3}}).model;
  const Plane dense = plane_on(model, data);
  data.x = without_zeros(data.x);
  const Plane sparse = plane_on(model, data);
  for (std::size_t n = 0; n < data.size(); ++n) {
    EXPECT_NEAR(sparse.points[n].x, dense.points[n].x, 1e-6);
    EXPECT_NEAR(sparse.points[n].y, dense.points[n].y, 1e-6);
    EXPECT_EQ(sparse.points[n].support, dense.points[n].support);
  }
}

/// The rows with other column numbers, nearly all columns being empty.
Dataset spread_out(Dataset data, std::size_t step) {
  std::vector<std::size_t> starts{0};
  std::vector<std::uint32_t> indices;
  Vector values;
  for (std::size_t n = 0; n < data.size(); ++n) {
    data.x.for_each(n, [&](std::size_t j, double value) {
      indices.push_back(static_cast<std::uint32_t>((j + 1) * step - 1));
      values.push_back(value);
    });
    starts.push_back(values.size());
  }
  data.x = Rows::sparse(data.x.columns() * step, starts, indices, values);
  return data;
}

TEST(Plane, IgnoresColumnsOfZeros) {
  const Dataset data = noisy_line(60, 3, 4);
  const std::size_t step = 250'000;  // 1000000 columns
  const Dataset wide = spread_out(data, step);
  for (const KernelType type :
       {KernelType::linear, KernelType::rbf, KernelType::polynomial, KernelType::sigmoid}) {
    const TrainOptions options{.objective = {.C = 3},
                               .representation = {.kernel = {.type = type, .gamma = 0.5}}};
    const Model model = train(data, options).model;
    const Plane narrow = plane_on(model, data);
    Model wide_model = model;
    wide_model.features.count = wide.x.columns();
    wide_model.encoding = {};  // as of sparse rows
    wide_model.familiar = {};
    wide_model.surface().weights.assign(model.surface().weights.empty() ? 0 : wide.x.columns(), 0);
    for (std::size_t j = 0; j < model.surface().weights.size(); ++j) {
      wide_model.surface().weights[(j + 1) * step - 1] = model.surface().weights[j];
    }
    wide_model.vectors =
        spread_out({.x = model.vectors, .y = std::vector<std::int8_t>(model.vectors.size(), 1)},
                   step)
            .x;
    const Plane plane = plane_on(wide_model, wide);
    EXPECT_EQ(plane.frame.columns(), wide.x.columns());
    EXPECT_EQ(plane.frame.stored_values(), 12U);
    for (std::size_t n = 0; n < data.size(); ++n) {
      EXPECT_NEAR(plane.points[n].x, narrow.points[n].x, 1e-6);
      EXPECT_EQ(plane.points[n].support, narrow.points[n].support);
    }
  }
}

TEST(Plane, OfRowsThatDifferInOneColumnHasASecondAxis) {
  Dataset data = noisy_line(30, 3, 3);
  const Model model = train(data, {.representation = {.kernel = {.gamma = 1.0}}}).model;
  Vector values(90, 0);
  for (std::size_t n = 0; n < 30; ++n) values[3 * n + 2] = static_cast<double>(n);
  data.x = Rows::dense(3, values);
  const Plane plane = plane_on(model, data);
  EXPECT_EQ(plane.variance_share, 1);
  const Rows frame = plane.frame.to_dense();
  EXPECT_NEAR(frame.dense_row(1)[2], 1, 1e-12);
  EXPECT_NEAR(frame.dense_row(2)[2], 0, 1e-12);
}

TEST(Plane, DrawsNoMoreRowsThanAsked) {
  const Dataset data = noisy_line(101, 3, 4);
  const Model model = train(data, {}).model;
  const auto plane = plane_of(model, data, Predictor(model).scores(data.x), 0, 20);
  EXPECT_EQ(plane->rows_per_point, 6U);
  EXPECT_EQ(plane->points.size(), 17U);
  EXPECT_EQ(plane->points[1].label, data.y[6]);
}

TEST(Plane, IsNamedByTheFeatures) {
  Dataset data = noisy_line(30, 3, 2);
  EXPECT_EQ(plane_on(train(data, {}).model, data).axes[1], "feature 2");
  data.features = {"height", "width"};
  EXPECT_EQ(plane_on(train(data, {}).model, data).axes[1], "width");
}

TEST(Plane, ThereIsNoneForOneFeatureOrAPrecomputedKernel) {
  const Dataset one = noisy_line(30, 3, 1);
  const Trained thin = train(one, {});
  EXPECT_FALSE(plane_of(thin.model, one, thin.scores).has_value());

  Dataset matrix{.y = {1, -1, 1}, .classes = {"-1", "1"}};
  matrix.x = Rows::dense(3, {1, 0, 0, 0, 1, 0, 0, 0, 1});
  const Trained given =
      train(matrix, {.representation = {.kernel = {.type = KernelType::precomputed}}});
  EXPECT_FALSE(plane_of(given.model, matrix, given.scores).has_value());
}

TEST(Plane, HasABoxEvenIfTheRowsDoNotDiffer) {
  Dataset data = noisy_line(30, 3, 2);
  const Model model = train(data, {}).model;
  data.x = Rows::dense(2, Vector(60, 0.25));
  const Plane plane = plane_on(model, data);
  EXPECT_LT(plane.box[0], 0.25);
  EXPECT_GT(plane.box[1], 0.25);
  EXPECT_LT(plane.box[2], 0.25);
  EXPECT_GT(plane.box[3], 0.25);
}

}  // namespace
}  // namespace rampart
