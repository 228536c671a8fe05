#include "solver/claim_loops.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "util/every_target.hpp"

namespace rampart {
namespace {

using testing_support::with_every_target;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Few different numbers, so that there are ties; some variables are at a bound.
template <class Real>
struct Claims {
  std::vector<Real> up, down;
  std::vector<double> u, diagonal;
  std::vector<double> rise[2], fall[2];
  double step = 0;
  bool moves = true;
};

template <class Real>
Claims<Real> random_claims() {
  const auto size = *rc::gen::inRange<std::size_t>(1, 70);
  const auto one_of = [](std::vector<double> values) { return *rc::gen::elementOf(values); };
  Claims<Real> claims;
  for (std::size_t a = 0; a < size; ++a) {
    claims.up.push_back(static_cast<Real>(one_of({0.1, 0.25, 1, -0.3})));
    claims.down.push_back(static_cast<Real>(one_of({0.7, 0.25, 1 / 3.0})));
    claims.u.push_back(one_of({0, 0.1, -1.7, 2.3}));
    claims.diagonal.push_back(one_of({1, 2.5}));
    for (const std::size_t r : {0, 1}) {
      claims.rise[r].push_back(one_of({1, -1, -infinity}));
      claims.fall[r].push_back(one_of({1, -1, infinity}));
    }
  }
  claims.step = one_of({0, 0.125, 1 / 7.0});
  claims.moves = *rc::gen::arbitrary<bool>();
  return claims;
}

template <class Real>
void check_update(std::size_t layers) {
  const Claims<Real> claims = random_claims<Real>();
  std::vector<double> u = claims.u;
  std::array<ViolatingPair, 2> expected;
  for (std::size_t a = 0; a < u.size(); ++a) {
    if (claims.moves) u[a] += claims.step * static_cast<double>(claims.up[a] - claims.down[a]);
    for (std::size_t r = 0; r < layers; ++r) {
      const double lower = claims.rise[r][a] - u[a];
      const double upper = claims.fall[r][a] - u[a];
      if (lower > expected[r].riser.value) expected[r].riser = {lower, r, a};
      if (upper < expected[r].faller.value) expected[r].faller = {upper, r, a};
    }
  }
  with_every_target([&](std::string_view name) {
    RC_LOG() << name;
    ClaimTable table{.layers = layers,
                     .u = claims.u,
                     .rise = {claims.rise[0], claims.rise[1]},
                     .fall = {claims.fall[0], claims.fall[1]}};
    const auto found = update_claims(claims.step, claims.moves ? claims.up.data() : nullptr,
                                     claims.down.data(), table);
    RC_ASSERT(table.u == u);
    for (std::size_t r = 0; r < layers; ++r) {
      RC_ASSERT(found[r].riser.value == expected[r].riser.value);
      RC_ASSERT(found[r].faller.value == expected[r].faller.value);
      RC_ASSERT(found[r].riser.at == expected[r].riser.at);
      RC_ASSERT(found[r].faller.at == expected[r].faller.at);
      RC_ASSERT(found[r].riser.layer == r && found[r].faller.layer == r);
    }
  });
}

template <class Real>
void check_partner() {
  const Claims<Real> claims = random_claims<Real>();
  const double claim = *rc::gen::elementOf(std::vector<double>{-3, 0.5, 2});
  BestPartner expected;
  for (std::size_t a = 0; a < claims.u.size(); ++a) {
    const double gap = claim - (claims.fall[0][a] - claims.u[a]);
    if (!(gap > 0)) continue;
    const double curvature =
        std::max(1.5 + claims.diagonal[a] - 2 * static_cast<double>(claims.up[a]), 0.75);
    const double gain = gap * gap / curvature;
    if (gain > expected.gain) expected = {gain, a};
  }
  with_every_target([&](std::string_view name) {
    RC_LOG() << name;
    const BestPartner found = best_partner(claim, 1.5, 0.75, claims.up.data(), claims.u,
                                           claims.diagonal.data(), claims.fall[0].data());
    RC_ASSERT(found.gain == expected.gain);
    if (expected.gain > 0) RC_ASSERT(found.at == expected.at);
  });
}

RC_GTEST_PROP(ClaimLoops, UpdateAsAPlainLoopDoesOnEveryInstructionSet, ()) {
  for (const std::size_t layers : {1, 2}) {
    check_update<float>(layers);
    check_update<double>(layers);
  }
}

RC_GTEST_PROP(ClaimLoops, FindTheRowsThatAPlainLoopFindsOnEveryInstructionSet, ()) {
  const Claims<double> claims = random_claims<double>();
  const double bound = *rc::gen::elementOf(std::vector<double>{-3, 0.5, 2});
  std::vector<std::uint32_t> above;
  std::vector<std::uint32_t> below;
  for (std::size_t a = 0; a < claims.u.size(); ++a) {
    const auto n = static_cast<std::uint32_t>(a);
    if (claims.rise[0][a] - claims.u[a] > bound) above.push_back(n);
    if (claims.fall[0][a] - claims.u[a] < bound) below.push_back(n);
  }
  with_every_target([&](std::string_view name) {
    RC_LOG() << name;
    std::vector<std::uint32_t> found;
    find_claims_above(bound, claims.rise[0].data(), claims.u, found);
    RC_ASSERT(found == above);
    found.clear();
    find_claims_below(bound, claims.fall[0].data(), claims.u, found);
    RC_ASSERT(found == below);
  });
}

RC_GTEST_PROP(ClaimLoops, FindThePartnerThatAPlainLoopFindsOnEveryInstructionSet, ()) {
  check_partner<float>();
  check_partner<double>();
}

}  // namespace
}  // namespace rampart
