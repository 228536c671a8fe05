#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rampart/errors.hpp"
#include "rampart/kernel.hpp"
#include "random_rows.hpp"

namespace rampart {
namespace {

using testing_support::random_rows;
using testing_support::without_zeros;

TEST(Gamma, AutoIsOneOverTheNumberOfFeatures) {
  const Kernel kernel = make_kernel({.type = KernelType::rbf, .gamma = GammaRule::inverse_features},
                                    random_rows(9, 5, 1));
  EXPECT_DOUBLE_EQ(std::get<RbfKernel>(kernel).gamma, 1.0 / 5);
}

TEST(Gamma, ScaleIsOneOverFeaturesTimesTheVarianceOfAllValues) {
  const Rows x = Rows::dense(2, {1, 2, 3, 4, 5, 9});  // mean 4, variance 40/6
  const Kernel kernel = make_kernel({.type = KernelType::rbf, .gamma = GammaRule::scale}, x);
  EXPECT_DOUBLE_EQ(std::get<RbfKernel>(kernel).gamma, 1 / (2 * 40.0 / 6));
}

TEST(Gamma, ScaleCountsTheZerosOfSparseRows) {
  const Rows dense = random_rows(20, 7, 3);
  const KernelOptions options{.type = KernelType::sigmoid, .gamma = GammaRule::scale};
  EXPECT_NEAR(std::get<SigmoidKernel>(make_kernel(options, dense)).gamma,
              std::get<SigmoidKernel>(make_kernel(options, without_zeros(dense))).gamma, 1e-12);
}

TEST(Gamma, ScaleOfConstantDataIsOne) {
  for (const double value : {3.0, 0.1, 0.0}) {
    const Rows x = Rows::dense(1, {value, value, value});
    EXPECT_EQ(std::get<RbfKernel>(make_kernel({}, x)).gamma, 1);
  }
}

TEST(Gamma, ScaleOfFeaturesTooLargeToSquareIsRefused) {
  const Rows x = Rows::dense(1, {1e200, -1e200});
  EXPECT_THAT([&] { static_cast<void>(make_kernel({}, x)); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("too large to compute with")));
}

TEST(MakeKernel, KeepsTheParametersOfEachKernel) {
  const Rows x = random_rows(4, 2, 1);
  const auto made = [&](KernelType type) {
    return make_kernel({.type = type, .gamma = 0.5, .coef0 = -2, .degree = 4}, x);
  };
  EXPECT_EQ(made(KernelType::linear), Kernel(LinearKernel{}));
  EXPECT_EQ(made(KernelType::rbf), Kernel(RbfKernel{0.5}));
  EXPECT_EQ(made(KernelType::polynomial), Kernel(PolynomialKernel{0.5, -2, 4}));
  EXPECT_EQ(made(KernelType::sigmoid), Kernel(SigmoidKernel{0.5, -2}));
  EXPECT_EQ(made(KernelType::precomputed), Kernel(PrecomputedKernel{}));
}

TEST(KernelOptions, ErrorsNameTheOptionTheValueAndTheRule) {
  using testing::ThrowsMessage;
  EXPECT_THAT([] { KernelOptions{.gamma = -0.5}.validate(); },
              ThrowsMessage<OptionError>("gamma = -0.5: must be > 0 and finite, or scale or auto"));
  EXPECT_THAT([] { KernelOptions{.coef0 = 1 / 0.0}.validate(); },
              ThrowsMessage<OptionError>("coef0 = inf: must be finite"));
  EXPECT_THAT([] { KernelOptions{.degree = 0}.validate(); },
              ThrowsMessage<OptionError>("degree = 0: must be in 1 … 100"));
}

}  // namespace
}  // namespace rampart
