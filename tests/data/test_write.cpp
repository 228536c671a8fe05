#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "data/category_table.hpp"
#include "data/missing.hpp"
#include "data/support.hpp"
#include "util/text.hpp"

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

// A text of a file: words, quotes, delimiters, letters of several bytes, what looks like numbers.
rc::Gen<std::string> any_text() {
  const std::vector<std::string> pieces = {"a",  "B", " ",  ",",  ";",  "|",        "\t",
                                           "\"", "'", "\n", "\r", "#",  "\xc3\xa9", "\xe2\x82\xac",
                                           "%",  "1", "05", ".",  "-",  "<b>",      "@data",
                                           "{",  "?", "NA", "1e", "inf"};
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(pieces)),
                      [](const std::vector<std::string>& chosen) {
                        return std::accumulate(chosen.begin(), chosen.end(), std::string());
                      });
}

// A table: numbers, categories, missing values, ids, weights.
rc::Gen<Dataset> any_table() {
  return rc::gen::exec([] {
    const auto rows = *rc::gen::inRange<std::size_t>(2, 12);
    const auto columns = *rc::gen::inRange<std::size_t>(1, 6);
    Dataset data;
    data.classes = {"no", "yes"};
    std::vector<double> values(rows * columns);
    bool any_categories = false;
    data.categories.resize(columns);
    for (std::size_t j = 0; j < columns; ++j) {
      data.features.push_back(fmt::format("{}{}", *any_text(), j) + ".");
      CategoryTable table;
      const bool categorical = *rc::gen::arbitrary<bool>();
      for (std::size_t n = 0; n < rows; ++n) {
        double& value = values[n * columns + j];
        const bool missing = n > 0 && *rc::gen::inRange(0, 4) == 0;
        const std::string name = category_of_cell(trimmed(*any_text()));
        value = *testing_support::any_value();
        if (categorical) value = table.add(is_missing_spelling(name) ? "x" : name);
        if (missing) value = std::numeric_limits<double>::quiet_NaN();
      }
      if (!categorical) continue;
      // Only those that occur, as a reader finds them.
      CategoryTable met;
      for (std::size_t n = 0; n < rows; ++n) {
        double& value = values[n * columns + j];
        if (!std::isnan(value)) value = met.add(table.name(static_cast<std::size_t>(value)));
      }
      const auto code = met.sort();
      for (std::size_t n = 0; n < rows; ++n) {
        double& value = values[n * columns + j];
        if (!std::isnan(value)) value = code[static_cast<std::size_t>(value)];
      }
      data.categories[j] = met.names();
      any_categories = true;
    }
    if (!any_categories) data.categories.clear();
    data.x = Rows::dense(columns, values);
    const bool ids = *rc::gen::arbitrary<bool>();
    const bool weights = *rc::gen::arbitrary<bool>();
    for (std::size_t n = 0; n < rows; ++n) {
      data.y.push_back(n % 2 ? 1 : -1);
      if (ids) data.ids.push_back(std::string(trimmed(*any_text())));
      if (weights) data.weights.push_back(*rc::gen::element(0.5, 1.0, 3.0));
    }
    return data;
  });
}

bool same_bits(const Rows& a, const Rows& b) {
  if (a.size() != b.size() || a.columns() != b.columns()) return false;
  for (std::size_t n = 0; n < a.size(); ++n) {
    const std::vector<double> one = row(a, n);
    const std::vector<double> other = row(b, n);
    for (std::size_t j = 0; j < one.size(); ++j) {
      if (std::isnan(one[j]) ? !std::isnan(other[j]) : one[j] != other[j]) return false;
    }
  }
  return true;
}

RC_GTEST_PROP(Write, AnyTableReadsBackToTheSameColumns, ()) {
  const Dataset data = *rc::gen::noShrink(any_table());
  ReadOptions options{.weight = data.weights.empty() ? "" : "weight",
                      .header = true,
                      .id = data.ids.empty() ? "" : "id"};
  for (std::size_t j = 0; j < data.categories.size(); ++j) {
    if (!data.categories[j].empty()) options.categorical.push_back(data.features[j]);
  }
  const Dataset read = parse(to_csv(data), options);
  RC_ASSERT(same_bits(read.x, data.x));
  RC_ASSERT(read.categories == data.categories);
  RC_ASSERT(read.features == data.features);
  RC_ASSERT(read.ids == data.ids);
  RC_ASSERT(read.weights == data.weights);
  RC_ASSERT(read.y == data.y);
}

TEST(Write, CategoriesAndMissingValuesHaveNoPlaceInLibsvm) {
  const auto refusal = [](const Dataset& data) {
    return [&] { static_cast<void>(to_libsvm(data)); };
  };
  EXPECT_THAT(refusal(parse("a,y\nx,p\nz,q\n")),
              ThrowsMessage<InputError>("categories cannot be written as LIBSVM; write CSV"));
  EXPECT_THAT(
      refusal(parse("a,b,y\n1,2,p\n,3,q\n")),
      ThrowsMessage<InputError>("row 2: a missing value cannot be written as LIBSVM; write CSV"));
}

TEST(Write, ACategoryThatReadsBackAsSomethingElseIsRefused) {
  const Dataset data = parse(
      "@relation r\n@attribute a {NA,x}\n@attribute y {p,q}\n@data\n"
      "NA,p\nx,q\n");
  EXPECT_EQ(row(data.x, 0), std::vector<double>{0}) << "a declared value is no missing one";
  EXPECT_THAT([&] { static_cast<void>(to_csv(data)); },
              ThrowsMessage<InputError>("the category 'NA' cannot be written as CSV"));
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
