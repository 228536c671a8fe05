#include "faces/training_settings.hpp"

#include <gtest/gtest.h>

#include "rampart/errors.hpp"

namespace rampart {
namespace {

TEST(TrainingSettings, TextBecomesTheOptionsOfATraining) {
  TrainingSettings settings;
  settings.set("loss", "double-hinge");
  settings.set("reject-cost", "0.1");
  settings.set("C", "1e3");
  settings.set("gamma", "auto");
  settings.set("class-weight", "yes=3");
  settings.set("class-weight", "a=b=0.5");
  settings.set("cache-mb", "2");
  settings.set("threads", "3");
  const TrainOptions method = settings.method();
  EXPECT_EQ(method.objective.loss, LossKind::double_hinge);
  EXPECT_EQ(method.objective.costs, Costs::symmetric(0.1));
  EXPECT_EQ(method.objective.C, 1000);
  EXPECT_EQ(method.representation.kernel.gamma, Gamma(GammaRule::inverse_features));
  EXPECT_EQ(method.objective.class_weights.at("yes"), 3);
  EXPECT_EQ(method.objective.class_weights.at("a=b"), 0.5);
  EXPECT_EQ(method.resources.cache_bytes, 2U << 20U);
  EXPECT_EQ(method.resources.threads, 3U);
}

TEST(TrainingSettings, TheHingeLossPutsItsBandOnFolds) {
  TrainingSettings settings;
  EXPECT_EQ(settings.method().band.folds, 0U);
  settings.set("loss", "hinge");
  settings.set("costs", "1,5,0.2,0.3");
  EXPECT_EQ(settings.method().band.folds, 5U);
  EXPECT_EQ(settings.method().costs(), (Costs{1, 5, 0.2, 0.3}));
}

TEST(TrainingSettings, RefusesWhatDoesNotBelongTogether) {
  TrainingSettings settings;
  settings.set("costs", "1,5,0.2,0.3");
  EXPECT_THROW(settings.set("costs", "1,2,3"), OptionError);
  settings.set("reject-cost", "0.1");
  EXPECT_THROW(static_cast<void>(settings.method()), OptionError);
  settings.set("class-weight", "a=1");
  EXPECT_THROW(settings.set("class-weight", "a=2"), OptionError);
  EXPECT_THROW(settings.set("class-weight", "a"), OptionError);
}

TEST(TrainingSettings, ListsAreForTuning) {
  TrainingSettings settings;
  EXPECT_THROW(settings.set("C", "1,2"), OptionError);
  settings.set("C", "1,2", true);
  settings.set("gamma", "scale", true);
  settings.set("mu", "0.5:1:0.25", true);
  const TuneGrid grid = settings.tune_grid();
  EXPECT_EQ(grid.C, (std::vector<double>{1, 2}));
  EXPECT_FALSE(grid.widens_C);
  EXPECT_EQ(grid.gamma, (std::vector<Gamma>{GammaRule::scale}));
  EXPECT_EQ(grid.mu, (std::vector<double>{0.5, 0.75, 1}));
  EXPECT_TRUE(TrainingSettings().tune_grid().widens_C);
}

}  // namespace
}  // namespace rampart
