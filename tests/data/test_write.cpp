#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <numeric>

#include "data/support.hpp"

namespace rampart {
namespace {

using ::testing::ThrowsMessage;
using testing_support::parse;
using testing_support::row;

// The same data set, whichever way its rows are stored.
void assert_same(const Dataset& read, const Dataset& written) {
  RC_ASSERT(read.y == written.y);
  RC_ASSERT(read.classes == written.classes);
  RC_ASSERT(read.weights == written.weights);
  RC_ASSERT(read.x.columns() == written.x.columns());
  RC_ASSERT(read.x.size() == written.x.size());
  for (std::size_t n = 0; n < read.size(); ++n) RC_ASSERT(row(read.x, n) == row(written.x, n));
}

RC_GTEST_PROP(Write, LibsvmReadsBackToTheSameBits, (const Dataset& data)) {
  assert_same(parse(to_libsvm(data), {.format = Format::libsvm}), data);
}

RC_GTEST_PROP(Write, CsvReadsBackToTheSameBits, (Dataset data)) {
  if (*rc::gen::arbitrary<bool>()) {
    for (std::size_t n = 0; n < data.size(); ++n) {
      data.weights.push_back(*rc::gen::element(0.5, 1.0, 3.0));
    }
  }
  const ReadOptions options{.weight = data.weights.empty() ? "" : "weight"};
  assert_same(parse(to_csv(data), options), data);
}

RC_GTEST_PROP(Write, NamesSurviveWhateverTheyHold, (Dataset data)) {
  const std::vector<std::string> pieces = {"a", "b",  "c",        " ",           ",",  ";",
                                           "|", "\t", "'",        "\"",          "\n", "\r",
                                           "#", ":",  "\xc3\xa9", "\xef\xbb\xbf"};
  const auto name =
      rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(pieces)),
                   [](const std::vector<std::string>& chosen) {
                     return std::accumulate(chosen.begin(), chosen.end(), std::string());
                   });
  data.features = *rc::gen::unique<std::vector<std::string>>(data.x.columns(), name);
  data.classes = {"no, \"never\"", "yes;\r\nalways"};
  const Dataset read = parse(to_csv(data), {.format = Format::csv, .header = true});
  assert_same(read, data);
  RC_ASSERT(read.features == data.features);
}

RC_GTEST_PROP(Write, TheKindOfFileIsFoundOut, (const Dataset& data)) {
  const std::string text = to_libsvm(data);
  RC_PRE(text.find(':') != std::string::npos);
  assert_same(parse(text), data);
}

TEST(Write, NamesThatAreTakenGetANumber) {
  const Dataset data{.x = Rows::dense(2, {1, 2, 3, 4}),
                     .y = {1, -1},
                     .classes = {"-1", "1"},
                     .weights = {1, 2},
                     .features = {"label", "weight"}};
  EXPECT_EQ(to_csv(data), "label,weight,weight_2,label_2\n1,2,1,1\n3,4,2,-1\n");
}

TEST(Write, LibsvmLeavesZerosOutButKeepsTheWidth) {
  const Dataset data{.x = Rows::dense(3, {0, 2, 0, 0.5, 0, 0}),
                     .y = {1, -1},
                     .classes = {"-1", "1"},
                     .weights = {},
                     .features = {}};
  EXPECT_EQ(to_libsvm(data), "1 2:2 3:0\n-1 1:0.5\n");
}

TEST(Write, WhatLibsvmCannotHoldIsRefused) {
  Dataset data{.x = Rows::dense(1, {1, 2}),
               .y = {1, -1},
               .classes = {"-1", "1"},
               .weights = {1, 2},
               .features = {}};
  EXPECT_THAT([&] { static_cast<void>(to_libsvm(data)); },
              ThrowsMessage<InputError>("weights cannot be written as LIBSVM; write CSV"));
  data.weights = {1, 1};
  EXPECT_NO_THROW(static_cast<void>(to_libsvm(data)));
  for (const char* name : {"a b", "a:b", "a#b", ""}) {
    data.classes.positive = name;
    EXPECT_THROW(static_cast<void>(to_libsvm(data)), InputError) << name;
  }
  data.classes.positive = "a b";
  EXPECT_THAT([&] { static_cast<void>(to_libsvm(data)); },
              ThrowsMessage<InputError>("the class 'a b' cannot be written as LIBSVM"));
}

}  // namespace
}  // namespace rampart
