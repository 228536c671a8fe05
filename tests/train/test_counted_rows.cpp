#include "train/counted_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "kernel/random_rows.hpp"
#include "noisy_line.hpp"
#include "rampart/errors.hpp"
#include "rampart/io.hpp"
#include "rampart/model.hpp"
#include "rampart/train.hpp"
#include "train/thresholds.hpp"

namespace rampart {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using testing_support::noisy_line;
using testing_support::subset;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A choice of options at which other programs compare weights with repetitions: the defaults.
struct Choice {
  LossKind loss;
  KernelType kernel;
  ScalingKind scaling;

  [[nodiscard]] TrainOptions options() const {
    TrainOptions options{.objective = {.loss = loss}, .resources = {.threads = 1}};
    options.representation.kernel.type = kernel;
    options.representation.scaling = scaling;
    options.band.folds = default_band_folds(loss);
    return options;
  }
  [[nodiscard]] std::string name() const {
    return std::string(to_string(loss)) + ", " + std::string(to_string(kernel)) + ", " +
           std::string(to_string(scaling));
  }
};

const std::vector<Choice>& choices() {
  static const std::vector<Choice> all = [] {
    std::vector<Choice> found;
    for (const LossKind loss : {LossKind::double_ramp, LossKind::double_hinge,
                                LossKind::generalized_hinge, LossKind::hinge}) {
      for (const KernelType kernel : {KernelType::linear, KernelType::rbf}) {
        for (const ScalingKind scaling : {ScalingKind::none, ScalingKind::standard}) {
          found.push_back({loss, kernel, scaling});
        }
      }
    }
    return found;
  }();
  return all;
}

/// 10 … 60 rows of 2 … 30 columns: random labels, a noisy line, or few values with many ties. Each
/// class has three different rows at least, whose weights are not 0.
Dataset any_rows(std::uint32_t seed) {
  std::mt19937 random(seed);
  const std::size_t rows = 10 + random() % 51;
  const std::size_t columns = 2 + random() % 29;
  Dataset data = noisy_line(rows, seed, columns);
  for (std::size_t n = 0; n < rows; ++n) {
    if (seed % 3 == 0) data.y[n] = random() % 2 == 0 ? 1 : -1;
    if (n < 6) data.y[n] = n % 2 == 0 ? 1 : -1;
    data.weights.push_back(static_cast<double>(n < 6 ? 1 + random() % 4 : random() % 5));
  }
  if (seed % 3 == 1) {
    std::vector<double> values;
    for (std::size_t n = 0; n < rows; ++n) {
      for (std::size_t j = 0; j < columns; ++j) {
        const double value =
            n < 6 && j == 0 ? static_cast<double>(n) : static_cast<double>(random() % 4);
        values.push_back(value + (j == 1 && data.y[n] > 0 ? 1 : 0));
      }
    }
    data.x = Rows::dense(columns, std::move(values));
  }
  if (seed % 2 == 0) data.x = testing_support::without_zeros(data.x);
  return data;
}

/// These rows, without weights.
Dataset rows_of(const Dataset& data, const std::vector<std::size_t>& which) {
  Dataset part = subset(data, which);
  part.weights.clear();
  return part;
}

Dataset repeated(const Dataset& data) {
  std::vector<std::size_t> which;
  for (std::size_t n = 0; n < data.size(); ++n) {
    which.insert(which.end(), static_cast<std::size_t>(data.weights[n]), n);
  }
  return rows_of(data, which);
}

Dataset shuffled(const Dataset& data, std::uint32_t seed) {
  std::vector<std::size_t> which(data.size());
  std::iota(which.begin(), which.end(), std::size_t{0});
  std::mt19937 random(seed);
  for (std::size_t k = which.size(); k > 1; --k) std::swap(which[k - 1], which[random() % k]);
  return subset(data, which);
}

/// Both give every row the same answer, with the same bits.
void expect_same_answers(const Model& one, const Model& other, RowsView x,
                         const std::string& where) {
  const std::vector<Answer> a = Predictor(one, 1).answers(x);
  const std::vector<Answer> b = Predictor(other, 1).answers(x);
  for (std::size_t n = 0; n < a.size(); ++n) {
    ASSERT_EQ(a[n].score, b[n].score) << where << ", row " << n;
    ASSERT_EQ(a[n].decision, b[n].decision) << where << ", row " << n;
    ASSERT_EQ(a[n].reason, b[n].reason) << where << ", row " << n;
  }
}

/// The model file, without what identifies the rows.
std::string file_of(Model model) {
  model.fingerprint = {};
  return to_json(model);
}

TEST(CountedRows, AWeightIsAsManyRepetitions) {
  for (std::uint32_t seed = 1; seed <= 24; ++seed) {
    const Dataset data = any_rows(seed);
    const Dataset weighted = shuffled(data, seed);
    const Dataset often = repeated(data);
    for (const Choice& choice : choices()) {
      const Trained one = train(weighted, choice.options());
      const Trained other = train(often, choice.options());
      expect_same_answers(one.model, other.model, data.x,
                          choice.name() + ", seed " + std::to_string(seed));
      EXPECT_EQ(one.report.objective, other.report.objective);
    }
  }
}

TEST(CountedRows, ARowOfWeightZeroIsNoRow) {
  for (std::uint32_t seed = 1; seed <= 24; ++seed) {
    Dataset data = any_rows(seed);
    std::vector<std::size_t> kept;
    for (std::size_t n = 0; n < data.size(); ++n) {
      if (seed % 4 == 0 && data.weights[n] != 0) data.weights[n] = 1;
      if (seed % 4 == 1) data.weights[n] *= 0.37;  // no whole numbers
      if (data.weights[n] != 0) kept.push_back(n);
    }
    const Dataset without = subset(data, kept);
    for (const Choice& choice : choices()) {
      EXPECT_EQ(file_of(train(shuffled(data, seed), choice.options()).model),
                file_of(train(without, choice.options()).model))
          << choice.name() << ", seed " << seed;
    }
  }
}

TEST(CountedRows, ARowOfWeightZeroIsNoRowAmongMany) {
  Dataset data = noisy_line(most_ordered_rows + 300, 5, 4);
  std::vector<std::size_t> kept;
  for (std::size_t n = 0; n < data.size(); ++n) {
    data.weights.push_back(n % 4 == 3 ? 0 : n % 3 == 0 ? 1.5 : 1);
    if (data.weights[n] != 0) kept.push_back(n);
  }
  ASSERT_GT(kept.size(), most_ordered_rows);
  const Dataset without = subset(data, kept);
  for (const Choice& choice : choices()) {
    EXPECT_EQ(file_of(train(data, choice.options()).model),
              file_of(train(without, choice.options()).model))
        << choice.name();
  }
}

TEST(CountedRows, TheOrderOfFewRowsDoesNotShow) {
  for (std::uint32_t seed = 1; seed <= 24; ++seed) {
    Dataset data = any_rows(seed);
    if (seed % 3 == 0) data.weights.clear();
    for (const Choice& choice : choices()) {
      const Trained one = train(data, choice.options());
      const Trained other = train(shuffled(data, seed + 100), choice.options());
      EXPECT_EQ(to_json(one.model), to_json(other.model)) << choice.name() << ", seed " << seed;
    }
  }
}

TEST(CountedRows, WeightsOfOneAreNoWeights) {
  for (const std::size_t rows : {std::size_t{60}, most_ordered_rows + 100}) {
    const Dataset data = noisy_line(rows, 8, 3);
    Dataset weighted = data;
    weighted.weights.assign(rows, 1.0);
    for (const Choice& choice : choices()) {
      EXPECT_EQ(to_json(train(weighted, choice.options()).model),
                to_json(train(data, choice.options()).model))
          << choice.name();
    }
  }
}

TEST(CountedRows, ManyRowsKeepTheirOrder) {
  const Dataset data = noisy_line(most_ordered_rows + 1, 2);
  EXPECT_TRUE(CountedRows(data, {}).numbers().empty());
  EXPECT_TRUE(CountedRows(data, {}).kinds().empty());
  const Dataset fewer = noisy_line(most_ordered_rows, 2);
  EXPECT_FALSE(CountedRows(fewer, {}).numbers().empty());
}

/// Whole weights of few rows that make too many rows stay weights. What is learnt of the columns is
/// the same all the same.
TEST(CountedRows, ColumnsAreLearntByWeight) {
  for (const bool sparse : {false, true}) {
    Dataset data = noisy_line(400, 9, 3);
    for (std::size_t n = 0; n < data.size(); ++n) {
      data.weights.push_back(static_cast<double>(1 + n % 4));
    }
    if (sparse) {
      data.x = testing_support::without_zeros(data.x);
    } else {  // some values are missing, and one column has categories
      std::vector<double> values;
      std::vector<double> row(3);
      for (std::size_t n = 0; n < data.size(); ++n) {
        RowsView(data.x).copy_row(n, row);
        values.insert(values.end(), {row[0], n % 7 == 0 ? nan : row[1] + (n % 4 == 3 ? 2 : 0),
                                     n % 11 == 0 ? nan : static_cast<double>(n % 4 / 2)});
      }
      data.x = Rows::dense(3, std::move(values));
      data.categories = {{}, {}, {"a", "b"}};
    }
    Dataset often = repeated(data);
    often.categories = data.categories;
    for (const KernelType kernel : {KernelType::linear, KernelType::rbf}) {
      TrainOptions options =
          Choice{LossKind::double_hinge, kernel, ScalingKind::standard}.options();
      const Trained one = train(data, options);
      const Trained other = train(often, options);
      EXPECT_EQ(one.model.encoding, other.model.encoding);
      const Scaling& a = one.model.scaling;
      const Scaling& b = other.model.scaling;
      ASSERT_EQ(a.offset.size(), b.offset.size());
      for (std::size_t j = 0; j < a.offset.size(); ++j) {
        EXPECT_NEAR(a.offset[j], b.offset[j], 1e-12);
        EXPECT_NEAR(a.factor[j], b.factor[j], 1e-12 * b.factor[j]);
      }
      if (kernel == KernelType::rbf) {
        EXPECT_NEAR(std::get<RbfKernel>(one.model.kernel).gamma,
                    std::get<RbfKernel>(other.model.kernel).gamma, 1e-12);
      }
      EXPECT_NEAR(one.report.objective, other.report.objective, 1e-3 * other.report.objective);
    }
  }
}

TEST(CountedRows, BandsAreChosenByWeight) {
  Dataset data = noisy_line(400, 10);
  std::vector<std::size_t> half;  // once with the weight ½ and once more
  for (std::size_t n = 0; n < data.size(); ++n) half.insert(half.end(), 2, n);
  Dataset twice = rows_of(data, half);
  twice.weights.assign(twice.size(), 0.5);
  const std::vector<double> scores = train(data, {}).scores;
  std::vector<double> twice_scores;
  for (const std::size_t n : half) twice_scores.push_back(scores[n]);
  data.weights.assign(data.size(), 4.0);
  for (const double d : {0.05, 0.2, 0.4}) {
    const Thresholds once = best_thresholds(scores, data.y, Costs::symmetric(d));
    const Thresholds heavy = best_thresholds(scores, data.y, Costs::symmetric(d), data.weights);
    const Thresholds light =
        best_thresholds(twice_scores, twice.y, Costs::symmetric(d), twice.weights);
    EXPECT_EQ(once.low, heavy.low);
    EXPECT_EQ(once.high, heavy.high);
    EXPECT_EQ(once.low, light.low);
    EXPECT_EQ(once.high, light.high);
  }
}

TEST(CountedRows, ScoresAreThoseOfTheRowsGiven) {
  const Dataset data = any_rows(14);
  for (const Choice& choice : choices()) {
    const Trained trained = train(data, choice.options());
    const std::vector<double> scores = Predictor(trained.model, 1).scores(data.x);
    ASSERT_EQ(trained.scores.size(), data.size());
    for (std::size_t n = 0; n < data.size(); ++n) {
      EXPECT_NEAR(trained.scores[n], scores[n], 1e-9 * (1 + std::abs(scores[n])));
    }
    const auto counted = static_cast<std::size_t>(
        std::ranges::count_if(data.weights, [](double weight) { return weight > 0; }));
    EXPECT_EQ(trained.model.surface().certificate.rows, counted);
    EXPECT_LE(trained.model.vectors.size(), counted);
  }
}

TEST(CountedRows, ARowOfWeightZeroMayMissWhatNoOtherMisses) {
  Dataset data = noisy_line(30, 4);
  std::vector<double> values(60);
  for (std::size_t n = 0; n < 30; ++n) {
    RowsView(data.x).copy_row(n, std::span(values).subspan(2 * n, 2));
  }
  values[41] = nan;
  data.x = Rows::dense(2, std::move(values));
  data.weights.assign(30, 1.0);
  data.weights[20] = 0;
  const Trained trained = train(data, {});
  EXPECT_FALSE(trained.model.encoding.columns[1].misses);
  EXPECT_TRUE(std::isfinite(trained.scores[20]));
}

TEST(CountedRows, MessagesNameTheRowsAsTheyWereGiven) {
  for (const bool sparse : {false, true}) {
    Dataset data = noisy_line(30, 6);
    std::vector<double> values(60, 1);
    for (std::size_t n = 0; n < 60; ++n) values[n] = static_cast<double>(n % 7) + 1;
    values[2 * 17] = std::numeric_limits<double>::infinity();
    data.x = Rows::dense(2, values);
    if (sparse) data.x = testing_support::without_zeros(data.x);
    EXPECT_THAT([&] { static_cast<void>(train(data, {})); },
                ThrowsMessage<InputError>(HasSubstr("row 18: feature 1 is inf")));
    values[2 * 17] = 1e160;
    data.x = Rows::dense(2, values);
    TrainOptions options;
    options.representation.kernel.type = KernelType::polynomial;
    options.representation.kernel.gamma = 1.0;
    EXPECT_THAT([&] { static_cast<void>(train(data, options)); },
                ThrowsMessage<InputError>(HasSubstr("row 18:")));
  }
}

TEST(CountedRows, AClassWithoutWeightIsNoClass) {
  Dataset data = noisy_line(30, 6);
  for (const std::int8_t y : data.y) data.weights.push_back(y > 0 ? 0 : 2);
  EXPECT_THAT([&] { static_cast<void>(train(data, {})); },
              ThrowsMessage<InputError>(HasSubstr("no row of class 1 carries any weight")));
}

/// The inner products of rows with all of `others`.
Rows products(RowsView x, RowsView others) {
  std::vector<double> values;
  for (std::size_t n = 0; n < x.size(); ++n) {
    std::vector<double> row(x.columns());
    x.copy_row(n, row);
    for (std::size_t m = 0; m < others.size(); ++m) {
      double sum = 0;
      others.for_each(m, [&](std::size_t j, double value) { sum += row[j] * value; });
      values.push_back(sum);
    }
  }
  return Rows::dense(others.size(), std::move(values), x.size());
}

TEST(CountedRows, APrecomputedKernelKeepsItsColumns) {
  const Dataset rows = noisy_line(60, 7, 3);
  Dataset whole = rows;
  whole.x = products(rows.x, rows.x);
  std::vector<std::size_t> kept;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    whole.weights.push_back(n % 3 == 2 ? 0 : 1);
    if (n % 3 != 2) kept.push_back(n);
  }
  Dataset part = rows_of(rows, kept);
  const Rows of_part = products(rows.x, part.x);
  part.x = products(part.x, part.x);
  for (const LossKind loss : {LossKind::double_ramp, LossKind::hinge}) {
    const TrainOptions options = Choice{loss, KernelType::precomputed, ScalingKind::none}.options();
    const Trained one = train(whole, options);
    const Trained other = train(part, options);
    EXPECT_EQ(one.model.features.count, rows.size());
    EXPECT_EQ(Predictor(one.model, 1).scores(whole.x), Predictor(other.model, 1).scores(of_part));
    ASSERT_EQ(one.scores.size(), rows.size());
    for (const std::size_t n : one.model.support) EXPECT_NE(whole.weights[n], 0);
  }
}

TEST(CountedRows, EqualRowsAreOneKind) {
  Dataset data = noisy_line(8, 3);
  data.x = Rows::dense(1, {1, 2, 1, 0, 2, 1, -0.0, 3});
  data.y = {1, -1, 1, 1, 1, -1, 1, -1};
  const CountedRows rows(data, {});
  std::vector<std::size_t> kind_of(8);
  for (std::size_t k = 0; k < 8; ++k) kind_of[rows.numbers()[k]] = rows.kinds()[k];
  EXPECT_EQ(kind_of[0], kind_of[2]);
  EXPECT_EQ(kind_of[3], kind_of[6]);
  EXPECT_NE(kind_of[0], kind_of[5]) << "another class";
  EXPECT_NE(kind_of[1], kind_of[4]) << "another class";
  EXPECT_EQ(std::ranges::max(rows.kinds()), 5);
}

}  // namespace
}  // namespace rampart
