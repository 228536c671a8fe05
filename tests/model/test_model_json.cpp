#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <set>

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

TEST(ModelFile, ALoadedModelIsTheSameAndPredictsTheSameBits) {
  const Dataset data = generate(SyntheticSet::square, 50, 9);
  for (const Model& model : models()) {
    const Rows x = data.x.widened(model.features.count);
    const Model loaded = model_from_json(to_json(model), "model");
    EXPECT_EQ(Predictor(loaded).scores(x), Predictor(model).scores(x));
    EXPECT_EQ(loaded, model);
  }
}

TEST(ModelFile, KeepsAwkwardNumbers) {
  Model model = models().front();
  for (const double value : {-0.0, 5e-324, 1.7976931348623157e308, 0.1, 1.0 / 3, 123456789.0}) {
    model.surface().band.b = value;
    const double read = model_from_json(to_json(model), "model").surface().band.b;
    EXPECT_EQ(std::signbit(read), std::signbit(value));
    EXPECT_EQ(read, value);
  }
}

TEST(ModelFile, KeepsTheObjectiveOfEveryRound) {
  for (const Model& model : models()) {
    EXPECT_EQ(model.surface().certificate.history.size(), model.surface().certificate.rounds);
    EXPECT_EQ(model.surface().certificate.history.back(), model.surface().certificate.objective);
    EXPECT_EQ(model_from_json(to_json(model), "model").surface().certificate,
              model.surface().certificate);
  }
}

TEST(ModelFile, MayLackTheObjectivesOfTheRounds) {
  for (const Model& model : models()) {
    Json old = Json::parse(to_json(model));
    ASSERT_EQ(old["surfaces"][0]["certificate"].erase("history"), 1U);
    const Model loaded = model_from_json(old.dump(), "model");
    EXPECT_TRUE(loaded.surface().certificate.history.empty());
    EXPECT_EQ(Json::parse(to_json(loaded)), old);
  }
}

TEST(ModelFile, IsNotWrittenWithANumberThatJsonCannotHold) {
  Model model = models().front();
  model.surface().band.b = std::numeric_limits<double>::infinity();
  EXPECT_THAT([&] { static_cast<void>(to_json(model)); },
              ThrowsMessage<ModelError>(HasSubstr("not finite")));
}

TEST(ModelFile, IsNotWrittenWithClassesThatCouldNotBeLoaded) {
  for (const ClassNames& names :
       {ClassNames{"", ""}, ClassNames{"a", "a"}, ClassNames{"", "b"}, ClassNames{"a", "\xff"}}) {
    Model model = models().front();
    model.classes = labels_of(names);
    EXPECT_THAT([&] { static_cast<void>(to_json(model)); },
                ThrowsMessage<ModelError>(HasSubstr("two different names")));
  }
}

TEST(ModelFile, IsNotWrittenWithNamesThatAreNotText) {
  Model model = models().front();
  model.features.names = {"a", "b\xff"};
  EXPECT_THAT([&] { static_cast<void>(to_json(model)); },
              ThrowsMessage<ModelError>(HasSubstr("not UTF-8")));
  model = models().front();
  model.surface().objective.class_weights = {{"\xff", 2.0}};
  EXPECT_THAT([&] { static_cast<void>(to_json(model)); },
              ThrowsMessage<ModelError>(HasSubstr("not UTF-8")));
}

TEST(ModelFile, SaysWhereNothingIsCertified) {
  Model model = models().front();
  model.surface().certificate.gap.reset();
  model.surface().certificate.status = TrainStatus::stationary;
  const std::string text = to_json(model);
  EXPECT_THAT(text, HasSubstr("\"gap\":null"));
  EXPECT_EQ(model_from_json(text, "m.json").surface().certificate, model.surface().certificate);
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
  expect_refused("{\"format\": \"rampart-model\", \"version\": 4}",
                 "is a model of format version 4; this program reads versions 1 to 3");
}

TEST(ModelFile, ModelsOfMoreThanTwoClassesAreNeitherWrittenNorReadNorApplied) {
  Model model = models().front();
  model.classes = {"a", "b", "c"};
  model.surfaces.resize(3, model.surfaces.front());
  const auto refusal =
      ThrowsMessage<ModelError>(HasSubstr("models of more than two classes are not supported yet"));
  EXPECT_THAT([&] { static_cast<void>(to_json(model)); }, refusal);
  EXPECT_THAT([&] { static_cast<void>(Predictor(model)); }, refusal);

  Json json = Json::parse(to_json(models().front()));
  json["classes"] = {"a", "b", "c"};
  EXPECT_THAT([&] { static_cast<void>(model_from_json(json.dump(), "m")); }, refusal);
  json["classes"] = {"a", "b"};
  json["surfaces"].push_back(json["surfaces"][0]);
  expect_refused(json.dump(), "'surfaces' has 2 entries, but two classes have one");
}

/// Every object of the file that has keys of its own, as a path.
std::vector<Json::json_pointer> objects_of(const Json& json) {
  std::vector<Json::json_pointer> paths{Json::json_pointer("")};
  for (const char* path :
       {"/features", "/scaling", "/kernel", "/surfaces/0", "/surfaces/0/band",
        "/surfaces/0/objective", "/surfaces/0/objective/costs", "/surfaces/0/certificate"}) {
    paths.emplace_back(path);
    EXPECT_TRUE(json.contains(paths.back())) << path;
  }
  return paths;
}

TEST(ModelFile, EveryKeyIsNeededAndHasAType) {
  const std::set<std::string> optional{"history",  "trained_band", "decide_for",
                                       "familiar", "fingerprint",  "encoding"};
  for (const Model& model : models()) {
    const Json good = Json::parse(to_json(model));
    for (const Json::json_pointer& path : objects_of(good)) {
      for (const auto& [key, value] : good[path].items()) {
        if (!optional.contains(key)) {
          Json without = good;
          without[path].erase(key);
          EXPECT_THROW(static_cast<void>(model_from_json(without.dump(), "m")), ModelError) << key;
        }
        for (const Json& wrong : {Json(nullptr), Json(true), Json("text"), Json(-1.5),
                                  Json::object(), Json::array({Json::array(), "x"})}) {
          const bool same_type = value.is_number_float() && wrong.is_number();
          if (same_type || (key == "label" && wrong.is_string()) ||
              (key == "class_weights" && wrong.is_object()) ||
              (key == "gap" && value.is_null() && (wrong.is_null() || wrong.is_number()))) {
            continue;
          }
          Json changed = good;
          changed[path][key] = wrong;
          EXPECT_THROW(static_cast<void>(model_from_json(changed.dump(), "m")), ModelError)
              << key << " = " << wrong;
        }
      }
    }
  }
}

TEST(ModelFile, ArraysMustFitTogether) {
  for (const Model& model : models()) {
    const Json good = Json::parse(to_json(model));
    for (const char* key : {"/surfaces/0/weights", "/surfaces/0/coefficients", "/vectors",
                            "/support", "/features/names", "/surfaces"}) {
      const Json::json_pointer path(key);
      if (!good.contains(path) || !good[path].is_array() || good[path].empty()) continue;
      Json shorter = good;
      shorter[path].erase(0);
      EXPECT_THROW(static_cast<void>(model_from_json(shorter.dump(), "m")), ModelError) << key;
    }
    Json huge = good;
    huge["features"]["count"] = 1'000'000'000;
    EXPECT_THROW(static_cast<void>(model_from_json(huge.dump(), "m")), ModelError);
  }
}

TEST(ModelFile, ValuesMustBeInTheirRanges) {
  const Json good = Json::parse(to_json(models().front()));
  const auto with = [&](const char* path, const Json& value) {
    Json json = good;
    json[Json::json_pointer(path)] = value;
    return json.dump();
  };
  expect_refused(with("/surfaces/0/band/rho", -1), "'surfaces[0].band.rho' must not be negative");
  expect_refused(with("/surfaces/0/objective/mu", 1.5),
                 "'surfaces[0].objective.mu' must be at most");
  expect_refused(with("/surfaces/0/objective/C", 0), "'surfaces[0].objective.C' is 0, must be > 0");
  expect_refused(with("/surfaces/0/objective/class_weights/x", 0), "class_weights.x' is 0");
  expect_refused(with("/surfaces/0/objective/class_weights/x", 2), "belongs to no class");
  expect_refused(with("/surfaces/0/objective/costs/reject_positive", 7), "is impossible");
  expect_refused(with("/surfaces/0/decide_for", Json::object()), "false_positive' is missing");
  expect_refused(with("/surfaces/0/trained_band", {{"b", 0}, {"rho", -1}}),
                 "'surfaces[0].trained_band.rho' must not be negative");
}

TEST(ModelFile, AHistoryHasOneFiniteNumberARound) {
  const Json good = Json::parse(to_json(models().front()));
  const auto with = [&](const Json& history) {
    Json json = good;
    json["surfaces"][0]["certificate"]["history"] = history;
    return json.dump();
  };
  Json longer = good["surfaces"][0]["certificate"]["history"];
  longer.push_back(1.0);
  expect_refused(with(longer), "m.json: 'surfaces[0].certificate.history' has " +
                                   std::to_string(longer.size()) + " entries, but there were");
  expect_refused(with("falling"), "m.json: 'surfaces[0].certificate.history' must be an array");
  expect_refused(with(Json::array({nullptr})),
                 "'surfaces[0].certificate.history' must hold finite numbers only");
}

TEST(ModelFile, WhatIsFamiliarMustFit) {
  const Dataset data = generate(SyntheticSet::square, 60, 3);
  Model model = train(data, {}).model;
  model.familiar.relations = {{.columns = {0, 1}, .weights = {1, -2}, .least = -3, .most = 0.1}};
  EXPECT_EQ(model_from_json(to_json(model), "m"), model);

  const Json good = Json::parse(to_json(model));
  EXPECT_FALSE(good["familiar"].contains("zeros"));
  for (const auto& [key, value] : good["familiar"].items()) {
    Json without = good;
    without["familiar"].erase(key);
    EXPECT_THROW(static_cast<void>(model_from_json(without.dump(), "m")), ModelError) << key;
    for (const Json& wrong : {Json(nullptr), Json("text"), Json(-1.5), Json::array({"x"}),
                              Json::array({1e300, -1e300, 0}), Json::array({7})}) {
      Json changed = good;
      changed["familiar"][key] = wrong;
      EXPECT_THROW(static_cast<void>(model_from_json(changed.dump(), "m")), ModelError)
          << key << " = " << wrong;
    }
  }
  const auto with = [&](const char* path, const Json& value) {
    Json json = good;
    json[Json::json_pointer(path)] = value;
    return json.dump();
  };
  expect_refused(with("/familiar/share", 1), "'familiar' does not fit: the share");
  expect_refused(with("/familiar/least/0", 1e9), "'familiar' does not fit: familiar values");
  expect_refused(with("/familiar/columns", {0, 2}), "'familiar.columns' must hold increasing");
  expect_refused(with("/familiar/relations/0/weights", {1}), "one weight for each");
  expect_refused(with("/familiar/relations/0/least", 1), "the sums of a relation");
  expect_refused(with("/familiar/zeros", 3), "'familiar.zeros'");
  expect_refused(with("/familiar/zeros", {{"most", 3}}), "'familiar.zeros.except' is missing");
  expect_refused(with("/familiar/zeros", {{"most", -1}, {"except", Json::array()}}),
                 "'familiar' does not fit: familiar values must hold 0");
  expect_refused(with("/familiar/zeros", {{"most", 3}, {"except", {1}}}),
                 "'familiar' does not fit: the columns that are not judged");
  expect_refused(with("/familiar/zeros", {{"most", 3}, {"except", {2}}}),
                 "'familiar.zeros.except' must hold increasing");
  Json many = good;
  for (int k = 0; k < 4; ++k)
    many["familiar"]["relations"].push_back(many["familiar"]["relations"][0]);
  expect_refused(many.dump(), "'familiar.relations' has more than 4 entries");
}

TEST(ModelFile, KeepsColumnsOfZerosAsOne) {
  const Dataset data = generate(SyntheticSet::square, 60, 3);
  Dataset wide = data;
  wide.features.clear();
  std::vector<std::size_t> starts{0};
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  for (std::size_t n = 0; n < data.size(); ++n) {
    const auto row = data.x.dense_row(n);
    indices.insert(indices.end(), {7, 900'000});
    values.insert(values.end(), {row[0], row[1]});
    starts.push_back(values.size());
  }
  wide.x = Rows::sparse(1'000'000, starts, indices, values);
  const Model model =
      train(wide, {.representation = {.kernel = {.type = KernelType::linear}}}).model;
  EXPECT_EQ(model.familiar.columns.size(), 2U);
  ASSERT_TRUE(model.familiar.zeros);
  const std::string text = to_json(model);
  EXPECT_LT(text.size(), 10'000U);
  const Model loaded = model_from_json(text, "m");
  EXPECT_EQ(loaded, model);
  EXPECT_EQ(to_json(loaded), text);
}

TEST(ModelFile, MessagesSayWhereAndWhat) {
  Json json = Json::parse(to_json(models()[2]));  // rbf
  json["kernel"]["gamma"] = -1;
  expect_refused(json.dump(), "m.json: 'kernel.gamma' is -1, must be > 0");
  json["kernel"] = {{"type", "laplace"}};
  expect_refused(json.dump(),
                 "m.json: 'kernel.type' is 'laplace', which this version does not know");
  json["kernel"] = {{"type", "rbf"}};
  expect_refused(json.dump(), "m.json: 'kernel.gamma' is missing");
}

TEST(ModelFile, IsNotWrittenIfItsPartsDoNotFitTogether) {
  const auto is_refused = [](Model changed) {
    EXPECT_THROW(static_cast<void>(to_json(changed)), ModelError);
  };
  Model model;
  model.features.count = 2;
  EXPECT_EQ(model_from_json(to_json(model), "it").surface().weights, (std::vector<double>{0, 0}));
  model.surface().band.rho = -1;
  is_refused(model);
  model.surface().band.rho = 0;
  model.features.names = {"one"};
  is_refused(model);
  model.features.names.clear();
  model.support = {0};
  is_refused(model);
  model.kernel = PrecomputedKernel{};
  model.surface().coefficients = {1};
  EXPECT_NO_THROW(static_cast<void>(to_json(model)));
  model.support = {2};  // there are two features
  is_refused(model);
  model.support = {0};
  model.scaling = {
      .kind = ScalingKind::minmax, .offset = std::vector(2, 0.0), .factor = std::vector(2, 1.0)};
  is_refused(model);
}

}  // namespace
}  // namespace rampart
