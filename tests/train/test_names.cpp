// Enumerations that are written to files: every value has a name of its own.

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "rampart/dataset.hpp"
#include "rampart/kernel.hpp"
#include "rampart/model.hpp"
#include "rampart/options.hpp"
#include "rampart/train.hpp"
#include "train/zone.hpp"

namespace rampart {
namespace {

/// Whether the enumeration has an enumerator of this value: gcc and clang spell the name of one,
/// and "(Enum)7" where there is none.
template <auto value>
constexpr bool is_enumerator() {
  const std::string_view spelt = __PRETTY_FUNCTION__;
  return spelt.find("value = (") == spelt.npos;
}

template <class Enum, std::size_t... k>
std::size_t count_enumerators(std::index_sequence<k...>) {
  return (std::size_t{is_enumerator<static_cast<Enum>(k)>()} + ...);
}

template <class Enum>
struct Names : testing::Test {};
using Enums = testing::Types<LossKind, TrainStatus, KernelType, ScalingKind, Precision, Zone>;
TYPED_TEST_SUITE(Names, Enums);

TYPED_TEST(Names, EveryValueHasOne) {
  const auto names = names_of(TypeParam{});
  EXPECT_EQ(names.size(), count_enumerators<TypeParam>(std::make_index_sequence<64>()));
  std::set<TypeParam> values;
  for (const auto& entry : names) values.insert(entry.value);
  EXPECT_EQ(values.size(), names.size());
}

TYPED_TEST(Names, LeadBackToTheirValues) {
  for (const auto& [value, name] : names_of(TypeParam{})) {
    EXPECT_FALSE(name.empty());
    EXPECT_EQ(to_string(value), name);
    EXPECT_EQ(value_of<TypeParam>(name), value);
    EXPECT_EQ(value_of<TypeParam>(std::string(name) + "s"), std::nullopt);
  }
  EXPECT_EQ(value_of<TypeParam>(""), std::nullopt);
}

}  // namespace
}  // namespace rampart
