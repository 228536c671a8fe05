#include "data/generate.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>
#include <span>
#include <utility>

#include "rampart/errors.hpp"
#include "util/random.hpp"

namespace rampart {
namespace {

struct Point {
  double x1, x2;
  std::int8_t y = 0;
};

double uniform(Random& random, double low, double high) {
  return boost::random::uniform_real_distribution<double>(low, high)(random);
}

// Six decimals, as the file will have it: labels must follow from what is written.
double rounded(double value) {
  const double result = std::round(value * 1e6) / 1e6;
  return result == 0 ? 0 : result;  // no −0
}

Point point(double x1, double x2, std::int8_t y = 0) { return {rounded(x1), rounded(x2), y}; }

// Turns the labels of exactly `count` of these points, or of all if there are fewer.
void flip_labels(std::vector<Point>& points, std::vector<std::size_t> candidates, std::size_t count,
                 Random& random) {
  count = std::min(count, candidates.size());
  shuffle(std::span(candidates), random, count);
  for (std::size_t k = 0; k < count; ++k) {
    std::int8_t& y = points[candidates[k]].y;
    y = y > 0 ? -1 : 1;
  }
}

// Rows `n` of all for which keep(point) holds.
template <class Keep>
std::vector<std::size_t> where(const std::vector<Point>& points, Keep keep) {
  std::vector<std::size_t> found;
  for (std::size_t n = 0; n < points.size(); ++n) {
    if (keep(points[n])) found.push_back(n);
  }
  return found;
}

struct Rectangle {
  double share, left, right, bottom, top;
};
using Mixture = std::array<Rectangle, 3>;
constexpr Mixture f1 = {{{.45, -1, 0, -1, 1}, {.5, -4, -3, 0, 1}, {.05, -10, 0, -5, 5}}};
constexpr Mixture f2 = {{{.45, 0, 1, -1, 1}, {.5, 9, 10, -1, 0}, {.05, 0, 10, -5, 5}}};

Point draw(const Mixture& mixture, Random& random) {
  double u = uniform(random, 0, 1);
  std::size_t k = 0;
  while (k + 1 < mixture.size() && u >= mixture[k].share) u -= mixture[k++].share;
  const Rectangle& r = mixture[k];
  const double x1 = uniform(random, r.left, r.right);
  return point(x1, uniform(random, r.bottom, r.top));
}

std::vector<Point> synthetic1(std::size_t rows, Random& random) {
  std::vector<Point> points;
  for (std::size_t n = 0; n < rows; ++n) {
    points.push_back(draw(n < (rows + 1) / 2 ? f1 : f2, random));
    points.back().y = points.back().x1 >= 0 ? 1 : -1;
  }
  flip_labels(points, where(points, [](const Point&) { return true; }), (rows + 5) / 10, random);
  return points;
}

std::vector<Point> synthetic2(std::size_t rows, Random& random, std::uint64_t problem_seed) {
  boost::random::normal_distribution<double> normal;
  // Another stream than that of the rows, even if the two seeds are the same number.
  Random problem(problem_seed ^ 0x9e3779b97f4a7c15U);
  std::array<std::array<std::pair<double, double>, 10>, 2> centres;
  for (std::size_t c = 0; c < 2; ++c) {
    for (auto& [m1, m2] : centres[c]) {
      m1 = normal(problem) + (c == 0 ? 1 : 0);
      m2 = normal(problem) + (c == 0 ? 0 : 1);
    }
  }
  const double deviation = std::sqrt(1.0 / 5);
  std::vector<Point> points;
  for (std::size_t n = 0; n < rows; ++n) {
    const bool positive = n >= (rows + 1) / 2;
    const auto [m1, m2] = centres[positive][below(random, 10)];
    const double x1 = m1 + deviation * normal(random);
    points.push_back(point(x1, m2 + deviation * normal(random), positive ? 1 : -1));
  }
  return points;
}

std::vector<Point> square(std::size_t rows, Random& random) {
  std::vector<Point> points;
  for (std::size_t n = 0; n < rows; ++n) {
    const double x1 = uniform(random, 0, 1);
    points.push_back(point(x1, uniform(random, 0, 1)));
    points.back().y = points.back().x2 >= points.back().x1 ? 1 : -1;
  }
  const auto near_the_diagonal = [](const Point& p) { return std::abs(p.x2 - p.x1) < .225; };
  flip_labels(points, where(points, near_the_diagonal), (rows + 2) / 5, random);
  return points;
}

std::vector<Point> draw_points(SyntheticSet set, std::size_t rows, Random& random,
                               std::uint64_t problem_seed) {
  switch (set) {
    case SyntheticSet::synthetic1:
      return synthetic1(rows, random);
    case SyntheticSet::synthetic2:
      return synthetic2(rows, random, problem_seed);
    case SyntheticSet::square:
      return square(rows, random);
  }
  throw OptionError("no such synthetic set");
}

}  // namespace

std::size_t paper_size(SyntheticSet set) {
  switch (set) {
    case SyntheticSet::synthetic1:
      return 300;
    case SyntheticSet::synthetic2:
      return 200;
    case SyntheticSet::square:
      return 400;
  }
  throw OptionError("no such synthetic set");
}

Dataset generate(SyntheticSet set, std::size_t rows, std::uint64_t seed,
                 std::uint64_t problem_seed) {
  if (rows < 2) throw OptionError(fmt::format("rows = {}: must be at least 2", rows));
  Random random(seed);
  std::vector<Point> points = draw_points(set, rows, random, problem_seed);
  shuffle(std::span(points), random, points.size());

  std::vector<double> values;
  Dataset data;
  for (const Point& p : points) {
    values.insert(values.end(), {p.x1, p.x2});
    data.y.push_back(p.y);
  }
  data.x = Rows::dense(2, std::move(values));
  data.classes = {"-1", "1"};
  data.features = {"x1", "x2"};
  return data;
}

}  // namespace rampart
