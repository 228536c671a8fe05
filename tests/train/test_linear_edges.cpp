// Shapes of data that are legal and unusual: the linear solver certifies its result, or says that
// it could not; it never hangs, and a model never has a number that is not finite.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "kernel/random_rows.hpp"
#include "noisy_line.hpp"
#include "rampart/errors.hpp"
#include "rampart/train.hpp"

namespace rampart {
namespace {

using testing_support::noisy_line;

constexpr LossKind every_loss[] = {LossKind::double_ramp, LossKind::double_hinge,
                                   LossKind::generalized_hinge, LossKind::hinge};

TrainOptions linear(LossKind loss, double C = 1) {
  TrainOptions options{.objective = {.loss = loss, .C = C},
                       .representation = {.kernel = {KernelType::linear}}};
  options.exactness.solver = SolverKind::linear;
  return options;
}

TrainOptions by_smo(TrainOptions options) {
  options.exactness.solver = SolverKind::smo;
  return options;
}

/// What users get who name no solver: few rows that the linear solver cannot finish go to the
/// other.
TrainOptions by_default(LossKind loss) {
  TrainOptions options = linear(loss);
  options.exactness.solver = SolverKind::automatic;
  return options;
}

/// What holds for every training, whether it converged or not.
void expect_sound(const Trained& trained, const TrainOptions& options, const std::string& where) {
  const Surface& surface = trained.model.surface();
  for (const double w : surface.weights) ASSERT_TRUE(std::isfinite(w)) << where;
  EXPECT_TRUE(std::isfinite(surface.band.b)) << where;
  EXPECT_TRUE(std::isfinite(surface.band.rho)) << where;
  EXPECT_GE(surface.band.rho, 0) << where;
  EXPECT_TRUE(std::isfinite(trained.report.objective)) << where;
  double half_norm = 0;
  for (const double w : surface.weights) half_norm += w * w / 2;
  EXPECT_GE(trained.report.objective, half_norm * (1 - 1e-9)) << where;  // no loss is below 0
  if (trained.report.gap) {
    EXPECT_GE(*trained.report.gap, -1e-9) << where;
  }
  const bool converged = trained.report.status == TrainStatus::converged;
  ASSERT_TRUE(trained.report.gap || !converged) << where;
  const double tolerance = options.exactness.tolerance;
  if (const auto* const report = std::get_if<LinearReport>(&trained.report.solver)) {
    EXPECT_LE(report->passes, 3000U) << where;
    if (converged) {
      EXPECT_LE(*trained.report.gap, 0.05 * tolerance * (1 + 1e-9)) << where;
    }
  } else if (converged) {
    EXPECT_LE(trained.report.violation, tolerance) << where;
  }
}

/// Certified, with R not above that of the other solver, where that ends in a second.
void expect_certified(const Dataset& data, const TrainOptions& options, const std::string& where,
                      bool smo_ends = true) {
  const Trained trained = train(data, options);
  expect_sound(trained, options, where);
  EXPECT_EQ(trained.report.status, TrainStatus::converged) << where;
  if (data.size() > 500 || !smo_ends) return;
  const Trained other = train(data, by_smo(options));
  EXPECT_LE(trained.report.objective, other.report.objective * (1 + 1e-3) + 1e-12) << where;
}

std::string name_of(LossKind loss) { return std::string(traits_of(loss).name); }

TEST(LinearEdges, AMillionColumnsAndTenRows) {
  constexpr std::size_t columns = 1'000'000;
  std::mt19937 random(3);
  std::vector<std::size_t> starts{0};
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  Dataset data{.classes = {"-1", "1"}};
  for (int n = 0; n < 10; ++n) {
    std::uint32_t at = 0;
    while ((at += 1 + static_cast<std::uint32_t>(random() % 40'000)) < columns) {
      indices.push_back(at);
      values.push_back(static_cast<double>(random() % 2001) / 1000 - 1);
    }
    starts.push_back(values.size());
    data.y.push_back(n % 2 == 0 ? 1 : -1);
  }
  data.x = Rows::sparse(columns, starts, indices, values);
  for (const LossKind loss : every_loss) expect_certified(data, linear(loss), name_of(loss));
}

TEST(LinearEdges, ManyDenseColumnsAndTenRows) {
  Dataset data{.x = testing_support::random_rows(10, 5000, 5), .classes = {"-1", "1"}};
  for (int n = 0; n < 10; ++n) data.y.push_back(n % 3 == 0 ? 1 : -1);
  for (const LossKind loss : every_loss) expect_certified(data, linear(loss), name_of(loss));
}

TEST(LinearEdges, ManyRowsAndTenColumnsTakeFewPasses) {
  const Dataset data = noisy_line(200'000, 7, 10);
  for (const LossKind loss : every_loss) {
    const Trained trained = train(data, linear(loss));
    expect_sound(trained, linear(loss), name_of(loss));
    EXPECT_EQ(trained.report.status, TrainStatus::converged) << name_of(loss);
    EXPECT_LE(std::get<LinearReport>(trained.report.solver).passes, 150U) << name_of(loss);
  }
}

TEST(LinearEdges, EmptyRowsAndColumns) {
  Dataset data{.classes = {"-1", "1"}};
  for (int n = 0; n < 40; ++n) data.y.push_back(n % 3 == 0 ? 1 : -1);
  std::vector<std::size_t> starts{0};
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  for (std::uint32_t n = 0; n < 40; ++n) {  // every other row stores a value or two
    for (std::uint32_t k = 0; k < n % 2 * 2; ++k) {
      indices.push_back(3 * k + 1);
      values.push_back(n % 3 == 0 ? 1.0 + k : -0.5 * n / 40.0);
    }
    starts.push_back(values.size());
  }
  const Rows some = Rows::sparse(9, starts, indices, values);
  const Rows none = Rows::sparse(9, std::vector<std::size_t>(41, 0), {}, {});
  for (const LossKind loss : every_loss) {
    data.x = some;
    expect_certified(data, linear(loss), name_of(loss) + ", some");
    data.x = none;
    expect_certified(data, linear(loss), name_of(loss) + ", none");
  }
}

TEST(LinearEdges, ARowOfNearlyNoLengthBesideEmptyOnes) {
  // More than a thousand columns: coordinate descent begins, and cannot end.
  std::mt19937 random(5);
  std::vector<std::size_t> starts{0};
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  Dataset data{.classes = {"-1", "1"}};
  for (std::uint32_t n = 0; n < 30; ++n) {
    for (std::uint32_t k = 0; k < 5 && n > 1; ++k) {
      indices.push_back(300 * k + static_cast<std::uint32_t>(random() % 300));
      values.push_back(static_cast<double>(random() % 2001) / 1000 - 1);
      if (n == 2) break;
    }
    if (n == 2) values.back() = 8e-4;
    starts.push_back(values.size());
    data.y.push_back(n % 3 == 0 ? 1 : -1);
  }
  data.x = Rows::sparse(1500, starts, indices, values);
  for (const LossKind loss : every_loss) {
    TrainOptions options = by_default(loss);
    options.exactness.tolerance = 1e-5;
    expect_certified(data, options, name_of(loss));
  }
}

TEST(LinearEdges, AllRowsEqual) {
  for (const LossKind loss : every_loss) {
    for (const std::size_t positives : {1U, 10U, 14U, 20U, 39U}) {
      Dataset data{.classes = {"-1", "1"}};
      std::vector<double> values;
      for (std::size_t n = 0; n < 40; ++n) {
        data.y.push_back(n < positives ? 1 : -1);
        values.insert(values.end(), {3.5, -1e3, 0});
      }
      data.x = Rows::dense(3, values);
      const std::string where = name_of(loss) + ", positives: " + std::to_string(positives);
      expect_certified(data, linear(loss), where);
      // Nothing tells the rows apart: w = 0 is best.
      const Trained trained = train(data, linear(loss));
      for (const double w : trained.model.surface().weights) EXPECT_NEAR(w, 0, 1e-5) << where;
    }
  }
}

TEST(LinearEdges, AConstantColumnGetsNoWeightAndCopiesShareTheirs) {
  const Dataset line = noisy_line(150, 8);
  Dataset data = line;
  std::vector<double> values;
  for (std::size_t n = 0; n < line.size(); ++n) {
    const auto row = line.x.dense_row(n);
    values.insert(values.end(), {row[0], 1e4, row[1], row[0], -3e-7});
  }
  data.x = Rows::dense(5, values);
  for (const LossKind loss : every_loss) {
    TrainOptions options = linear(loss);
    options.exactness.tolerance = 1e-6;
    const Trained trained = train(data, options);
    expect_sound(trained, options, name_of(loss));
    const std::vector<double>& w = trained.model.surface().weights;
    EXPECT_NEAR(w[0], w[3], 1e-4 * (1 + std::abs(w[0]))) << name_of(loss);
    EXPECT_NEAR(w[1] * 1e4, 0, 1e-6) << name_of(loss);
    EXPECT_NEAR(w[4], 0, 1e-4) << name_of(loss);
  }
}

TEST(LinearEdges, ColumnsOfVeryDifferentRange) {
  const Dataset line = noisy_line(150, 9, 7);
  for (const bool sparse : {false, true}) {
    Dataset data = line;
    std::vector<double> values;
    for (std::size_t n = 0; n < line.size(); ++n) {
      double range = 1e-6;
      for (const double value : line.x.dense_row(n)) {
        values.push_back(range * (sparse && n % 4 != 0 ? 0 : value));
        range *= 100;
      }
    }
    data.x = Rows::dense(7, values);
    if (sparse) data.x = testing_support::without_zeros(data.x);
    for (const LossKind loss : every_loss) {
      const std::string where = name_of(loss) + (sparse ? ", sparse" : ", dense");
      expect_certified(data, linear(loss), where, false);
    }
  }
}

TEST(LinearEdges, TwoRowsHaveTheKnownSolution) {
  // w = α(x₊ − x₋), α = min(C, 2/D²), D the distance.
  Dataset data{.x = Rows::dense(2, {1, 2, -1, 0.5}), .y = {1, -1}, .classes = {"-1", "1"}};
  const double squared = 4 + 1.5 * 1.5;
  for (const double C : {1e-6, 0.1, 1.0, 1e6}) {
    TrainOptions options = linear(LossKind::hinge, C);
    options.exactness.tolerance = 1e-7;
    const Trained trained = train(data, options);
    expect_sound(trained, options, std::to_string(C));
    const double alpha = std::min(C, 2 / squared);
    const double loss = C * std::max(0.0, 2 - alpha * squared);
    EXPECT_NEAR(trained.report.objective, alpha * alpha * squared / 2 + loss,
                1e-7 * (alpha * alpha * squared + loss))
        << C;
    EXPECT_NEAR(trained.model.surface().weights[0], 2 * alpha, 1e-3 * alpha) << C;
    EXPECT_NEAR(trained.model.surface().weights[1], 1.5 * alpha, 1e-3 * alpha) << C;
  }
  for (const LossKind loss : every_loss) {
    for (const double C : {1e-6, 1.0, 1e6}) expect_certified(data, linear(loss, C), name_of(loss));
  }
}

TEST(LinearEdges, TwoEqualRowsOfDifferentClasses) {
  const Dataset data{.x = Rows::dense(2, {1, 2, 1, 2}), .y = {1, -1}, .classes = {"-1", "1"}};
  for (const LossKind loss : every_loss) expect_certified(data, linear(loss), name_of(loss));
}

TEST(LinearEdges, EveryCFromTinyToHuge) {
  for (const std::size_t columns : {2U, 9U}) {
    const Dataset data = noisy_line(120, 10, columns);
    for (const LossKind loss : every_loss) {
      for (const double C : {1e-6, 1e-3, 1.0, 1e3, 1e6}) {
        const std::string where = name_of(loss) + ", C = " + std::to_string(C);
        const Trained trained = train(data, linear(loss, C));
        expect_sound(trained, linear(loss, C), where);
        if (C <= 1e3) {
          EXPECT_EQ(trained.report.status, TrainStatus::converged) << where;
        }
        // SMO takes long for a large C.
        if (C > 1) continue;
        const Trained other = train(data, by_smo(linear(loss, C)));
        EXPECT_LE(trained.report.objective, other.report.objective * (1 + 1e-3)) << where;
      }
    }
  }
}

TEST(LinearEdges, SeparableRowsWithHugeC) {
  Dataset data = noisy_line(200, 11, 3);
  for (std::size_t n = 0; n < data.size(); ++n) {
    const auto row = data.x.dense_row(n);
    data.y[n] = row[0] + row[1] + 0.1 > 0 ? 1 : -1;
  }
  for (const LossKind loss : every_loss) {
    const Trained trained = train(data, linear(loss, 1e6));
    expect_sound(trained, linear(loss, 1e6), name_of(loss));
    EXPECT_EQ(trained.report.status, TrainStatus::converged) << name_of(loss);
  }
}

TEST(LinearEdges, RoundingBesideHugeCapsIsNoFallOfR) {
  Dataset data{.y = {-1, 1, 1, -1, -1, -1, -1, 1}};
  data.x = Rows::dense(1, {-0.906404, 0.890787, 0.311961, 0, -0.488191, 0, 0, 0.272288});
  for (const double mu : {0.1, 0.5, 1.0}) {
    for (const double C : {1e9, 1e10, 1e11}) {
      TrainOptions options = linear(LossKind::double_ramp, C);
      options.objective.mu = mu;
      options.exactness.tolerance = 10;
      options.representation.scaling = ScalingKind::minmax;
      expect_sound(train(data, options), options, std::to_string(mu) + ", " + std::to_string(C));
    }
  }
}

TEST(LinearEdges, RowsFarApartHaveATinyW) {
  for (const double size : {1e3, 1e5, 1e7}) {
    Dataset data = noisy_line(60, 4);
    std::vector<double> values;
    for (std::size_t n = 0; n < data.size(); ++n) {
      values.push_back(size * (data.y[n] + 0.3 * data.x.dense_row(n)[0]));
      values.push_back(size * data.x.dense_row(n)[1]);
    }
    data.x = Rows::dense(2, std::move(values));
    for (const LossKind loss : every_loss) {
      const std::string where = name_of(loss) + ", " + std::to_string(size);
      expect_sound(train(data, linear(loss)), linear(loss), where);
      expect_certified(data, by_default(loss), where);
    }
  }
}

TEST(LinearEdges, ARowOfWeightZeroIsNoRow) {
  const Dataset whole = noisy_line(120, 12, 4);
  Dataset weighted = whole;
  std::vector<std::size_t> kept;
  for (std::size_t n = 0; n < whole.size(); ++n) {
    const bool keep = n < 2 || n % 3 != 0;
    weighted.weights.push_back(keep ? 1 : 0);
    if (keep) kept.push_back(n);
  }
  const Dataset part = testing_support::subset(whole, kept);
  for (const LossKind loss : every_loss) {
    if (loss == LossKind::double_ramp) continue;  // has several minima
    TrainOptions options = linear(loss);
    options.exactness.tolerance = 1e-6;
    const double r = train(part, options).report.objective;
    EXPECT_NEAR(train(weighted, options).report.objective, r, 2e-7 * r) << name_of(loss);
  }
}

TEST(LinearEdges, NumbersAtTheEndsOfTheirRange) {
  for (const double size : {1e-300, 1e-160, 1e-30, 1e30, 1e150, 1e300}) {
    for (const bool mixed : {false, true}) {
      Dataset data = noisy_line(60, 13);
      std::vector<double> values;
      for (std::size_t n = 0; n < data.size(); ++n) {
        values.push_back(size * data.x.dense_row(n)[0]);
        values.push_back((mixed ? 1 : size) * data.x.dense_row(n)[1]);
      }
      data.x = Rows::dense(2, values);
      for (const LossKind loss : every_loss) {
        const std::string where = name_of(loss) + ", " + std::to_string(std::log10(size));
        try {
          expect_sound(train(data, linear(loss)), linear(loss), where);
        } catch (const InputError& error) {  // the advice to scale
          EXPECT_NE(std::string(error.what()).find("scal"), std::string::npos) << where;
        }
      }
    }
  }
}

TEST(LinearEdges, InfiniteNumbersAreRefusedAndMissingOnesAreFilledIn) {
  Dataset data = noisy_line(20, 14);
  std::vector<double> values;
  for (std::size_t n = 0; n < data.size(); ++n) {
    values.insert(values.end(), {data.x.dense_row(n)[0], data.x.dense_row(n)[1]});
  }
  for (const LossKind loss : every_loss) {
    values[7] = std::numeric_limits<double>::infinity();
    data.x = Rows::dense(2, values);
    EXPECT_THROW(static_cast<void>(train(data, linear(loss))), InputError);
    values[7] = std::nan("");
    data.x = Rows::dense(2, values);
    expect_sound(train(data, linear(loss)), linear(loss), name_of(loss));
  }
}

TEST(LinearEdges, LimitsEndATrainingWithAUsableModel) {
  const Dataset data = noisy_line(300, 15, 5);
  for (const LossKind loss : every_loss) {
    const double zero = train(data, linear(loss, 1e-12)).report.objective * 1e12;
    for (const std::uint64_t passes : {1U, 2U, 3U, 5U, 9U}) {
      TrainOptions options = linear(loss);
      options.exactness.max_steps = passes;
      const Trained trained = train(data, options);
      const std::string where = name_of(loss) + ", passes: " + std::to_string(passes);
      expect_sound(trained, options, where);
      if (trained.report.status == TrainStatus::converged) continue;
      EXPECT_EQ(trained.report.status, TrainStatus::step_limit) << where;
      EXPECT_LE(trained.report.objective, zero * (1 + 1e-6)) << where;  // not worse than w = 0
    }
    const Trained stopped = train(data, linear(loss), [](const TrainProgress&) { return false; });
    expect_sound(stopped, linear(loss), name_of(loss));
    EXPECT_EQ(stopped.report.status, TrainStatus::cancelled);
  }
}

}  // namespace
}  // namespace rampart
