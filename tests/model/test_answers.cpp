#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "model/fingerprint.hpp"
#include "models.hpp"
#include "rampart/errors.hpp"
#include "rampart/model.hpp"
#include "table.hpp"

namespace rampart {
namespace {

using testing_support::table;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

Answer answer(const Model& model, std::vector<double> row, Leniency leniency = {}) {
  const std::size_t columns = row.size();
  return Predictor(model).answers(Rows::dense(columns, std::move(row)), leniency).front();
}

// Columns of table(): a number that never misses, a number that does, a category.
class AnswersTest : public testing::TestWithParam<KernelType> {
 protected:
  Dataset data = table(120, 5);
  Model model =
      train(data,
            {.representation = {.kernel = {.type = GetParam()}, .scaling = ScalingKind::standard}})
          .model;
};

TEST_P(AnswersTest, HaveTheScoresOfScores) {
  const std::vector<double> scores = Predictor(model).scores(data.x);
  const std::vector<Answer> answers = Predictor(model).answers(data.x);
  const double rho = model.surface().band.rho;
  for (std::size_t n = 0; n < scores.size(); ++n) {
    EXPECT_EQ(answers[n].score, scores[n]);
    if (answers[n].reason != Reason::none && answers[n].reason != Reason::ambiguous) continue;
    EXPECT_EQ(answers[n].decision, decide(scores[n], rho));
    EXPECT_EQ(answers[n].reason == Reason::none, answers[n].decision != Decision::reject);
    EXPECT_EQ(Predictor(model).score(data.x.dense_row(n)), scores[n]);
    const Answer alone = Predictor(model).answer(data.x.dense_row(n));
    EXPECT_EQ(alone.score, scores[n]);
    EXPECT_EQ(alone.reason, answers[n].reason);
    EXPECT_EQ(alone.decision, answers[n].decision);
  }
}

TEST_P(AnswersTest, AValueThatNoTrainingRowMissedIsIncomplete) {
  const Answer found = answer(model, {missing, 0.5, 1});
  EXPECT_EQ(found.reason, Reason::incomplete);
  EXPECT_EQ(found.column, 0U);
  EXPECT_EQ(found.decision, Decision::reject);
  EXPECT_EQ(found.certainty(), 0);
  EXPECT_THROW(static_cast<void>(Predictor(model).scores(Rows::dense(3, {missing, 0.5, 1}))),
               InputError);
}

TEST_P(AnswersTest, AValueThatTrainingRowsMissedIsNot) {
  EXPECT_NE(answer(model, {0.5, missing, 1}).reason, Reason::incomplete);
  EXPECT_FALSE(std::isnan(answer(model, {0.5, missing, 1}).score));
}

TEST(AnswersOfIncompleteTables, ARowWithoutAnyValueIsNeverAnswered) {
  Dataset data = table(200, 9);
  std::vector<double> cells;
  for (std::size_t n = 0; n < data.size(); ++n) {
    const auto row = data.x.dense_row(n);
    for (std::size_t j = 0; j < 3; ++j) cells.push_back(n % 7 == j ? missing : row[j]);
  }
  data.x = Rows::dense(3, cells);
  for (const MissingKind kind : {MissingKind::indicator, MissingKind::median}) {
    const Model model = train(data, {.representation = {.missing = kind}}).model;
    const Answer found = answer(model, {missing, missing, missing}, {true, true});
    EXPECT_EQ(found.reason, Reason::incomplete);
    EXPECT_EQ(found.decision, Decision::reject);
    EXPECT_NE(answer(model, {0.5, missing, 1}).reason, Reason::incomplete);
  }
}

TEST_P(AnswersTest, LeniencyImputesTheMedian) {
  const double median = model.encoding.columns[0].fill;
  EXPECT_EQ(answer(model, {missing, 0.5, 1}, {.impute = true}).score,
            answer(model, {median, 0.5, 1}).score);
  EXPECT_NE(answer(model, {missing, 0.5, 1}, {.impute = true}).reason, Reason::incomplete);
}

TEST_P(AnswersTest, ACategoryThatNoTrainingRowHasIsUnseen) {
  for (const double code : {unseen_category, 17.0, 0.5}) {
    EXPECT_EQ(answer(model, {0.5, 0.5, code}).reason, Reason::unseen) << code;
    EXPECT_EQ(answer(model, {0.5, 0.5, code}).column, 2U);
    EXPECT_NE(answer(model, {0.5, 0.5, code}, {.ignore_unseen = true}).reason, Reason::unseen);
  }
  // What is forgiven hides nothing else.
  EXPECT_EQ(answer(model, {missing, 0.5, 17}, {.impute = true}).reason, Reason::unseen);
  EXPECT_EQ(answer(model, {missing, 0.5, 17}, {.ignore_unseen = true}).reason, Reason::incomplete);
}

TEST_P(AnswersTest, NumbersTooLargeToComputeWithAreNeverAnswered) {
  for (const double value : {infinite, -infinite, 1e308, -1e308}) {
    for (const bool lenient : {false, true}) {
      const Answer found = answer(model, {value, 0.5, 1}, {lenient, lenient});
      EXPECT_EQ(found.decision, Decision::reject) << value;
      EXPECT_NE(found.reason, Reason::none) << value;
    }
  }
}

TEST_P(AnswersTest, AnInfiniteValueIsUnfamiliarAndNotMissing) {
  for (const double value : {infinite, -infinite}) {
    for (const bool lenient : {false, true}) {
      for (const std::uint32_t column : {0U, 1U}) {
        std::vector<double> row{0.5, 0.5, 1};
        row[column] = value;
        const Answer found = answer(model, row, {lenient, lenient});
        EXPECT_EQ(found.reason, Reason::unfamiliar) << value;
        EXPECT_EQ(found.column, column);
        EXPECT_TRUE(std::isnan(found.score));
      }
    }
    // The second column may miss: only a value that training rows never missed weighs more.
    EXPECT_EQ(answer(model, {value, missing, 1}).reason, Reason::unfamiliar);
    EXPECT_EQ(answer(model, {missing, value, 1}).reason, Reason::incomplete);
    EXPECT_EQ(answer(model, {missing, value, 1}, {.impute = true}).reason, Reason::unfamiliar);
  }
}

// f overflows though no value is infinite, and nothing is known of what is familiar.
TEST(AnswersOfLargeNumbers, AnOverflowNamesTheLargestValueAfterScaling) {
  Model model;
  model.classes = {"a", "b"};
  model.features.count = 3;
  model.kernel = LinearKernel{};
  model.surfaces = {{.weights = {1e10, 1e10, 1e10}}};
  model.scaling = {.kind = ScalingKind::standard, .offset = {0, 0, 0}, .factor = {1, 1e3, 1e-5}};
  for (const Answer& found :
       {answer(model, {-1e300, 1e299, 1e303}),
        Predictor(model).answer(std::vector<double>{-1e300, 1e299, 1e303}),
        Predictor(model).answers(Rows::sparse(3, {0, 2}, {1, 2}, {1e299, 1e303})).front()}) {
    EXPECT_EQ(found.reason, Reason::unfamiliar);
    EXPECT_EQ(found.column, 1U);
    EXPECT_TRUE(std::isnan(found.score));
  }
  // A column of its own feature and one that follows features of a category.
  model.scaling = {};
  model.features.count = 2;
  model.features.categories = {{"x", "y"}, {}};
  model.encoding.columns = {{.seen = {true, true}}, {}};
  EXPECT_EQ(answer(model, {1, 1e300}).column, 1U);
  EXPECT_EQ(answer(model, {1, 1e300}).reason, Reason::unfamiliar);
}

// Rows of as many columns as a model may have.
TEST(SparseAnswers, StaySparseWhereAValueIsNotFinite) {
  constexpr std::uint32_t columns = 1U << 24U;
  Model model;
  model.classes = {"a", "b"};
  model.features.count = columns;
  model.kernel = RbfKernel{.gamma = 1};
  model.vectors = Rows::sparse(columns, {0, 1}, {columns - 1}, {1.0});
  model.surfaces = {{.coefficients = {1.0}}};
  constexpr std::size_t rows = 256;
  std::vector<std::size_t> starts{0};
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  for (std::size_t n = 0; n < rows; ++n) {
    indices.insert(indices.end(), {5, columns - 1});
    values.insert(values.end(), {n == 7 ? missing : n == 9 ? infinite : 0.0, 1.0});
    starts.push_back(values.size());
  }
  const auto found =
      Predictor(model).answers(Rows::sparse(columns, starts, indices, values));  // 32 GiB if dense
  for (std::size_t n = 0; n < rows; ++n) {
    if (n == 7 || n == 9) {
      EXPECT_EQ(found[n].reason, n == 7 ? Reason::incomplete : Reason::unfamiliar);
      EXPECT_EQ(found[n].column, 5U);
      EXPECT_TRUE(std::isnan(found[n].score));
    } else {
      EXPECT_DOUBLE_EQ(found[n].score, 1.0);
      EXPECT_EQ(found[n].reason, Reason::none);
    }
  }
}

TEST_P(AnswersTest, ARowUnlikeTheTrainingRowsIsUnfamiliar) {
  const Answer found = answer(model, {0.5, -1000, 1});
  EXPECT_EQ(found.reason, Reason::unfamiliar);
  EXPECT_EQ(found.column, 1U);
  EXPECT_EQ(found.decision, Decision::reject);
  EXPECT_EQ(found.score, Predictor(model).score(std::vector<double>{0.5, -1000, 1}));
  EXPECT_EQ(found.certainty(), 0);
  // Leniency is about other reasons, and these come first.
  EXPECT_EQ(answer(model, {0.5, -1000, 1}, {true, true}).reason, Reason::unfamiliar);
  EXPECT_EQ(answer(model, {missing, -1000, 1}).reason, Reason::incomplete);
  for (const Answer& one : Predictor(model).answers(data.x)) {
    EXPECT_NE(one.reason, Reason::unfamiliar);
  }
}

TEST_P(AnswersTest, NoRowIsUnfamiliarIfTheShareIsZero) {
  const Model lenient = train(data, {.representation = {.kernel = {.type = GetParam()},
                                                        .scaling = ScalingKind::standard,
                                                        .unfamiliar = 0}})
                            .model;
  EXPECT_FALSE(lenient.familiar.is_on());
  EXPECT_EQ(lenient.surfaces, model.surfaces);
  EXPECT_NE(answer(lenient, {0.5, -1000, 1}).reason, Reason::unfamiliar);
}

TEST_P(AnswersTest, ABadRowChangesNoOther) {
  const std::vector<Answer> alone = Predictor(model).answers(data.x);
  std::vector<double> cells;
  for (std::size_t n = 0; n < data.size(); ++n) {
    const auto row = data.x.dense_row(n);
    cells.insert(cells.end(), row.begin(), row.end());
    cells.insert(cells.end(), {missing, infinite, 99});
  }
  const std::vector<Answer> among = Predictor(model).answers(Rows::dense(3, cells));
  for (std::size_t n = 0; n < data.size(); ++n) {
    EXPECT_EQ(among[2 * n].score, alone[n].score);
    EXPECT_EQ(among[2 * n].reason, alone[n].reason);
    EXPECT_EQ(among[2 * n + 1].decision, Decision::reject);
  }
}

TEST_P(AnswersTest, AModelSavedAndLoadedAnswersTheSameBits) {
  const Model loaded = model_from_json(to_json(model), "model");
  EXPECT_EQ(loaded, model);
  EXPECT_EQ(Predictor(loaded).scores(data.x), Predictor(model).scores(data.x));
}

INSTANTIATE_TEST_SUITE_P(EveryKind, AnswersTest,
                         testing::Values(KernelType::linear, KernelType::rbf,
                                         KernelType::polynomial));

TEST(AnswersOfOldModels, ANumberThatIsMissingIsNeverAnswered) {
  for (Model model : testing_support::models()) {
    model.encoding = {};  // as of a file of version 2
    std::vector<double> row(model.features.count, 0.0);
    row[0] = missing;
    const Answer found = answer(model, row, {true, true});
    EXPECT_EQ(found.reason, Reason::incomplete);
    EXPECT_TRUE(std::isnan(found.score));
  }
}

TEST(FingerprintTest, CountsTheRowsThatWereTrainedOn) {
  const Dataset data = table(300, 8);
  std::vector<std::size_t> some;
  for (std::size_t n = 0; n < 100; ++n) some.push_back(n);
  const Fingerprint fingerprint = fingerprint_of(data.subset(some));
  const Overlap found = overlap(fingerprint, data);
  EXPECT_TRUE(found.all);
  EXPECT_EQ(found.rows, 300U);
  EXPECT_EQ(found.trained, 100U);
}

TEST(FingerprintTest, EstimatesTheShareOfManyRows) {
  const Dataset data = generate(SyntheticSet::square, 20000, 8);
  std::vector<std::size_t> half;
  for (std::size_t n = 0; n < data.size(); n += 2) half.push_back(n);
  const Overlap found = overlap(fingerprint_of(data.subset(half)), data);
  EXPECT_FALSE(found.all);
  EXPECT_GT(found.rows, 1000U);
  EXPECT_NEAR(found.share(), 0.5, 0.1);  // 6 standard deviations of a sample of 2000
}

TEST(FingerprintTest, RowsMayBeAddedInAnyOrder) {
  const Dataset data = generate(SyntheticSet::square, 20000, 8);
  const Problem problem(data);
  FingerprintReader reader(problem);
  for (std::size_t end = data.size(); end > 0; end -= 2000) reader.add(end - 2000, end);
  EXPECT_EQ(reader.take(), fingerprint_of(data, 2));
}

TEST(FingerprintTest, DoesNotDependOnTheCodesOfCategoriesOrOnZerosThatAreStored) {
  Dataset one = table(50, 2);
  Dataset other = one;
  std::swap(other.categories[2][0], other.categories[2][1]);
  std::vector<double> cells;
  for (std::size_t n = 0; n < one.size(); ++n) {
    const auto row = one.x.dense_row(n);
    cells.insert(cells.end(), {row[0], row[1], row[2] == 0 ? 1.0 : row[2] == 1 ? 0.0 : row[2]});
  }
  other.x = Rows::dense(3, cells);
  EXPECT_EQ(fingerprint_of(one), fingerprint_of(other));
}

}  // namespace
}  // namespace rampart
