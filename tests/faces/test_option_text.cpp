// The table of options is complete and true: every entry can be set, its default is what the
// library has without it, and it says what larger values do.

#include "faces/option_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "faces/number_text.hpp"
#include "faces/training_settings.hpp"
#include "rampart/errors.hpp"

namespace rampart {
namespace {

using testing::HasSubstr;

std::vector<std::string> choices_of(const OptionText& option) {
  std::vector<std::string> all;
  const std::string text(option.value);
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('|', begin), text.size());
    all.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return all;
}

TEST(OptionText, NamesAreDifferentAndEveryOptionIsDescribed) {
  std::set<std::string_view> names;
  for (const OptionText& option : option_texts()) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    EXPECT_FALSE(option.about.empty()) << option.name;
    EXPECT_FALSE(option.value.empty()) << option.name;
  }
}

TEST(OptionText, NumbersSayWhatLargerValuesDo) {
  for (const OptionText& option : option_texts()) {
    const bool ordered = option.kind == OptionText::Kind::number ||
                         (option.kind == OptionText::Kind::whole_number && option.name != "seed");
    EXPECT_EQ(ordered && option.larger.empty(), false) << option.name;
    if (option.kind == OptionText::Kind::choice) {
      EXPECT_TRUE(option.larger.empty()) << option.name;
    }
  }
}

TEST(OptionText, SettingTheDefaultChangesNothing) {
  for (const OptionText& option : option_texts()) {
    if (option.standard.empty()) continue;
    TrainingSettings settings;
    settings.set(option.name, std::string(option.standard));
    EXPECT_EQ(settings.method(), TrainingSettings().method()) << option.name;
    EXPECT_EQ(settings.scaling, TrainingSettings().scaling) << option.name;
    EXPECT_EQ(settings.missing, TrainingSettings().missing) << option.name;
    EXPECT_EQ(settings.folds, TrainingSettings().folds) << option.name;
    EXPECT_EQ(settings.nested, TrainingSettings().nested) << option.name;
  }
}

TEST(OptionText, EveryChoiceCanBeSetAndNothingElse) {
  for (const OptionText& option : option_texts()) {
    if (option.kind != OptionText::Kind::choice) continue;
    for (const std::string& choice : choices_of(option)) {
      EXPECT_NO_THROW(TrainingSettings().set(option.name, choice)) << option.name;
    }
    for (const char* other : {"", "nothing", "rbf|linear", "Yes"}) {
      EXPECT_THROW(TrainingSettings().set(option.name, other), OptionError) << option.name;
    }
  }
}

TEST(OptionText, NumbersMustBeNumbers) {
  for (const OptionText& option : option_texts()) {
    if (option.kind == OptionText::Kind::number) {
      EXPECT_THROW(TrainingSettings().set(option.name, "1x"), OptionError) << option.name;
      EXPECT_THROW(TrainingSettings().set(option.name, ""), OptionError) << option.name;
    }
    if (option.kind == OptionText::Kind::whole_number) {
      EXPECT_THROW(TrainingSettings().set(option.name, "1.5"), OptionError) << option.name;
      EXPECT_THROW(TrainingSettings().set(option.name, "-1"), OptionError) << option.name;
      EXPECT_THROW(TrainingSettings().set(option.name, "99999999999999999999"), OptionError);
    }
  }
}

TEST(OptionText, AWrongNameIsAnsweredWithTheNearest) {
  try {
    TrainingSettings().set("reject_cost", "0.1");
    FAIL();
  } catch (const OptionError& error) {
    EXPECT_THAT(error.what(), HasSubstr("'reject-cost'"));
  }
}

}  // namespace
}  // namespace rampart
