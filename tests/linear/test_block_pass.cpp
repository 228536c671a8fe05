#include "linear/block_pass.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

#include "linear_problem.hpp"

namespace rampart {
namespace {

using testing_support::every_objective;
using testing_support::LinearProblem;
using testing_support::RowLayer;
using testing_support::visit_of;
using Want = Visit::Want;

constexpr double kept_centres = 1e300;

/// More rows than a tile, and columns whose padding has room for the offsets or not.
LinearProblem any_problem() {
  LinearProblem problem(*rc::gen::element<std::size_t>(2, 9, 64, 128, 129, 150),
                        *rc::gen::element<std::size_t>(1, 3, 6, 7, 8, 15, 20),
                        *rc::gen::elementOf(every_objective()),
                        *rc::gen::arbitrary<std::uint32_t>());
  if (*rc::gen::arbitrary<bool>()) problem.weigh();
  if (*rc::gen::arbitrary<bool>()) problem.set_frame();
  return problem;
}

double any_width() { return *rc::gen::element(0.05, 0.5, 4.0); }

/// Numbers that add up to a sum of this size.
bool near(double found, double expected, double size) {
  return std::abs(found - expected) <= 1e-12 * (1 + size);
}

/// Length of the sums' terms together: rounding is relative to it.
double size_of(const LinearProblem& problem) {
  double sum = 0;
  for (const Hinge& hinge : problem.loss.hinges) {
    for (std::size_t n = 0; n < problem.size(); ++n) sum += problem.cap(hinge, n);
  }
  return 200 * sum;
}

std::size_t stride_of(const LinearProblem& problem) {
  return curvature_stride(problem.x.columns(), problem.loss.offsets);
}

/// Element of the symmetric matrix of which the upper triangle is stored.
double element(const PassSums& sums, std::size_t stride, std::size_t i, std::size_t j) {
  return sums.curvature[std::min(i, j) * stride + std::max(i, j)];
}

/// −derivative of Σ ψ for columns, then offsets.
std::vector<double> descent(const PassSums& sums, std::size_t offsets) {
  std::vector<double> found = sums.gradient;
  found.insert(found.end(), sums.pull.begin(),
               sums.pull.begin() + static_cast<std::ptrdiff_t>(offsets));
  return found;
}

LinearPoint moved(LinearPoint at, std::span<const double> by, double length) {
  for (std::size_t j = 0; j < at.w.size(); ++j) at.w[j] += length * by[j];
  for (std::size_t o = 0; at.w.size() + o < by.size(); ++o) {
    at.offsets[o] += length * by[at.w.size() + o];
  }
  return at;
}

RC_GTEST_PROP(BlockPass, SumsAreTheirDefinition, ()) {
  LinearProblem problem = any_problem();
  const std::vector<float> before = problem.any_centres();
  const LinearPoint at = problem.any_point();
  Visit visit = visit_of(at, any_width());
  visit.width_before = *rc::gen::element(0.0, 0.3, kept_centres);
  visit.new_flats = *rc::gen::arbitrary<bool>();
  visit.repair = {*rc::gen::element(0.0, 0.7), *rc::gen::element(0.0, -0.2)};
  std::vector<float> centres = before;
  const PassSums sums = block_pass(problem.rows(), problem.loss, problem.frame, visit, centres);

  const std::size_t columns = problem.x.columns();
  const std::size_t size = columns + problem.loss.offsets;
  PassSums expected;
  std::vector<double> g(size, 0.0);
  std::vector<double> h(size * size, 0.0);
  for (std::size_t n = 0; n < problem.size(); ++n) {
    double pulls = 0;
    bool active = false;
    std::vector<double> row = problem.framed(n);
    row.resize(size, 0.0);
    for (std::size_t r = 0; r < problem.loss.hinges.size(); ++r) {
      const Hinge& hinge = problem.loss.hinges[r];
      const std::size_t o = hinge.offset;
      float& centre = centres[r * problem.size() + n];
      const RowLayer at_row(problem, r, n, visit, before[r * problem.size() + n]);
      const auto& [cap, s, a, t, alpha, beta, flat] = at_row;
      const double tangent = flat ? beta * (s - problem.loss.floor) : 0;
      expected.smooth +=
          cap * (t * (hinge.margin - s) - visit.width / 2 * (t - a) * (t - a)) + tangent;
      expected.convex += cap * std::max(hinge.margin - s, 0.0) + tangent;
      expected.dual +=
          hinge.margin * (alpha - beta) + (flat ? beta * (hinge.margin - problem.loss.floor) : 0);
      expected.pull[o] += problem.y[n] * (alpha - beta);
      expected.room[o] += cap * std::min(t, 1 - t);
      expected.flat += flat && cap > 0 ? 1 : 0;
      expected.changed += flat != (s < problem.loss.floor) && cap > 0 ? 1 : 0;
      pulls += problem.y[n] * (alpha - beta);
      if (t > 0 && t < 1 && cap > 0) {
        active = true;
        expected.violation = std::max(expected.violation, visit.width * std::abs(t - a));
        std::vector<double> wide = row;
        wide[columns + o] = 1;
        for (std::size_t i = 0; i < size; ++i) {
          for (std::size_t j = 0; j < size; ++j) {
            h[i * size + j] += cap / visit.width * wide[i] * wide[j];
          }
        }
      }
      RC_ASSERT(std::abs(std::abs(centre) - a) <= 1e-6);
      RC_ASSERT(std::signbit(centre) == flat);
      if (visit.width_before == 0) RC_ASSERT(centre == before[r * problem.size() + n]);
    }
    expected.support += pulls != 0 ? 1 : 0;
    expected.active += active ? 1 : 0;
    for (std::size_t j = 0; j < columns; ++j) g[j] += pulls * row[j];
  }
  const double magnitude = size_of(problem);
  RC_ASSERT(sums.rows == static_cast<double>(problem.size()));
  RC_ASSERT(near(sums.smooth, expected.smooth, magnitude));
  RC_ASSERT(near(sums.convex, expected.convex, magnitude));
  RC_ASSERT(near(problem.half_norm(at.w) + sums.loss, problem.objective(at), magnitude));
  RC_ASSERT(near(sums.dual, expected.dual, magnitude));
  RC_ASSERT(near(sums.violation, expected.violation, magnitude));
  RC_ASSERT(sums.flat == expected.flat);
  RC_ASSERT(sums.changed == expected.changed);
  RC_ASSERT(sums.active == expected.active);
  for (std::size_t o = 0; o < problem.loss.offsets; ++o) {
    RC_ASSERT(near(sums.pull[o], expected.pull[o], magnitude));
    RC_ASSERT(near(sums.room[o], expected.room[o], magnitude));
  }
  RC_ASSERT(sums.gradient.size() == columns);
  for (std::size_t j = 0; j < columns; ++j) RC_ASSERT(near(sums.gradient[j], g[j], magnitude));
  const std::size_t stride = stride_of(problem);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = i; j < size; ++j) {
      RC_ASSERT(near(element(sums, stride, i, j), h[i * size + j], magnitude / visit.width));
    }
  }
}

RC_GTEST_PROP(BlockPass, HowMuchIsWantedDoesNotChangeIt, ()) {
  LinearProblem problem = any_problem();
  std::vector<float> centres = problem.any_centres();
  const LinearPoint at = problem.any_point();
  const double width = any_width();
  const auto sums_of = [&](Want want) {
    return block_pass(problem.rows(), problem.loss, problem.frame, visit_of(at, width, want),
                      centres);
  };
  const PassSums all = sums_of(Want::curvature);
  for (const Want want : {Want::value, Want::gradient, Want::diagonal}) {
    const PassSums some = sums_of(want);
    RC_ASSERT(some.smooth == all.smooth);
    RC_ASSERT(some.loss == all.loss);
    RC_ASSERT(some.convex == all.convex);
    RC_ASSERT(some.dual == all.dual);
    RC_ASSERT(some.pull == all.pull);
    RC_ASSERT(some.gradient == (want == Want::value ? std::vector<double>{} : all.gradient));
    RC_ASSERT(some.curvature.empty());
    RC_ASSERT(some.diagonal.empty() == (want != Want::diagonal));
    for (std::size_t j = 0; j < some.diagonal.size(); ++j) {
      RC_ASSERT(
          near(some.diagonal[j], element(all, stride_of(problem), j, j), size_of(problem) / width));
    }
  }
}

RC_GTEST_PROP(BlockPass, TheGradientIsTheDerivativeOfAConvexFunction, ()) {
  LinearProblem problem = any_problem();
  std::vector<float> centres = problem.any_centres();
  const double width = any_width();
  const LinearPoint at = problem.any_point();
  const auto sums_at = [&](const LinearPoint& point) {
    return block_pass(problem.rows(), problem.loss, problem.frame, visit_of(point, width), centres);
  };
  const PassSums here = sums_at(at);
  const std::vector<double> down = descent(here, problem.loss.offsets);
  // The difference of two values lies between the slopes at both ends.
  const std::vector<double> by = problem.list(down.size());
  for (const double length : {1.0, 1e-3}) {
    const PassSums there = sums_at(moved(at, by, length));
    const std::vector<double> down_there = descent(there, problem.loss.offsets);
    double slope = 0;
    double slope_there = 0;
    for (std::size_t j = 0; j < by.size(); ++j) {
      slope -= down[j] * by[j];
      slope_there -= down_there[j] * by[j];
    }
    const double rise = (there.smooth - here.smooth) / length;
    const double rounding = 1e-12 * size_of(problem) / length;
    RC_ASSERT(slope <= rise + rounding);
    RC_ASSERT(rise <= slope_there + rounding);
  }
}

RC_GTEST_PROP(BlockPass, CurvatureIsTheDerivativeOfTheGradient, ()) {
  LinearProblem problem = any_problem();
  std::vector<float> centres = problem.any_centres();
  const double width = any_width();
  const LinearPoint at = problem.any_point();
  const auto sums_at = [&](const LinearPoint& point) {
    return block_pass(problem.rows(), problem.loss, problem.frame, visit_of(point, width), centres);
  };
  const PassSums here = sums_at(at);
  const std::size_t size = problem.x.columns() + problem.loss.offsets;
  const std::vector<double> by = problem.list(size);
  constexpr double length = 1e-5;
  // The gradient is linear between kinks: none may lie between the two points.
  const auto pieces = [&](const LinearPoint& point) {
    std::vector<double> found;
    for (std::size_t r = 0; r < problem.loss.hinges.size(); ++r) {
      for (std::size_t n = 0; n < problem.size(); ++n) {
        const RowLayer row(problem, r, n, visit_of(point, width), centres[r * problem.size() + n]);
        found.push_back(row.t > 0 && row.t < 1 ? 0.5 : row.t);
      }
    }
    return found;
  };
  const LinearPoint before = moved(at, by, -length);
  const LinearPoint after = moved(at, by, length);
  RC_PRE(pieces(before) == pieces(after));
  const std::vector<double> first = descent(sums_at(before), problem.loss.offsets);
  const std::vector<double> second = descent(sums_at(after), problem.loss.offsets);
  const std::vector<double> product =
      block_product(problem.rows(), problem.loss, problem.frame, visit_of(at, width), by, centres);
  RC_ASSERT(product.size() == size);
  for (std::size_t i = 0; i < size; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < size; ++j) sum += element(here, stride_of(problem), i, j) * by[j];
    const double magnitude = size_of(problem);
    RC_ASSERT(near((first[i] - second[i]) / (2 * length), sum, magnitude / length));
    RC_ASSERT(near(product[i], sum, magnitude / width));
  }
}

RC_GTEST_PROP(BlockPass, TheConvexProblemTouchesTheLossWhereItsFlatSetsAreMade, ()) {
  LinearProblem problem = any_problem();
  std::vector<float> centres = problem.any_centres();
  const LinearPoint at = problem.any_point();
  Visit visit = visit_of(at, 1, Want::value);
  const PassSums other_sets =
      block_pass(problem.rows(), problem.loss, problem.frame, visit, centres);
  const double rounding = 1e-12 * size_of(problem);
  RC_ASSERT(other_sets.convex >= other_sets.loss - rounding);
  visit.width_before = kept_centres;
  visit.new_flats = true;
  const PassSums touching = block_pass(problem.rows(), problem.loss, problem.frame, visit, centres);
  RC_ASSERT(std::abs(touching.convex - touching.loss) <= rounding);
  RC_ASSERT(touching.changed == 0);
  for (int k = 0; k < 5; ++k) {  // elsewhere it lies above
    const LinearPoint there = problem.any_point(3);
    const PassSums sums = block_pass(problem.rows(), problem.loss, problem.frame,
                                     visit_of(there, 1, Want::value), centres);
    RC_ASSERT(sums.convex >= sums.loss - rounding);
  }
}

RC_GTEST_PROP(BlockPass, RepairMakesTheSumsExactAndWhatIsLeftBoundsTheConvexProblem, ()) {
  LinearProblem problem = any_problem();
  std::vector<float> centres = problem.any_centres();
  const LinearPoint at = problem.any_point(0.5);
  Visit visit = visit_of(at, any_width(), Want::gradient);
  const PassSums first = block_pass(problem.rows(), problem.loss, problem.frame, visit, centres);
  for (std::size_t o = 0; o < problem.loss.offsets; ++o) {
    RC_PRE(first.room[o] > 0);
    visit.repair[o] = first.pull[o] / first.room[o];
    RC_PRE(std::abs(visit.repair[o]) <= 1);
  }
  const PassSums repaired = block_pass(problem.rows(), problem.loss, problem.frame, visit, centres);
  const double rounding = 1e-12 * size_of(problem);
  double bound = repaired.dual;
  const std::vector<double> lambda = problem.lambda();
  for (std::size_t j = 0; j < lambda.size(); ++j) {
    bound -= repaired.gradient[j] * repaired.gradient[j] / lambda[j] / 2;
  }
  for (std::size_t o = 0; o < problem.loss.offsets; ++o) {
    RC_ASSERT(std::abs(repaired.pull[o]) <= rounding);
  }
  for (std::size_t r = 0; r < problem.loss.hinges.size(); ++r) {
    for (std::size_t n = 0; n < problem.size(); ++n) {
      const RowLayer row(problem, r, n, visit, centres[r * problem.size() + n]);
      RC_ASSERT(row.alpha >= -1e-15 * row.cap && row.alpha <= row.cap * (1 + 1e-15));
    }
  }
  // Weak duality: at these points, and at the one that the dual variables themselves give.
  std::vector<LinearPoint> points{at, {std::vector<double>(lambda.size(), 0.0), {}}};
  LinearPoint own = at;
  for (std::size_t j = 0; j < lambda.size(); ++j) own.w[j] = repaired.gradient[j] / lambda[j];
  points.push_back(own);
  for (int k = 0; k < 5; ++k) points.push_back(problem.any_point(2));
  for (const LinearPoint& point : points) {
    const PassSums sums = block_pass(problem.rows(), problem.loss, problem.frame,
                                     visit_of(point, 1, Want::value), centres);
    RC_ASSERT(problem.half_norm(point.w) + sums.convex >= bound - rounding);
  }
}

RC_GTEST_PROP(BlockPass, ASearchKnowsWhatAVisitOfEachPointWould, ()) {
  LinearProblem problem = any_problem();
  std::vector<float> centres = problem.any_centres();
  const LinearPoint at = problem.any_point();
  const LinearPoint line = problem.any_point();
  const double width = any_width();
  const std::vector<double> thetas{-0.5, 0, 0.3, 1, 7};
  const std::vector<float> kept = centres;
  const SearchSums found = block_search(problem.rows(), problem.loss, problem.frame,
                                        visit_of(at, width), line.w, line.offsets, thetas, centres);
  RC_ASSERT(centres == kept);
  std::vector<double> by = line.w;
  by.insert(by.end(), line.offsets.begin(), line.offsets.end());
  by.resize(line.w.size() + problem.loss.offsets);
  for (std::size_t k = 0; k < thetas.size(); ++k) {
    const PassSums sums = block_pass(problem.rows(), problem.loss, problem.frame,
                                     visit_of(moved(at, by, thetas[k]), width), centres);
    const std::vector<double> down = descent(sums, problem.loss.offsets);
    double slope = 0;
    for (std::size_t j = 0; j < by.size(); ++j) slope -= down[j] * by[j];
    const double magnitude = 10 * size_of(problem);
    RC_ASSERT(near(found.smooth[k], sums.smooth, magnitude));
    RC_ASSERT(near(found.loss[k], sums.loss, magnitude));
    RC_ASSERT(near(found.slope[k], slope, 10 * magnitude));
  }
}

RC_GTEST_PROP(BlockPass, EveryFormOfRowsGivesTheSameSums, ()) {
  LinearProblem problem = any_problem();
  if (problem.frame.centre.empty()) problem.set_plain_frame();
  std::vector<float> centres = problem.any_centres();
  const LinearPoint at = problem.any_point();
  const Visit visit = visit_of(at, any_width());
  const PassSums dense = block_pass(problem.rows(), problem.loss, problem.frame, visit, centres);
  const auto check = [&](const PassSums& other) {
    const double magnitude = size_of(problem) / visit.width;
    RC_ASSERT(near(other.smooth, dense.smooth, magnitude));
    RC_ASSERT(near(other.loss, dense.loss, magnitude));
    RC_ASSERT(near(other.dual, dense.dual, magnitude));
    RC_ASSERT(other.active == dense.active);
    for (std::size_t j = 0; j < dense.gradient.size(); ++j) {
      RC_ASSERT(near(other.gradient[j], dense.gradient[j], magnitude));
    }
    const std::size_t size = problem.x.columns() + problem.loss.offsets;
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = i; j < size; ++j) {
        RC_ASSERT(near(element(other, stride_of(problem), i, j),
                       element(dense, stride_of(problem), i, j), magnitude));
      }
    }
  };
  check(block_pass(problem.single_rows(), problem.loss, problem.frame, visit, centres));
  check(block_pass(problem.sparse_rows(), problem.loss, problem.frame, visit, centres));
  // All rows, selected.
  std::vector<std::size_t> which(problem.size());
  for (std::size_t n = 0; n < which.size(); ++n) which[n] = n;
  const BlockRows selected{RowsView(problem.x).rows(which), problem.y, problem.weights};
  check(block_pass(selected, problem.loss, problem.frame, visit, centres));
}

RC_GTEST_PROP(BlockPass, SparseRowsWithoutAFrameAreTheDenseRows, ()) {
  LinearProblem problem = any_problem();
  problem.set_plain_frame();
  std::vector<float> centres = problem.any_centres();
  const LinearPoint at = problem.any_point();
  const LinearPoint line = problem.any_point();
  const Visit visit = visit_of(at, any_width());
  const std::vector<double> thetas{0.5, 2};
  const std::vector<double> v = problem.list(problem.x.columns() + problem.loss.offsets);
  const auto all_of = [&](const BlockRows& rows, const Frame& frame) {
    const PassSums sums = block_pass(rows, problem.loss, frame, visit, centres);
    const SearchSums search =
        block_search(rows, problem.loss, frame, visit, line.w, line.offsets, thetas, centres);
    std::vector<double> found = block_product(rows, problem.loss, frame, visit, v, centres);
    found.insert(found.end(), sums.gradient.begin(), sums.gradient.end());
    found.insert(found.end(), search.slope.begin(), search.slope.end());
    found.insert(found.end(), {sums.smooth, sums.loss, sums.dual, sums.active});
    const std::size_t size = problem.x.columns() + problem.loss.offsets;
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = i; j < size; ++j) {
        found.push_back(element(sums, stride_of(problem), i, j));
      }
    }
    return found;
  };
  const std::vector<double> dense = all_of(problem.rows(), problem.frame);
  const std::vector<double> sparse = all_of(problem.sparse_rows(), Frame{});
  for (std::size_t k = 0; k < dense.size(); ++k) {
    RC_ASSERT(near(sparse[k], dense[k], 10 * size_of(problem) / visit.width));
  }
}

RC_GTEST_PROP(BlockPass, BlocksAddUp, ()) {
  LinearProblem problem = any_problem();
  const std::vector<float> centres = problem.any_centres();
  const LinearPoint at = problem.any_point();
  const Visit visit = visit_of(at, any_width());
  const auto sums_of = [&](std::size_t begin, std::size_t end) {
    std::vector<float> part;
    for (std::size_t r = 0; r < problem.loss.hinges.size(); ++r) {
      for (std::size_t n = begin; n < end; ++n) part.push_back(centres[r * problem.size() + n]);
    }
    const BlockRows whole = problem.rows();
    const BlockRows rows{
        whole.x.range(begin, end), whole.y.subspan(begin, end - begin),
        whole.weights.empty() ? whole.weights : whole.weights.subspan(begin, end - begin)};
    return block_pass(rows, problem.loss, problem.frame, visit, part);
  };
  const PassSums whole = sums_of(0, problem.size());
  const auto middle = *rc::gen::inRange<std::size_t>(0, problem.size() + 1);
  PassSums parts = sums_of(0, middle);
  parts.add(sums_of(middle, problem.size()));
  const double magnitude = size_of(problem) / visit.width;
  RC_ASSERT(parts.rows == whole.rows);
  RC_ASSERT(parts.flat == whole.flat);
  RC_ASSERT(parts.active == whole.active);
  RC_ASSERT(parts.changed == whole.changed);
  RC_ASSERT(parts.support == whole.support);
  RC_ASSERT(near(parts.violation, whole.violation, 1));
  RC_ASSERT(near(parts.smooth, whole.smooth, magnitude));
  RC_ASSERT(near(parts.convex, whole.convex, magnitude));
  RC_ASSERT(near(parts.dual, whole.dual, magnitude));
  for (std::size_t j = 0; j < whole.gradient.size(); ++j) {
    RC_ASSERT(near(parts.gradient[j], whole.gradient[j], magnitude));
  }
  for (std::size_t i = 0; i < whole.gradient.size(); ++i) {
    RC_ASSERT(near(element(parts, stride_of(problem), i, i),
                   element(whole, stride_of(problem), i, i), magnitude));
  }
}

}  // namespace
}  // namespace rampart
