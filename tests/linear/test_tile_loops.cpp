#include "linear/tile_loops.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "util/every_target.hpp"

namespace rampart {
namespace {

using testing_support::with_every_target;

constexpr double infinity = std::numeric_limits<double>::infinity();

class Numbers {
 public:
  Numbers() : random_(*rc::gen::arbitrary<std::uint32_t>()) {}

  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(random_() % 1000001) / 1e6;
  }
  std::vector<double> list(std::size_t size, double low = -2, double high = 2) {
    std::vector<double> values(size);
    for (double& value : values) value = between(low, high);
    return values;
  }

 private:
  std::mt19937 random_;
};

/// Rounding of a sum of such numbers, in any order.
bool same_sum(double found, double expected, double size) {
  return std::abs(found - expected) <= 1e-13 * (1 + size);
}

RC_GTEST_PROP(TileLoops, ARowIsCentredExactly, ()) {
  Numbers numbers;
  const auto columns = *rc::gen::inRange<std::size_t>(0, 70);
  const std::vector<double> row = numbers.list(columns);
  const std::vector<float> single(row.begin(), row.end());
  const std::vector<double> centre = numbers.list(columns);
  const std::vector<double> factor = numbers.list(columns, 1e-3, 1e3);
  with_every_target([&](std::string_view name) {
    RC_LOG() << name;
    std::vector<double> out(columns + 1, 7.0);
    RowsToCentre<double> doubles;
    doubles.add(row, out.data());
    centre_rows(doubles, centre.data(), factor.data());
    for (std::size_t j = 0; j < columns; ++j) RC_ASSERT(out[j] == (row[j] - centre[j]) * factor[j]);
    RowsToCentre<float> floats;
    floats.add(single, out.data());
    centre_rows(floats, centre.data(), factor.data());
    for (std::size_t j = 0; j < columns; ++j) {
      RC_ASSERT(out[j] == (static_cast<double>(single[j]) - centre[j]) * factor[j]);
    }
    RC_ASSERT(out[columns] == 7.0);
  });
}

RC_GTEST_PROP(TileLoops, ProductsAndSumsOfRowsAreTheirDefinition, ()) {
  Numbers numbers;
  const std::size_t width = tile_unit * *rc::gen::inRange<std::size_t>(0, 12);
  const auto rows = *rc::gen::inRange<std::size_t>(0, tile_rows + 1);
  const std::vector<double> tile = numbers.list(rows * width);
  const std::vector<double> w = numbers.list(width);
  const std::vector<double> coefficient = numbers.list(rows);
  const std::vector<double> before = numbers.list(width);
  std::vector<double> products(rows, 0.0);
  std::vector<double> sums = before;
  for (std::size_t n = 0; n < rows; ++n) {
    for (std::size_t j = 0; j < width; ++j) {
      products[n] += tile[n * width + j] * w[j];
      sums[j] += coefficient[n] * tile[n * width + j];
    }
  }
  with_every_target([&](std::string_view name) {
    RC_LOG() << name;
    std::vector<double> out(rows + 1, 7.0);
    row_products(tile.data(), rows, width, w.data(), out.data());
    for (std::size_t n = 0; n < rows; ++n) {
      RC_ASSERT(same_sum(out[n], products[n], 4 * static_cast<double>(width)));
    }
    RC_ASSERT(out[rows] == 7.0);
    std::vector<double> sum = before;
    add_rows(tile.data(), rows, width, coefficient.data(), sum.data());
    for (std::size_t j = 0; j < width; ++j) {
      RC_ASSERT(same_sum(sum[j], sums[j], 4 * static_cast<double>(rows)));
    }
  });
}

RC_GTEST_PROP(TileLoops, OuterProductsFillTheUpperTriangle, ()) {
  Numbers numbers;
  const std::size_t width = tile_unit * *rc::gen::inRange<std::size_t>(1, 8);
  const auto rows = *rc::gen::inRange<std::size_t>(0, tile_rows + 1);
  const std::vector<double> tile = numbers.list(rows * width);
  const std::vector<double> factor = numbers.list(rows, 0, 3);
  const std::vector<double> before = numbers.list(width * width);
  std::vector<const double*> row;
  for (std::size_t k = 0; k < rows; ++k) row.push_back(tile.data() + k * width);
  with_every_target([&](std::string_view name) {
    RC_LOG() << name;
    std::vector<double> matrix = before;
    add_outer_products(row.data(), factor.data(), rows, width, matrix.data());
    for (std::size_t i = 0; i < width; ++i) {
      for (std::size_t j = i; j < width; ++j) {
        double expected = before[i * width + j];
        for (std::size_t k = 0; k < rows; ++k) expected += factor[k] * row[k][i] * row[k][j];
        RC_ASSERT(same_sum(matrix[i * width + j], expected, 12 * static_cast<double>(rows)));
      }
    }
  });
}

/// The arrays of a layer; rows beyond `rows` have cap 0 and any other number.
struct Layer {
  std::size_t rows = *rc::gen::inRange<std::size_t>(0, tile_rows + 1);
  Numbers numbers;
  std::vector<double> u = numbers.list(tile_rows, -3, 3);
  std::vector<double> y, cap;
  std::vector<float> centre;
  std::vector<double> dual = numbers.list(tile_rows);
  std::vector<double> curvature = std::vector<double>(tile_rows, 7.0);
  double floor = *rc::gen::element(-1.0, -0.04, -infinity);
  double margin = *rc::gen::element(1.0, 0.2, 0.0, 2.3);
  double offset = numbers.between(-1, 1);
  double width = *rc::gen::element(0.02, 0.5, 4.0);
  double width_before = *rc::gen::element(0.0, 0.3, 1e300);
  double repair = *rc::gen::element(0.0, 0.4, -1.0);
  bool new_flats = *rc::gen::arbitrary<bool>();

  Layer() {
    for (std::size_t n = 0; n < tile_rows; ++n) {
      y.push_back(numbers.between(-1, 1) > 0 ? 1 : -1);
      const double kind = numbers.between(0, 1);
      cap.push_back(n >= rows || kind < 0.1 ? 0 : numbers.between(0.1, 5));
      const double size = kind > 0.8 ? 1 : kind > 0.6 ? 0 : numbers.between(0, 1);
      const bool flat = std::isfinite(floor) && numbers.between(0, 1) < 0.4;
      centre.push_back(static_cast<float>(std::copysign(size, flat ? -1.0 : 1.0)));
    }
  }
  TileLayer view() {
    return {.margin = margin,
            .floor = floor,
            .offset = offset,
            .width = width,
            .repair = repair,
            .width_before = width_before,
            .new_flats = new_flats,
            .u = u.data(),
            .y = y.data(),
            .cap = cap.data(),
            .centre = centre.data(),
            .dual = dual.data(),
            .curvature = curvature.data()};
  }
};

/// settle_layer() from its definition, a row at a time.
LayerSums settled(Layer& layer) {
  LayerSums sums;
  for (std::size_t n = 0; n < layer.rows; ++n) {
    const double y = layer.y[n];
    const double cap = layer.cap[n];
    const double s = y * (layer.u[n] + layer.offset);
    const double below = layer.margin - s;
    bool flat = std::signbit(layer.centre[n]);
    const bool flat_here = s < layer.floor;
    if (layer.width_before > 0) {
      const double a = std::clamp(std::abs(layer.centre[n]) + below / layer.width_before, 0.0, 1.0);
      if (layer.new_flats) flat = flat_here;
      layer.centre[n] = static_cast<float>(std::copysign(a, flat ? -1.0 : 1.0));
    }
    const double a = std::abs(layer.centre[n]);
    const double t = std::clamp(a + below / layer.width, 0.0, 1.0);
    const double beta = flat ? cap : 0;
    const double tangent = flat ? beta * (s - layer.floor) : 0;
    const double gamma = cap * (t - y * layer.repair * std::min(t, 1 - t)) - beta;
    sums.smooth += cap * (t * below - layer.width / 2 * (t - a) * (t - a)) + tangent;
    sums.convex += cap * std::max(below, 0.0) + tangent;
    sums.loss += cap * (std::max(below, 0.0) - std::max(layer.floor - s, 0.0));
    sums.dual += layer.margin * gamma + (flat ? beta * (layer.margin - layer.floor) : 0);
    sums.pull += y * gamma;
    sums.room += cap * std::min(t, 1 - t);
    if (cap > 0) {
      sums.changed += flat != flat_here ? 1 : 0;
      sums.flat += flat ? 1 : 0;
      if (t > 0 && t < 1) sums.violation = std::max(sums.violation, layer.width * std::abs(t - a));
    }
    layer.dual[n] += y * gamma;
    layer.curvature[n] = t > 0 && t < 1 ? cap / layer.width : 0;
  }
  return sums;
}

RC_GTEST_PROP(TileLoops, AStepHasTheSumsOfThePointThatItLeadsTo, ()) {
  Layer given;
  given.width_before = given.repair = 0;
  const double theta = *rc::gen::element(0.0, 0.3, 1.0, 10.0);
  const std::vector<double> along = given.numbers.list(tile_rows);
  const double along_offset = given.numbers.between(-1, 1);
  Layer there = given;
  there.offset += theta * along_offset;
  for (std::size_t n = 0; n < tile_rows; ++n) there.u[n] += theta * along[n];
  std::ranges::fill(there.dual, 0.0);
  const LayerSums sums = settled(there);
  double slope = 0;
  for (std::size_t n = 0; n < there.rows; ++n) slope -= there.dual[n] * (along[n] + along_offset);
  with_every_target([&](std::string_view name) {
    RC_LOG() << name;
    Layer layer = given;
    const StepSums found =
        step_layer(layer.view(), {theta, along.data(), along_offset}, layer.rows);
    const double size = 1e4 * tile_rows;
    RC_ASSERT(same_sum(found.smooth, sums.smooth, size));
    RC_ASSERT(same_sum(found.loss, sums.loss, size));
    RC_ASSERT(same_sum(found.slope, slope, size / given.width));
    RC_ASSERT(layer.centre == given.centre);
  });
}

RC_GTEST_PROP(TileLoops, ALayerIsSettledAsDefined, ()) {
  const Layer given;
  Layer expected = given;
  const LayerSums sums = settled(expected);
  with_every_target([&](std::string_view name) {
    RC_LOG() << name;
    Layer layer = given;
    LayerSums found{.smooth = 1, .violation = 0.001, .flat = 2};  // it adds to what is there
    settle_layer(layer.view(), layer.rows, found);
    const double size = 1e3 * tile_rows;
    RC_ASSERT(same_sum(found.smooth, 1 + sums.smooth, size));
    RC_ASSERT(same_sum(found.convex, sums.convex, size));
    RC_ASSERT(same_sum(found.loss, sums.loss, size));
    RC_ASSERT(same_sum(found.dual, sums.dual, size));
    RC_ASSERT(same_sum(found.pull, sums.pull, size));
    RC_ASSERT(same_sum(found.room, sums.room, size));
    RC_ASSERT(same_sum(found.violation, std::max(0.001, sums.violation), size));
    RC_ASSERT(found.changed == sums.changed);
    RC_ASSERT(found.flat == 2 + sums.flat);
    for (std::size_t n = 0; n < layer.rows; ++n) {
      RC_ASSERT(same_sum(layer.dual[n], expected.dual[n], 1e3));
      RC_ASSERT(same_sum(layer.curvature[n], expected.curvature[n], 1e3));
      RC_ASSERT(std::abs(layer.centre[n] - expected.centre[n]) <= 1e-6F);
      RC_ASSERT(std::signbit(layer.centre[n]) == std::signbit(expected.centre[n]));
      if (layer.width_before == 0) RC_ASSERT(layer.centre[n] == given.centre[n]);
    }
  });
}

RC_GTEST_PROP(TileLoops, ALayerWithoutRampsIsNeverFlatAndHasFiniteSums, ()) {
  Layer given;
  given.floor = -infinity;
  given.new_flats = true;
  for (float& centre : given.centre) centre = std::abs(centre);
  with_every_target([&](std::string_view name) {
    RC_LOG() << name;
    Layer layer = given;
    LayerSums sums;
    settle_layer(layer.view(), layer.rows, sums);
    RC_ASSERT(sums.flat == 0);
    RC_ASSERT(sums.changed == 0);
    for (const double sum : {sums.smooth, sums.convex, sums.loss, sums.dual, sums.pull}) {
      RC_ASSERT(std::isfinite(sum));
    }
  });
}

/// A model trained on one machine is the same on another where both multiply and add in one step.
RC_GTEST_PROP(TileLoops, InstructionSetsThatFuseGiveTheSameBits, ()) {
  const std::vector<InstructionSet> sets = available_instruction_sets();
  RC_PRE(std::ranges::count(sets, InstructionSet::avx512) > 0);
  const Layer given;
  const std::size_t width = tile_unit * *rc::gen::inRange<std::size_t>(1, 8);
  Numbers numbers;
  const std::vector<double> tile = numbers.list(tile_rows * width);
  const std::vector<double> w = numbers.list(width);
  const auto bits = [&](InstructionSet set) {
    force_instruction_set(set);
    std::vector<double> found(tile_rows + width + width * width, 0.0);
    row_products(tile.data(), tile_rows, width, w.data(), found.data());
    add_rows(tile.data(), tile_rows, width, given.u.data(), found.data() + tile_rows);
    std::vector<const double*> row;
    for (std::size_t k = 0; k < tile_rows; ++k) row.push_back(tile.data() + k * width);
    std::vector<double> matrix(width * width, 0.0);
    add_outer_products(row.data(), given.cap.data(), tile_rows, width, matrix.data());
    for (std::size_t i = 0; i < width; ++i) {
      for (std::size_t j = i; j < width; ++j) found.push_back(matrix[i * width + j]);
    }
    Layer layer = given;
    LayerSums sums;
    settle_layer(layer.view(), layer.rows, sums);
    found.insert(found.end(), layer.dual.begin(), layer.dual.end());
    found.insert(found.end(), {sums.smooth, sums.convex, sums.loss, sums.dual, sums.pull, sums.room,
                               sums.violation});
    force_instruction_set(std::nullopt);
    return found;
  };
  RC_ASSERT(bits(InstructionSet::avx2) == bits(InstructionSet::avx512));
}

}  // namespace
}  // namespace rampart
