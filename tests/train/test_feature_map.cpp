#include "train/feature_map.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "noisy_line.hpp"
#include "rampart/errors.hpp"
#include "rampart/model.hpp"
#include "rampart/train.hpp"
#include "train/landmarks.hpp"

namespace rampart {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using testing_support::noisy_line;
using testing_support::subset;

constexpr RbfKernel kernel{0.7};

double distance_kernel(RowsView x, std::size_t n, std::size_t m) {
  std::vector<double> one(x.columns());
  std::vector<double> other(x.columns());
  x.copy_row(n, one);
  x.copy_row(m, other);
  double squares = 0;
  for (std::size_t j = 0; j < one.size(); ++j) squares += std::pow(one[j] - other[j], 2);
  return std::exp(-kernel.gamma * squares);
}

/// The mean of |φ(x)·φ(z) − k(x, z)| over all pairs.
double mean_error(const FeatureMap& map, RowsView x) {
  std::vector<double> mapped(x.size() * map.columns());
  map.apply(x, mapped);
  double sum = 0;
  for (std::size_t n = 0; n < x.size(); ++n) {
    for (std::size_t m = 0; m < n; ++m) {
      double product = 0;
      for (std::size_t j = 0; j < map.columns(); ++j) {
        product += mapped[n * map.columns() + j] * mapped[m * map.columns() + j];
      }
      sum += std::abs(product - distance_kernel(x, n, m));
    }
  }
  return sum / (static_cast<double>(x.size()) * static_cast<double>(x.size() - 1) / 2);
}

TrainOptions with_landmarks(std::size_t landmarks) {
  TrainOptions options{.objective = {.C = 2}};
  options.representation.kernel.gamma = kernel.gamma;
  options.representation.kernel.landmarks = landmarks;
  return options;
}
TrainOptions with_features(std::size_t features) {
  TrainOptions options = with_landmarks(0);
  options.representation.kernel.features = features;
  return options;
}

TEST(Landmarks, AreDifferentRowsAndTheSameEveryTime) {
  const Dataset data = noisy_line(300, 5, 3);
  const auto found = choose_landmarks(kernel, data.x, 60, 1);
  EXPECT_EQ(found.size(), 60U);
  EXPECT_EQ(std::set(found.begin(), found.end()).size(), 60U);
  EXPECT_LT(*std::ranges::max_element(found), 300U);
  EXPECT_EQ(found, choose_landmarks(kernel, data.x, 60, 2));
}

TEST(Landmarks, AreNeverTheSameRowTwice) {
  const Dataset once = noisy_line(12, 5);
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < 120; ++k) rows.push_back(k % 12);
  const Dataset data = subset(once, rows);
  const auto found = choose_landmarks(kernel, data.x, 50, 1);
  std::set<std::size_t> distinct;
  for (const std::size_t n : found) distinct.insert(n % 12);
  EXPECT_EQ(found.size(), 12U);
  EXPECT_EQ(distinct.size(), 12U);
}

TEST(FeatureMap, OfAllRowsHasTheProductsOfTheKernel) {
  const Dataset data = noisy_line(150, 6, 3);
  const FeatureMap map = FeatureMap::of_landmarks(kernel, data.x, 150, false, 1);
  EXPECT_LT(mean_error(map, data.x), 1e-9);
}

TEST(FeatureMap, OfMoreLandmarksIsCloser) {
  const Dataset data = noisy_line(400, 6, 3);
  double last = 1;
  for (const std::size_t landmarks : {5, 20, 80}) {
    const double error =
        mean_error(FeatureMap::of_landmarks(kernel, data.x, landmarks, false, 1), data.x);
    EXPECT_LT(error, last / 4) << landmarks;
    last = error;
  }
}

TEST(FeatureMap, OfFrequenciesErrsByOneOverTheRootOfTheirNumber) {
  const Dataset data = noisy_line(60, 6, 4);
  const double few = mean_error(FeatureMap::of_frequencies(kernel, 4, 64, false), data.x);
  const double many = mean_error(FeatureMap::of_frequencies(kernel, 4, 64 * 64, false), data.x);
  EXPECT_LT(few, 1 / std::sqrt(64.0));
  EXPECT_GT(few / many, 8 / 2.5);
  EXPECT_LT(few / many, 8 * 2.5);
  EXPECT_LT(mean_error(FeatureMap::of_frequencies(kernel, 4, 4095, false), data.x),
            2 * many);  // an odd number has a frequency without its negative
}

TEST(FeatureMap, OfARowDoesNotDependOnTheOthers) {
  const Dataset data = noisy_line(200, 7, 5);
  for (const bool single : {false, true}) {
    for (const FeatureMap& map : {FeatureMap::of_landmarks(kernel, data.x, 150, single, 2),
                                  FeatureMap::of_frequencies(kernel, 5, 31, single)}) {
      const std::size_t columns = map.columns();
      std::vector<double> all(200 * columns);
      map.apply(data.x, all);
      for (const std::size_t n : {0, 17, 63, 64, 199}) {
        std::vector<double> one(columns);
        map.apply(RowsView(data.x).range(n, n + 1), one);
        EXPECT_TRUE(
            std::equal(one.begin(), one.end(), all.begin() + static_cast<long>(n * columns)));
        for (const double value : one) {
          if (single) {
            EXPECT_EQ(value, static_cast<double>(static_cast<float>(value)));
          }
        }
      }
    }
  }
}

TEST(FeatureMap, CoefficientsGiveTheSameFunction) {
  const Dataset data = noisy_line(100, 8, 3);
  const FeatureMap map = FeatureMap::of_landmarks(kernel, data.x, 30, false, 1);
  std::vector<double> w;
  for (std::size_t j = 0; j < map.columns(); ++j) w.push_back(std::sin(static_cast<double>(j)));
  const std::vector<double> c = map.coefficients(w);
  std::vector<double> mapped(100 * map.columns());
  map.apply(data.x, mapped);
  for (std::size_t n = 0; n < 100; ++n) {
    double by_features = 0;
    for (std::size_t j = 0; j < w.size(); ++j) by_features += w[j] * mapped[n * w.size() + j];
    double by_kernel = 0;
    for (std::size_t k = 0; k < c.size(); ++k) {
      double squares = 0;
      for (std::size_t j = 0; j < 3; ++j) {
        squares += std::pow(map.vectors().dense_row(k)[j] - data.x.dense_row(n)[j], 2);
      }
      by_kernel += c[k] * std::exp(-kernel.gamma * squares);
    }
    EXPECT_NEAR(by_features, by_kernel, 1e-8);
  }
}

TEST(FeatureMap, OfSparseRowsWithManyColumnsIsThatOfDenseOnes) {
  const Dataset data = noisy_line(80, 9, 3);
  std::vector<std::size_t> starts{0};
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  for (std::size_t n = 0; n < 80; ++n) {
    for (std::size_t j = 0; j < 3; ++j) {
      indices.push_back(static_cast<std::uint32_t>(j * 1500));
      values.push_back(data.x.dense_row(n)[j]);
    }
    starts.push_back(values.size());
  }
  const Rows sparse = Rows::sparse(4000, starts, indices, values);
  const FeatureMap map = FeatureMap::of_landmarks(kernel, sparse, 40, false, 1);
  const FeatureMap dense = FeatureMap::of_landmarks(kernel, data.x, 40, false, 1);
  EXPECT_NEAR(mean_error(map, sparse), mean_error(dense, data.x), 1e-9);
  EXPECT_LT(mean_error(FeatureMap::of_frequencies(kernel, 4000, 1000, false), sparse), 0.05);
}

/// Every loss: with all rows as landmarks nothing but the solver differs.
TEST(FeatureMap, TrainsTheExactKernelsModelWhereAllRowsAreLandmarks) {
  for (const LossKind loss : {LossKind::double_ramp, LossKind::double_hinge,
                              LossKind::generalized_hinge, LossKind::hinge}) {
    const Dataset data = noisy_line(250, 11, 3);
    TrainOptions exact = with_landmarks(0);
    exact.objective.loss = loss;
    exact.exactness.tolerance = 1e-7;
    TrainOptions mapped = exact;
    mapped.representation.kernel.landmarks = data.size();
    const Trained one = train(data, exact);
    const Trained other = train(data, mapped, {}, &one.model);  // the same flat sets
    EXPECT_EQ(other.report.status, TrainStatus::converged);
    EXPECT_NEAR(other.report.objective / one.report.objective, 1, 1e-6) << to_string(loss);
    for (std::size_t n = 0; n < data.size(); ++n) {
      EXPECT_NEAR(other.scores[n], one.scores[n], 1e-3) << to_string(loss) << " row " << n;
    }
  }
}

TEST(FeatureMap, GivesTheSameBitsWithAnyThreadsMappedOnceOrByBlocks) {
  const Dataset data = noisy_line(5000, 12, 4);
  for (TrainOptions options : {with_landmarks(50), with_features(60)}) {
    options.resources = {.cache_bytes = std::size_t{1} << 30, .threads = 1};
    const Trained first = train(data, options);
    EXPECT_EQ(first.report.status, TrainStatus::converged);
    for (const std::size_t cache : {std::size_t{0}, std::size_t{1} << 30}) {
      for (const unsigned threads : {1U, 2U}) {
        options.resources = {.cache_bytes = cache, .threads = threads};
        const Trained trained = train(data, options);
        EXPECT_EQ(to_json(trained.model), to_json(first.model)) << cache << ' ' << threads;
        EXPECT_EQ(trained.scores, first.scores);
      }
    }
  }
}

TEST(FeatureMap, ModelsPredictTheTrainingScoresByThemselves) {
  const Dataset data = noisy_line(400, 13, 4);
  for (const TrainOptions& options : {with_landmarks(50), with_features(51)}) {
    const Trained trained = train(data, options);
    const Model loaded = model_from_json(to_json(trained.model), "m.json");
    EXPECT_EQ(loaded, trained.model);
    const Predictor predictor(loaded);
    EXPECT_EQ(predictor.scores(data.x), trained.scores);
    for (const std::size_t n : {0, 99, 399}) {
      EXPECT_EQ(predictor.score(data.x.dense_row(n)), trained.scores[n]);
    }
    EXPECT_LE(loaded.vectors.size(), 51U);
  }
  EXPECT_EQ(train(data, with_landmarks(50)).model.kernel, Kernel(kernel));
  EXPECT_EQ(train(data, with_features(50)).model.kernel, Kernel(FourierKernel{kernel.gamma}));
}

TEST(FeatureMap, ApproximateTrainingsComeCloseToTheExactOne) {
  const Dataset data = noisy_line(1500, 14, 3);
  const double exact = train(data, with_landmarks(0)).report.objective;
  for (const TrainOptions& options : {with_landmarks(100), with_features(500)}) {
    EXPECT_NEAR(train(data, options).report.objective / exact, 1, 0.03);
  }
}

TEST(FeatureMap, OptionsThatDoNotFitAreRefused) {
  const auto refuses = [](TrainOptions options, const std::string& part) {
    EXPECT_THAT([&] { options.validate(); }, ThrowsMessage<OptionError>(HasSubstr(part)));
  };
  TrainOptions options = with_landmarks(10);
  options.representation.kernel.features = 10;
  refuses(options, "only one of them");
  options = with_features(10);
  options.representation.kernel.type = KernelType::polynomial;
  refuses(options, "features = 10: only the rbf kernel");
  options = with_landmarks(10);
  options.exactness.solver = SolverKind::smo;
  refuses(options, "solver smo");
  options = with_landmarks(10'000'000);
  refuses(options, "must be at most");
  options = with_landmarks(0);
  options.representation.kernel.type = KernelType::fourier;
  refuses(options, "kernel fourier");
  const Dataset data = noisy_line(40, 1);
  EXPECT_THAT([&] { static_cast<void>(train(data, with_landmarks(41))); },
              ThrowsMessage<InputError>(HasSubstr("more than the 40 rows")));
}

}  // namespace
}  // namespace rampart
