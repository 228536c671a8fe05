#include "rampart/errors.hpp"
#include "util/text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <algorithm>

namespace rampart {
namespace {

TEST(Text, WhatATerminalCouldObeyIsShownAsNumbers) {
  EXPECT_EQ(printable("a\x1b[31mb\n\r\t\x7f"), R"(a\x1b[31mb\x0a\x0d\x09\x7f)");
  EXPECT_EQ(printable("\xff\xfe"), R"(\xff\xfe)");
  EXPECT_EQ(printable("\xc2\x9b"), R"(\xc2\x9b)");          // a C1 control
  EXPECT_EQ(printable("\xe2\x80\xae"), R"(\xe2\x80\xae)");  // writes backwards
  EXPECT_EQ(printable("\xe2\x80\x8e\xe2\x80\x8f"),
            R"(\xe2\x80\x8e\xe2\x80\x8f)");                                 // invisible marks
  EXPECT_EQ(printable("\xd8\x9c"), R"(\xd8\x9c)");                          // of direction
  EXPECT_EQ(printable("\xc0\xaf\xed\xa0\x80"), R"(\xc0\xaf\xed\xa0\x80)");  // malformed UTF-8
}

TEST(Text, OtherAlphabetsAreShownAsTheyAre) { EXPECT_EQ(printable("größe Δ 年"), "größe Δ 年"); }

TEST(Text, LongTextsAreCutToFortyCharacters) {
  EXPECT_EQ(printable(std::string(40, 'a')), std::string(40, 'a'));
  EXPECT_EQ(printable(std::string(41, 'a')), std::string(39, 'a') + "…");
  EXPECT_EQ(printable(std::string(1000, '\1')), printable(std::string(11, '\1')));
}

TEST(Text, HowLongATextMayBeIsUpToTheCaller) {
  EXPECT_EQ(printable(std::string(41, 'a'), 41), std::string(41, 'a'));
  EXPECT_EQ(printable("abcd", 3), "ab…");
}

RC_GTEST_PROP(Text, WhateverIsShownStaysOnOneShortLine, (const std::string& text)) {
  const std::string shown = printable(text);
  RC_ASSERT(std::ranges::none_of(shown, [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }));
  const auto starts_character = [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  };
  RC_ASSERT(std::ranges::count_if(shown, starts_character) <= 40);
}

RC_GTEST_PROP(Text, WordsAndSpacesMakeUpTheText, (const std::vector<std::uint8_t>& lengths)) {
  std::string text;
  std::vector<std::string> words;
  for (const std::uint8_t length : lengths) {
    words.emplace_back(length % 7 + 1, 'w');
    text += std::string(length % 3 + 1, " \t\r"[length % 3]) + words.back();
  }
  std::string_view rest = text;
  for (const std::string& word : words) RC_ASSERT(take_word(rest) == word);
  RC_ASSERT(take_word(rest).empty());
}

RC_GTEST_PROP(Text, EditDistanceIsADistance, (const std::string& a, const std::string& b)) {
  RC_ASSERT(edit_distance(a, a) == 0u);
  RC_ASSERT(edit_distance(a, b) == edit_distance(b, a));
  RC_ASSERT(edit_distance(a, b) <= std::max(a.size(), b.size()));
}

TEST(Text, EditDistanceCountsLettersWhateverTheirCase) {
  EXPECT_EQ(edit_distance("Status", "status"), 0u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
}

TEST(Text, TheNearestWordIsSuggestedIfItIsNearAtAll) {
  const std::vector<std::string> words{"train", "predict", "-c"};
  EXPECT_EQ(nearest_word("trian", words), "train");
  EXPECT_EQ(nearest_word("zebra", words), std::nullopt);
  EXPECT_EQ(nearest_word("-C", words), "-c");
  EXPECT_EQ(nearest_word("-x", words), std::nullopt);
}

TEST(Errors, WordsInFrontKeepTheTypeAndTheSetting) {
  const InputError error("too large; scale the features", Setting::scaling);
  const InputError longer = error_about("train.csv", error);
  EXPECT_STREQ(longer.what(), "train.csv: too large; scale the features");
  EXPECT_EQ(longer.setting(), Setting::scaling);
}

TEST(Text, Utf8IsToldFromOtherBytes) {
  for (const char* good :
       {"", "abc", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xed\x9f\xbf"}) {
    EXPECT_TRUE(is_utf8(good)) << good;
  }
  // A lone byte, a cut end, overlong forms, a surrogate, beyond Unicode, a continuation first.
  for (const char* bad : {"\xe9", "\xc3", "\xc0\x80", "\xe0\x80\xaf", "\xf0\x80\x80\x80",
                          "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\x80"}) {
    EXPECT_FALSE(is_utf8(bad));
  }
}

}  // namespace
}  // namespace rampart
