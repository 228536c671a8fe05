#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "models.hpp"
#include "rampart/errors.hpp"
#include "rampart/model.hpp"

namespace rampart {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using testing_support::models;
using Json = nlohmann::ordered_json;

TEST(ModelFile, SaveLoadSaveGivesTheSameBytes) {
  for (const Model& model : models()) {
    const std::string text = to_json(model);
    EXPECT_EQ(to_json(model_from_json(text, "model")), text);
  }
}

TEST(ModelFile, ALoadedModelPredictsTheSameBits) {
  const Dataset data = generate(SyntheticSet::square, 50, 9);
  for (const Model& model : models()) {
    const Rows x = data.x.widened(model.features.count);
    const Model loaded = model_from_json(to_json(model), "model");
    EXPECT_EQ(Predictor(loaded).scores(x), Predictor(model).scores(x));
    EXPECT_EQ(loaded.rho, model.rho);
  }
}

TEST(ModelFile, KeepsAwkwardNumbers) {
  Model model = models().front();
  for (const double value : {-0.0, 5e-324, 1.7976931348623157e308, 0.1, 1.0 / 3, 123456789.0}) {
    model.b = value;
    const double read = model_from_json(to_json(model), "model").b;
    EXPECT_EQ(std::signbit(read), std::signbit(value));
    EXPECT_EQ(read, value);
  }
}

TEST(ModelFile, KeepsTheObjectiveOfEveryRound) {
  for (const Model& model : models()) {
    EXPECT_EQ(model.training.history.size(), model.training.rounds);
    EXPECT_EQ(model.training.history.back(), model.training.objective);
    EXPECT_EQ(model_from_json(to_json(model), "model").training, model.training);
  }
}

TEST(ModelFile, MayLackTheObjectivesOfTheRounds) {
  for (const Model& model : models()) {
    Json old = Json::parse(to_json(model));
    ASSERT_EQ(old["training"].erase("history"), 1U);
    const Model loaded = model_from_json(old.dump(), "model");
    EXPECT_TRUE(loaded.training.history.empty());
    EXPECT_EQ(Json::parse(to_json(loaded)), old);
  }
}

TEST(ModelFile, IsNotWrittenWithANumberThatJsonCannotHold) {
  Model model = models().front();
  model.b = std::numeric_limits<double>::infinity();
  EXPECT_THAT([&] { static_cast<void>(to_json(model)); },
              ThrowsMessage<ModelError>(HasSubstr("not finite")));
}

TEST(ModelFile, IsNotWrittenWithClassesThatCouldNotBeLoaded) {
  for (const ClassNames& names :
       {ClassNames{"", ""}, ClassNames{"a", "a"}, ClassNames{"", "b"}, ClassNames{"a", "\xff"}}) {
    Model model = models().front();
    model.classes = names;
    EXPECT_THAT([&] { static_cast<void>(to_json(model)); },
                ThrowsMessage<ModelError>(HasSubstr("two different names")));
  }
}

TEST(ModelFile, IsNotWrittenWithNamesThatAreNotText) {
  Model model = models().front();
  model.features.names = {"a", "b\xff"};
  EXPECT_THAT([&] { static_cast<void>(to_json(model)); },
              ThrowsMessage<ModelError>(HasSubstr("not UTF-8")));
}

TEST(ModelFile, SaysWhereNothingIsCertified) {
  Model model = models().front();
  model.training.gap.reset();
  model.training.status = TrainStatus::stationary;
  const std::string text = to_json(model);
  EXPECT_THAT(text, HasSubstr("\"gap\":null"));
  EXPECT_EQ(model_from_json(text, "m.json").training, model.training);
}

void expect_refused(const std::string& text, const std::string& why) {
  EXPECT_THAT([&] { static_cast<void>(model_from_json(text, "m.json")); },
              ThrowsMessage<ModelError>(HasSubstr(why)));
}

TEST(ModelFile, WhatIsNotAModelIsRefused) {
  expect_refused("", "m.json: is not a model");
  expect_refused("svm_type c_svc\n", "m.json: is not a model");
  expect_refused("{}", "is not a Rampart model");
  expect_refused("[1, 2]", "is not a Rampart model");
  expect_refused(std::string(100000, '['), "m.json: is not a model");
  expect_refused("{\"format\": \"rampart-model\", \"version\": 2}",
                 "is a model of format version 2; this program reads version 1");
}

TEST(ModelFile, EveryKeyIsNeededAndHasAType) {
  for (const Model& model : models()) {
    const Json good = Json::parse(to_json(model));
    for (const auto& [key, value] : good.items()) {
      if (key == "reject_cost") continue;  // written for people; costs say the same
      Json without = good;
      without.erase(key);
      EXPECT_THROW(static_cast<void>(model_from_json(without.dump(), "m")), ModelError) << key;
      for (const Json& wrong : {Json(nullptr), Json(true), Json("text"), Json(-1.5), Json::object(),
                                Json::array({Json::array(), "x"})}) {
        if ((key == "b" && wrong.is_number()) || (key == "label" && wrong.is_string())) continue;
        Json changed = good;
        changed[key] = wrong;
        EXPECT_THROW(static_cast<void>(model_from_json(changed.dump(), "m")), ModelError)
            << key << " = " << wrong;
      }
    }
  }
}

TEST(ModelFile, ArraysMustFitTogether) {
  for (const Model& model : models()) {
    const Json good = Json::parse(to_json(model));
    for (const char* key : {"weights", "coefficients", "vectors", "support", "features"}) {
      if (!good.contains(key) || !good[key].is_array() || good[key].empty()) continue;
      Json shorter = good;
      shorter[key].erase(0);
      EXPECT_THROW(static_cast<void>(model_from_json(shorter.dump(), "m")), ModelError) << key;
    }
    Json huge = good;
    huge["feature_count"] = 1'000'000'000;
    EXPECT_THROW(static_cast<void>(model_from_json(huge.dump(), "m")), ModelError);
  }
}

TEST(ModelFile, AHistoryHasOneFiniteNumberARound) {
  const Json good = Json::parse(to_json(models().front()));
  const auto with = [&](const Json& history) {
    Json json = good;
    json["training"]["history"] = history;
    return json.dump();
  };
  Json longer = good["training"]["history"];
  longer.push_back(1.0);
  expect_refused(with(longer), "m.json: 'training.history' has " + std::to_string(longer.size()) +
                                   " entries, but there were");
  expect_refused(with("falling"), "m.json: 'training.history' must be an array");
  expect_refused(with(Json::array({nullptr})), "'training.history' must hold finite numbers only");
}

TEST(ModelFile, MessagesSayWhereAndWhat) {
  Json json = Json::parse(to_json(models()[2]));  // rbf
  json["kernel"]["gamma"] = -1;
  expect_refused(json.dump(), "m.json: 'kernel.gamma' is -1, must be > 0");
  json["kernel"] = {{"type", "fourier"}};
  expect_refused(json.dump(),
                 "m.json: 'kernel.type' is 'fourier', which this version does not know");
  json["kernel"] = {{"type", "rbf"}};
  expect_refused(json.dump(), "m.json: 'kernel.gamma' is missing");
}

}  // namespace
}  // namespace rampart
