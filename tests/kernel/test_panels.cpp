#include "kernel/panels.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "random_rows.hpp"
#include "util/every_target.hpp"

namespace rampart {
namespace {

using testing_support::random_rows;
using testing_support::with_every_target;

/// Some rows, and a panel of others, `offset` from the origin.
template <class Real>
struct Sides {
  std::vector<Real> x, panel, x_norms, panel_norms;
  std::size_t rows, columns;

  Sides(std::size_t rows_of_x, std::size_t columns_of, double offset, std::uint32_t seed)
      : rows(rows_of_x), columns(columns_of) {
    constexpr std::size_t width = panel_rows<Real>;
    const Rows values = random_rows(rows + width, columns, seed);
    const auto value = [&](std::size_t n, std::size_t j) {
      return static_cast<Real>(values.dense_row(n)[j] + offset);
    };
    for (std::size_t n = 0; n < rows; ++n) {
      for (std::size_t j = 0; j < columns; ++j) x.push_back(value(n, j));
    }
    std::vector<Real> z;
    panel.resize(width * columns);
    for (std::size_t i = 0; i < width; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        panel[j * width + i] = value(rows + i, j);
        z.push_back(value(rows + i, j));
      }
    }
    x_norms.resize(rows);
    panel_norms.resize(width);
    squared_norms(x.data(), rows, columns, x_norms.data());
    squared_norms(z.data(), width, columns, panel_norms.data());
    for (Real& norm : x_norms) norm /= 2;
    for (Real& norm : panel_norms) norm /= 2;
  }

  bool far(Real rate) const {
    return rate * (std::ranges::max(x_norms) + std::ranges::max(panel_norms)) >
           largest_cancellation<Real>;
  }

  double product(std::size_t r, std::size_t i) const {
    double sum = 0;
    for (std::size_t j = 0; j < columns; ++j) {
      sum += static_cast<double>(x[r * columns + j]) * panel[j * panel_rows<Real> + i];
    }
    return sum;
  }
  double distance(std::size_t r, std::size_t i) const {
    double sum = 0;
    for (std::size_t j = 0; j < columns; ++j) {
      const double difference = static_cast<double>(x[r * columns + j]) -
                                static_cast<double>(panel[j * panel_rows<Real> + i]);
      sum += difference * difference;
    }
    return sum;
  }

  template <class Compute>
  std::vector<Real> compute(const Compute& by) const {
    std::vector<Real> values(rows * panel_rows<Real>);
    std::vector<Real*> out;
    for (std::size_t r = 0; r < rows; ++r) out.push_back(values.data() + r * panel_rows<Real>);
    by(PanelTask<Real>{x.data(), x_norms.data(), rows, columns, panel.data(), panel_norms.data(),
                       out.data(), 0});
    return values;
  }
};

template <class Real>
void check_products(std::size_t rows, std::size_t columns, std::uint32_t seed) {
  const Sides<Real> sides(rows, columns, 0, seed);
  with_every_target([&](std::string_view name) {
    RC_LOG() << name;
    const auto found = sides.compute([](const auto& task) { panel_products(task); });
    const double bound = 4 * std::numeric_limits<Real>::epsilon() * static_cast<double>(columns);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t i = 0; i < panel_rows<Real>; ++i) {
        const double truth = sides.product(r, i);
        RC_ASSERT(std::abs(found[r * panel_rows<Real> + i] - truth) <= 4 * bound);
      }
    }
  });
}

/// Near the origin products are enough; far from it, or with a narrow kernel, they are not.
template <class Real>
void check_rbf(std::size_t rows, std::size_t columns, std::uint32_t seed) {
  const double offset = *rc::gen::element(0.0, 3.0, 60.0);
  const double gamma = *rc::gen::element(0.01, 0.3, 20.0);
  const Sides<Real> sides(rows, columns, offset, seed);
  const auto rate = static_cast<Real>(rbf_rate(gamma));
  const double bound = sizeof(Real) == sizeof(float) ? 1e-5 : 1e-9;
  with_every_target([&](std::string_view name) {
    RC_LOG() << name;
    const auto found = sides.compute([&](const auto& task) { panel_rbf(task, rate); });
    if (!sides.far(rate)) {  // then the check that may be left out changes nothing
      const auto unchecked = sides.compute([&](PanelTask<Real> task) {
        task.far = false;
        panel_rbf(task, rate);
      });
      RC_ASSERT(unchecked == found);
    }
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t i = 0; i < panel_rows<Real>; ++i) {
        const double truth = std::exp(-gamma * sides.distance(r, i));
        RC_ASSERT(std::abs(found[r * panel_rows<Real> + i] - truth) <= bound);
      }
    }
  });
}

RC_GTEST_PROP(Panels, ValuesAreThoseOfTheDefinitionOnEveryInstructionSet, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(1, 15);
  const auto columns = *rc::gen::inRange<std::size_t>(1, 40);
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  check_products<float>(rows, columns, seed);
  check_products<double>(rows, columns, seed);
  check_rbf<float>(rows, columns, seed);
  check_rbf<double>(rows, columns, seed);
}

/// With x = 0 nothing cancels: what is left are the rounding of the exponent and of the power.
template <class Real>
void expect_exact_powers(Real rate) {
  Sides<Real> sides(1, 1, 0, 4);
  sides.x[0] = sides.x_norms[0] = 0;
  for (std::size_t i = 0; i < panel_rows<Real>; ++i) {
    sides.panel[i] = static_cast<Real>(i) / 8;
    sides.panel_norms[i] = sides.panel[i] * sides.panel[i] / 2;
  }
  with_every_target([&](std::string_view name) {
    const auto found = sides.compute([&](const auto& task) { panel_rbf(task, rate); });
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double exponent = -static_cast<double>(rate) * sides.distance(0, i) / 2;
      const double truth = std::exp2(exponent);
      const double unit = std::numeric_limits<Real>::epsilon() * truth;
      EXPECT_NEAR(found[i], truth, (1.5 - exponent) * unit) << name << ' ' << exponent;
    }
  });
}

TEST(Panels, PowersAreExactToTheLastDigits) {
  for (const double rate : {0.01, 0.3, 1.7, 12.0}) {
    expect_exact_powers(static_cast<float>(rate));
    expect_exact_powers(rate);
  }
}

TEST(Panels, NumbersTooLargeToSquareGiveZeroOrOne) {
  Sides<float> sides(2, 3, 0, 4);
  for (float& value : sides.x) value = 3e30F;
  squared_norms(sides.x.data(), 2, 3, sides.x_norms.data());
  for (float& norm : sides.x_norms) norm /= 2;
  for (std::size_t j = 0; j < 3; ++j) sides.panel[j * panel_rows<float>] = 3e30F;
  sides.panel_norms[0] = sides.x_norms[0];
  with_every_target([&](std::string_view name) {
    const auto found = sides.compute([](const auto& task) { panel_rbf(task, 1.5F); });
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i], i % panel_rows<float> == 0 ? 1 : 0) << name;
    }
  });
}

template <class Real>
void check_sums(std::size_t rows, std::size_t count) {
  std::vector<std::vector<Real>> values(rows);
  std::vector<const Real*> in;
  std::vector<double> c;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t i = 0; i < count; ++i) {
      values[r].push_back(static_cast<Real>(*rc::gen::inRange(-50, 50)) / 7);
    }
    in.push_back(values[r].data());
    c.push_back(*rc::gen::inRange(-50, 50) / 3.0);
  }
  std::vector<double> factors(count);
  for (double& factor : factors) factor = *rc::gen::inRange(-9, 9) / 3.0;
  with_every_target([&](std::string_view name) {
    RC_LOG() << name;
    std::vector<double> sums(count, 0.5);
    add_weighted(in.data(), c.data(), rows, count, sums.data());
    for (std::size_t i = 0; i < count; ++i) {
      double expected = 0.5;
      for (std::size_t r = 0; r < rows; ++r) expected += c[r] * static_cast<double>(values[r][i]);
      RC_ASSERT(std::abs(sums[i] - expected) <= 1e-10);
    }
    if (count != panel_rows<Real>) return;
    std::vector<double> dots(rows, 0.5);
    add_panel_dots(in.data(), factors.data(), rows, dots.data());
    for (std::size_t r = 0; r < rows; ++r) {
      double expected = 0.5;
      for (std::size_t i = 0; i < count; ++i)
        expected += factors[i] * static_cast<double>(values[r][i]);
      RC_ASSERT(std::abs(dots[r] - expected) <= 1e-10);
    }
  });
}

template <class Real>
void check_copies(std::size_t rows, std::size_t count, std::size_t at, bool streaming) {
  constexpr std::size_t width = panel_rows<Real>;
  std::vector<Real> values(rows * width);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<Real>(k + 1);
  const std::size_t longest = at + std::max(rows, width);
  with_every_target([&](std::string_view name) {
    RC_LOG() << name;
    for (const bool mirrored : {false, true}) {
      std::vector<std::vector<Real>> results(std::max(rows, width), std::vector<Real>(longest));
      std::vector<Real*> out;
      for (auto& row : results) out.push_back(row.data());
      const PanelTile<Real> tile{values.data(), rows, streaming};
      mirrored ? copy_tile_mirrored(tile, count, out.data(), at)
               : copy_tile(tile, count, out.data(), at);
      for (std::size_t r = 0; r < results.size(); ++r) {
        for (std::size_t c = 0; c < longest; ++c) {
          const std::size_t row = mirrored ? c - at : r;
          const std::size_t column = mirrored ? r : c - at;
          const bool written = c >= at && row < rows && column < count;
          RC_ASSERT(results[r][c] == (written ? values[row * width + column] : 0));
        }
      }
    }
  });
}

RC_GTEST_PROP(Panels, TilesAreCopiedWholeAndNothingElseIsWritten, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(0, 14);
  const auto at = *rc::gen::inRange<std::size_t>(0, 9);
  const auto streaming = *rc::gen::arbitrary<bool>();
  check_copies<float>(rows, *rc::gen::inRange<std::size_t>(0, panel_rows<float> + 1), at,
                      streaming);
  check_copies<double>(rows, *rc::gen::inRange<std::size_t>(0, panel_rows<double> + 1), at,
                       streaming);
}

RC_GTEST_PROP(Panels, WeightedSumsAreThoseOfPlainLoopsOnEveryInstructionSet, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(0, 11);
  check_sums<float>(rows, *rc::gen::inRange<std::size_t>(0, 40));
  check_sums<double>(rows, *rc::gen::inRange<std::size_t>(0, 40));
  check_sums<float>(rows, panel_rows<float>);
  check_sums<double>(rows, panel_rows<double>);
}

}  // namespace
}  // namespace rampart
